-- The same throws for whoever opens a link: one secret for all games of a challenge, which is told when its days are
-- surely over. `host` is the device of whoever made it, `name` what they are called; both are empty once forgotten.
-- `known` tells of a game that was played with these throws before, as JSON.
CREATE TABLE challenges (
    id TEXT NOT NULL PRIMARY KEY,
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    games INTEGER NOT NULL,
    secret BLOB NOT NULL,
    made REAL NOT NULL,
    ends REAL NOT NULL,
    host TEXT NOT NULL,
    name TEXT NOT NULL,
    known TEXT,
    ended REAL,
    told REAL
) WITHOUT ROWID;
CREATE INDEX challenges_host ON challenges (host);
CREATE INDEX challenges_told ON challenges (told);
-- What a bot made of each game: its total, and its sheet as a packed record. It can always be played again.
CREATE TABLE challenge_bests (
    challenge TEXT NOT NULL,
    leg INTEGER NOT NULL,
    total INTEGER NOT NULL,
    record BLOB NOT NULL,
    PRIMARY KEY (challenge, leg)
) WITHOUT ROWID;
-- The challenges that a device has begun, and finished. Tries stay as long as their challenge; `day` is its id.
CREATE INDEX tries_challenges ON tries (device) WHERE day LIKE 'challenge/%';
CREATE INDEX results_challenges ON results (device, kind) WHERE kind LIKE 'challenge/%';
