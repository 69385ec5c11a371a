// The one translation unit that compiles VulkanMemoryAllocator.
#define VMA_IMPLEMENTATION
#if defined(__GNUC__)
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#endif
#include "vk_mem_alloc.h"
