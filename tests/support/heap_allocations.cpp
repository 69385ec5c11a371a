// Replaces operator new, to prove that recording allocates nothing. It is in a file of its own
// because, inlined into their users, these functions look like mismatched allocation functions to
// the compiler.
#include <cstdlib>
#include <new>

#include "support/support.hpp"

static thread_local std::uint64_t allocations;

void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(bytes ? bytes : 1);
}

void* operator new(std::size_t bytes) {
  if (void* p = operator new(bytes, std::nothrow)) return p;
  throw std::bad_alloc();
}

void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace vkprims::test {

std::uint64_t heap_allocations() { return allocations; }

}  // namespace vkprims::test
