CREATE TABLE kasta_tables (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    head bigint NOT NULL,
    turn integer NOT NULL DEFAULT 0,
    owing integer NOT NULL DEFAULT 0,
    guard integer NOT NULL DEFAULT 0,
    touched double precision NOT NULL
);
CREATE TABLE kasta_events (
    table_id bigint NOT NULL REFERENCES kasta_tables (id) ON DELETE CASCADE,
    seq bigint NOT NULL,
    turn integer,
    seat integer,
    step integer,
    body bytea NOT NULL,
    checksum bigint NOT NULL,
    at double precision NOT NULL,
    PRIMARY KEY (table_id, seq)
);
-- What a seat did on a throw is there once, however often it was sent.
CREATE UNIQUE INDEX kasta_events_once ON kasta_events (table_id, turn, seat, step) WHERE turn IS NOT NULL;
CREATE TABLE kasta_secrets (
    table_id bigint PRIMARY KEY REFERENCES kasta_tables (id) ON DELETE CASCADE,
    secret bytea NOT NULL
);

-- One event: give it the next place in its log if what it expects still holds. Returns the place, or NULL.
-- The update locks the table's row until the commit, so that nobody else can take the same place.
CREATE FUNCTION kasta_append(
    now double precision, the_table text, expect_turn integer, expect_owing integer, expect_guard integer,
    turn_after integer, owing_more integer, guard_more integer,
    key_turn integer, key_seat integer, key_step integer, body bytea, checksum bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    the_id bigint;
    place bigint;
BEGIN
    UPDATE kasta_tables
        SET head = head + 1, turn = turn_after, owing = owing + owing_more, guard = guard + guard_more, touched = now
        WHERE name = the_table AND turn = expect_turn
            AND (expect_owing IS NULL OR owing = expect_owing)
            AND (expect_guard IS NULL OR guard = expect_guard)
        RETURNING id, head INTO the_id, place;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    INSERT INTO kasta_events VALUES (the_id, place, key_turn, key_seat, key_step, body, checksum, now)
        ON CONFLICT DO NOTHING;
    IF NOT FOUND THEN
        UPDATE kasta_tables
            SET head = head - 1, turn = expect_turn, owing = owing - owing_more, guard = guard - guard_more
            WHERE id = the_id;
        RETURN NULL;
    END IF;
    RETURN place;
END
$$;
