-- The first answer of a device to each puzzle, and the device's rating after it.
CREATE TABLE answers (
    device TEXT NOT NULL,
    game TEXT NOT NULL,
    number INTEGER NOT NULL,
    chosen TEXT NOT NULL,
    rating REAL NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (device, game, number)
) WITHOUT ROWID;
