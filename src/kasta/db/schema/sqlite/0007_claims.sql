-- Several may claim the same seat: the host accepts the one who sees the right digits.
DROP TABLE claims;
CREATE TABLE claims (
    name TEXT NOT NULL,
    seat INTEGER NOT NULL,
    device TEXT NOT NULL,
    digits INTEGER NOT NULL,
    until REAL NOT NULL,
    PRIMARY KEY (name, device),
    UNIQUE (name, seat, digits)
) WITHOUT ROWID;
