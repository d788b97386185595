-- What the processes that serve this file know of each other. Times are seconds since 1970; none of it matters for long.
CREATE TABLE nodes (node TEXT PRIMARY KEY, seen REAL NOT NULL) WITHOUT ROWID;
-- Who follows a table at which node: `gone` is NULL while they do.
CREATE TABLE presence (
    name TEXT NOT NULL,
    device TEXT NOT NULL,
    node TEXT NOT NULL REFERENCES nodes (node) ON DELETE CASCADE,
    came REAL NOT NULL,
    gone REAL,
    PRIMARY KEY (name, device, node)
) WITHOUT ROWID;
CREATE INDEX presence_node ON presence (node);
-- The one node that lets bots play and clocks run at a table, while it lives.
CREATE TABLE acting (
    name TEXT PRIMARY KEY,
    node TEXT NOT NULL REFERENCES nodes (node) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX acting_node ON acting (node);
CREATE TABLE claims (
    name TEXT NOT NULL,
    seat INTEGER NOT NULL,
    device TEXT NOT NULL,
    digits INTEGER NOT NULL,
    until REAL NOT NULL,
    PRIMARY KEY (name, seat),
    UNIQUE (name, device),
    UNIQUE (name, digits)
) WITHOUT ROWID;
-- How often something was done since a while ago. Keys are hashes.
CREATE TABLE counts (key TEXT PRIMARY KEY, hits INTEGER NOT NULL, until REAL NOT NULL) WITHOUT ROWID;
