CREATE TABLE tables (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    head INTEGER NOT NULL,
    turn INTEGER NOT NULL DEFAULT 0,
    owing INTEGER NOT NULL DEFAULT 0,
    guard INTEGER NOT NULL DEFAULT 0,
    touched REAL NOT NULL
);
CREATE TABLE events (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seq INTEGER NOT NULL,
    turn INTEGER,
    seat INTEGER,
    step INTEGER,
    body BLOB NOT NULL,
    checksum INTEGER NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (table_id, seq)
) WITHOUT ROWID;
-- What a seat did on a throw is there once, however often it was sent.
CREATE UNIQUE INDEX events_once ON events (table_id, turn, seat, step) WHERE turn IS NOT NULL;
CREATE TABLE secrets (
    table_id INTEGER PRIMARY KEY REFERENCES tables (id) ON DELETE CASCADE,
    secret BLOB NOT NULL
);
