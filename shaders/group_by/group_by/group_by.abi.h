/* Push constants and specialization of the kernels in group_by/. */
#ifndef VKPRIMS_GROUP_BY_ABI_H
#define VKPRIMS_GROUP_BY_ABI_H

#include "vkprims/push.h"
#include "vkprims/device/segmented_reduce.h"
#include "vkprims/spec.h"

/* All kernels that work on tiles of rows have this many invocations in a workgroup, rows in an
   invocation, and rows in a tile; a tile has 32 words of heads. */
#define VKP_GROUP_BY_WORKGROUP 128
#define VKP_GROUP_BY_ROWS 8
#define VKP_GROUP_BY_TILE 1024
/* Groups whose sizes an invocation writes. */
#define VKP_GROUP_BY_SIZES 4
/* Parts of a tile that are many, and rows of a part that is short. */
#define VKP_GROUP_BY_MANY 256
#define VKP_GROUP_BY_SHORT 8

/* These come after the constants of segmented_reduce.h. */
/* Type of the column: vkprims/keys.h. */
#define VKP_GROUP_BY_SPEC_TYPE VKP_SEGMENTED_SPEC_FIRST_OWN
#define VKP_GROUP_BY_SPEC_FLAGS (VKP_SEGMENTED_SPEC_FIRST_OWN + 1) /* the sum of these: */
#define VKP_GROUP_BY_NULLABLE 1   /* the column has validity bits */
#define VKP_GROUP_BY_ORDERED 2    /* element i is that of row order[i], otherwise of row i */
#define VKP_GROUP_BY_FURTHER 4    /* not the first column: keeps what is there */
#define VKP_GROUP_BY_KEPT 8       /* rows without a null are counted */
#define VKP_GROUP_BY_VARIANCE 16  /* moments: mean and variance, otherwise sum and mean */
#define VKP_GROUP_BY_POPULATION 32
/* Groups may have been found without a sort: see VKP_GROUP_BY_DONE_OFFSET. */
#define VKP_GROUP_BY_TRIED 64

/* Header of the scratch. */
#define VKP_GROUP_BY_ROWS_OFFSET 0    /* rows that belong to groups: u64 */
#define VKP_GROUP_BY_TILES_OFFSET 8   /* tiles of these rows: u64 */
#define VKP_GROUP_BY_GROUPS_OFFSET 16 /* groups, at most the capacity: u64 */
#define VKP_GROUP_BY_KEPT_OFFSET 24   /* rows without a null: u32 */
#define VKP_GROUP_BY_GRIDS_OFFSET 32  /* grids for tiles, for fix_up.comp, and for other kernels */
/* The following are for keys that lie in a window. */
#define VKP_GROUP_BY_SORT_ROWS_OFFSET 80   /* rows to be sorted: all, or none: u64 */
#define VKP_GROUP_BY_DENSE_ROWS_OFFSET 88  /* rows to be tried without a sort: u64 */
#define VKP_GROUP_BY_WINDOW_OFFSET 96      /* the first key of the window, in an unsigned order */
#define VKP_GROUP_BY_MISSED_OFFSET 100     /* not 0: a key lies outside the window */
#define VKP_GROUP_BY_DONE_OFFSET 104       /* 1: groups have been found without a sort */
#define VKP_GROUP_BY_SLOTS_OFFSET 108      /* slots of the window: a power of two */
/* Groups found without a sort, at most the capacity: u64. */
#define VKP_GROUP_BY_DENSE_GROUPS_OFFSET 112
#define VKP_GROUP_BY_HEADER_BYTES 128

/* The kernels for keys that lie in a window of neighbouring numbers have a slot for each key. */
#define VKP_GROUP_BY_DENSE_WORKGROUP 512 /* invocations, at most */
#define VKP_GROUP_BY_DENSE_ROWS 16       /* rows of an invocation in a tile */
#define VKP_GROUP_BY_DENSE_TURN_ROWS 8   /* rows of an invocation that counters hold in any case */
#define VKP_GROUP_BY_DENSE_LEAST_SLOTS 256
#define VKP_GROUP_BY_DENSE_MOST_SLOTS 1024
#define VKP_GROUP_BY_DENSE_MOST_COPIES \
  (VKP_GROUP_BY_DENSE_MOST_SLOTS / VKP_GROUP_BY_DENSE_LEAST_SLOTS)
/* Words of a slot: rows; sum, for f32 a pair; keys of min and max. */
#define VKP_GROUP_BY_DENSE_WORDS 5
#define VKP_GROUP_BY_DENSE_SPEC_KIND VKP_SPEC_FIRST_OWN /* type of the values: */
#define VKP_GROUP_BY_NO_VALUES 0
#define VKP_GROUP_BY_UNSIGNED 1
#define VKP_GROUP_BY_SIGNED 2
#define VKP_GROUP_BY_FLOAT 3
#define VKP_GROUP_BY_DENSE_SPEC_SLOTS (VKP_SPEC_FIRST_OWN + 1)    /* slots that there is room for */
#define VKP_GROUP_BY_DENSE_SPEC_EXTREMES (VKP_SPEC_FIRST_OWN + 2) /* 1: finds extremes of values */
/* 1: columns are aligned to 16 bytes. */
#define VKP_GROUP_BY_DENSE_SPEC_ALIGNED (VKP_SPEC_FIRST_OWN + 3)

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct GroupByBeginPush {
  VkpU64 header;
  VkpCount rows;
};

/* For the kernels that make sort keys, find nulls and find heads. */
struct GroupByColumnPush {
  VkpU64 column, validity, order;
  VkpU64 result; /* keys, flags, or words of heads */
  VkpU64 counts; /* heads in each tile, or the number of rows that are kept */
  VkpCount rows;
};

struct GroupByGroupsPush {
  VkpU64 column, order;
  VkpU64 heads, counts; /* counts of heads up to the end of each tile */
  VkpU64 out_keys, offsets, group_count, report, header;
  VkpU64 capacity;
  VkpCount rows;
};

struct GroupByRowsPush {
  VkpU64 offsets, order, validity;
  VkpU64 result;
  VkpCount groups;
};

struct GroupByReducePush {
  VkpU64 column, validity, order;
  VkpU64 heads, counts;
  VkpU64 result0, result1, result2, result3; /* 0: not wanted; see accumulators.glsl */
  /* Bits of groups, set before; the bit of a group without a result is cleared. 0: not wanted. */
  VkpU64 valid0, valid1;
  VkpU64 scratch; /* as in segmented_reduce.h */
  VkpCount rows;
  uint capacity;
  uint max_tiles;
};

struct GroupByDensePush {
  VkpU64 keys, values;
  VkpU64 header;
  VkpU64 partials;   /* ordered by word, workgroup and slot */
  VkpU64 totals;     /* ordered by word and slot */
  VkpCount rows;
  uint flip;         /* keys ^ flip are unsigned numbers in their order */
  uint bound;        /* not 0: the window begins at 0, and keys outside do not count */
  uint groups;       /* workgroups that share the rows */
};

struct GroupByDenseGroupsPush {
  VkpU64 header, totals;
  VkpU64 out_keys, group_count, report;
  VkpU64 rows, count, sum, low, high; /* results; 0: not wanted */
  VkpU64 valid;      /* bits of groups that have a low and a high */
  VkpU64 capacity;
  uint flip;
  uint alone;        /* 1: nothing is sorted, whatever the keys are */
};

#ifdef __cplusplus
static_assert(sizeof(GroupByDensePush) == 72 && sizeof(GroupByDenseGroupsPush) == 104);
static_assert(sizeof(GroupByReducePush) == 124 && sizeof(GroupByGroupsPush) == 100);
}
#endif
#endif
