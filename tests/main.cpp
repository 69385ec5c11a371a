// Runs the tests on one device; the exit status also covers validation messages and loops that are
// too long.
#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

#include "support/support.hpp"
#include "support/turns.hpp"

int main(int argc, char** argv) {
  doctest::Context doctest_context(argc, argv);
  if (doctest_context.shouldExit()) return doctest_context.run();  // --help, --list …
  try {
    vkprims::test::context();
  } catch (const vkprims::Error& error) {
    std::fprintf(stderr, "no device to test on: %s\n", error.what());
    return 1;
  }
  std::fputs(vkprims::describe(vkprims::test::context().device()).c_str(), stdout);
  const int result = doctest_context.run();
  const auto messages = vkprims::test::context().statistics().validation_messages;
  if (messages)
    std::printf("%llu validation messages\n", static_cast<unsigned long long>(messages));
  const int turns = vkprims::test::cases_with_too_many_turns();
  if (turns) std::printf("%d test cases with too many turns\n", turns);
  return messages || turns ? 1 : result;
}
