"""Benchmarks: ratios against named baselines, measured in one run. `python -m benchmarks` runs them all."""
