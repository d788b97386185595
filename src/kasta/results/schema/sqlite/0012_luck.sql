-- What a review has found in a finished game: the luck of its throws, and what decisions gave away. NULL before.
ALTER TABLE results ADD COLUMN luck REAL;
ALTER TABLE results ADD COLUMN lost REAL;
