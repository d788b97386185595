-- Where the browser of a device may be sent notices, of which kinds, and when its next daily one is due.
CREATE TABLE subscriptions (
    device TEXT PRIMARY KEY,
    endpoint TEXT NOT NULL,
    p256dh TEXT NOT NULL,
    auth TEXT NOT NULL,
    language TEXT NOT NULL,
    zone TEXT NOT NULL,
    kinds TEXT NOT NULL,
    hour INTEGER,
    due REAL,
    at REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX subscriptions_due ON subscriptions (due) WHERE due IS NOT NULL;
-- What a device was last told of a matter: once, at whichever node.
CREATE TABLE notices (
    device TEXT NOT NULL,
    topic TEXT NOT NULL,
    once TEXT NOT NULL,
    at REAL NOT NULL,
    PRIMARY KEY (device, topic)
) WITHOUT ROWID;
