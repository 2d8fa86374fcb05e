"""How long tests wait for what they await. However busy a machine is, only what never comes takes so long."""

PATIENCE_SECONDS = 600
