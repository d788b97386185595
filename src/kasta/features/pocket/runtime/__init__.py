"""What a browser is given instead of what it lacks: parts of the standard library and of packages, made small.

Only the bundle imports these. Tests hold a table in the browser and one in CPython to the same results.
"""
