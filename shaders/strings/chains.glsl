// Chains say how often a text that overlaps itself is in a row, where each counted occurrence
// begins behind the one counted last ("aa" is in "aaaa" twice). Such a count is greedy: it takes an
// occurrence, then the first one that begins where that ends or later. What it takes depends on all
// that comes before, yet a monoid of constant size describes it.
//
// Let n be the bytes of the text and q its least period, n less its longest border. Two occurrences
// at a distance d < n of each other show that d is a period. Where d <= n - q, d is a multiple of q
// (Fine and Wilf), and as the bytes of both have period q, the text is also at distance q. So the
// distance d of two occurrences that follow each other is
// - q: these are of one run;
// - or else less than n, and more than n - q: these are near. They overlap, but such a distance and
//   another one, of either kind, add up to n or more;
// - or n and more: what is taken before has no say.
//
// A run is entered in one of two states: its first occurrence is free (0), or it overlaps the one
// taken last (1), and then the second one is free. From there on each ceil(n / q)-th one is taken.
// A run is entered in state 1 if it is near the run before and the last occurrence of that was
// taken.
//
// A chain is what neighbouring places have: their first and last run by their lengths, as they may
// go on outside; and, of what is between them, how many occurrences are taken and how the last run
// is entered. These two are known for either case: the last occurrence of the first run is not
// taken (x), or is taken (y). How the first run is entered says which of these holds.
//
// Source: N. Fine, H. Wilf, "Uniqueness theorems for periodic functions" (1965).
#ifndef STRINGS_CHAINS_GLSL
#define STRINGS_CHAINS_GLSL

struct Overlap {
  uint bytes;   // bytes of the text
  uint period;  // the least one; that of a text that does not overlap itself is its bytes
  uint stride;  // of a run one occurrence in this many is taken
};
Overlap overlap_of(uint bytes, uint period) {
  return Overlap(bytes, period, (bytes + period - 1u) / period);
}

const uint NO_PLACE = 0xffffffffu;

struct Chain {
  // The places of the row where the first and the last occurrence begin; NO_PLACE: there is none.
  uint first, last;
  uint head, tail;   // occurrences of the first run and of the last one
  bool single;       // these are the same run
  uvec2 between;     // else how many are taken of the runs between them
  uvec2 state;       // else in which state the last run is entered
};

Chain empty_chain() { return Chain(NO_PLACE, NO_PLACE, 0u, 0u, true, uvec2(0u), uvec2(0u)); }
Chain chain_of(uint place) { return Chain(place, place, 1u, 1u, true, uvec2(0u), uvec2(0u)); }

// Bit 31 is free, as rows have fewer occurrences than 2^31.
const uint CHAIN_FLAG = 0x80000000u;
void pack_chain(Chain x, out uint w[6]) {
  const uvec2 middle = x.between | x.state << 31;
  w = uint[](x.first, x.last, x.head | (x.single ? CHAIN_FLAG : 0u), x.tail, middle.x, middle.y);
}
Chain unpack_chain(uint w[6]) {
  const uvec2 middle = uvec2(w[4], w[5]);
  return Chain(w[0], w[1], w[2] & ~CHAIN_FLAG, w[3], (w[2] & CHAIN_FLAG) != 0u,
               middle & ~CHAIN_FLAG, middle >> 31);
}

// Taken says how many are taken so far, and whether the last occurrence so far is one of them, for
// either case (x and y of a chain).
struct Taken {
  uvec2 n;
  bvec2 last;
};

void take_run(uvec2 state, uint length, Overlap o, inout Taken x) {
  const bvec2 is_some = lessThan(state, uvec2(length));
  // These are the steps from the first occurrence that is taken to the last occurrence.
  const uvec2 steps = uvec2(length - 1u) - state;
  const uvec2 strides = steps / o.stride;
  x.n += mix(uvec2(0u), strides + 1u, is_some);
  x.last = bvec2(uvec2(is_some) & uvec2(equal(strides * o.stride, steps)));
}

// Goes from the end of the first run to the beginning of the last one; returns the states in which
// the last one is entered.
uvec2 take_between(Chain chain, inout Taken x) {
  x.n += mix(chain.between.xx, chain.between.yy, x.last);
  return mix(chain.state.xx, chain.state.yy, x.last);
}

Chain combine_chains(Chain left, Chain right, Overlap o) {
  if (left.first == NO_PLACE) return right;
  if (right.first == NO_PLACE) return left;
  const uint distance = right.first - left.last;
  const bool joined = distance == o.period;
  const bool near = distance < o.bytes;
  Chain chain = left.single ? right : left;  // keeps what is between, where a run grows
  chain.first = left.first;
  chain.last = right.last;
  chain.head = left.head + (joined && left.single ? right.head : 0u);
  chain.tail = right.tail + (joined && right.single ? left.tail : 0u);
  if (joined && (left.single || right.single)) return chain;
  chain.single = false;
  Taken x = Taken(uvec2(0u), bvec2(false, true));
  if (!left.single) {
    chain.state = take_between(left, x);
    take_run(chain.state, left.tail + (joined ? right.head : 0u), o, x);
  }
  if (!joined) {
    chain.state = near ? uvec2(x.last) : uvec2(0u);
    if (!right.single) take_run(chain.state, right.head, o, x);
  }
  if (!right.single) chain.state = take_between(right, x);
  chain.between = x.n;
  return chain;
}

// Returns how many of a row's occurrences are taken, from the chain of its beginning up to some
// place; `last` says whether the last occurrence is.
uint taken_of(Chain chain, Overlap o, out bool last) {
  last = false;
  if (chain.first == NO_PLACE) return 0u;
  Taken x = Taken(uvec2(0u), bvec2(false));
  take_run(uvec2(0u), chain.head, o, x);
  if (!chain.single) take_run(take_between(chain, x), chain.tail, o, x);
  last = x.last.x;
  return x.n.x;
}

#endif
