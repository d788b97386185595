-- What a node tells the others of at a table, beside its log: it is read within seconds, and then of no use.
CREATE TABLE signals (
    name TEXT NOT NULL,
    id TEXT NOT NULL,
    node TEXT NOT NULL,
    body TEXT NOT NULL,
    until REAL NOT NULL,
    PRIMARY KEY (name, id)
) WITHOUT ROWID;
