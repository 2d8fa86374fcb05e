"""The summary of a patron study in numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from punto.simulation.study import StudyResult

QUANTILES = (1, 5, 25, 50, 75, 95, 99)
BINS = 24


def summarise(result: StudyResult) -> dict[str, Any]:
    """Results, ruin and runs over all patrons, as plain data; money in cents, shares from 0 to 1.

    What is named `…_error` is the standard error of the figure beside it: patrons have shoes of their own.
    """
    net, ruined = result.net_cents, result.ruined_at[result.ruined_at > 0]
    staked, insured = result.staked_cents, result.insured_cents
    edges, counts = bins(net)
    in_order = np.sort(net)
    return {
        "result_cents": {
            "mean": float(net.mean()),
            "mean_error": _mean_error(net),
            "sd": float(net.std()),
            "least": int(net.min()),
            "most": int(net.max()),
            "quantiles": {str(each): int(np.percentile(net, each, method="lower")) for each in QUANTILES},
            "quantile_errors": {str(each): _quantile_error(in_order, each / 100) for each in QUANTILES},
        },
        **_share("ahead", net > 0),
        **_share("even", net == 0),
        **_share("behind", net < 0),
        "ruin": {
            **_share("share", result.ruined_at > 0),
            "median_round": int(np.median(ruined)) if len(ruined) else None,
            "median_round_error": _quantile_error(np.sort(ruined), 0.5) if len(ruined) else None,
        },
        "longest_runs": {"won": _runs(result.longest_win), "lost": _runs(result.longest_loss)},
        "staked_cents": int(staked.sum()),
        "house_share_of_stakes": -int(net.sum()) / int(staked.sum()) if staked.any() else 0.0,
        "house_share_of_stakes_error": _ratio_error(-net, staked),
        "insurance": {
            "staked_cents": int(insured.sum()),
            "net_cents": int(result.insurance_net_cents.sum()),
            "net_error": _mean_error(result.insurance_net_cents) * len(net),
        },
        "distribution": {"edges_cents": edges.tolist(), "patrons": counts.tolist()},
        "bankroll_cents": {
            "rounds": result.path_rounds.tolist(),
            "quantiles": {str(each): values.tolist() for each, values in fan(result).items()},
        },
    }


def _mean_error(values: npt.NDArray[Any]) -> float:
    return float(values.std()) / math.sqrt(len(values))


def _share(name: str, held: npt.NDArray[np.bool_]) -> dict[str, float]:
    return {name: float(held.mean()), f"{name}_error": _mean_error(held)}


def _ratio_error(above: npt.NDArray[np.int64], below: npt.NDArray[np.int64]) -> float:
    """The standard error of the ratio of two sums."""
    if not below.any():
        return 0.0
    ratio = above.sum() / below.sum()
    return float(np.sqrt(np.square(above - ratio * below).sum()) / below.sum())


def _quantile_error(in_order: npt.NDArray[np.int64], share: float) -> float:
    """The standard error of a quantile: half of what lies between the ranks one standard error below and above."""
    last, spread = len(in_order) - 1, math.sqrt(len(in_order) * share * (1 - share))
    low, high = (min(max(round(last * share + sign * spread), 0), last) for sign in (-1, 1))
    return float(in_order[high] - in_order[low]) / 2


def _runs(longest: npt.NDArray[np.int64]) -> dict[str, Any]:
    return {
        "mean": float(longest.mean()),
        "mean_error": _mean_error(longest),
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
