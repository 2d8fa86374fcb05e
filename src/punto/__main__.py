"""`python -m punto` is the `punto` command."""

from punto.cli.main import main

main()
