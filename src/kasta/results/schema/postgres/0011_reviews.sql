-- What the coach said of a seat's game, as long as its table is there; it can always be made again.
CREATE TABLE kasta_reviews (
    table_id bigint NOT NULL REFERENCES kasta_tables (id) ON DELETE CASCADE,
    seat integer NOT NULL,
    body bytea NOT NULL,
    PRIMARY KEY (table_id, seat)
);
