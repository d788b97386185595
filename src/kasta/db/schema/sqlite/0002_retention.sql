-- Old tables are found without reading all of them.
CREATE INDEX tables_touched ON tables (touched);
