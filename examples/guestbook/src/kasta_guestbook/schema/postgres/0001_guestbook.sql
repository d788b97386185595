CREATE TABLE kasta_guestbook (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    device text NOT NULL,
    at double precision NOT NULL,
    text text NOT NULL
);
CREATE INDEX kasta_guestbook_device ON kasta_guestbook (device, at);
