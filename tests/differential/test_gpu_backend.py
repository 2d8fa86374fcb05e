"""The CUDA backend with the device played by this machine: a stand-in for CuPy that runs the kernel's host build.

It shows that the backend hands the kernel what the kernel expects, strand for strand. Speed needs the real thing.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from benchmarks.gpu import chi_square
from punto.rules.composition import Burn
from punto.rules.refusals import Refused
from punto.simulation.refusals import BackendUnavailable
from punto.simulation.shoe import SimulatedShoe
from punto.simulation.simulate import simulate
from punto.texts import say

pytestmark = pytest.mark.skipif(shutil.which("g++") is None, reason="no C++ compiler here")


class DeviceError(Exception):
    """Stands for CuPy's error when there is no GPU."""


class Kernel:
    def __init__(self, library: ctypes.CDLL) -> None:
        self._library = library

    def __call__(self, grid: tuple[int], block: tuple[int], arguments: tuple[Any, ...], shared_mem: int) -> None:
        assert shared_mem <= 227 * 1024
        assert (grid[0] - 1) * block[0] < int(arguments[3]) <= grid[0] * block[0]
        types = {np.uint64: ctypes.c_uint64, np.uint32: ctypes.c_uint32}
        plain = [
            each.ctypes.data_as(ctypes.c_void_p) if isinstance(each, np.ndarray) else types[type(each)](int(each))
            for each in arguments
        ]
        self._library.deal_on_host(*plain)


def stand_in(folder: Path, *, devices: int = 1) -> ModuleType:
    cupy: Any = ModuleType("cupy")

    def raw_module(code: str, options: tuple[str, ...], backend: str) -> Any:
        source, library = folder / f"{len(list(folder.iterdir()))}.cu", folder / f"{len(list(folder.iterdir()))}.so"
        source.write_text(code)
        macros = [option for option in options if option.startswith("-D")]
        command = ["g++", "-x", "c++", "-O2", "-shared", "-fPIC", *macros, "-o", str(library), str(source)]
        subprocess.run(command, check=True)
        return SimpleNamespace(get_function=lambda name: {"deal": Kernel(ctypes.CDLL(str(library)))}[name])

    def device() -> Any:
        if not devices:
            raise DeviceError("no CUDA-capable device is detected")
        attributes = {"MaxSharedMemoryPerBlockOptin": 227 * 1024, "MultiProcessorCount": 1}
        return SimpleNamespace(attributes=attributes, synchronize=lambda: None)

    cupy.RawModule, cupy.zeros, cupy.asarray, cupy.asnumpy = raw_module, np.zeros, np.asarray, np.asarray
    cupy.cuda = SimpleNamespace(Device=device, runtime=SimpleNamespace(CUDARuntimeError=DeviceError))
    return cupy  # type: ignore[no-any-return]


@pytest.fixture
def gpu(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", stand_in(tmp_path))
    monkeypatch.delitem(sys.modules, "punto.simulation.on_gpu", raising=False)


@pytest.mark.usefixtures("gpu")
@pytest.mark.parametrize(
    "shoe", [SimulatedShoe.of_decks(8), SimulatedShoe.of_decks(10, burn=Burn.CARD)], ids=["8", "10-burn"]
)
def test_the_backend_deals_the_exact_distribution(shoe: SimulatedShoe) -> None:
    dealt = simulate(shoe, 5_000_000, 7, backend="cuda", splits=(1,))
    assert 5_000_000 <= dealt.counts.rounds < 5_100_000
    assert dealt.counts.rounds == dealt.counts.histogram.sum()
    assert abs(chi_square(dealt.counts.first(shoe.sure_rounds), shoe)[2]) < 4


@pytest.mark.usefixtures("gpu")
def test_counts_do_not_depend_on_the_size_of_a_launch(monkeypatch: pytest.MonkeyPatch) -> None:
    one = simulate(SimulatedShoe.of_decks(8), 2_000_000, 7, backend="cuda").counts
    module = sys.modules["punto.simulation.on_gpu"]
    monkeypatch.setattr(module, "WAVES", 1)
    monkeypatch.setattr(module.strands, "THREADS", 32)
    other = simulate(SimulatedShoe.of_decks(8), 2_000_000, 7, backend="cuda").counts
    assert (one.rows == other.rows).all()


def test_a_machine_without_a_gpu_is_said_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cupy", stand_in(tmp_path, devices=0))
    monkeypatch.delitem(sys.modules, "punto.simulation.on_gpu", raising=False)
    with pytest.raises(Refused) as refused:
        simulate(SimulatedShoe.of_decks(8), 1, backend="cuda")
    assert isinstance(refused.value.refusal, BackendUnavailable)
    assert "cannot use an NVIDIA GPU here" in say(refused.value.refusal)
