-- Several may claim the same seat: the host accepts the one who sees the right digits.
DROP TABLE kasta_claims;
CREATE TABLE kasta_claims (
    name text NOT NULL,
    seat integer NOT NULL,
    device text NOT NULL,
    digits integer NOT NULL,
    until double precision NOT NULL,
    PRIMARY KEY (name, device),
    UNIQUE (name, seat, digits)
);
