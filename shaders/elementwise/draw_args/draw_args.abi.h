/* Push constants of draw_args.comp. */
#ifndef VKPRIMS_DRAW_ARGS_ABI_H
#define VKPRIMS_DRAW_ARGS_ABI_H

#include "vkprims/push.h"
#include "vkprims/spec.h"

#define VKP_DRAW_ARGS_WORDS 5 /* of the largest command */

#ifdef __cplusplus
namespace vkprims::abi {
#endif

struct DrawArgsPush {
  VkpU64 args;
  VkpCount count; /* of the first command */
  uint commands;
  uint per_item;
  uint place; /* word of a command that is made of the count */
  uint words; /* of a command */
  uint values[VKP_DRAW_ARGS_WORDS]; /* of the other words */
};

#ifdef __cplusplus
static_assert(sizeof(DrawArgsPush) == 64);
}
#endif
#endif
