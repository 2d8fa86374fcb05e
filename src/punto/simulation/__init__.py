"""Full shoes dealt without replacement, every round's outcome counted: on all cores, on a GPU, on many machines."""
