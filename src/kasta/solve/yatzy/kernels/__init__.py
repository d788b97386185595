"""The compiled part of solving Yatzy."""
