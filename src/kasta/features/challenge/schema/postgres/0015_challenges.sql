-- The same throws for whoever opens a link: one secret for all games of a challenge, which is told when its days are
-- surely over. `host` is the device of whoever made it, `name` what they are called; both are empty once forgotten.
-- `known` tells of a game that was played with these throws before, as JSON.
CREATE TABLE kasta_challenges (
    id text NOT NULL PRIMARY KEY,
    game text NOT NULL,
    rules text NOT NULL,
    games integer NOT NULL,
    secret bytea NOT NULL,
    made double precision NOT NULL,
    ends double precision NOT NULL,
    host text NOT NULL,
    name text NOT NULL,
    known text,
    ended double precision,
    told double precision
);
CREATE INDEX kasta_challenges_host ON kasta_challenges (host);
CREATE INDEX kasta_challenges_told ON kasta_challenges (told);
-- What a bot made of each game: its total, and its sheet as a packed record. It can always be played again.
CREATE TABLE kasta_challenge_bests (
    challenge text NOT NULL,
    leg integer NOT NULL,
    total integer NOT NULL,
    record bytea NOT NULL,
    PRIMARY KEY (challenge, leg)
);
-- The challenges that a device has begun, and finished. Tries stay as long as their challenge; `day` is its id.
CREATE INDEX kasta_tries_challenges ON kasta_tries (device) WHERE day LIKE 'challenge/%';
CREATE INDEX kasta_results_challenges ON kasta_results (device, kind) WHERE kind LIKE 'challenge/%';
