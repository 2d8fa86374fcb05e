"""Punto: a baccarat table that plays exactly as its rule sheet says, and proves it."""

__version__ = "0.1.0"
