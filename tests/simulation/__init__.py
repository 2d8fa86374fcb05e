"""The whole house in a simulator: time, order, network, disk and people come from one seed."""
