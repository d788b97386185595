-- Finished games, for each seat of a person. They outlive their table, and no name of anybody is in them unless it is
-- `shown` on demand.
CREATE TABLE kasta_results (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    seat integer NOT NULL,
    device text NOT NULL,
    kind text NOT NULL,
    game text NOT NULL,
    rules text NOT NULL,
    ended double precision NOT NULL,
    total integer NOT NULL,
    place integer NOT NULL,
    seats integer NOT NULL,
    bots integer NOT NULL,
    is_helped boolean NOT NULL,
    hands text NOT NULL,
    record bytea NOT NULL,
    shown text,
    UNIQUE (name, seat)
);
CREATE INDEX kasta_results_device ON kasta_results (device, ended);
CREATE INDEX kasta_results_device_game ON kasta_results (device, game, rules, ended);
CREATE INDEX kasta_results_ranking ON kasta_results (kind, game, rules, total DESC, ended) WHERE NOT is_helped;
-- How many have each total: a place among a million is found by some hundred rows. Rows are locked in one order, so that
-- two who write several never wait for each other.
CREATE TABLE kasta_spreads (
    kind text NOT NULL,
    game text NOT NULL,
    rules text NOT NULL,
    total integer NOT NULL,
    number bigint NOT NULL,
    PRIMARY KEY (kind, game, rules, total)
);
CREATE FUNCTION kasta_count_results() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    sign integer := CASE WHEN TG_OP = 'INSERT' THEN 1 ELSE -1 END;
BEGIN
    INSERT INTO kasta_spreads AS s
        SELECT kind, game, rules, total, sign * count(*) FROM changed WHERE NOT is_helped
        GROUP BY kind, game, rules, total ORDER BY kind, game, rules, total
        ON CONFLICT (kind, game, rules, total) DO UPDATE SET number = s.number + excluded.number;
    IF sign < 0 THEN
        DELETE FROM kasta_spreads AS s USING changed AS c
            WHERE s.kind = c.kind AND s.game = c.game AND s.rules = c.rules AND s.total = c.total AND s.number = 0;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER kasta_results_added AFTER INSERT ON kasta_results
    REFERENCING NEW TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION kasta_count_results();
CREATE TRIGGER kasta_results_gone AFTER DELETE ON kasta_results
    REFERENCING OLD TABLE AS changed FOR EACH STATEMENT EXECUTE FUNCTION kasta_count_results();
-- A table gives its results once, also if somebody deletes them then. Closed tables are found without reading all.
ALTER TABLE kasta_tables ADD COLUMN taken boolean NOT NULL DEFAULT false;
CREATE INDEX kasta_events_closed ON kasta_events (table_id)
    WHERE turn IS NULL AND substring(body FROM 1 FOR 16) = '\x7b226b696e64223a22636c6f73656422'::bytea;
