// True shoes on a GPU: one shoe to a thread, in shared memory, every outcome counted.
//
// A strand is SHOES shoes dealt one after another by one thread. Its random numbers are a stretch of one long sequence
// that belongs to the strand's number, so what a strand deals does not depend on the launch it is part of.
//
// Why every order is equally likely. A card is drawn by taking a place j, uniform among the n cards left, and moving the
// last card into it: a Fisher-Yates shuffle done as far as it is needed. Two places come from one random word r by two
// products: r * n gives the first place above the point and a fraction below it, the fraction * (n - 1) the second. That
// is one product r * n * (n - 1) whose upper half, read in mixed radix, is the pair of places. Words whose last fraction
// is below 2^32 mod n(n-1) would make some pairs likelier, and are thrown away: the pairs are uniform exactly.
//
// What it is built for. A round costs about 110 instructions and 20 accesses to shared memory, nothing else: there is no
// branch on a card. All six places are worked out ahead, four cards are dealt at once, the fifth and sixth are looked at
// and only taken if the Table of Play says so. Lanes of a warp keep step in round numbers, so rounds before a split need
// no row of their own to be worked out. Outcomes without a pair (six in seven) are counted in shared memory, others go
// straight to the device's histogram.
//
// Set by the host: THREADS (a block), CARDS (a full shoe), ROWS (of the histogram), SHOES (a strand).
// The shoes of a block are interleaved word by word, so that no two lanes meet in a bank. Two cards are drawn from one
// random word. Shoes in one piece, three cards a word and copies of the block's histogram were measured: all are slower.
//
// Compiled by nvcc and by CuPy (NVRTC); a plain C++ compiler makes a host library of the same code, for tests.

typedef unsigned char u8;
typedef unsigned int u32;
typedef unsigned long long u64;

#ifndef THREADS
#define THREADS 512
#endif
#ifndef CARDS
#define CARDS 416
#endif
#ifndef ROWS
#define ROWS 2
#endif
#ifndef SHOES
#define SHOES 256
#endif

#ifdef __CUDACC__
#define INLINE __device__ __forceinline__
#else
#define INLINE static inline
#undef THREADS
#define THREADS 1
#endif

#define PLAYS 400
#define MAX_ROUNDS 136
#define WORDS ((CARDS + 3) / 4)

// ------------------------------------------------------------------------------------------ random words

// Multiply with carry, MWC64X: its state is a number below MODULUS, each step multiplies it by MULTIPLIER. MODULUS is a
// safe prime, so the sequence repeats after 2^63 words, and a stretch of it is reached by one multiplication.
#define MULTIPLIER 4294883355u
#define MODULUS ((u64)MULTIPLIER * 4294967296ull - 1ull)

struct Stream {
    u32 low, carry;
};

INLINE u32 next_word(Stream &stream) {
    u32 word = stream.low ^ stream.carry;
    u64 product = (u64)stream.low * MULTIPLIER + stream.carry;
    stream.low = (u32)product;
    stream.carry = (u32)(product >> 32);
    return word;
}

INLINE u64 times(u64 a, u64 b) {  // a * b mod MODULUS, for a and b below it
    u64 sum = 0;
    for (; b; b >>= 1) {
        if (b & 1) sum = sum >= MODULUS - a ? sum - (MODULUS - a) : sum + a;
        a = a >= MODULUS - a ? a - (MODULUS - a) : a + a;
    }
    return sum;
}

// The stretch of a strand: jumps[i] takes a state 2^i strands on.
INLINE Stream stream_of(u64 start, const u64 *jumps, u64 strand) {
    u64 state = start;
    for (int i = 0; strand; ++i, strand >>= 1)
        if (strand & 1) state = times(state, jumps[i]);
    Stream stream = {(u32)state, (u32)(state >> 32)};
    return stream;
}

// ------------------------------------------------------------------------------------------ drawing

// Places of the cards to be drawn next, each offset by where the shoe begins.
struct Places {
    u32 at[6];
};

INLINE u32 place(u32 j, u32 base) {  // of card j of the shoe
    return base + (j & ~3u) * THREADS + (j & 3u);
}

// Two places from one word, with n cards left; answers the fraction that is left over.
INLINE u32 two_places(Stream &stream, u32 n, u32 base, u32 *at) {
    u64 product = (u64)next_word(stream) * n;
    at[0] = place((u32)(product >> 32), base);
    product = (u64)(u32)product * (n - 1);
    at[1] = place((u32)(product >> 32), base);
    return (u32)product;
}

INLINE void settle_doubt(Stream &stream, u32 n, u32 base, u32 *at, u32 fraction) {
    u32 all = n * (n - 1);
    if (fraction < all) {
        u32 favoured = (0u - all) % all;
        while (fraction < favoured) fraction = two_places(stream, n, base, at);
    }
}

INLINE Places draw(Stream &stream, u32 n, u32 base) {
    Places places;
    u32 fractions[3];
    bool doubt = false;
#ifdef __CUDACC__
#pragma unroll
#endif
    for (u32 k = 0; k < 3; ++k) {
        fractions[k] = two_places(stream, n - 2 * k, base, places.at + 2 * k);
        doubt |= fractions[k] < (u32)CARDS * CARDS;  // may be one to throw away
    }
    if (doubt) {
#ifdef __CUDACC__
#pragma unroll
#endif
        for (u32 k = 0; k < 3; ++k) settle_doubt(stream, n - 2 * k, base, places.at + 2 * k, fractions[k]);
    }
    return places;
}

// ------------------------------------------------------------------------------------------ the round

// A card is a byte: its rank from 1 in the lower half, its points in the upper.
INLINE u32 last_digit(u32 total) {  // of a total below 20
    u32 less = total - 10u;
    return total < less ? total : less;
}

struct Round {
    u32 play, player_pair, banker_pair, cards;
};

INLINE Round play_round(u8 *shoes, u32 base, u32 n, Stream &stream) {
    const Places p = draw(stream, n, base);
    u32 c[4];
#ifdef __CUDACC__
#pragma unroll
#endif
    for (u32 k = 0; k < 4; ++k) {
        c[k] = shoes[p.at[k]];
        shoes[p.at[k]] = shoes[place(n - k - 1, base)];
    }
    u32 player = last_digit((c[0] >> 4) + (c[2] >> 4)), banker = last_digit((c[1] >> 4) + (c[3] >> 4));

    // The fifth card is Player's if Player draws, else Banker's. Banker draws up to a total that depends on Player's
    // third card, three bits for each value: 3 3 4 4 5 5 6 6 2 3 for 0 to 9.
    const u32 up_to = 3u | 3u << 3 | 4u << 6 | 4u << 9 | 5u << 12 | 5u << 15 | 6u << 18 | 6u << 21 | 2u << 24 | 3u << 27;
    u32 fifth = shoes[p.at[4]] >> 4;
    bool player_draws = (player < 6) & (banker < 8);
    int limit = player_draws ? (int)(up_to >> (3 * fifth) & 7u) : player < 8 ? 5 : -1;
    bool banker_draws = (int)banker <= limit;
    if (player_draws | banker_draws) shoes[p.at[4]] = shoes[place(n - 5, base)];
    u32 sixth = shoes[p.at[5]] >> 4;
    if (player_draws & banker_draws) shoes[p.at[5]] = shoes[place(n - 6, base)];
    if (banker_draws) banker = last_digit(banker + (player_draws ? sixth : fifth));
    if (player_draws) player = last_digit(player + fifth);

    Round round;
    round.play = player * 40 + banker * 4 + player_draws * 2 + banker_draws;
    round.player_pair = c[0] == c[2] ? c[0] & 15u : 0u;
    round.banker_pair = c[1] == c[3] ? c[1] & 15u : 0u;
    round.cards = 4 + player_draws + banker_draws;
    return round;
}

// ------------------------------------------------------------------------------------------ strands

#ifdef __CUDACC__
#define COUNT_SHARED(place) atomicAdd(&(place), 1u)
#define COUNT_GLOBAL(place) atomicAdd(&(place), 1ull)
#else
#define COUNT_SHARED(place) (++(place))
#define COUNT_GLOBAL(place) (++(place))
#endif

// Deals one strand. `full` is the shoe in words of four cards, in any order; `common` has a row of PLAYS counts for the
// rounds up to each of `ends` and one for the rest, `codes` the rows of all codes, `lengths` the shoes by their rounds.
INLINE void deal_strand(u8 *shoes, u32 thread, Stream stream, const u32 *full, u32 stop, u32 burn_card, const u32 *ends,
                        u32 *common, u32 *lengths, u64 *codes, u64 code_stride) {
    const u32 base = thread * 4;
    u32 *words = (u32 *)(shoes + base);
    for (u32 shoe = 0; shoe < SHOES; ++shoe) {
#ifdef __CUDACC__
#pragma unroll 8
#endif
        for (u32 i = 0; i < WORDS; ++i) words[i * THREADS] = full[i];
        u32 n = CARDS, end_at = stop, number = 0;
        if (burn_card) {
            const Places p = draw(stream, n, base);
            u32 points = shoes[p.at[0]] >> 4;
            shoes[p.at[0]] = shoes[place(n - 1, base)];
            n -= 1;
            end_at += points ? points : 10;  // burnt unseen: as well from the end as from the front
        }
        for (u32 row = 0; row < ROWS; ++row) {
            const u32 end = row + 1 < ROWS ? ends[row] : MAX_ROUNDS;
            for (; number < end && n > end_at; ++number) {
                const Round round = play_round(shoes, base, n, stream);
                n -= round.cards;
                if (round.player_pair | round.banker_pair) {
                    u32 pairs = round.player_pair * 14 + round.banker_pair;
                    COUNT_GLOBAL(codes[row * code_stride + pairs * PLAYS + round.play]);
                } else {
                    COUNT_SHARED(common[row * PLAYS + round.play]);
                }
            }
        }
        COUNT_SHARED(lengths[number]);
    }
}

#ifdef __CUDACC__

// Deals `strands` strands from number `first` on. Adds to `codes` (ROWS rows of code_stride, by pairs * 400 + play) and
// to `lengths`. Dynamic shared memory: the shoes, ROWS * PLAYS counts, MAX_ROUNDS counts, each of 4 bytes.
extern "C" __global__ void __launch_bounds__(THREADS)
    deal(u64 start, const u64 *__restrict__ jumps, u64 first, u32 strands, const u32 *__restrict__ full, u32 stop,
         u32 burn_card, const u32 *__restrict__ ends, u64 *codes, u64 code_stride, u64 *lengths) {
    extern __shared__ u32 memory[];
    u32 *common = memory + WORDS * THREADS, *by_length = common + ROWS * PLAYS;
    for (u32 i = threadIdx.x; i < ROWS * PLAYS + MAX_ROUNDS; i += THREADS) common[i] = 0;
    __syncthreads();
    const u32 strand = blockIdx.x * THREADS + threadIdx.x;
    if (strand < strands) {
        deal_strand((u8 *)memory, threadIdx.x, stream_of(start, jumps, first + strand), full, stop, burn_card, ends, common,
                    by_length, codes, code_stride);
    }
    __syncthreads();
    for (u32 i = threadIdx.x; i < ROWS * PLAYS; i += THREADS)
        if (common[i]) atomicAdd(&codes[i / PLAYS * code_stride + i % PLAYS], (u64)common[i]);
    for (u32 i = threadIdx.x; i < MAX_ROUNDS; i += THREADS)
        if (by_length[i]) atomicAdd(&lengths[i], (u64)by_length[i]);
}

#else

extern "C" void deal_on_host(u64 start, const u64 *jumps, u64 first, u32 strands, const u32 *full, u32 stop,
                             u32 burn_card, const u32 *ends, u64 *codes, u64 code_stride, u64 *lengths) {
    static u32 shoe[WORDS], common[ROWS * PLAYS], by_length[MAX_ROUNDS];
    for (u32 strand = 0; strand < strands; ++strand) {
        for (u32 i = 0; i < ROWS * PLAYS; ++i) common[i] = 0;
        for (u32 i = 0; i < MAX_ROUNDS; ++i) by_length[i] = 0;
        deal_strand((u8 *)shoe, 0, stream_of(start, jumps, first + strand), full, stop, burn_card, ends, common, by_length,
                    codes, code_stride);
        for (u32 i = 0; i < ROWS * PLAYS; ++i) codes[i / PLAYS * code_stride + i % PLAYS] += common[i];
        for (u32 i = 0; i < MAX_ROUNDS; ++i) lengths[i] += by_length[i];
    }
}

#endif
