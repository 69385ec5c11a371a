/* Push constants, arguments and scratch of the kernels in strings/. */
#ifndef VKPRIMS_STRINGS_ABI_H
#define VKPRIMS_STRINGS_ABI_H

#include "vkprims/device/lookback.h"
#include "vkprims/push.h"
#include "vkprims/spec.h"

/* Sizes for one invocation: rows of a tile; pieces, where rows are made of pieces, which belong to
   whole rows (8 pieces, with rows of three, were slower by a quarter, and 4 by 13 %; 2 pieces, with
   rows of one, by up to 18 %); and words of the stage, where bytes are assembled, or where each
   word holds the marks of 32 bytes. (Shared memory decides how many workgroups run at a time; H200:
   2 KiB less gain 5 %, 6 KiB more cost 30 %.) */
#define VKP_STRINGS_ROWS 4
#define VKP_STRINGS_PIECES 4
#define VKP_STRINGS_STAGE_WORDS 8
/* Sizes for one invocation where rows are made in strips: rows that it makes at a time, the number
   of such rounds at most, and words of the region in which its subgroup assembles them. (H200: the
   limits are registers, some 72 an invocation, and loads and look-back, which are two thirds of the
   time: without the bytes in shared memory it takes as long. 8 words gain 9 % in concatenate and
   cost up to 6 % elsewhere, 10 to 14 cost 5 to 20 %; a row at a time costs 10 to 25 %, offsets by
   shared memory 9 to 19 %. Rows of 32 bytes in strips, each copied by a lane, took 20 to 35 %
   longer than as ropes.) */
#define VKP_STRINGS_ROWS_AT_ONCE 2
#define VKP_STRINGS_MOST_ROUNDS 4
#define VKP_STRINGS_SHORT_WORDS 16
/* Rows of at least so many bytes are long: the library's own kernels cut them into units of at
   least 4,096 bytes. (A lane has up to four shorter rows, and its loops then take fewer than 4,096
   turns.) */
#define VKP_STRINGS_LONG 4096
#define VKP_STRINGS_LEAST_UNIT_SHIFT 12
#define VKP_STRINGS_LONG_HEADER_BYTES 16
/* Where no row has more bytes than this, contains.comp searches all rows by bytes: a tile then
   takes 2,048 turns. */
#define VKP_STRINGS_LONG_CONTAINS 16384
#define VKP_STRINGS_WORKGROUP 256 /* at most, in general */
#define VKP_STRINGS_ROPE_WORKGROUP 128 /* in kernels that make strings */

/* The constant selects the operation of a kernel of several; values are its own constants. */
#define VKP_STRINGS_SPEC_OP VKP_SPEC_FIRST_OWN
/* This says what is known of all input and output columns; it is the sum of: */
#define VKP_STRINGS_SPEC_PLAIN (VKP_SPEC_FIRST_OWN + 1)
#define VKP_STRINGS_NARROW 1     /* none has offsets of 64 bits, 2^31 bytes or 2^30 - 1 rows */
#define VKP_STRINGS_SHORT_ROWS 2 /* none has long rows, if the caller has kept the promise */
#define VKP_STRINGS_NO_NULLS 4   /* none has nulls */
/* This is for modules with STATE word32 that make strings. 0: one dispatch does all. */
#define VKP_STRINGS_SPEC_PASS (VKP_SPEC_FIRST_OWN + 2)
#define VKP_STRINGS_PASS_SIZES 1 /* find the bytes before each tile */
#define VKP_STRINGS_PASS_WRITE 2 /* write the strings, once these are known */

#define VKP_STRINGS_WIDE 1               /* the result has offsets of 64 bits */
#define VKP_STRINGS_PREFETCH 2           /* strips of short rows are prefetched */
#define VKP_STRINGS_TILE_ROWS_SHIFT 8 /* the number of rows of a tile begins at this bit */

/* copy_if_else: which of its sides are scalars. */
#define VKP_STRINGS_FIRST_IS_SCALAR 1
#define VKP_STRINGS_SECOND_IS_SCALAR 2
/* Spans of long texts have at least 1 << 14 bytes, and there are at most so many. */
#define VKP_STRINGS_LEAST_SPAN_SHIFT 14
#define VKP_STRINGS_MOST_SPANS 1024
#define VKP_STRINGS_SPAN_BYTES 16 /* of an entry of the list */
/* change_case_bytes.comp has one workgroup for at least so many bytes. */
#define VKP_STRINGS_CASE_BYTES_SHIFT 16
/* Flags of concatenate. */
#define VKP_STRINGS_REPLACES_NULLS 1
#define VKP_STRINGS_NO_SEPARATOR_AT_NULLS 2
/* A flag of split: the token goes on to the end of the row. */
#define VKP_STRINGS_REST 1
/* A flag for kernels behind an attempt: they have nothing to do unless the attempt gave up. */
#define VKP_STRINGS_WAS_TRIED 0x80000000u
/* slice_bytes.comp: how rows are read. */
#define VKP_STRINGS_BACKWARD 1
#define VKP_STRINGS_EVERY_SECOND 2
/* What a predicate tests. */
#define VKP_STRINGS_CONTAINS 0
#define VKP_STRINGS_STARTS_WITH 1
#define VKP_STRINGS_ENDS_WITH 2
#define VKP_STRINGS_OF_COLUMN 4 /* the text is a row of b, not a scalar */
/* What a kernel of numbers computes. */
#define VKP_STRINGS_FIND 0
#define VKP_STRINGS_RFIND 1
#define VKP_STRINGS_COUNT_CHARACTERS 2
#define VKP_STRINGS_COUNT_BYTES 3
#define VKP_STRINGS_COUNT 4
#define VKP_STRINGS_COUNT_TOKENS 5
/* What the kernels of long rows compute: one of these numbers, or the sum of this and a
   predicate. */
#define VKP_STRINGS_LONG_PREDICATE 8

/* Scratch: the arguments, then texts and tables, then the state of the tiles. */
#define VKP_STRINGS_UNFIT_OFFSET 96
#define VKP_STRINGS_SPANS_TAKEN_OFFSET 136
#define VKP_STRINGS_TEXT_OFFSET 140
#define VKP_STRINGS_MOST_ARGUMENT_BYTES 65536 /* that one update command moves */

#ifdef __cplusplus
#include <cstddef>

namespace vkprims::abi {
#endif

/* A StringColumnView. */
struct VkpStrings {
  VkpU64 offsets, chars;
  VkpU64 validity; /* 0: no row is null */
  VkpU64 bytes;    /* of chars */
  uint first_bit;
  uint wide; /* 1: the offsets have 64 bits */
};

/* The arguments, at the beginning of scratch. */
struct VkpStringsArguments {
  VkpU64 report;                   /* DeviceReport; 0: not wanted */
  VkpU64 mask_bits, mask_validity; /* BitsView */
  uint mask_first_bit;
  uint text_bytes;      /* of a scalar, which follows the arguments */
  uint more_bytes;      /* of a second scalar, behind the first */
  uint columns;         /* in the table behind the texts */
  VkpU64 table;         /* address of VkpStrings */
  /* These are numbers of an operation; if it counts or splits by a text, stop is that text's
     period. */
  int start, stop;
  uint flags;
  VkpU64 indices;       /* address */
  VkpU64 tiles;         /* address of the state of the tiles */
  VkpCount count;       /* indices; rows behind them are null */
  uint unfit;           /* not 0: only the next kernel is right for the data that this one found */
  /* This is the address of the tables of long rows; 0: the host knows of no long row. */
  VkpU64 long_rows;
  VkpU64 long_units;    /* address of those tables that need not be zero before */
  uint unit_capacity;   /* units that there is room for */
  uint unit_shift;      /* a unit has 1 << unit_shift bytes */
  VkpU64 spans;         /* address of a list (spans.glsl); 0: long texts are copied at once */
  uint span_shift;      /* a span has 1 << span_shift bytes */
  uint spans_taken;     /* taken by tiles */
};

struct VkpStringsPush {
  VkpStrings a, b;
  VkpU64 out_offsets, out_chars; /* predicates: bits, and nothing */
  VkpU64 out_validity;           /* 0: not wanted */
  VkpU64 capacity;               /* bytes of out_chars */
  VkpU64 scratch;                /* 0: there are no arguments */
  uint rows;
  uint format; /* VKP_STRINGS_WIDE, VKP_STRINGS_PREFETCH and the rows of a tile */
};

#ifdef __cplusplus
static_assert(sizeof(VkpStrings) == 40 && sizeof(VkpStringsPush) == 128);
static_assert(sizeof(VkpStringsArguments) == VKP_STRINGS_TEXT_OFFSET);
static_assert(offsetof(VkpStringsArguments, spans_taken) == VKP_STRINGS_SPANS_TAKEN_OFFSET);
}
#endif
#endif
