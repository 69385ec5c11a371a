// Two Contexts in one process.
#include <cstdio>
#include <optional>

#include "../shared/context_checks.hpp"

int main() try {
  vkprims::Context first;
  std::optional<vkprims::Context> second(std::in_place);
  check_context(first);
  check_context(*second, 5000);
  auto kept = first.upload(std::vector<std::uint32_t>{1, 2, 3});
  second.reset();  // this must leave the first one alone
  check_context(first, 70000);
  vkprims::Context third;
  check_context(third, 1);
  if (first.download(kept)[2] != 3) return 1;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "FAILED: %s\n", error.what());
  return 1;
}
