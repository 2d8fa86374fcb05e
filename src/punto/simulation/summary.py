"""The summary of a patron study in numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from punto.simulation.study import StudyResult

QUANTILES = (1, 5, 25, 50, 75, 95, 99)
BINS = 24


def summarise(result: StudyResult) -> dict[str, Any]:
    """Results, ruin and runs over all patrons, as plain data; money in cents, shares from 0 to 1."""
    net, ruined = result.net_cents, result.ruined_at[result.ruined_at > 0]
    staked, insured = int(result.staked_cents.sum()), int(result.insured_cents.sum())
    lost = -int(net.sum())
    edges, counts = bins(net)
    return {
        "result_cents": {
            "mean": float(net.mean()),
            "sd": float(net.std()),
            "least": int(net.min()),
            "most": int(net.max()),
            "quantiles": {str(each): int(np.percentile(net, each, method="lower")) for each in QUANTILES},
        },
        "ahead": float((net > 0).mean()),
        "even": float((net == 0).mean()),
        "behind": float((net < 0).mean()),
        "ruin": {
            "share": len(ruined) / len(net),
            "median_round": int(np.median(ruined)) if len(ruined) else None,
        },
        "longest_runs": {"won": _runs(result.longest_win), "lost": _runs(result.longest_loss)},
        "staked_cents": staked,
        "house_share_of_stakes": lost / staked if staked else 0.0,
        "insurance": {"staked_cents": insured, "net_cents": int(result.insurance_net_cents.sum())},
        "distribution": {"edges_cents": edges.tolist(), "patrons": counts.tolist()},
        "bankroll_cents": {
            "rounds": result.path_rounds.tolist(),
            "quantiles": {str(each): values.tolist() for each, values in fan(result).items()},
        },
    }


def _runs(longest: npt.NDArray[np.int64]) -> dict[str, Any]:
    return {
        "mean": float(longest.mean()),
        "median": int(np.median(longest)),
        "most": int(longest.max()),
        "patrons": {str(length): int(n) for length, n in enumerate(np.bincount(longest)) if n},
    }


def bins(net: npt.NDArray[np.int64], number: int = BINS) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Results in about `number` bins of a round width: the edges, and the number of patrons in each bin.

    Zero is always an edge, so that no bin holds both winners and losers.
    """
    least, most = int(net.min()), int(net.max())
    width = next(
        digit * 10**power for power in range(20) for digit in (1, 2, 5) if digit * 10**power * number > most - least
    )
    edges = np.arange(least // width, most // width + 2) * width
    counts, _ = np.histogram(net, edges)
    return edges, counts.astype(np.int64)


def fan(result: StudyResult) -> dict[int, npt.NDArray[np.int64]]:
    """Quantiles of the bankroll over the rounds."""
    return {each: np.percentile(result.path, each, axis=1, method="lower").astype(np.int64) for each in QUANTILES}
