"""What decisions were worth: advice, reviews, reasons, puzzles."""
