-- The tables of a device are found without reading all of them: each event that names one says so in its body. A
-- quotation mark within a name is escaped there, so this pattern meets nothing else.
CREATE FUNCTION kasta_device(body bytea) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
    SELECT substring(encode(body, 'escape') FROM '"(?:device|host)":"([^"]*)"')
$$;
CREATE INDEX kasta_events_device ON kasta_events (kasta_device(body)) WHERE turn IS NULL;
