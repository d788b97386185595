-- The key that signs who is who, and the short codes by which tables are found while their seats are open.
CREATE TABLE kasta_keys (name text PRIMARY KEY, key bytea NOT NULL);
CREATE TABLE kasta_codes (
    code text PRIMARY KEY,
    table_id bigint NOT NULL UNIQUE REFERENCES kasta_tables (id) ON DELETE CASCADE
);
