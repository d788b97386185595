-- Since when a table is hidden: nobody sees it any more, and it can still be brought back.
ALTER TABLE kasta_tables ADD COLUMN hidden double precision;
-- The last look at the clock, and since when it has gone on steadily.
CREATE TABLE kasta_look (
    one integer PRIMARY KEY CHECK (one = 1),
    since double precision NOT NULL,
    last double precision NOT NULL
);

-- As before, but: a hidden table takes no event, an event without a time gets ours, and a clock that was set back makes
-- no table older.
CREATE OR REPLACE FUNCTION kasta_append(
    now double precision, the_table text, expect_turn integer, expect_owing integer, expect_guard integer,
    turn_after integer, owing_more integer, guard_more integer,
    key_turn integer, key_seat integer, key_step integer, body bytea, checksum bigint
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
    the_id bigint;
    place bigint;
    the_time double precision := coalesce(now, kasta_now());
BEGIN
    UPDATE kasta_tables
        SET head = head + 1, turn = turn_after, owing = owing + owing_more, guard = guard + guard_more,
            touched = greatest(touched, the_time)
        WHERE name = the_table AND hidden IS NULL AND turn = expect_turn
            AND (expect_owing IS NULL OR owing = expect_owing)
            AND (expect_guard IS NULL OR guard = expect_guard)
        RETURNING id, head INTO the_id, place;
    IF NOT FOUND THEN
        RETURN NULL;
    END IF;
    INSERT INTO kasta_events VALUES (the_id, place, key_turn, key_seat, key_step, body, checksum, the_time)
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

CREATE OR REPLACE FUNCTION kasta_append_all(
    ats double precision[], names text[], turns integer[], owings integer[], guards integer[],
    turns_after integer[], owings_more integer[], guards_more integer[],
    key_turns integer[], key_seats integer[], key_steps integer[], bodies bytea[], checksums bigint[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    t kasta_tables%ROWTYPE;
    ids bigint[];
    places bigint[];
    last integer := cardinality(names);
    the_time double precision := kasta_now();
BEGIN
    FOR i IN 1 .. last LOOP
        IF i = 1 OR names[i] <> names[i - 1] THEN
            SELECT * INTO t FROM kasta_tables WHERE name = names[i] AND hidden IS NULL FOR UPDATE;
        END IF;
        IF t.turn = turns[i] AND t.owing = coalesce(owings[i], t.owing) AND t.guard = coalesce(guards[i], t.guard) THEN
            t.head := t.head + 1;
            t.turn := turns_after[i];
            t.owing := t.owing + owings_more[i];
            t.guard := t.guard + guards_more[i];
            t.touched := greatest(t.touched, coalesce(ats[i], the_time));
            ids[i] := t.id;
            places[i] := t.head;
        ELSE
            ids[i] := NULL;
            places[i] := NULL;
        END IF;
        IF i = last OR names[i] <> names[i + 1] THEN
            UPDATE kasta_tables SET head = t.head, turn = t.turn, owing = t.owing, guard = t.guard, touched = t.touched
                WHERE id = t.id;
        END IF;
    END LOOP;
    INSERT INTO kasta_events
        SELECT id, place, turn, seat, step, body, checksum, coalesce(at, the_time)
        FROM unnest(ids, places, key_turns, key_seats, key_steps, bodies, checksums, ats)
            AS e (id, place, turn, seat, step, body, checksum, at)
        WHERE e.id IS NOT NULL;
    RETURN places;
END
$$;
