"""Backends: the same counts however the work is shared, clear words where one is missing."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pytest

from punto.rules.missing import ExtraMissingError
from punto.rules.refusals import Refusal, Refused
from punto.rules.shoe_refusals import RoundsInvalid, SeedInvalid
from punto.simulation.backends import BACKENDS, DealJob, Resources, open_backend
from punto.simulation.counts import Counts
from punto.simulation.on_cpu import CHUNK, Tally
from punto.simulation.refusals import BackendUnavailable, SplitsInvalid
from punto.simulation.shoe import SimulatedShoe
from punto.simulation.simulate import Simulation, simulate
from punto.texts import say

SHOE = SimulatedShoe.of_decks(8)
ROUNDS = 12_000_000

dasks_own_warnings = pytest.mark.filterwarnings(
    "ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning", "ignore:Port"
)


def same(one: Counts, other: Counts) -> bool:
    return bool((one.rows == other.rows).all() and (one.reached == other.reached).all())


@pytest.fixture(scope="module")
def alone() -> Simulation:
    return simulate(SHOE, ROUNDS, 7, resources=Resources(1))


@pytest.mark.parametrize("threads", [2, 3, 5])
def test_counts_do_not_depend_on_threads(alone: Simulation, threads: int) -> None:
    assert same(simulate(SHOE, ROUNDS, 7, resources=Resources(threads)).counts, alone.counts)


def test_counts_do_not_depend_on_how_blocks_are_shared_out() -> None:
    job = DealJob(SHOE, 7, (67,))
    whole, parts = Tally(job), Tally(job)
    whole.deal(0, 30)
    for first, blocks in ((20, 10), (0, 1), (1, 19)):
        parts.deal(first, blocks)
    assert (whole.codes == parts.codes).all()
    assert (whole.reached == parts.reached).all()


def test_another_seed_deals_other_shoes(alone: Simulation) -> None:
    assert not same(simulate(SHOE, ROUNDS, 8, resources=Resources(1)).counts, alone.counts)


def test_splits_share_out_the_same_rounds(alone: Simulation) -> None:
    split = simulate(SHOE, ROUNDS, 7, splits=(1, 10, 80), resources=Resources(2)).counts
    assert (split.histogram == alone.counts.histogram).all()
    assert split.first(1).sum() == split.shoes
    assert split.first(10).sum() == 10 * split.shoes
    assert (split.first(67) == alone.counts.first(67)).all()


@pytest.mark.parametrize("rounds", [1, 5_000, 5_300, 1_000_000, 10_000_000])
def test_the_rounds_asked_for_are_met_within_two_blocks(rounds: int) -> None:
    dealt = simulate(SHOE, rounds, 1, resources=Resources(2)).counts
    assert rounds <= dealt.rounds < rounds + 2 * 64 * 82
    assert dealt.rounds == dealt.histogram.sum()
    assert dealt.shoes % 64 == 0


def test_an_interruption_gives_what_was_counted_in_whole_blocks() -> None:
    def interrupt(rounds: int) -> None:
        if rounds:
            raise KeyboardInterrupt

    stopped = simulate(SHOE, 10**12, 7, resources=Resources(2), report=interrupt)
    assert stopped.interrupted
    assert stopped.counts.rounds == stopped.counts.histogram.sum() > 0
    assert stopped.counts.shoes % (64 * CHUNK) == 0


@dasks_own_warnings
def test_dask_counts_what_one_process_counts(alone: Simulation) -> None:
    assert same(simulate(SHOE, ROUNDS, 7, backend="dask", resources=Resources(1)).counts, alone.counts)


@dasks_own_warnings
def test_a_dask_cluster_is_found_by_its_address_and_left_running(alone: Simulation) -> None:
    from distributed import Client, LocalCluster

    local: Any = LocalCluster
    connect: Any = Client

    with local(n_workers=1, threads_per_worker=2, processes=False, dashboard_address=":0") as cluster:
        address = cluster.scheduler_address
        found = simulate(SHOE, ROUNDS, 7, backend="dask", resources=Resources(cluster=address))
        assert same(found.counts, alone.counts)
        with connect(address) as client:
            assert len(client.scheduler_info()["workers"]) == 1


@dasks_own_warnings
def test_a_cluster_that_does_not_answer_is_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.simulation.on_cluster._CONNECT_SECONDS", 0.2)
    with pytest.raises(Refused) as refused:
        open_backend("dask", DealJob(SHOE, 7), Resources(cluster="tcp://127.0.0.1:9"))
    assert isinstance(refused.value.refusal, BackendUnavailable)


@pytest.mark.parametrize(("backend", "package", "extra"), [("cuda", "cupy", "gpu"), ("dask", "distributed", "cluster")])
def test_a_missing_backend_names_its_installation(
    monkeypatch: pytest.MonkeyPatch, backend: str, package: str, extra: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, f"punto.simulation.{BACKENDS[backend].partition('.')[0]}", raising=False)
    with pytest.raises(ExtraMissingError) as missing:
        simulate(SHOE, 1, backend=backend)
    assert missing.value.extra == extra


def test_an_unknown_backend_is_refused_with_the_known_ones() -> None:
    with pytest.raises(Refused) as refused:
        simulate(SHOE, 1, backend="abacus")
    assert ", ".join(BACKENDS) in say(refused.value.refusal)


@pytest.mark.parametrize(
    ("rounds", "seed", "splits", "kind"),
    [
        (0, 0, (), RoundsInvalid),
        (10**18, 0, (), RoundsInvalid),
        (1, -1, (), SeedInvalid),
        (1, 0, (0,), SplitsInvalid),
    ],
)
def test_invalid_simulations_are_refused(rounds: int, seed: int, splits: tuple[int, ...], kind: type[Refusal]) -> None:
    with pytest.raises(Refused) as refused:
        simulate(SHOE, rounds, seed, splits=splits)
    assert type(refused.value.refusal) is kind


def test_any_whole_number_is_a_seed() -> None:
    first, second = (simulate(SHOE, 1, seed, resources=Resources(1)).counts for seed in (2**64, 2**200 + 1))
    assert not np.array_equal(first.rows, second.rows)
