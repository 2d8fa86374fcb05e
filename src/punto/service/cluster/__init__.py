"""The processes of one house: the bus between them, and who runs which table."""
