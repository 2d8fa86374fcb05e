"""A small client of a Punto server: look-ups and commands over HTTP, a live table over its WebSocket.

    async with Client("http://127.0.0.1:8000") as house:
        ann = await house.join("Ann")
        await ann.buy(50_000)
        async with ann.watch("one") as table:
            await table.command("sit", box=1)
            await table.until(lambda: table.view.phase == "betting")
            await table.command("place-bet", box=1, on="banker", stake_cents=1_000)

What comes back are the structs of `punto.protocol`. A command is checked before it is sent: a Refused says what is
wrong with it. Whatever moves money carries an idempotency key, so a lost answer is asked for again and nothing is done
twice. Where a server's certificate is signed by one's own authority, `verify` is an `ssl.SSLContext` that trusts it.
"""

from punto.extras import naming_extras

with naming_extras("client"):
    from punto.client.errors import ConnectionLostError, RefusedByServerError
    from punto.client.http import Client
    from punto.client.live import LiveTable

__all__ = ["Client", "ConnectionLostError", "LiveTable", "RefusedByServerError"]
