-- What a node tells the others of at a table, beside its log: it is read within seconds, and then of no use.
CREATE TABLE kasta_signals (
    name text NOT NULL,
    id text NOT NULL,
    node text NOT NULL,
    body text NOT NULL,
    until double precision NOT NULL,
    PRIMARY KEY (name, id)
);
