-- Small things beside the tables: named tokens, and which tables are listed.
CREATE TABLE notes (
    kind TEXT NOT NULL,
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    text TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (kind, owner, key)
) WITHOUT ROWID;
