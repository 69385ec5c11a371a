/* Push constants, arguments and scratch of the kernels in strings/. */
#ifndef VKPRIMS_STRINGS_ABI_H
#define VKPRIMS_STRINGS_ABI_H

#include "vkprims/device/lookback.h"
#include "vkprims/push.h"
#include "vkprims/spec.h"

/* Of an invocation: rows in a tile; pieces, where rows are made of such, those of whole rows (8 of rows of three were slower
   by a quarter, 4 by 13 %, 2 of rows of one by up to 18 %); and words of the stage, where bytes are put together, or 32 of
   them marked by each word. (Shared memory decides how many workgroups there are at a time, H200: 2 KiB less of it gain 5 %,
   6 KiB more cost 30 %.) */
#define VKP_STRINGS_ROWS 4
#define VKP_STRINGS_PIECES 4
#define VKP_STRINGS_STAGE_WORDS 8
/* Of an invocation, where rows are made in strips: those that it makes at a time, how often at most, and words of the region
   that its subgroup puts them together in. (H200: registers decide, some 72 an invocation, and loads and look-back, which
   are two thirds of the time: without the bytes in shared memory it takes as long. 8 words gain 9 % in concatenate and cost
   up to 6 % elsewhere, 10 to 14 cost 5 to 20 %; a row at a time costs 10 to 25 %, offsets by shared memory 9 to 19 %. Rows
   of 32 bytes in strips, each copied by a lane, took 20 to 35 % longer than as ropes.) */
#define VKP_STRINGS_ROWS_AT_ONCE 2
#define VKP_STRINGS_MOST_ROUNDS 4
#define VKP_STRINGS_SHORT_WORDS 16
/* Rows of so many bytes are long: they are cut into units (long_rows.glsl), of at least 1 << 12 bytes. (A lane has
   up to four shorter ones, and its loops take fewer than 4,096 turns then.) */
#define VKP_STRINGS_LONG 4096
#define VKP_STRINGS_LEAST_UNIT_SHIFT 12
#define VKP_STRINGS_LONG_HEADER_BYTES 16
/* Where no row has more bytes contains.comp searches all rows by bytes: a tile is 2,048 turns then. */
#define VKP_STRINGS_LONG_CONTAINS 16384
#define VKP_STRINGS_WORKGROUP 256 /* at most; */
#define VKP_STRINGS_ROPE_WORKGROUP 128 /* of kernels that make strings */

#define VKP_STRINGS_SPEC_OP VKP_SPEC_FIRST_OWN /* what a kernel of several operations does: its own constants */
#define VKP_STRINGS_SPEC_PLAIN (VKP_SPEC_FIRST_OWN + 1) /* what is known of all columns, in and out: nothing, or */
#define VKP_STRINGS_NARROW 1     /* that none has offsets of 64 bits, 2^31 bytes or 2^30 - 1 rows, */
#define VKP_STRINGS_SHORT_ROWS 2 /* … and long rows, if the caller has kept his promise, */
#define VKP_STRINGS_NO_NULLS 4   /* … and nulls */
#define VKP_STRINGS_SPEC_PASS (VKP_SPEC_FIRST_OWN + 2) /* of modules with STATE word32 that make strings: all in one, */
#define VKP_STRINGS_PASS_SIZES 1 /* the bytes before each tile, */
#define VKP_STRINGS_PASS_WRITE 2 /* or the strings, once these are known */

#define VKP_STRINGS_WIDE 1               /* offsets of 64 bits come out */
#define VKP_STRINGS_TILE_ROWS_SHIFT 8 /* rows of a tile, from this bit on */

/* copy_if_else: which of its sides are scalars. */
#define VKP_STRINGS_FIRST_IS_SCALAR 1
#define VKP_STRINGS_SECOND_IS_SCALAR 2
/* Spans of long texts have at least 1 << 14 bytes, and there are so many at most. */
#define VKP_STRINGS_LEAST_SPAN_SHIFT 14
#define VKP_STRINGS_MOST_SPANS 1024
#define VKP_STRINGS_SPAN_BYTES 16 /* of an entry of the list */
/* change_case_bytes.comp has a workgroup for so many bytes at least. */
#define VKP_STRINGS_CASE_BYTES_SHIFT 16
/* flags of concatenate, */
#define VKP_STRINGS_REPLACES_NULLS 1
#define VKP_STRINGS_NO_SEPARATOR_AT_NULLS 2
/* of split: the token goes on to the end of the row; */
#define VKP_STRINGS_REST 1
/* and where a kernel has tried to make all: what follows has nothing to do unless that gave up. */
#define VKP_STRINGS_WAS_TRIED 0x80000000u
/* slice_bytes.comp: the way rows are read. */
#define VKP_STRINGS_BACKWARD 1
#define VKP_STRINGS_EVERY_SECOND 2
/* What a predicate asks, */
#define VKP_STRINGS_CONTAINS 0
#define VKP_STRINGS_STARTS_WITH 1
#define VKP_STRINGS_ENDS_WITH 2
#define VKP_STRINGS_OF_COLUMN 4 /* of a row of b, not of a scalar */
/* and a kernel of numbers. */
#define VKP_STRINGS_FIND 0
#define VKP_STRINGS_RFIND 1
#define VKP_STRINGS_COUNT_CHARACTERS 2
#define VKP_STRINGS_COUNT_BYTES 3
#define VKP_STRINGS_COUNT 4
#define VKP_STRINGS_COUNT_TOKENS 5
/* What the kernels of long rows are asked: a number, or a predicate and */
#define VKP_STRINGS_LONG_PREDICATE 8

/* Scratch: the arguments, then text, tables; then the state of the tiles. */
#define VKP_STRINGS_UNFIT_OFFSET 96
#define VKP_STRINGS_SPANS_TAKEN_OFFSET 136
#define VKP_STRINGS_TEXT_OFFSET 140
#define VKP_STRINGS_MOST_ARGUMENT_BYTES 65536 /* that one update moves */

#ifdef __cplusplus
#include <cstddef>

namespace vkprims::abi {
#endif

/* StringColumnView. */
struct VkpStrings {
  VkpU64 offsets, chars;
  VkpU64 validity; /* 0: no row is null */
  VkpU64 bytes;    /* of chars */
  uint first_bit;
  uint wide; /* 1: offsets of 64 bits */
};

/* In scratch, at its beginning. */
struct StringsArguments {
  VkpU64 report;                   /* DeviceReport; 0: not wanted */
  VkpU64 mask_bits, mask_validity; /* BitsView */
  uint mask_first_bit;
  uint text_bytes;      /* of a scalar, which follows the arguments */
  uint more_bytes;      /* of a second one, behind it */
  uint columns;         /* in the table behind the texts */
  VkpU64 table;         /* address of VkpStrings */
  int start, stop;       /* numbers of an operation; of one that counts or splits by a text, stop is the period of that */
  uint flags;
  VkpU64 indices;       /* address */
  VkpU64 tiles;         /* address of the state of the tiles */
  VkpCount count;       /* indices; rows behind them are null */
  uint unfit;           /* not 0: a kernel found data for which only the one behind it is right */
  VkpU64 long_rows;     /* address of the tables of long_rows.glsl; 0: no row is long, as far as the host knows */
  VkpU64 long_units;    /* … and of those that need not be zero before */
  uint unit_capacity;   /* units that there is room for */
  uint unit_shift;      /* a unit has 1 << unit_shift bytes */
  VkpU64 spans;         /* address of a list: strings/spans.glsl; 0: whoever has a long text copies it */
  uint span_shift;      /* a span has 1 << span_shift bytes */
  uint spans_taken;     /* by tiles */
};

struct StringsPush {
  VkpStrings a, b;
  VkpU64 out_offsets, out_chars; /* of predicates: bits, nothing */
  VkpU64 out_validity;           /* 0: not wanted */
  VkpU64 capacity;               /* bytes of out_chars */
  VkpU64 scratch;                /* 0: no arguments */
  uint rows;
  uint format; /* the sum of: */
};

#ifdef __cplusplus
static_assert(sizeof(VkpStrings) == 40 && sizeof(StringsPush) == 128);
static_assert(sizeof(StringsArguments) == VKP_STRINGS_TEXT_OFFSET);
static_assert(offsetof(StringsArguments, spans_taken) == VKP_STRINGS_SPANS_TAKEN_OFFSET);
}
#endif
#endif
