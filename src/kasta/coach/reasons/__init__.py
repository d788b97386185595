"""Why a choice is good or worse, in a sentence that is true by the rules."""
