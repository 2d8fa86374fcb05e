"""Mutation testing of the rules: small mistakes are put into the code and the sheets, and a test must fail for each."""
