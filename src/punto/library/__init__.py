"""The front door's own values. Use them as names of `punto`: `punto.game`, `punto.Shoe`, `punto.Table`."""
