"""Sheets on paper and as pictures: pads to print, and a finished sheet to show to others."""
