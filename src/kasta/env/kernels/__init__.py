"""The games as kernels: tables made by the rules, and few operations on them. No score stands here as a number."""
