-- The dice of a day: one secret for each game, which is told when the day is surely over. `best` is what a bot made of it.
CREATE TABLE days (
    day TEXT NOT NULL,
    game TEXT NOT NULL,
    secret BLOB NOT NULL,
    made REAL NOT NULL,
    ended REAL,
    told REAL,
    best INTEGER,
    PRIMARY KEY (day, game)
) WITHOUT ROWID;
CREATE INDEX days_untold ON days (day) WHERE told IS NULL;
-- The one try of a device that counts. It is forgotten with the day.
CREATE TABLE tries (
    day TEXT NOT NULL,
    game TEXT NOT NULL,
    device TEXT NOT NULL,
    name TEXT NOT NULL,
    PRIMARY KEY (day, device, game)
) WITHOUT ROWID;
-- The days that a device has played.
CREATE INDEX results_days ON results (device, kind) WHERE kind LIKE 'day/%';
