-- Circles: people who play together again and again. A person is a member, with one device or several; whoever has
-- left is `gone`, until the name is taken out, too.
CREATE TABLE kasta_circles (
    id text PRIMARY KEY,
    name text NOT NULL,
    secret text NOT NULL UNIQUE,
    season integer NOT NULL,
    made double precision NOT NULL
);
CREATE TABLE kasta_circle_seasons (
    circle text NOT NULL REFERENCES kasta_circles (id) ON DELETE CASCADE,
    number integer NOT NULL,
    began double precision NOT NULL,
    PRIMARY KEY (circle, number)
);
CREATE TABLE kasta_circle_members (
    circle text NOT NULL REFERENCES kasta_circles (id) ON DELETE CASCADE,
    id text NOT NULL,
    name text NOT NULL,
    mark integer NOT NULL,
    joined double precision NOT NULL,
    is_host integer NOT NULL,
    gone double precision,
    PRIMARY KEY (circle, id)
);
CREATE TABLE kasta_circle_devices (
    circle text NOT NULL,
    member text NOT NULL,
    device text NOT NULL,
    seen double precision NOT NULL,
    PRIMARY KEY (circle, device),
    FOREIGN KEY (circle, member) REFERENCES kasta_circle_members (circle, id) ON DELETE CASCADE
);
CREATE INDEX kasta_circle_devices_member ON kasta_circle_devices (circle, member);
CREATE INDEX kasta_circle_devices_device ON kasta_circle_devices (device);
-- The tables that were opened for a circle, and their rematches. `member` invited the others.
CREATE TABLE kasta_circle_tables (
    name text PRIMARY KEY,
    circle text NOT NULL REFERENCES kasta_circles (id) ON DELETE CASCADE,
    member text,
    at double precision NOT NULL,
    is_over integer NOT NULL
);
CREATE INDEX kasta_circle_tables_circle ON kasta_circle_tables (circle, is_over, at);
-- What members made of the circle's games, taken from the results when these are written.
CREATE TABLE kasta_circle_games (
    circle text NOT NULL,
    name text NOT NULL,
    seat integer NOT NULL,
    member text NOT NULL,
    season integer NOT NULL,
    game text NOT NULL,
    rules text NOT NULL,
    ended double precision NOT NULL,
    total integer NOT NULL,
    is_won integer NOT NULL,
    is_helped integer NOT NULL,
    PRIMARY KEY (circle, name, member),
    FOREIGN KEY (circle, member) REFERENCES kasta_circle_members (circle, id) ON DELETE CASCADE
);
CREATE INDEX kasta_circle_games_ended ON kasta_circle_games (circle, ended);
CREATE INDEX kasta_circle_games_member ON kasta_circle_games (circle, member, ended);
CREATE INDEX kasta_circle_games_name ON kasta_circle_games (name);
-- Kept counts: of all time (season 0) and of each season.
CREATE TABLE kasta_circle_scores (
    circle text NOT NULL,
    season integer NOT NULL,
    game text NOT NULL,
    rules text NOT NULL,
    member text NOT NULL,
    games integer NOT NULL,
    wins integer NOT NULL,
    points bigint NOT NULL,
    best integer,
    best_at double precision,
    run integer NOT NULL,
    longest integer NOT NULL,
    PRIMARY KEY (circle, season, game, rules, member),
    FOREIGN KEY (circle, member) REFERENCES kasta_circle_members (circle, id) ON DELETE CASCADE
);
CREATE INDEX kasta_circle_scores_member ON kasta_circle_scores (circle, member);
CREATE TABLE kasta_circle_pairs (
    circle text NOT NULL,
    season integer NOT NULL,
    game text NOT NULL,
    rules text NOT NULL,
    member text NOT NULL,
    other text NOT NULL,
    games integer NOT NULL,
    wins integer NOT NULL,
    losses integer NOT NULL,
    PRIMARY KEY (circle, member, other, season, game, rules),
    FOREIGN KEY (circle, member) REFERENCES kasta_circle_members (circle, id) ON DELETE CASCADE,
    FOREIGN KEY (circle, other) REFERENCES kasta_circle_members (circle, id) ON DELETE CASCADE
);
CREATE INDEX kasta_circle_pairs_other ON kasta_circle_pairs (circle, other);
