"""The store in PostgreSQL, for several processes. Rows are locked in one order: the stream, then accounts by name.

The driver is asyncpg. It sends whole columns as binary arrays, so that a batch of hundreds of bets needs as few round
trips as one. It also distinguishes a connection lost before a commit was sent from one lost after.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from dataclasses import astuple, replace
from typing import Any, TypeAlias, TypeVar, cast

import asyncpg

from punto.store import errors, schema
from punto.store.batches import Rows, accounts_of, keys_of, records_in
from punto.store.fold import LogFold
from punto.store.heads import HeadFile
from punto.store.interface import Reading, Store, as_tail
from punto.store.records import (
    NO_HASH,
    POSTING_COLUMNS,
    RECORD_COLUMNS,
    TAIL_COLUMNS,
    Appended,
    Batch,
    Lease,
    Sign,
    Tail,
    check_stream,
    read_posting_rows,
    read_record_rows,
)
from punto.store.sql import SET_PERSON, SET_TABLE, StoreSnapshot

T = TypeVar("T")
Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"
Connection: TypeAlias = "asyncpg.Connection[asyncpg.Record] | asyncpg.pool.PoolConnectionProxy[asyncpg.Record]"

_TAILS = f'SELECT {TAIL_COLUMNS} FROM streams ORDER BY name COLLATE "C"'
_TAILS_AND_NUMBERS = (
    f"SELECT {TAIL_COLUMNS} FROM streams UNION ALL "
    "SELECT NULL, nextval('records_id_seq'), NULL, NULL, NULL FROM generate_series(1, $1)"
)
_NEW = "unnest($1::text[], $2::bigint[], $3::bigint[]) AS new (name, after, upto) JOIN records "
_NEW += "ON stream = name AND seq > after AND seq <= upto"
_NEW_RECORDS = f"SELECT {RECORD_COLUMNS} FROM {_NEW} ORDER BY id"
_NEW_POSTINGS = f"SELECT {POSTING_COLUMNS} FROM {_NEW} JOIN postings ON record = id ORDER BY record, line"
_FORGET = (
    "DELETE FROM balances WHERE account = ANY($1) "
    "AND NOT EXISTS (SELECT FROM postings WHERE postings.account = balances.account)"
)
"""An account that was only looked at has had a row to lock. Without postings it keeps none."""
_INSERT = (
    "WITH written AS (INSERT INTO records "
    "(stream, time_ms, fence, id, seq, kind, payload, key, body_hash, reply, fingerprints, hash, mac) "
    "OVERRIDING SYSTEM VALUE SELECT $1, $2, $3, * FROM unnest($4::bigint[], $5::bigint[], $6::text[], $7::text[], "
    "$8::text[], $9::text[], $10::text[], $11::text[], $12::text[], $13::text[])"
    f"), moved AS (INSERT INTO postings ({POSTING_COLUMNS}) SELECT * FROM unnest($19::bigint[], $20::int[], "
    "$21::int[], $22::text[], $23::text[], $24::text[], $25::bigint[], $26::bigint[])"
    "), held AS (UPDATE balances SET cents = new.cents FROM unnest($17::text[], $18::bigint[]) "
    "AS new (account, cents) WHERE balances.account = new.account) "
    "UPDATE streams SET seq = $14, hash = $15, signature = $16 WHERE name = $1 "
    f"RETURNING ({schema.POSTGRES_VERSION})"
)

_CONNECTIONS = 8
_CONNECT_SECONDS = 3
_TURN_SECONDS = 3
_NOW = "(extract(epoch FROM clock_timestamp()) * 1000)::bigint"
# The server disconnects a paused owner before its lease ends, so that another process can take over its locks.
_SESSION = {
    "application_name": "punto",
    "synchronous_commit": "on",
    "default_transaction_isolation": "read committed",
    "idle_in_transaction_session_timeout": "2000",
    "lock_timeout": "3000",
    # All queries of a running house have an index, but before the first ANALYZE the planner prefers to scan the log.
    "enable_seqscan": "off",
    # A scan that is off counts as very dear, so with `jit` on each such query would be compiled first.
    "jit": "off",
}
_LOST = (
    asyncpg.PostgresConnectionError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.exceptions.OperatorInterventionError,
    asyncpg.exceptions.IdleInTransactionSessionTimeoutError,
    ConnectionError,
    TimeoutError,
    OSError,
)
_ERRORS = (asyncpg.PostgresError, *_LOST)
_GAVE_UP = (
    asyncpg.LockNotAvailableError,
    asyncpg.DeadlockDetectedError,
    asyncpg.SerializationError,
    asyncpg.TooManyConnectionsError,
)


async def connect_pool(dsn: str) -> Pool:
    """Connections to a database. The caller checks that it is durable."""
    return await asyncpg.create_pool(
        dsn,
        min_size=1,
        max_size=_CONNECTIONS,
        timeout=_CONNECT_SECONDS,
        server_settings=_SESSION,
        reset=_nothing_to_reset,
    )


async def _nothing_to_reset(_: object) -> None:
    """Do not reset sessions: no session is changed, and a reset would add a round trip to every batch."""


def store_error(error: Exception) -> errors.StoreError:
    """The store error for an error outside a commit: nothing was written."""
    if isinstance(error, errors.StoreError):
        return error
    if isinstance(error, asyncpg.DiskFullError):
        return errors.DiskFullError("the database's disk is full; nothing was written")
    if isinstance(error, asyncpg.exceptions.PostgresIOError):
        return errors.BrokenStoreError(f"the database failed: {error}")
    if isinstance(error, _LOST + _GAVE_UP):
        # The driver's message may name hosts and users: it is the cause, for the log, and not the message for everyone.
        return errors.UnavailableError("the database cannot be used now")
    return errors.StoreError(f"the database refused: {error}")


class _KeyRaceError(errors.StoreError):
    """Two streams used one idempotency key at the same moment."""


class _SchemaMovedError(errors.UnavailableError):
    """The schema has another version than the one that was last compared with what it must be."""


class PostgresStore(Store):
    """One database, shared by any number of processes. Made by `open_store`."""

    _among = "= ANY($1)"
    _head: HeadFile

    def __init__(
        self,
        pool: Pool,
        head: HeadFile,
        clock: Callable[[], int] | None,
        sign: Sign | None,
        fold: LogFold,
        schema_version: str | None,
    ) -> None:
        """Leases end by the database's clock, which all processes share, unless `clock` is given.

        `schema_version` is that of the schema which the audit found to be the expected one.
        """
        super().__init__(head, fold, sign)
        self._following = asyncio.Lock()
        self._turns: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._sent: dict[str, Rows] = {}  # what this process commits now, by stream
        self._pool, self._clock = pool, clock
        self._accounts: set[str] = set()  # accounts known to exist; an account is never removed
        self._schema = schema_version

    # ---------------------------------------------------------------------------------------- writing

    async def append(self, batch: Batch) -> Appended:
        # Finish even if the caller no longer waits.
        return await asyncio.shield(asyncio.ensure_future(self._append_in_turn(batch)))

    async def _append_in_turn(self, batch: Batch) -> Appended:
        """Commit the batches of one stream one by one.

        They would wait for each other in the database anyway, and there each would keep a connection from the others.
        """
        turn = self._turns[batch.stream]
        try:
            async with asyncio.timeout(_TURN_SECONDS):
                await turn.acquire()
        except TimeoutError as error:
            raise store_error(error) from error
        try:
            try:
                return await self._commit(batch)
            except _SchemaMovedError:
                await self._check_schema()
            except _KeyRaceError:
                pass  # its reply is visible now
            return await self._commit(batch, look=True)
        finally:
            turn.release()

    async def _check_schema(self) -> None:
        """Compare the schema with the one expected, outside a commit: other batches would wait for its locks."""
        async with self.snapshot() as view:
            changes, version = await view.schema_changes(), await view.schema_version()
        self._fold.refuse_schema(changes)
        self._schema = version

    async def _commit(self, batch: Batch, *, look: bool = False) -> Appended:
        rows: Rows | None = None
        if not self._head.has_room_for(batch.stream):
            await asyncio.to_thread(self._head.reserve, batch.stream)
        try:
            async with _lent(self._pool) as connection:
                transaction = connection.transaction()
                await transaction.start()
                try:
                    made = await self._write(connection, batch, look=look)
                except errors.StoreError:
                    await transaction.rollback()
                    raise
                except asyncpg.IntegrityConstraintViolationError as error:
                    # A refusal of the database, such as a used key, leaves the connection usable.
                    await transaction.rollback()
                    if getattr(error, "constraint_name", None) == "records_by_key":
                        raise _KeyRaceError(str(error)) from error
                    raise store_error(error) from error
                # After this point an error does not tell whether the batch was written.
                rows = self._sent[batch.stream] = made
                await transaction.commit()
        except _ERRORS as error:
            if rows and isinstance(error, _LOST):
                raise errors.OutcomeUnknownError(rows.tail) from error
            raise store_error(error) from error
        self._accounts.update(rows.balances)
        self._fold.apply(rows)
        await asyncio.wrap_future(self._head.submit([rows.tail]))
        return Appended(rows.tail, rows.balances)

    async def _write(self, connection: Connection, batch: Batch, *, look: bool) -> Rows:
        tail, fold = await _locked_tail(connection, batch.stream), self._fold
        keys, accounts = keys_of(batch), accounts_of(batch)
        held = await _locked_balances(connection, accounts, self._accounts)
        numbers = await self._follow(connection, batch)
        # The fold has every key but those of other processes' batches that move no money; an index makes sure.
        used = keys if look else [key for key in keys if key in fold.keys]
        replies = await _carry_out(connection, self._replies(used))
        if (tail.seq, tail.hash) != fold.end(tail.stream) and tail.seq <= fold.end(tail.stream)[0]:
            raise errors.ForgedError(tail)
        rows = self._rows(batch, tail, numbers, held, replies)
        if batch.people:
            await connection.executemany(SET_PERSON, map(astuple, batch.people))
        if batch.tables:
            await connection.executemany(SET_TABLE, map(astuple, batch.tables))
        version = await _insert(connection, rows)
        if version != self._schema:
            # Every table that was written is locked, so its triggers and rules stay as they are until the commit.
            raise _SchemaMovedError("the schema of the database has just been changed")
        if looked := [account for account in accounts if account not in rows.balances]:
            await connection.execute(_FORGET, looked)
        return rows

    async def _follow(self, connection: Connection, batch: Batch) -> list[int]:
        """Take in what was committed since the last look; the next numbers of the whole store, for a batch's records.

        The accounts of the batch are locked, so whatever moved them is visible here: their balances in the fold are
        complete. A number taken under that lock is higher than those of all earlier records of the account.
        """
        known = self._known()
        rows = await connection.fetch(_TAILS_AND_NUMBERS, records_in(batch))
        if accounts_of(batch):
            await self._take_in(connection, known, [as_tail(row) for row in rows if row[0] is not None])
        return sorted([row[1] for row in rows if row[0] is None])

    def _known(self) -> dict[str, int]:
        """Where the streams ended that this process has folded."""
        return {stream: seq for stream, (seq, _, _) in self._fold.tails.items()}

    async def _take_in(self, connection: Connection, known: dict[str, int], tails: list[Tail]) -> None:
        """Fold the log up to these tails, which must be where other processes have signed it.

        `known` is where the streams ended before the tails were read: none of them can end earlier.
        """
        fold, found = self._fold, {tail.stream: tail.seq for tail in tails}
        for stream, seq in known.items():
            if found.get(stream, 0) < seq:
                raise errors.ForgedError(Tail(stream, found.get(stream, 0)))
        async with self._following:
            ahead = []
            for tail in tails:
                seq, last = fold.end(tail.stream)
                if tail.seq > seq:
                    ahead.append((tail, seq))
                elif tail.seq == seq and tail.hash != last:
                    raise errors.ForgedError(tail)
            if all(self._is_sent(tail, seq) for tail, seq in ahead):
                for tail, _ in ahead:
                    fold.apply(self._sent[tail.stream])
                return
            for tail, _ in ahead:
                if self._sign and tail.signature != self._sign.tail(tail):
                    raise errors.ForgedError(tail)
            places = ([tail.stream for tail, _ in ahead], [seq for _, seq in ahead], [tail.seq for tail, _ in ahead])
            page = [tuple(row) for row in await connection.fetch(_NEW_RECORDS, *places)]
            moved = [tuple(row) for row in await connection.fetch(_NEW_POSTINGS, *places)]
            try:
                fold.follow(read_record_rows(page), read_posting_rows(moved))
            except ValueError:
                raise errors.ForgedError(ahead[0][0]) from None
            for tail, _ in ahead:
                seq, last = fold.end(tail.stream)
                # A stream of this process may have gone on while the others were read.
                if seq < tail.seq or (seq == tail.seq and last != tail.hash):
                    raise errors.ForgedError(tail)
                if seq == tail.seq:
                    fold.signatures[tail.stream] = tail.signature

    def _is_sent(self, tail: Tail, seq: int) -> bool:
        """True if what a stream has more than the fold is what this process has just committed."""
        sent = self._sent.get(tail.stream)
        return sent is not None and sent.tail.hash == tail.hash and sent.records[0][2] == seq + 1

    async def resolve(self, unknown: errors.OutcomeUnknownError) -> bool:
        tail = unknown.tail
        async with _connection(self._pool) as connection, connection.transaction():
            # The lost commit may still be in progress; its backend then holds this lock.
            await _locked_tail(connection, tail.stream)
            found = await connection.fetchval(
                "SELECT hash FROM records WHERE stream = $1 AND seq = $2", tail.stream, tail.seq
            )
        if found == tail.hash:
            await asyncio.wrap_future(self._head.submit([tail]))
        return bool(found == tail.hash)

    async def acquire(self, stream: str, owner: str, ttl_ms: int) -> Lease:
        check_stream(stream)
        async with _connection(self._pool) as connection, connection.transaction():
            tail = await _locked_tail(connection, stream)
            [row] = await connection.fetch(
                f"SELECT owner, expires_ms, coalesce($2, {_NOW}) AS now FROM streams WHERE name = $1",
                stream,
                self._now(),
            )
            held, now = (row["owner"], row["expires_ms"], tail.fence), row["now"]
            lease = self._next_lease(Lease(stream, owner, 0, now + ttl_ms), held, now)
            update = "UPDATE streams SET fence = $2, owner = $3, expires_ms = $4 WHERE name = $1"
            await connection.execute(update, stream, lease.fence, owner, lease.expires_ms)
        return lease

    async def renew(self, lease: Lease, ttl_ms: int) -> Lease:
        async with _connection(self._pool) as connection:
            expires = await connection.fetchval(
                f"UPDATE streams SET expires_ms = coalesce($4, {_NOW}) + $3 "
                "WHERE name = $1 AND fence = $2 RETURNING expires_ms",
                *(lease.stream, lease.fence, ttl_ms, self._now()),
            )
        if expires is None:
            raise errors.FencedOutError(lease.stream, lease.fence, (await self.tail(lease.stream)).fence)
        return replace(lease, expires_ms=int(expires))

    async def release(self, lease: Lease) -> None:
        async with _connection(self._pool) as connection:
            await connection.execute(
                "UPDATE streams SET expires_ms = 0 WHERE name = $1 AND fence = $2", lease.stream, lease.fence
            )

    def _now(self) -> int | None:
        return self._clock() if self._clock else None

    # ---------------------------------------------------------------------------------------- reading

    async def _read(self, reading: Reading[T], *, long: bool = False) -> T:
        async with _connection(self._pool) as connection:
            return await _carry_out(connection, reading)

    async def _held(self, accounts: Sequence[str]) -> dict[str, int]:
        known = self._known()
        async with _connection(self._pool) as connection:
            looking = connection.transaction()
            await looking.start()
            try:
                held = await _locked_balances(connection, accounts, self._accounts)
                await self._take_in(connection, known, await _tails(connection))
                return self._fold.held(held)
            finally:
                await looking.rollback()  # rows that were made to be locked, for accounts without postings, go again

    async def _proved_now(self, kind: str, query: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        """Another process may have set a row since this one last looked at the log, or while it looks."""
        fold = self._fold
        while True:
            known = self._known()
            async with _connection(self._pool) as connection, connection.transaction(isolation="repeatable_read"):
                # One moment for both: where the log was, and the rows.
                tails = await _tails(connection)
                await self._take_in(connection, known, tails)
                rows = [tuple(row) for row in await connection.fetch(*query)]
            ends = {tail.stream: tail.seq for tail in tails}
            if not any(fold.set_after(kind, row, ends) for row in rows):
                return [row for row in rows if fold.proves_or_finds(kind, row)]

    def snapshot(self) -> AbstractAsyncContextManager[PostgresSnapshot]:
        return snapshot(self._pool)

    async def close(self) -> None:
        await self._pool.close()
        await asyncio.to_thread(self._head.close)


@asynccontextmanager
async def _connection(pool: Pool) -> AsyncIterator[Connection]:
    """A connection for work that can be repeated if it fails."""
    try:
        async with _lent(pool) as connection:
            yield connection
    except _ERRORS as error:
        raise store_error(error) from error


@asynccontextmanager
async def _lent(pool: Pool) -> AsyncIterator[Connection]:
    """A connection of the pool. It is returned unless it was lost or is in the middle of something."""
    connection = await pool.acquire(timeout=_CONNECT_SECONDS)
    try:
        yield connection
    except _ERRORS:
        connection.terminate()
        raise
    finally:
        with suppress(*_ERRORS):
            await pool.release(connection)


@asynccontextmanager
async def snapshot(pool: Pool) -> AsyncIterator[PostgresSnapshot]:
    """A database at one moment."""
    async with _connection(pool) as connection:
        # An audit works on each page for a while and must not be disconnected.
        await connection.execute("SET idle_in_transaction_session_timeout = 0")
        try:
            async with connection.transaction(isolation="repeatable_read", readonly=True):
                # Read pages by the index, even if the planner has no statistics.
                await connection.execute("SET LOCAL enable_seqscan = off; SET LOCAL enable_bitmapscan = off")
                await connection.execute("SELECT 1 FROM meta")  # The first query fixes the moment.
                yield PostgresSnapshot(connection)
        finally:
            with suppress(*_LOST):
                await connection.execute("RESET idle_in_transaction_session_timeout")


class PostgresSnapshot(StoreSnapshot):
    """A read-only transaction that sees one moment."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    async def repeated_key(self) -> str | None:
        # Not from the index: an edited database may have a wrong one.
        await self._connection.execute("SET LOCAL enable_seqscan = on")
        await self._connection.execute("SET LOCAL enable_indexscan = off; SET LOCAL enable_indexonlyscan = off")
        found: str | None = await self._connection.fetchval(
            "SELECT key FROM records WHERE key IS NOT NULL GROUP BY key HAVING count(*) > 1 LIMIT 1"
        )
        return found

    async def schema_changes(self) -> list[str]:
        return schema.postgres_changes(dict(await self._rows(schema.POSTGRES_OBJECTS)))

    async def schema_version(self) -> str | None:
        """The version of the schema at this moment."""
        version: str | None = await self._connection.fetchval(schema.POSTGRES_VERSION)
        return version

    async def damage(self) -> str | None:
        """PostgreSQL watches over its own files; what decides money is compared with the log."""
        return None

    async def _rows(self, select: str, *values: object) -> list[Any]:
        return [tuple(row) for row in await self._connection.fetch(select, *values)]


# ------------------------------------------------------------------------------------------- statements


async def _locked_tail(connection: Connection, stream: str) -> Tail:
    """The tail of a stream, locked until this transaction ends."""
    select = f"SELECT {TAIL_COLUMNS} FROM streams WHERE name = $1 FOR UPDATE"
    row = await connection.fetchrow(select, stream)
    if row is None:
        await connection.execute(
            "INSERT INTO streams VALUES ($1, 0, $2, 0, NULL, 0) ON CONFLICT DO NOTHING", stream, NO_HASH
        )
        row = await connection.fetchrow(select, stream)
    return as_tail(row) if row else Tail(stream)


async def _locked_balances(connection: Connection, accounts: Sequence[str], known: set[str]) -> dict[str, int]:
    """The balances of accounts, locked. New accounts are created before any is locked, to avoid a deadlock."""
    if not accounts:
        return {}
    if new := [account for account in accounts if account not in known]:
        await connection.execute("INSERT INTO balances SELECT unnest($1::text[]), 0 ON CONFLICT DO NOTHING", new)
    rows = await connection.fetch(
        "SELECT account, cents FROM balances WHERE account = ANY($1) ORDER BY account FOR UPDATE", accounts
    )
    if len(rows) < len(accounts):
        known.clear()
        raise errors.UnavailableError("accounts have vanished from the database")
    return {row[0]: row[1] for row in rows}


async def _tails(connection: Connection) -> list[Tail]:
    return [as_tail(row) for row in await connection.fetch(_TAILS)]


async def _carry_out(connection: Connection, reading: Reading[T]) -> T:
    """The result of a reading, on this connection."""
    try:
        query = next(reading)
        while True:
            query = reading.send([tuple(row) for row in await connection.fetch(*query)])
    except StopIteration as done:
        return cast(T, done.value)


async def _insert(connection: Connection, rows: Rows) -> str | None:
    """Write a batch. Returns the version of the schema that it was written under."""
    # Values that all records of a batch share are sent once.
    numbers, (stream, *_), seqs, (time_ms, *_), (fence, *_), *columns = [
        list(each) for each in zip(*rows.records, strict=True)
    ]
    postings = [posting for lines in rows.postings for posting in lines]
    moved = [list(column) for column in zip(*postings, strict=True)] if postings else [[]] * 8
    tail = rows.tail
    # One statement, because the whole table waits for each round trip.
    version: str | None = await connection.fetchval(
        _INSERT,
        *(stream, time_ms, fence, numbers, seqs, *columns),
        *(tail.seq, tail.hash, tail.signature, list(rows.balances), list(rows.balances.values()), *moved),
    )
    return version
