// The purpose of the Context's pool: repeated operations on strings create nothing new.
#include "support/faulty_loader.hpp"
#include "oracles/strings/redact.hpp"
#include "strings/data.hpp"
#include "strings/difference.hpp"
#include "support/support.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

struct Inputs {
  RedactRows rows;
  HostStrings expected;
  StringColumn names, visibilities;
};

Inputs inputs_of(Context& c, std::uint64_t n) {
  Inputs in{.rows = redact_rows(n, static_cast<std::uint32_t>(n))};
  in.expected = oracle::strings::redact_by_chain(in.rows.names, in.rows.visibilities);
  in.names = upload_strings(c, in.rows.names);
  in.visibilities = upload_strings(c, in.rows.visibilities);
  return in;
}

StringColumn redact(Context& c, const Inputs& in) {
  StringColumn result;
  c.run([&](Recorder& r) {
    auto allowed = strings::contains(r, in.visibilities, "public");
    auto redacted = strings::copy_if_else(r, in.names, "X X", allowed);
    auto parts = strings::split(r, redacted, {.max_columns = 2});
    auto initial = strings::slice(r, parts[1], {.start = 0, .stop = 1});
    result = strings::concatenate(r, {initial, parts[0]}, {.separator = " "});
  });
  return result;
}

// These operations need numbers from the GPU between their dispatches.
void count_and_gather(Context& c, const Inputs& in, const Buffer<std::uint32_t>& indices) {
  const auto parts = strings::split(c, in.names);
  const auto gathered = strings::gather(c, parts.back(), indices);
  CHECK(parts.size() == 2);
  CHECK(strings::null_count(c, gathered) == 0);
  CHECK(gathered.rows() == indices.size());
}

}  // namespace

// faults().created counts the calls of vkAllocateMemory, vkCreateBuffer, and of the functions that
// make fences, queries and command buffers.
TEST_CASE("strings pool: a chain that runs again creates no memory, buffer or other object") {
  Context c(faulty());
  const Inputs in = inputs_of(c, 3000);
  const auto indices = c.upload(std::vector<std::uint32_t>(700, 5));
  int created = 0;
  ContextStatistics before;
  for (int round = 0; round < 20; ++round) {
    CAPTURE(round);
    const StringColumn result = redact(c, in);
    count_and_gather(c, in, indices);
    if (round == 0) CHECK(difference(download_strings(c, result), in.expected) == "");
    // (After a few rounds it is known how many submissions, which have objects of their own, run at
    // once.)
    if (round == 4) {
      created = faults().created;
      before = c.statistics();
    }
    if (round < 5) continue;
    CHECK(faults().created == created);
    CHECK(c.statistics().device_allocations == before.device_allocations);
    CHECK(c.statistics().device_bytes == before.device_bytes);
  }
}

TEST_CASE("strings pool: nor does it for sizes that it has had before, in any order") {
  Context c(faulty());
  std::vector<Inputs> inputs;
  for (const std::uint64_t n : {200, 5000, 1700, 4900, 333}) inputs.push_back(inputs_of(c, n));
  for (const Inputs& in : inputs) redact(c, in);
  const int created = faults().created;
  for (std::size_t round = 0; round < 20; ++round) {
    const Inputs& in = inputs[round * 3 % inputs.size()];
    const StringColumn result = redact(c, in);
    if (round % 7 == 0) CHECK(difference(download_strings(c, result), in.expected) == "");
  }
  CHECK(faults().created == created);
}

}  // namespace vkprims::test
