"""How a table is opened, and how a seat is taken along to another device."""
