"""People: who is known, what their role allows, and what the first start sets up."""
