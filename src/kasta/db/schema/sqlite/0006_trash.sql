-- Since when a table is hidden: nobody sees it any more, and it can still be brought back.
ALTER TABLE tables ADD COLUMN hidden REAL;
-- The last look at the clock, and since when it has gone on steadily.
CREATE TABLE look (
    one INTEGER PRIMARY KEY CHECK (one = 1),
    since REAL NOT NULL,
    last REAL NOT NULL
);
-- Presence and claims are no longer in seconds since 1970, but in those of the machine's steady clock.
DELETE FROM nodes;
DELETE FROM claims;
