#include "vkprims/push.h"

struct NumberedPush {
  VkpU64 out_base;
  VkpCount count;
  uint wanted;
};
