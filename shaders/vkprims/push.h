/* The parts of push constants: 32-bit words, so that GLSL and C++ lay them out alike. */
#ifndef VKPRIMS_PUSH_H
#define VKPRIMS_PUSH_H
#ifdef __cplusplus
#include <cstdint>
namespace vkprims::abi {
using uint = std::uint32_t;
#endif

/* A device address or a 64-bit number. */
struct VkpU64 {
  uint lo, hi;
};

/* A vkprims::Count. */
struct VkpCount {
  VkpU64 max;
  VkpU64 address; /* 0: the count is max */
  uint is_u64;    /* whether the number at the address is a u64 */
};

/* A vkprims::Value of up to 8 bytes. */
struct VkpValue {
  VkpU64 address; /* 0: the value is in the words */
  uint word0, word1;
};

/* A vkprims::Value of up to 32 bytes. */
struct VkpElement {
  VkpU64 address; /* 0: the value is in the words */
  uint words[8];
};

#ifdef __cplusplus
}
#endif
#endif
