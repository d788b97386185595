CREATE TABLE kasta_guestbook (
    id INTEGER PRIMARY KEY,
    device TEXT NOT NULL,
    at REAL NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX kasta_guestbook_device ON kasta_guestbook (device, at);
