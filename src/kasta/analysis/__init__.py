"""What a game shows when it is looked at: advice, reviews, and what bots come to over many games."""
