-- Many events at once, as kasta_append would take them one after the other; those of a table stand together. The
-- conditions are compared here, and all rows are written by one statement: several times faster. A seat's step that
-- is there already makes it fail as a whole: then kasta_append finds out which.
CREATE FUNCTION kasta_append_all(
    ats double precision[], names text[], turns integer[], owings integer[], guards integer[],
    turns_after integer[], owings_more integer[], guards_more integer[],
    key_turns integer[], key_seats integer[], key_steps integer[], bodies bytea[], checksums bigint[]
) RETURNS bigint[] LANGUAGE plpgsql AS $$
DECLARE
    t kasta_tables%ROWTYPE;
    ids bigint[];
    places bigint[];
    last integer := cardinality(names);
BEGIN
    FOR i IN 1 .. last LOOP
        IF i = 1 OR names[i] <> names[i - 1] THEN
            SELECT * INTO t FROM kasta_tables WHERE name = names[i] FOR UPDATE;
        END IF;
        IF t.turn = turns[i] AND t.owing = coalesce(owings[i], t.owing) AND t.guard = coalesce(guards[i], t.guard) THEN
            t.head := t.head + 1;
            t.turn := turns_after[i];
            t.owing := t.owing + owings_more[i];
            t.guard := t.guard + guards_more[i];
            t.touched := ats[i];
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
        SELECT * FROM unnest(ids, places, key_turns, key_seats, key_steps, bodies, checksums, ats)
            AS e (id, place, turn, seat, step, body, checksum, at)
        WHERE e.id IS NOT NULL;
    RETURN places;
END
$$;
