-- Finished games, for each seat of a person. They outlive their table, and no name of anybody is in them unless it is
-- `shown` on demand.
CREATE TABLE results (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    seat INTEGER NOT NULL,
    device TEXT NOT NULL,
    kind TEXT NOT NULL,
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    ended REAL NOT NULL,
    total INTEGER NOT NULL,
    place INTEGER NOT NULL,
    seats INTEGER NOT NULL,
    bots INTEGER NOT NULL,
    is_helped INTEGER NOT NULL,
    hands TEXT NOT NULL,
    record BLOB NOT NULL,
    shown TEXT,
    UNIQUE (name, seat)
);
CREATE INDEX results_device ON results (device, ended);
CREATE INDEX results_device_game ON results (device, game, rules, ended);
CREATE INDEX results_ranking ON results (kind, game, rules, total DESC, ended) WHERE NOT is_helped;
-- How many have each total: a place among a million is found by some hundred rows.
CREATE TABLE spreads (
    kind TEXT NOT NULL,
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    total INTEGER NOT NULL,
    number INTEGER NOT NULL,
    PRIMARY KEY (kind, game, rules, total)
) WITHOUT ROWID;
CREATE TRIGGER results_added AFTER INSERT ON results WHEN NOT new.is_helped BEGIN
    INSERT INTO spreads VALUES (new.kind, new.game, new.rules, new.total, 1)
        ON CONFLICT DO UPDATE SET number = number + 1;
END;
CREATE TRIGGER results_gone AFTER DELETE ON results WHEN NOT old.is_helped BEGIN
    UPDATE spreads SET number = number - 1
        WHERE kind = old.kind AND game = old.game AND rules = old.rules AND total = old.total;
    DELETE FROM spreads
        WHERE kind = old.kind AND game = old.game AND rules = old.rules AND total = old.total AND number = 0;
END;
-- A table gives its results once, also if somebody deletes them then. Closed tables are found without reading all.
ALTER TABLE tables ADD COLUMN taken INTEGER NOT NULL DEFAULT 0;
CREATE INDEX events_closed ON events (table_id)
    WHERE turn IS NULL AND substr(body, 1, 16) = x'7b226b696e64223a22636c6f73656422';
