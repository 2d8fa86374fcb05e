"""Simulation: full shoes dealt without replacement, with every outcome counted, on CPU, GPU or a cluster."""

from punto.extras import need

need("simulation")
