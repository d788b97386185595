-- Small things beside the tables: named tokens, and which tables are listed.
CREATE TABLE kasta_notes (
    kind text NOT NULL,
    owner text NOT NULL,
    key text NOT NULL,
    text text NOT NULL,
    at timestamptz NOT NULL,
    PRIMARY KEY (kind, owner, key)
);
