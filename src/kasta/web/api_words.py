"""What each field of the JSON API means, with an example: the description that programs read is made of it."""

from __future__ import annotations

from kasta.games import OURS

Field = tuple[str, object]
"""What it means, and an example."""

GAME = next(iter(OURS))
TABLE = "kRz8ZxYw1Qm3nT5v"
TOKEN = "q1w2e3r4t5z6.Zm9vYmFy"  # noqa: S105 - an example

FIELDS: dict[str, Field] = {
    "game": ("The name of a game: `/api/games` lists them.", GAME),
    "rules": ("The name of a rule set of the game; by default, its first.", "sheet"),
    "settings": ("How the table is played.", {"points": "now"}),
    "room": ("Whether the table gets a short code.", True),
    "name": ("What a player is called.", "Sarah"),
    "bot": ("The bot that plays there (`/api/bots`); null: a person, or a program of somebody's.", "quick"),
    "entropy": ("What a seat gives to the dice, up to 64 bytes: nobody can then have fixed them.", "a blue moon"),
    "program": ("Whether a program of somebody's plays there, and said so when it sat down.", True),
    "turn": ("How many throws there were: a command names the turn that it was made for.", 7),
    "faces": ("What the dice of the last throw show.", [3, 6]),
    "seat": ("The number of a seat, counted from 0; it stays the same for ever.", 0),
    "step": ("How much the seat has done on this throw, take-backs included; the number of its next step.", 0),
    "do": ("An action in our notation; empty while it is still hidden.", "c3"),
    "kind": ("What kind of thing it is.", "illegal"),
    "code": ("A short code.", "cell_taken"),
    "message": ("A sentence for people, in the language that the client accepts.", "c3 is taken."),
    "params": (
        "For programs: what would have been `legal`, the `seat` that is meant, and the like.",
        {"cell": "c3"},
    ),
    "field": ("What is wrong in a body or query that cannot be read.", "settings.pace"),
    "error": ("Why it was refused.", {"kind": "illegal", "code": "cell_taken", "message": "c3 is taken."}),
    "mine": ("Whether the token's holder plays this seat.", True),
    "left": ("Whether the seat was given up.", False),
    "due": ("Whether the seat has still to act on this throw.", True),
    "sheet": ("The sheet as text; null before the first throw.", " .  .  8  .  .\n"),
    "total": ("Its points so far; null while they are hidden.", 12),
    "place": ("Its place when the game is over, 1 for the best.", 1),
    "legal": ("What the seat may do now, in our notation; only of own seats.", ["a1", "b1"]),
    "may": ("What the token's holder may do.", ["throw"]),
    "table": ("The id of a table.", TABLE),
    "seq": ("How many events its log has: the id of the last one in the stream.", 12),
    "host": ("Whether the token's holder is the host.", True),
    "next": ("What the table waits for: somebody to sit down, a throw, picks, or nothing more.", "pick"),
    "dice": ("How many dice are to be thrown next.", 2),
    "roller": ("The seat that throws next.", 0),
    "owing": ("How many seats have still to act on the last throw.", 1),
    "count": ("How many seats there are; of a crowd, not all are listed.", 2),
    "seats": ("The seats, own ones first; of a crowd, only own ones.", []),
    "commitment": ("The SHA-256 of the secret of the dice.", "9f86d081884c7d65"),
    "secret": ("The secret of the dice, once the game is over.", "2bb80d537b1da3e3"),
    "previous": ("The table of the game before, if this is the next game of the same people.", TABLE),
    "next_table": ("The table of the next game with the same people, if there is one.", TABLE),
    "token": ("Who you are: send it as `Authorization: Bearer ...`, and keep it to yourself.", TOKEN),
    "state": ("The table as it is now.", {}),
    "over": ("Whether the game is over.", False),
    "first": ("The seat that throws first; null: the first one.", 0),
    "points": ("Points.", "now"),
    "take_back": ("Whether picks may be taken back.", True),
    "thrower": ("Who throws: each in turn, the host, or the table by itself.", "turn"),
    "pace": ("Seconds to act on a throw, then a bot does; null: no limit.", 30),
    "open": ("Whether somebody may still sit down.", True),
    "wall": ("Whether whoever sits down is told that a wall shows their name.", False),
    "listed": ("Whether strangers find the table among the open ones (`GET /api/tables`).", False),
    "id": ("The id of a named token, by which it is revoked.", "Zb3kQ9aT1x2y"),
    "tokens": ("Named tokens.", []),
    "tables": ("Open tables.", []),
    "title": ("What people call it, in the language that the client accepts.", GAME.capitalize()),
    "rule_sets": ("Its rule sets; the first is the default.", [{"name": "sheet", "title": "By the sheet"}]),
    "hides_picks": ("Whether all act at the same time, without seeing what others do.", True),
    "level": (
        "The level at which it plays, if it is one that people choose: weak, middling, strong, best.",
        "best",
    ),
    "games": ("All games of this server.", []),
    "bots": ("All bots, the strongest of a game first.", []),
    "device": ("Always empty: devices are not told.", ""),
    "v": ("The version of the event.", 1),
    "stand_in": ("Whether a bot did it for somebody who is away.", False),
    "wins": ("How many games of this evening the player has won so far.", 1),
}
"""By name: a field means the same everywhere, but for those of `OWN`."""

OWN: dict[tuple[str, str], Field] = {
    ("Problem", "kind"): (
        "unreadable, illegal, conflict, unavailable; http: the request itself was wrong.",
        "illegal",
    ),
    ("Problem", "code"): ("A stable code: docs/errors.md lists them all.", "cell_taken"),
    ("Opened", "code"): ("The room's code, if it got one.", "BCDFGH"),
    ("Settings", "points"): ("When points are shown: at once, or at the end.", "now"),
    ("Settings", "dice"): ("The app's dice, or own ones, which are typed in.", "app"),
    ("SeatedEvent", "points"): ("How many points the player has from earlier games of this evening.", 0),
    ("SeatedEvent", "wall"): ("Whether the player was told that a wall shows the name.", False),
    ("WaitedEvent", "wall"): ("Whether the player was told that a wall shows the name.", False),
    ("OpenedEvent", "host"): ("Always empty: devices are not told.", ""),
    ("RematchedEvent", "table"): ("Where everybody goes on.", TABLE),
    ("NewRoll", "faces"): ("What own dice show; empty where the app throws.", [3, 6]),
    ("NewHost", "seat"): ("Who becomes the host; null: you do.", 1),
    ("NewBot", "bot"): ("Who takes over; null: the person is back.", "quick"),
    ("NewSeat", "program"): ("Say true if no person plays there.", True),
    ("GameTold", "name"): ("Its name, by which tables are opened.", GAME),
    ("RuleSetTold", "name"): ("Its name.", "sheet"),
    ("RuleSetTold", "title"): ("What people call it.", "By the sheet"),
    ("BotTold", "name"): ("Its name.", "quick"),
    ("NewToken", "name"): ("For you to know it by.", "my bot at home"),
    ("TokenMade", "name"): ("What you call it.", "my bot at home"),
    ("TokenTold", "name"): ("What you call it.", "my bot at home"),
    ("TokenMade", "token"): ("To be sent as `Authorization: Bearer ...`; it is not shown again.", TOKEN),
    ("TableState", "may"): ("What the token's holder may do at the table.", ["throw"]),
    ("SeatState", "may"): ("What the token's holder may do with the seat.", ["act"]),
}
"""Fields that mean something of their own in a schema."""

PARAMETERS: dict[str, Field] = {
    "table": ("The id of a table.", TABLE),
    "code": ("The code of a room.", "BCDFGH"),
    "token": ("The id of a named token.", "Zb3kQ9aT1x2y"),
    "after": ("The id of the last event that is known already.", 12),
    "throws": ("1: only throws, counts and the end, for halls.", 1),
    "Last-Event-ID": ("The id of the last event that was heard.", 12),
    "Prefer": ("`return=minimal`: no answer but 204.", "return=minimal"),
}
