-- Old tables are found without reading all of them.
CREATE INDEX kasta_tables_touched ON kasta_tables (touched);
