"""Games that follow on each other, with a running table."""
