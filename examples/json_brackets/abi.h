/* The arguments and results of the kernels; read by GLSL and C++. */
#ifndef JSON_BRACKETS_ABI_H
#define JSON_BRACKETS_ABI_H
#ifdef __cplusplus
#include <cstdint>
namespace json {
using uint = std::uint32_t;
using Wide = std::uint64_t; /* a device address or a 64-bit number */
#else
#define Wide uvec2
#endif

/* A plane holds one bit for each byte of the text: bit i % 32 of word i / 32. */
struct Push {
  Wide text;           /* words * 32 bytes */
  Wide backslashes;    /* plane */
  Wide quotes;         /* plane; escaped quotes are removed */
  Wide brackets;       /* plane; brackets in strings are removed */
  Wide escapes;        /* per word of a plane: what classify.comp says, then the scan of it */
  Wide quotes_through; /* per word of a plane: quotes of strings up to the end of the word */
  Wide tags;           /* per bracket outside of strings: its tag, a byte */
  Wide offsets;        /* per bracket outside of strings: its place in the text */
  Wide match;          /* per bracket outside of strings: what stack_match says */
  Wide findings;
  uint words; /* of a plane */
};

struct Findings {
  /* vkprims::StackHeader */
  Wide brackets, unmatched_closes, unclosed_opens, deepest, first_mismatch;
  uint quotes;         /* the number of quotes that begin or end strings */
  uint last_quote;     /* place in the text of the last quote; all that follow are places, too */
  uint extra_close;    /* the first close that finds nothing to close; 2^32 - 1: none */
  uint bottom_open;    /* the last open before which nothing was open */
  uint mismatch_close; /* the first close of another type than its open */
  uint mismatch_open;
};

#ifdef __cplusplus
}
#endif
#endif
