// The application's own implementation of VulkanMemoryAllocator.
#define VMA_IMPLEMENTATION
#include <vk_mem_alloc.h>
