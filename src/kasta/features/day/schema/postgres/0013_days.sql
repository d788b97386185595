-- The dice of a day: one secret for each game, which is told when the day is surely over. `best` is what a bot made of it.
CREATE TABLE kasta_days (
    day text NOT NULL,
    game text NOT NULL,
    secret bytea NOT NULL,
    made double precision NOT NULL,
    ended double precision,
    told double precision,
    best integer,
    PRIMARY KEY (day, game)
);
CREATE INDEX kasta_days_untold ON kasta_days (day) WHERE told IS NULL;
-- The one try of a device that counts. It is forgotten with the day.
CREATE TABLE kasta_tries (
    day text NOT NULL,
    game text NOT NULL,
    device text NOT NULL,
    name text NOT NULL,
    PRIMARY KEY (day, device, game)
);
-- The days that a device has played.
CREATE INDEX kasta_results_days ON kasta_results (device, kind) WHERE kind LIKE 'day/%';
