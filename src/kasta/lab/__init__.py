"""Many games at once: simulations, folders of records, training."""
