"""The rulings of a sheet on incidents, one file each, and the decisions of people."""
