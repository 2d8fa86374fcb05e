"""Exact figures for any shoe, without simulation: bets, insurance offers, best play, counts and reports."""

from punto.extras import need

need("odds")
