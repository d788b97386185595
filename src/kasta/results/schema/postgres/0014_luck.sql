-- What a review has found in a finished game: the luck of its throws, and what decisions gave away. NULL before.
ALTER TABLE kasta_results ADD COLUMN luck double precision, ADD COLUMN lost double precision;
