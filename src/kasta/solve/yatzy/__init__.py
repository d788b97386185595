"""Yatzy solved exactly."""
