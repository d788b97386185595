"""Work in chunks, on many cores or many machines: the result is the same as on one."""
