-- What the processes that serve this database know of each other. Their clocks may differ: all times are set and
-- compared here. None of it matters for long.
CREATE FUNCTION kasta_now() RETURNS double precision LANGUAGE sql AS $$
    SELECT extract(epoch FROM clock_timestamp())::double precision
$$;
CREATE TABLE kasta_nodes (node text PRIMARY KEY, seen double precision NOT NULL);
-- Who follows a table at which node: `gone` is NULL while they do.
CREATE TABLE kasta_presence (
    name text NOT NULL,
    device text NOT NULL,
    node text NOT NULL REFERENCES kasta_nodes (node) ON DELETE CASCADE,
    came double precision NOT NULL,
    gone double precision,
    PRIMARY KEY (name, device, node)
);
CREATE INDEX kasta_presence_node ON kasta_presence (node);
-- The one node that lets bots play and clocks run at a table, while it lives.
CREATE TABLE kasta_acting (
    name text PRIMARY KEY,
    node text NOT NULL REFERENCES kasta_nodes (node) ON DELETE CASCADE
);
CREATE INDEX kasta_acting_node ON kasta_acting (node);
CREATE TABLE kasta_claims (
    name text NOT NULL,
    seat integer NOT NULL,
    device text NOT NULL,
    digits integer NOT NULL,
    until double precision NOT NULL,
    PRIMARY KEY (name, seat),
    UNIQUE (name, device),
    UNIQUE (name, digits)
);
-- How often something was done since a while ago. Keys are hashes.
CREATE TABLE kasta_counts (key text PRIMARY KEY, hits integer NOT NULL, until double precision NOT NULL);
