"""The rules, one file a game. They know the core and nothing else."""
