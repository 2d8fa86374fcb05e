"""Straight-line programs compiled to vector instructions: eight shoes are computed side by side, one in each lane."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from punto.analysis.compiled import compiled
from punto.analysis.straight_line import Kind, Program

LANES = 8
"""The number of shoes computed together: as many numbers as fit a vector of 512 bits. Narrower ones are combined."""

_programs: dict[str, Program] = {}
"""Programs by digest, for the compiler."""


def kernel_of(program: Program) -> Any:
    """A compiled function of shoes (a row of counts for each, as uint16) that writes each output as a row of floats."""
    digest = program.digest
    _programs[digest] = program
    return _kernel(digest, len(program.inputs), len(program.outputs))


@cache
def _kernel(digest: str, inputs: int, outputs: int) -> Any:
    # Numba stores machine code under the values that a function takes from outside, so each program has its own.
    @compiled(nogil=True)
    def run(shoes: Any, found: Any) -> None:
        counts = np.zeros(inputs * LANES)
        results = np.zeros(outputs * LANES)
        for first in range(0, len(shoes), LANES):
            lanes = min(LANES, len(shoes) - first)
            for lane in range(lanes):
                for place in range(inputs):
                    counts[place * LANES + lane] = shoes[first + lane, place]
            _run_program(digest, counts, results)
            for place in range(outputs):
                for lane in range(lanes):
                    found[place, first + lane] = results[place * LANES + lane]

    return run


def _emit_program(_context: Any, digest: Any, counts: Any, results: Any) -> Any:
    """The program's operations as instructions on vectors, from an array of counts to one of results.

    Written as instructions because numba takes a hundred times as long to compile them from Python.
    """
    if not isinstance(digest, types.StringLiteral):
        return None
    program = _programs[digest.literal_value]
    vector = ir.VectorType(ir.DoubleType(), LANES)

    def codegen(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def first_vector(argument: int) -> Any:
            array = context.make_array(signature.args[argument])(context, builder, arguments[argument])
            return builder.bitcast(array.data, vector.as_pointer())

        def vector_at(start: Any, place: int) -> Any:
            return builder.gep(start, [ir.Constant(ir.IntType(32), place)])

        inputs, outputs = first_vector(1), first_vector(2)
        fused = ir.FunctionType(vector, [vector] * 3)
        multiply_add = builder.module.declare_intrinsic(f"llvm.fmuladd.v{LANES}f64", fnty=fused)
        found: list[Any] = []
        for kind, places, number in program.operations:
            values = [found[place] for place in places]
            match kind:
                case Kind.INPUT:
                    found.append(builder.load(vector_at(inputs, int(number)), align=8))
                case Kind.CONSTANT:
                    found.append(ir.Constant(vector, [number] * LANES))
                case Kind.MULTIPLY_ADD:
                    found.append(builder.call(multiply_add, values))
                case Kind.MULTIPLY_SUBTRACT:
                    found.append(builder.call(multiply_add, [builder.fneg(values[0]), *values[1:]]))
                case _:
                    found.append(getattr(builder, kind)(*values))
        for place, value in enumerate(program.outputs):
            builder.store(found[value], vector_at(outputs, place), align=8)
        return context.get_dummy_value()

    return types.none(digest, counts, results), codegen


_run_program: Any = intrinsic(_emit_program)
