-- The first answer of a device to each puzzle, and the device's rating after it.
CREATE TABLE kasta_answers (
    device text NOT NULL,
    game text NOT NULL,
    number integer NOT NULL,
    chosen text NOT NULL,
    rating double precision NOT NULL,
    at double precision NOT NULL,
    PRIMARY KEY (device, game, number)
);
