"""Shoes dealt 64 at a time in byte vectors: the inner loops of the numba backend.

A *block* is 64 shoes, one in each lane. Its random numbers come from its own stream, so what it deals depends only on
the seed and the block's number, not on threads, workers or earlier blocks.

Why every order of a shoe is equally likely. A shoe's cards are stored as counts by rank. To make the counts fit a byte,
every card first gets one of up to eight labels by fair coins. Cards with label 0 are the *pool* from which cards are
drawn. The other labels are *segments*, which are poured into the pool in turn, whenever some lane's pool could run out
within a round. A card is a number `u`, uniform below the pool's size; its rank is the first with a running total above
`u`.

- At any time, given the cards dealt so far and the sizes of pool and segments, every division of the undealt cards
  among them is equally likely. It is so at the start, because the labels are independent and have equal probability. It
  stays so when a card is drawn uniformly from the pool, and when a segment is poured, which depends only on sizes.
- So the pool is a uniform sample of the undealt cards, and a card drawn uniformly from the pool is uniform over all
  undealt cards, whatever was dealt before. That is a uniform shuffle.
- Labels are drawn again when the segments' sizes could overflow a byte (`_fits`); this also depends only on sizes.
- `u` is the upper half of `bits × size` for 16 random bits. Bit patterns that would make some `u` more likely than
  others are rejected and drawn again, so `u` is exactly uniform.

The code has no branches on cards and uses one flat byte array at constant offsets, so that LLVM compiles each loop over
lanes to a few vector instructions.

Numba optimises every function by itself, and again within each function that inlines it. So what is used once is merged
into its caller before compilation (`inline`), small functions are inlined by LLVM (`inlined`), and what runs less often
is called.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import int64, njit, uint8, uint16, uint32, uint64
from numba.extending import intrinsic

from punto.analysis.compiled import ONLY_CALLED, compiled, inlined
from punto.rules.outcome import PAIRS, PLAYS

LANES = 64
"""Shoes in a block."""
MAX_COPIES = 40
"""The maximum number of cards of one rank in a shoe: ten decks."""
UNUSED = PLAYS * PAIRS
"""The code of no round. A round's is pairs × 400 + play, so that the common ones, without pairs, are adjacent."""
SEED_WORDS = 4 * 96 + 1
"""The number of key words from a seed."""

_ROUND_CARDS = 6
_RANKS = 13
_WORDS = 96  # one pass of the generators: 96 words, which is 6 draws of 16 bits or 12 rows of bytes for 64 lanes
_OUT = 4 * _WORDS
_BYTE_ROWS = 12

# Rows of 64 bytes in the workspace: twelve running totals, the pool's size just after them, then one row each.
_LEFT = 12 * LANES
_U = 13 * LANES
_C1, _C2, _C3, _C4, _C5, _C6 = (row * LANES for row in range(14, 20))
_ACTIVE = 20 * LANES
_PLAYER_TOTAL, _BANKER_TOTAL = 21 * LANES, 22 * LANES
_PLAYER_DRAWS, _BANKER_DRAWS = 23 * LANES, 24 * LANES
_START = 25 * LANES  # both two-card totals, as 10 × Player + Banker
_RUN = 26 * LANES
_SEGMENTS = 34 * LANES
_SIZE = _SEGMENTS + 8 * _RANKS * LANES


@inlined
def _mix(x: Any) -> Any:
    """The finaliser of SplitMix64, a bijection of 64 bits."""
    x = (x ^ (x >> uint64(30))) * uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> uint64(27))) * uint64(0x94D049BB133111EB)
    return x ^ (x >> uint64(31))


@inlined
def _seed_block(words: Any, spare: Any, keys: Any, block: Any) -> None:
    """Give a block its stream: 96 xoshiro256++ generators and one spare, each word of state a bijection of the block.

    `keys` come from the seed. Two blocks of a run differ in every word, so no two of their generators are alike.
    """
    number = _mix(uint64(block) + uint64(0x9E3779B97F4A7C15))
    for i in range(_OUT):
        words[i] = _mix(keys[i] ^ number)
    spare[0] = _mix(keys[_OUT] ^ number)


@inlined
def _refill(words: Any) -> None:
    """One step of all 96 xoshiro256++ generators."""
    for i in range(_WORDS):
        a, b, c, d = words[i], words[_WORDS + i], words[2 * _WORDS + i], words[3 * _WORDS + i]
        x = a + d
        words[_OUT + i] = ((x << uint64(23)) | (x >> uint64(41))) + a
        t = b << uint64(17)
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= t
        d = (d << uint64(45)) | (d >> uint64(19))
        words[i], words[_WORDS + i], words[2 * _WORDS + i], words[3 * _WORDS + i] = a, b, c, d


def _emit_product_high(_context: Any, _bits: Any, _left: Any) -> Any:
    """The upper 16 bits of 16 bits times a number below 256, in steps that fit 16 bits.

    Written as instructions because numba's own arithmetic is 64 bits wide, which takes four times as many of them.
    """

    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        bits, left = arguments
        eight = ir.Constant(ir.IntType(16), 8)
        upper = builder.mul(builder.lshr(bits, eight), left)
        lower = builder.mul(builder.and_(bits, ir.Constant(ir.IntType(16), 255)), left)
        return builder.lshr(builder.add(upper, builder.lshr(lower, eight)), eight)

    return uint16(uint16, uint16), codegen


def _emit_product_low(_context: Any, _bits: Any, _left: Any) -> Any:
    """The lower 16 bits of the same product."""

    def codegen(_context: Any, builder: Any, _signature: Any, arguments: Any) -> Any:
        return builder.mul(*arguments)

    return uint16(uint16, uint16), codegen


_product_high: Any = intrinsic(_emit_product_high)
_product_low: Any = intrinsic(_emit_product_low)


@compiled(**ONLY_CALLED)
def _redraw(w: Any, bits16: Any, offset: Any, spare: Any) -> None:
    """Reject the draws that would favour some cards, and draw them again from the spare generator."""
    for lane in range(LANES):
        left = uint16(w[_LEFT + lane])
        bits = bits16[offset + lane]
        if _product_low(bits, left) < left:
            favoured = uint32(65536) % left
            while _product_low(bits, left) < favoured:
                spare[0] += uint64(0x9E3779B97F4A7C15)
                bits = uint16(_mix(spare[0]) >> uint64(48))
            w[_U + lane] = uint8(_product_high(bits, left))


@inlined
def _draw(w: Any, bits16: Any, turn: Any, mask: Any, card: Any, spare: Any) -> None:
    """Draw a card in every lane where the row `mask` is 255, into the row `card`; elsewhere the card is a king (12)."""
    offset = turn * LANES
    doubtful = False
    for lane in range(LANES):
        left = uint16(w[_LEFT + lane])
        bits = bits16[offset + lane]
        w[_U + lane] = uint8(_product_high(bits, left))
        doubtful |= _product_low(bits, left) < left
    if doubtful:
        _redraw(w, bits16, offset, spare)
    for lane in range(LANES):
        u = uint8(w[_U + lane] | uint8(~w[mask + lane]))
        rank = uint8(12)
        for k in range(_RANKS - 1):
            total = w[k * LANES + lane]
            above = uint8(total > u)
            w[k * LANES + lane] = uint8(total - above)
            rank = uint8(rank - above)
        w[card + lane] = rank
        w[_LEFT + lane] = uint8(w[_LEFT + lane] + w[mask + lane])


@inlined
def _ones(x: Any) -> Any:
    x = uint8(x - ((x >> uint8(1)) & uint8(0x55)))
    x = uint8((x & uint8(0x33)) + ((x >> uint8(2)) & uint8(0x33)))
    return uint8((x + (x >> uint8(4))) & uint8(15))


@compiled(**ONLY_CALLED)
def _label(w: Any, words: Any, bytes8: Any, counts: Any, labels: Any) -> Any:
    """Label every card and store each label's running totals in its segment. Returns False if a size overflowed a byte.

    Eight cards of a rank are labelled at a time: three random bytes are three bits for each of them.
    """
    row = _BYTE_ROWS
    small: Any = True
    any0, any1, any2 = uint8(255 * (labels < 2)), uint8(255 * (labels < 4)), uint8(255 * (labels < 8))
    for i in range(labels * LANES):
        w[_RUN + i] = 0
    for rank in range(_RANKS):
        for first in range(0, counts[rank], 8):
            cards = uint8((1 << min(counts[rank] - first, 8)) - 1)
            if row + 3 > _BYTE_ROWS:
                _refill(words)
                row = 0
            for label in range(labels):
                flip0, flip1, flip2 = uint8(255 * (label & 1)), uint8(255 * (label >> 1 & 1)), uint8(255 * (label >> 2))
                for lane in range(LANES):
                    x = uint8((bytes8[row * LANES + lane] ^ flip0) | any0)
                    y = uint8((bytes8[(row + 1) * LANES + lane] ^ flip1) | any1)
                    z = uint8((bytes8[(row + 2) * LANES + lane] ^ flip2) | any2)
                    w[_RUN + label * LANES + lane] += _ones(uint8(x & y & z & cards))
            row += 3
        most = uint8(0)
        for label in range(labels):
            for lane in range(LANES):
                total = w[_RUN + label * LANES + lane]
                w[_SEGMENTS + (label * _RANKS + rank) * LANES + lane] = total
                most = max(most, total)
        small = small and (most <= uint8(255 - MAX_COPIES))
    return small


@compiled(**ONLY_CALLED)
def _fits(w: Any, labels: Any) -> bool:
    """True if no pool can overflow a byte for any cards, by the segments' sizes.

    Segment i is poured when some lane has fewer than six cards in its pool, so it has dealt all but five of the cards
    poured before. All lanes deal in step and a round takes four to six cards, so every other lane has dealt at least
    two thirds of that.
    """
    least_before = 0
    for i in range(labels):
        least, most = 1 << 20, 0
        for lane in range(LANES):
            poured = 0
            for j in range(i + 1):
                poured += w[_SEGMENTS + (j * _RANKS + 12) * LANES + lane]
            least, most = min(least, poured), max(most, poured)
        dealt = max(0, 2 * (least_before - (_ROUND_CARDS - 1)) // 3)
        if most - dealt > 255:
            return False
        least_before = least
    return True


@njit(inline="always")
def _open_shoes(w: Any, words: Any, bits16: Any, bytes8: Any, spare: Any, waiting: Any, stop: Any, shoe: Any) -> Any:
    """Label the cards of 64 full shoes, pour the first segment, show the burn card. Returns the number of labels.

    `waiting` counts each lane's cards in segments. `stop` is the number of cards left when the shoe ends. Cards burnt
    unseen can be taken from the end of the shoe as well as from its front, so they only make `stop` larger.
    """
    counts, cut, burn_card, labels = shoe[:_RANKS], shoe[_RANKS], shoe[_RANKS + 1], shoe[_RANKS + 3]
    cards = 0
    for rank in range(_RANKS):
        cards += counts[rank]
    while not (_label(w, words, bytes8, counts, labels) and _fits(w, labels)):
        pass
    for i in range(_RANKS * LANES):
        w[i] = w[_SEGMENTS + i]
    for lane in range(LANES):
        w[_ACTIVE + lane] = 255
        waiting[lane] = cards - w[_LEFT + lane]
        stop[lane] = cut
    if burn_card != 0:
        _refill(words)
        _draw(w, bits16, int64(0), int64(_ACTIVE), int64(_C1), spare)
        for lane in range(LANES):
            stop[lane] += min(w[_C1 + lane] + 1, 10)
    return labels


@njit(inline="always")
def _pour(w: Any, waiting: Any, poured: Any, labels: Any, need: Any) -> Any:
    """Pour segments until every lane has the cards it needs or none is left. Returns the number poured."""
    while poured < labels:
        least = uint8(255)
        for lane in range(LANES):
            least = min(least, w[_LEFT + lane])
        if least >= need:
            break
        segment = _SEGMENTS + poured * _RANKS * LANES
        for i in range(_RANKS * LANES):
            w[i] += w[segment + i]
        for lane in range(LANES):
            waiting[lane] -= w[segment + 12 * LANES + lane]
        poured += 1
    return poured


@njit(inline="always")
def _activate(w: Any, waiting: Any, stop: Any) -> int:
    """Continue only in lanes whose shoe has not reached the cut card. Returns their number."""
    active = 0
    for lane in range(LANES):
        going = uint16(waiting[lane] + w[_LEFT + lane]) > stop[lane]
        w[_ACTIVE + lane] = uint8(255) if going else uint8(0)
        active += going
    return active


@inlined
def _points(rank: Any) -> Any:
    return uint8(rank + uint8(1)) if rank < 9 else uint8(0)


@inlined
def _last_digit(total: Any) -> Any:
    return min(total, uint8(total - uint8(10)))


@njit(inline="always")
def _play_round(w: Any, words: Any, bits16: Any, codes: Any, spare: Any) -> None:
    """Deal one round in every active lane by the Table of Play, and store its code."""
    _refill(words)
    _draw(w, bits16, int64(0), int64(_ACTIVE), int64(_C1), spare)
    _draw(w, bits16, int64(1), int64(_ACTIVE), int64(_C2), spare)
    _draw(w, bits16, int64(2), int64(_ACTIVE), int64(_C3), spare)
    _draw(w, bits16, int64(3), int64(_ACTIVE), int64(_C4), spare)
    for lane in range(LANES):
        player = _last_digit(uint8(_points(w[_C1 + lane]) + _points(w[_C3 + lane])))
        banker = _last_digit(uint8(_points(w[_C2 + lane]) + _points(w[_C4 + lane])))
        w[_PLAYER_TOTAL + lane], w[_BANKER_TOTAL + lane] = player, banker
        w[_START + lane] = uint8(player * uint8(10) + banker)
        w[_PLAYER_DRAWS + lane] = w[_ACTIVE + lane] if ((player < 6) & (banker < 8)) else uint8(0)
    _draw(w, bits16, int64(4), int64(_PLAYER_DRAWS), int64(_C5), spare)
    for lane in range(LANES):
        third = _points(w[_C5 + lane])
        player, banker = w[_PLAYER_TOTAL + lane], w[_BANKER_TOTAL + lane]
        after_third = (
            (banker < 3)
            | ((banker == 3) & (third != 8))
            | ((banker == 4) & (third >= 2) & (third <= 7))
            | ((banker == 5) & (third >= 4) & (third <= 7))
            | ((banker == 6) & (third >= 6) & (third <= 7))
        )
        alone = (player < 8) & (banker < 6)
        drew = w[_PLAYER_DRAWS + lane] != 0
        draws = (after_third & drew) | (alone & (not drew))
        w[_BANKER_DRAWS + lane] = w[_ACTIVE + lane] if draws else uint8(0)
        w[_PLAYER_TOTAL + lane] = _last_digit(uint8(player + third))
    _draw(w, bits16, int64(5), int64(_BANKER_DRAWS), int64(_C6), spare)
    for lane in range(LANES):
        banker = _last_digit(uint8(w[_BANKER_TOTAL + lane] + _points(w[_C6 + lane])))
        totals = uint8(w[_PLAYER_TOTAL + lane] * uint8(10) + banker)
        drawn = uint8((w[_PLAYER_DRAWS + lane] & uint8(2)) | (w[_BANKER_DRAWS + lane] & uint8(1)))
        player_pair = uint8(w[_C1 + lane] + uint8(1)) if w[_C1 + lane] == w[_C3 + lane] else uint8(0)
        banker_pair = uint8(w[_C2 + lane] + uint8(1)) if w[_C2 + lane] == w[_C4 + lane] else uint8(0)
        pairs = uint8(player_pair * uint8(14) + banker_pair)
        code = uint32(pairs) * uint32(PLAYS) + uint32(totals) * uint32(4) + uint32(drawn)
        codes[lane] = code if w[_ACTIVE + lane] != 0 else uint32(UNUSED)


def _workspace() -> tuple[Any, ...]:
    """Memory for the generators: words with their output, the output as 16 bits and as bytes, and the spare one."""
    words = np.empty(_OUT + _WORDS, np.uint64)
    out = words[_OUT:]
    return words, out.view(np.uint16), out.view(np.uint8), np.empty(1, np.uint64)


def count_blocks(keys: Any, first: int, blocks: int, shoe: Any, ends: Any, histogram: Any, reached: Any) -> None:
    """Deal blocks of shoes and add their rounds to the histogram.

    `shoe` is thirteen counts, the number of cards left at which a shoe ends, 1 if there is a burn card, the number of
    rounds that every shoe has, and the number of labels: 1, 4 or 8. Row i of `histogram` counts the rounds below number
    `ends[i]` that the rows before it did not count; the last row counts the rest. `reached[i]` counts the shoes that
    had a round i.
    """
    codes, waiting, stop = np.empty(LANES, np.uint32), np.empty(LANES, np.uint16), np.empty(LANES, np.uint16)
    _count_blocks(keys, first, blocks, shoe, ends, histogram, reached, *_workspace(), codes, waiting, stop)


@compiled(nogil=True)
def _count_blocks(
    keys: Any, first: Any, blocks: Any, shoe: Any, ends: Any, histogram: Any, reached: Any,
    words: Any, bits16: Any, bytes8: Any, spare: Any, codes: Any, waiting: Any, stop: Any,
) -> None:  # fmt: skip
    w = np.zeros(_SIZE, np.uint8)  # here, so that the compiler knows that nothing else refers to it
    safe = shoe[_RANKS + 2]
    for block in range(first, first + blocks):
        _seed_block(words, spare, keys, block)
        labels = _open_shoes(w, words, bits16, bytes8, spare, waiting, stop, shoe)
        poured, row, number, active = 1, 0, 0, LANES
        while True:
            poured = _pour(w, waiting, poured, labels, _ROUND_CARDS)
            if number >= safe:
                active = _activate(w, waiting, stop)
                if active == 0:
                    break
            while row < len(ends) and number >= ends[row]:
                row += 1
            reached[number] += active
            _play_round(w, words, bits16, codes, spare)
            counts = histogram[row]
            for lane in range(LANES):
                counts[codes[lane]] += 1
            number += 1


def record_blocks(keys: Any, numbers: Any, shoe: Any, codes: Any, starts: Any) -> Any:
    """Deal the blocks of these numbers and record every round. Returns the maximum number of rounds of a shoe.

    `codes[i, r, lane]` is the code of round r, `UNUSED` after the shoe's end. `starts` has 10 × Player's two-card total
    + Banker's, which insurance needs too.
    """
    codes[:], starts[:] = UNUSED, 0
    waiting, stop = np.empty(LANES, np.uint16), np.empty(LANES, np.uint16)
    return _record_blocks(keys, numbers, shoe, codes, starts, *_workspace(), waiting, stop)


@compiled(nogil=True)
def _record_blocks(
    keys: Any, numbers: Any, shoe: Any, codes: Any, starts: Any,
    words: Any, bits16: Any, bytes8: Any, spare: Any, waiting: Any, stop: Any,
) -> Any:  # fmt: skip
    w = np.zeros(_SIZE, np.uint8)
    most = 0
    for i in range(len(numbers)):
        _seed_block(words, spare, keys, numbers[i])
        labels = _open_shoes(w, words, bits16, bytes8, spare, waiting, stop, shoe)
        poured, number = 1, 0
        while True:
            poured = _pour(w, waiting, poured, labels, _ROUND_CARDS)
            if _activate(w, waiting, stop) == 0:
                break
            _play_round(w, words, bits16, codes[i, number], spare)
            for lane in range(LANES):
                starts[i, number, lane] = w[_START + lane]
            number += 1
        most = max(most, number)
    return most
