"""Mutation tests: put small faults into the code, one at a time, and look whether a test notices (`make mutants`).

One process loads Kasta and collects the tests. For each fault it forks. The child replaces the `__code__` of one
function, runs the tests that call this function, quickest first, and ends with the first failure. So a fault costs
about as much as the test that notices it, and nothing is copied or rewritten on the disk. Which tests call which
functions is found out once. That and all results are kept in build/mutants, so a run that was stopped goes on.
"""
