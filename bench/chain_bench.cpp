// Rows of operations in chains, as renderers have them: each call waits for the one before, so what
// counts is how long one takes from its barrier to the next. The cases are those of other rows.
#include <stdexcept>

#include "harness.hpp"
#include "vkprims/device.hpp"

namespace vkprims::bench {
namespace {

constexpr std::uint32_t kCalls = 20;

const Row& row_named(const std::string& name) {
  for (const Row& row : all_rows()) {
    if (row.name == name) return row;
  }
  throw std::logic_error("there is no row " + name);
}

Case make_chain(Session& session, std::uint64_t n, const std::string& of) {
  Case chain = row_named(of).make(session, n);
  chain.ideal_bytes = 0;
  chain.calls = kCalls;
  chain.extra = nullptr;
  chain.record = [&device = session.device(), record = chain.record](VkCommandBuffer cmd) {
    Status status = record(cmd);
    for (std::uint32_t i = 1; status && i < kCalls; ++i) {
      status = record_barrier(cmd, device);
      if (status) status = record(cmd);
    }
    return status;
  };
  return chain;
}

Row chain_row(const char* name, std::uint32_t bytes_per_item, const char* of) {
  return {.name = std::string("chain/") + name,
          .bytes_per_item = bytes_per_item,
          .sizes = {1 << 10, 1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20},
          .make = [of](Session& session, std::uint64_t n) { return make_chain(session, n, of); }};
}

const RegisterOther kRows({
    chain_row("copy", 8, "copy/u32"),
    chain_row("reduce", 4, "reduce/u32_add"),
    chain_row("scan", 8, "scan/u32_exclusive"),
    chain_row("scan_by_key", 12, "scan_by_key/u32_runs_of_16"),
    chain_row("select", 8, "select/u32_50_percent"),
    chain_row("partition", 8, "partition/u32_50_percent"),
    chain_row("unique", 8, "unique/u32_runs_of_16"),
    chain_row("run_length_encode", 12, "run_length_encode/u32_runs_of_16"),
    chain_row("reduce_by_key", 16, "reduce_by_key/u32_runs_of_16"),
    chain_row("histogram", 1, "histogram/u8_256"),
    chain_row("radix_sort", 16, "radix_sort/u32"),
    chain_row("radix_sort_pairs", 32, "radix_sort/u32_values_u32"),
    chain_row("top_k", 4, "top_k/u32_k1024"),
    chain_row("stack_match", 5, "stack_match/u8_random"),
});

}  // namespace
}  // namespace vkprims::bench
