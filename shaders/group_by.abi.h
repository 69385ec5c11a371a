/* Push constants and specialization of the kernels in group_by/. */
#ifndef VKPRIMS_GROUP_BY_ABI_H
#define VKPRIMS_GROUP_BY_ABI_H

#include "vkprims/push.h"
#include "vkprims/segmented_reduce.h"
#include "vkprims/spec.h"

/* Of all kernels that go by tiles of rows: invocations, and neighbouring rows of each; a tile has 32 words of heads. */
#define VKP_GROUP_BY_WORKGROUP 128
#define VKP_GROUP_BY_ROWS 8
#define VKP_GROUP_BY_TILE 1024

/* Behind those of segmented_reduce.h. */
#define VKP_GROUP_BY_SPEC_TYPE VKP_SEGMENTED_SPEC_FIRST_OWN       /* vkprims::Type of the column */
#define VKP_GROUP_BY_SPEC_FLAGS (VKP_SEGMENTED_SPEC_FIRST_OWN + 1) /* the sum of: */
#define VKP_GROUP_BY_NULLABLE 1   /* the column has validity bits */
#define VKP_GROUP_BY_ORDERED 2    /* element i is that of row order[i], otherwise of row i */
#define VKP_GROUP_BY_FURTHER 4    /* not the first column: what is there is kept */
#define VKP_GROUP_BY_KEPT 8       /* rows without a null are counted */
#define VKP_GROUP_BY_VARIANCE 16  /* moments: mean and variance, otherwise sum and mean */
#define VKP_GROUP_BY_POPULATION 32

/* Header of the scratch. */
#define VKP_GROUP_BY_ROWS_OFFSET 0    /* rows that belong to groups: u64 */
#define VKP_GROUP_BY_TILES_OFFSET 8   /* tiles of them: u64 */
#define VKP_GROUP_BY_GROUPS_OFFSET 16 /* groups that there is room for: u64 */
#define VKP_GROUP_BY_KEPT_OFFSET 24   /* rows without a null: u32 */
#define VKP_GROUP_BY_GRIDS_OFFSET 32  /* sizes of grids: of tiles, of groups, of 32 groups each */
#define VKP_GROUP_BY_HEADER_BYTES 128

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct GroupByBeginPush {
  VkpU64 header;
  VkpCount rows;
};

/* Of the kernels that make sort keys and find heads. */
struct GroupByColumnPush {
  VkpU64 column, validity, order;
  VkpU64 result; /* keys, flags, or words of heads */
  VkpU64 counts; /* of heads in each tile; or of rows that are kept */
  VkpCount rows;
};

struct GroupByGroupsPush {
  VkpU64 column, order;
  VkpU64 heads, counts; /* of the tiles up to each */
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
  VkpU64 results[4]; /* 0: not wanted. What they are is in accumulators.glsl */
  VkpU64 scratch; /* of segmented_reduce.h */
  VkpCount rows;
  uint capacity;
  uint max_tiles;
};

#ifdef __cplusplus
static_assert(sizeof(GroupByReducePush) == 108 && sizeof(GroupByGroupsPush) == 100);
}
#endif
#endif
