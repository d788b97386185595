-- Circles: people who play together again and again. A person is a member, with one device or several; whoever has
-- left is `gone`, until the name is taken out, too.
CREATE TABLE circles (
    id TEXT PRIMARY KEY,
    name TEXT NOT NULL,
    secret TEXT NOT NULL UNIQUE,
    season INTEGER NOT NULL,
    made REAL NOT NULL
);
CREATE TABLE circle_seasons (
    circle TEXT NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    began REAL NOT NULL,
    PRIMARY KEY (circle, number)
) WITHOUT ROWID;
CREATE TABLE circle_members (
    circle TEXT NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    mark INTEGER NOT NULL,
    joined REAL NOT NULL,
    is_host INTEGER NOT NULL,
    gone REAL,
    PRIMARY KEY (circle, id)
) WITHOUT ROWID;
CREATE TABLE circle_devices (
    circle TEXT NOT NULL,
    member TEXT NOT NULL,
    device TEXT NOT NULL,
    seen REAL NOT NULL,
    PRIMARY KEY (circle, device),
    FOREIGN KEY (circle, member) REFERENCES circle_members (circle, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX circle_devices_member ON circle_devices (circle, member);
CREATE INDEX circle_devices_device ON circle_devices (device);
-- The tables that were opened for a circle, and their rematches. `member` invited the others.
CREATE TABLE circle_tables (
    name TEXT PRIMARY KEY,
    circle TEXT NOT NULL REFERENCES circles (id) ON DELETE CASCADE,
    member TEXT,
    at REAL NOT NULL,
    is_over INTEGER NOT NULL
);
CREATE INDEX circle_tables_circle ON circle_tables (circle, is_over, at);
-- What members made of the circle's games, taken from the results when these are written.
CREATE TABLE circle_games (
    circle TEXT NOT NULL,
    name TEXT NOT NULL,
    seat INTEGER NOT NULL,
    member TEXT NOT NULL,
    season INTEGER NOT NULL,
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    ended REAL NOT NULL,
    total INTEGER NOT NULL,
    is_won INTEGER NOT NULL,
    is_helped INTEGER NOT NULL,
    PRIMARY KEY (circle, name, member),
    FOREIGN KEY (circle, member) REFERENCES circle_members (circle, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX circle_games_ended ON circle_games (circle, ended);
CREATE INDEX circle_games_member ON circle_games (circle, member, ended);
CREATE INDEX circle_games_name ON circle_games (name);
-- Kept counts: of all time (season 0) and of each season.
CREATE TABLE circle_scores (
    circle TEXT NOT NULL,
    season INTEGER NOT NULL,
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    member TEXT NOT NULL,
    games INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    points INTEGER NOT NULL,
    best INTEGER,
    best_at REAL,
    run INTEGER NOT NULL,
    longest INTEGER NOT NULL,
    PRIMARY KEY (circle, season, game, rules, member),
    FOREIGN KEY (circle, member) REFERENCES circle_members (circle, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX circle_scores_member ON circle_scores (circle, member);
CREATE TABLE circle_pairs (
    circle TEXT NOT NULL,
    season INTEGER NOT NULL,
    game TEXT NOT NULL,
    rules TEXT NOT NULL,
    member TEXT NOT NULL,
    other TEXT NOT NULL,
    games INTEGER NOT NULL,
    wins INTEGER NOT NULL,
    losses INTEGER NOT NULL,
    PRIMARY KEY (circle, member, other, season, game, rules),
    FOREIGN KEY (circle, member) REFERENCES circle_members (circle, id) ON DELETE CASCADE,
    FOREIGN KEY (circle, other) REFERENCES circle_members (circle, id) ON DELETE CASCADE
) WITHOUT ROWID;
CREATE INDEX circle_pairs_other ON circle_pairs (circle, other);
