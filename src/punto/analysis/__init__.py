"""Exact figures for any shoe: every bet, every insurance offer, best play, counts and reports. No simulation needed."""
