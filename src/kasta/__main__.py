"""`python -m kasta` is the `kasta` command."""

from kasta.cli import main

main()
