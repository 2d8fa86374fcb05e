"""The roads of a shoe: bead plate, big road, big eye boy, small road, cockroach pig. Computed from the outcomes."""
