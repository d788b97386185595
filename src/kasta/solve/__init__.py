"""Solvers: tables made by the rules, kernels that work on them, and what they find out."""
