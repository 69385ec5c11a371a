#include "selftest.hpp"

#include <cinttypes>
#include <cstdio>
#include <span>

#include "device_checks.hpp"

namespace vkprims::bench {
namespace {

// The sizes, the largest last. A CPU would take minutes for all of them, and the tests have been
// through all variants there. So it leaves out the last size, and the last two for all rows except
// the main ones.
constexpr std::uint64_t kSizes[] = {0, 1, 1000, 20011, 100003, 1 << 20};

struct Table {
  int failures = 0;
  bool lost = false;

  void line(const std::string& name, const std::string& result) {
    std::printf("%-48s %s\n", name.c_str(), result.c_str());
    std::fflush(stdout);
  }
  // `check` returns the result; if this starts with FAILED, it counts as a failure.
  template <class F>
  void check_line(const std::string& name, F&& check) {
    std::string result;
    if (lost) {
      result = "FAILED: the device was lost";
    } else {
      try {
        result = check();
      } catch (const Error& error) {
        lost = error.status() == Status::device_lost;
        // It is no failure of the library if the device cannot do something.
        const bool expected = error.status() == Status::unsupported;
        result = std::string(expected ? "skipped: " : "FAILED: ") + error.what();
      }
    }
    if (result.starts_with("FAILED")) ++failures;
    line(name, result);
  }
};

std::string describe_litmus(const Litmus& litmus) {
  char text[160];
  if (litmus.stale) {
    std::snprintf(text, sizeof text,
                  "FAILED: %" PRIu64 " of %" PRIu64 " seen flags had stale data behind them",
                  litmus.stale, litmus.seen);
  } else if (litmus.seen == 0) {
    std::snprintf(text, sizeof text, "says nothing: no flag was seen before its dispatch ended");
  } else {
    std::snprintf(text, sizeof text, "ok (%" PRIu64 " flags seen, none with stale data)",
                  litmus.seen);
  }
  return text;
}

std::string check_row(Session& session, const Row& row) {
  const std::size_t left_out = session.is_gpu() ? 0 : row.main ? 1 : 2;
  for (const std::uint64_t n : std::span(kSizes).first(std::size(kSizes) - left_out)) {
    if (const std::string why = session.cannot_hold(row, n); !why.empty()) return "skipped: " + why;
    const Case c = row.make(session, n);
    session.run(c);
    session.run(c);  // again on the same scratch and outputs
    if (const std::string wrong = c.mismatch(); !wrong.empty()) {
      return "FAILED: n = " + std::to_string(n) + ": " + wrong;
    }
  }
  return "ok";
}

}  // namespace

int selftest(Session& session, bool headline) {
  Table table;
  std::printf("%s, %s\n\n", session.context().properties().deviceName,
              session.context().driver().c_str());
  table.check_line("message passing, fences",
                   [&] { return describe_litmus(litmus_with_fences(session)); });
  table.check_line("message passing, release and acquire",
                   [&] { return describe_litmus(litmus_with_atomics(session)); });
  table.check_line("message passing without any order, as a control", [&] {
    const Litmus control = litmus_control(session);
    return std::to_string(control.seen) + " flags seen, " + std::to_string(control.stale) +
           " with stale data (allowed)";
  });
  std::printf("\nDriver traps; the library avoids them:\n");
  table.check_line("loops end after 65,535 iterations", [&] { return trap_loop_limit(session); });
  table.check_line("code dropped after shared memory in uneven loops",
                   [&] { return trap_shared_in_uneven_loop(session); });
  table.check_line("loops end at barriers of one subgroup",
                   [&] { return trap_subgroup_barrier(session); });
  table.check_line("code dropped after device scope in uneven loops",
                   [&] { return trap_device_scope(session); });
  std::printf("\nPrimitives, n = 0, 1, 1000, 20,011%s:\n",
              session.is_gpu() ? ", 100,003, 2^20" : "; of main rows 100,003");
  for (const Row& row : all_rows()) {
    if (row.make && (row.headline || !headline))
      table.check_line(row.name, [&] { return check_row(session, row); });
  }
  if (table.failures) {
    std::printf("\n%d checks FAILED\n", table.failures);
  } else {
    std::printf("\nall checks passed\n");
  }
  return table.failures;
}

}  // namespace vkprims::bench
