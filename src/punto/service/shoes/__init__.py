"""Shoes: shuffled, committed to, encrypted in the log, and proved when they are over."""
