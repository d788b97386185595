-- The key that signs who is who, and the short codes by which tables are found while their seats are open.
CREATE TABLE keys (name TEXT PRIMARY KEY, key BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE codes (
    code TEXT PRIMARY KEY,
    table_id INTEGER NOT NULL UNIQUE REFERENCES tables (id) ON DELETE CASCADE
) WITHOUT ROWID;
