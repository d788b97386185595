"""Operations on rows of `LANES` numbers side by side, as the processor has them.

A kernel's work array has one row for each set of dice, and lanes for as many positions at once. Written as loops
these operations stay scalar: rows of one array might overlap, as far as a compiler can see. Sums have a fixed
order, so that the same position gives the same bits in every kernel.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numpy.typing import NDArray

LANES = 8
ALIGNMENT = 64  # a row is one cache line

_DOUBLE = ir.DoubleType()
_VECTOR = ir.VectorType(_DOUBLE, LANES)
_Code = Callable[["_Operands"], None]


def rows(count: int) -> NDArray[np.float64]:
    """Zeroed rows that lie on cache lines."""
    spare = ALIGNMENT // 8
    flat = np.zeros(count * LANES + spare)
    skip = -flat.ctypes.data % ALIGNMENT // 8
    return flat[skip : skip + count * LANES].reshape(count, LANES)


class _Operands:
    """The arguments of an operation while its code is written: arrays, row numbers, and tuples of either."""

    def __init__(self, context: Any, builder: Any, signature: Any, args: Sequence[Any]) -> None:  # noqa: ANN401
        self.context, self.builder, self.kinds, self.args = context, builder, signature.args, args

    def place(self, array: int, row: Any, kind: Any) -> Any:  # noqa: ANN401
        """Where a row of the array at that argument is."""
        index = self.context.cast(self.builder, row, kind, types.intp)
        data = cgutils.create_struct_proxy(self.kinds[array])(self.context, self.builder, self.args[array]).data
        start = self.builder.gep(data, [self.builder.mul(index, ir.Constant(index.type, LANES))])
        return self.builder.bitcast(start, _VECTOR.as_pointer())

    def at(self, array: int, row: int) -> Any:  # noqa: ANN401
        return self.place(array, self.args[row], self.kinds[row])

    def load(self, place: Any) -> Any:  # noqa: ANN401
        value = self.builder.load(place, typ=_VECTOR)
        value.align = 8
        return value

    def store(self, value: Any, place: Any) -> None:  # noqa: ANN401
        self.builder.store(value, place).align = 8

    def each(self, argument: int) -> list[Any]:
        return list(cgutils.unpack_tuple(self.builder, self.args[argument]))

    def every_row(self, array: int, argument: int) -> list[Any]:
        kind = self.kinds[argument].dtype
        return [self.load(self.place(array, row, kind)) for row in self.each(argument)]

    def spread(self, number: Any) -> Any:  # noqa: ANN401
        nothing = ir.Constant(_VECTOR, ir.Undefined)
        first = self.builder.insert_element(nothing, number, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), LANES), [0] * LANES)
        return self.builder.shuffle_vector(first, nothing, zeros)

    def larger(self, left: Any, right: Any) -> Any:  # noqa: ANN401
        """An intrinsic, because comparing and selecting before a store becomes a slow masked store."""
        kind = ir.FunctionType(_VECTOR, [_VECTOR, _VECTOR])
        name = f"llvm.maxnum.v{LANES}f64"
        maximum = cgutils.get_or_insert_function(self.builder.module, kind, name)
        return self.builder.call(maximum, [left, right], fastmath=("nnan", "nsz"))

    def total(self, terms: list[Any]) -> Any:  # noqa: ANN401
        """Neighbours first, which keeps the chain of additions short."""
        while len(terms) > 1:
            pairs = [self.builder.fadd(*terms[i : i + 2]) for i in range(0, len(terms) - 1, 2)]
            terms = [*pairs, *terms[len(pairs) * 2 :]]
        return terms[0]


def _returning_nothing(args: Sequence[Any], write: _Code) -> Any:  # noqa: ANN401
    def code(context: Any, builder: Any, signature: Any, values: Any) -> Any:  # noqa: ANN401
        write(_Operands(context, builder, signature, values))
        return context.get_dummy_value()

    return types.void(*args), code


@intrinsic
def put(_context, array, row, number):
    """array[row] = number"""

    def write(the: _Operands) -> None:
        the.store(the.spread(the.args[2]), the.at(0, 1))

    return _returning_nothing((array, row, types.float64), write)


@intrinsic
def add(_context, array, row, source, from_row, number):
    """array[row] = source[from_row] + number"""

    def write(the: _Operands) -> None:
        moved = the.builder.fadd(the.load(the.at(2, 3)), the.spread(the.args[4]))
        the.store(moved, the.at(0, 1))

    return _returning_nothing((array, row, source, from_row, types.float64), write)


@intrinsic
def lift(_context, array, row, source, from_row):
    """array[row] = max(array[row], source[from_row])"""

    def write(the: _Operands) -> None:
        place = the.at(0, 1)
        the.store(the.larger(the.load(place), the.load(the.at(2, 3))), place)

    return _returning_nothing((array, row, source, from_row), write)


@intrinsic
def lift_to_best(_context, array, row, others):
    """array[row] = max(array[row], array[other] for all others)"""

    def write(the: _Operands) -> None:
        place = the.at(0, 1)
        best = the.load(place)
        for other in the.every_row(0, 2):
            best = the.larger(best, other)
        the.store(best, place)

    return _returning_nothing((array, row, others), write)


@intrinsic
def average(_context, array, row, others):
    """array[row] = the mean of array[other] over all others"""

    def write(the: _Operands) -> None:
        others_here = the.every_row(0, 2)
        share = ir.Constant(_VECTOR, [1 / len(others_here)] * LANES)
        the.store(the.builder.fmul(the.total(others_here), share), the.at(0, 1))

    return _returning_nothing((array, row, others), write)


@intrinsic
def add_weighted(_context, array, row, first, weights):
    """array[row] += the sum of array[first + i] * weights[i]"""

    def write(the: _Operands) -> None:
        start = the.context.cast(the.builder, the.args[2], the.kinds[2], types.intp)
        terms = []
        for i, weight in enumerate(the.each(3)):
            here = the.place(0, the.builder.add(start, ir.Constant(start.type, i)), types.intp)
            terms.append(the.builder.fmul(the.load(here), the.spread(weight)))
        place = the.at(0, 1)
        the.store(the.builder.fadd(the.load(place), the.total(terms)), place)

    return _returning_nothing((array, row, first, weights), write)


@intrinsic
def follow(_context, array, row, source, from_row, also, also_source, weight):
    """Where source is larger, take its row into array, and its companion into also.

    The weight, a small number or 0, says how far the companions count when rows are compared.
    """

    def write(the: _Operands) -> None:
        place, also_place = the.at(0, 1), the.at(4, 1)
        here, there = the.load(place), the.load(the.at(2, 3))
        also_here, also_there = the.load(also_place), the.load(the.at(5, 3))
        share = the.spread(the.args[6])
        better = the.builder.fcmp_ordered(
            ">",
            the.builder.fadd(there, the.builder.fmul(share, also_there)),
            the.builder.fadd(here, the.builder.fmul(share, also_here)),
        )
        the.store(the.builder.select(better, there, here), place)
        the.store(the.builder.select(better, also_there, also_here), also_place)

    return _returning_nothing((array, row, source, from_row, also, also_source, types.float64), write)


@intrinsic
def follow_best(_context, array, row, others, also, weight):
    """As `follow` from each of the other rows of the same arrays, one after the other."""

    def write(the: _Operands) -> None:
        place, also_place = the.at(0, 1), the.at(3, 1)
        here, also_here, share = the.load(place), the.load(also_place), the.spread(the.args[4])
        compared = the.builder.fadd(here, the.builder.fmul(share, also_here))
        for there, also_there in zip(the.every_row(0, 2), the.every_row(3, 2), strict=True):
            other = the.builder.fadd(there, the.builder.fmul(share, also_there))
            better = the.builder.fcmp_ordered(">", other, compared)
            here = the.builder.select(better, there, here)
            also_here = the.builder.select(better, also_there, also_here)
            compared = the.builder.select(better, other, compared)
        the.store(here, place)
        the.store(also_here, also_place)

    return _returning_nothing((array, row, others, also, types.float64), write)
