-- Where the browser of a device may be sent notices, of which kinds, and when its next daily one is due.
CREATE TABLE kasta_subscriptions (
    device text PRIMARY KEY,
    endpoint text NOT NULL,
    p256dh text NOT NULL,
    auth text NOT NULL,
    language text NOT NULL,
    zone text NOT NULL,
    kinds text NOT NULL,
    hour integer,
    due double precision,
    at double precision NOT NULL
);
CREATE INDEX kasta_subscriptions_due ON kasta_subscriptions (due) WHERE due IS NOT NULL;
-- What a device was last told of a matter: once, at whichever node.
CREATE TABLE kasta_notices (
    device text NOT NULL,
    topic text NOT NULL,
    once text NOT NULL,
    at double precision NOT NULL,
    PRIMARY KEY (device, topic)
);
