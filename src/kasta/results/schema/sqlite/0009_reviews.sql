-- What the coach said of a seat's game, as long as its table is there; it can always be made again.
CREATE TABLE reviews (
    table_id INTEGER NOT NULL REFERENCES tables (id) ON DELETE CASCADE,
    seat INTEGER NOT NULL,
    body BLOB NOT NULL,
    PRIMARY KEY (table_id, seat)
) WITHOUT ROWID;
