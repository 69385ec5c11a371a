/* What the kernels are told and what they find; read by GLSL and C++. */
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
  Wide quotes;         /* plane; those that are escaped are taken out */
  Wide brackets;       /* plane; those in strings are taken out */
  Wide escapes;        /* a word for each word of a plane: what classify.comp says, then the scan of it */
  Wide quotes_through; /* a word likewise: quotes that begin or end strings up to its end */
  Wide tags;           /* of brackets outside of strings: a byte each, */
  Wide offsets;        /* place in the text, */
  Wide match;          /* and what stack_match says */
  Wide findings;
  uint words; /* of a plane */
};

struct Findings {
  Wide brackets, unmatched_closes, unclosed_opens, deepest, first_mismatch; /* vkprims::StackHeader */
  uint quotes;         /* that begin or end strings */
  uint last_quote;     /* all others are places in the text: of the last quote, */
  uint extra_close;    /* the first close that finds nothing to close; 2^32 - 1: none */
  uint bottom_open;    /* the last open that nothing was open before */
  uint mismatch_close; /* the first close of another type than its open */
  uint mismatch_open;
};

#ifdef __cplusplus
}
#endif
#endif
