"""Our games as numbers, one module each; what they share is in `kasta.env.coding` and `kasta.env.bounds`."""
