// How a scan is built, level by level, as lectures on parallel programming teach it: inclusive sums
// of u32, in plain kernels, to compare with the library's own scan.
//
// hillis_steele, blelloch and subgroup are the level of a workgroup only. Each workgroup scans a
// block of 1,024 elements of its own and nothing is carried from one block to the next, so the
// result is the inclusive sums of every block by itself: not a scan of n elements. They differ in
// nothing but the algorithm. three_dispatches is the level of the kernel, and a scan of n elements:
// (1) `subgroup`, which also writes each block's sum, (2) one workgroup scans these, (3) every
// element gets the sum of all blocks before. It moves twice the ideal bytes.
#include <algorithm>
#include <bit>
#include <span>

#include "harness.hpp"
#include "runtime/device_state.hpp"
#include "spirv/scan_levels_add_base.hpp"
#include "spirv/scan_levels_base_scan.hpp"
#include "spirv/scan_levels_blelloch.hpp"
#include "spirv/scan_levels_hillis_steele.hpp"
#include "spirv/scan_levels_subgroup.hpp"

namespace vkprims::bench {
namespace {

constexpr std::uint64_t kBlock = 1024;  // block_words of scan_levels/block.glsl

// The oracle: inclusive sums that begin anew every `block` elements.
std::vector<std::uint32_t> inclusive_sums(std::span<const std::uint32_t> in, std::uint64_t block) {
  std::vector<std::uint32_t> out(in.size());
  std::uint32_t sum = 0;
  for (std::uint64_t i = 0; i < in.size(); ++i) {
    if (i % block == 0) sum = 0;
    sum += in[i];
    out[i] = sum;
  }
  return out;
}

// The largest power of two that a workgroup may have as its size, at most `wanted`.
std::uint32_t workgroup_size(Session& session, std::uint32_t wanted) {
  const std::uint32_t limit =
      session.device().state()->hooks.workgroup128
          ? 128
          : session.context().properties().limits.maxComputeWorkGroupInvocations;
  return std::bit_floor(std::min(limit, wanted));
}

struct ScanLevels {
  Buffer<std::uint32_t> in, out, sums;
  std::unique_ptr<Kernel> blocks, base, add;
};

// `whole` adds the second and third dispatch.
Case make_scan(Session& session, std::uint64_t n, const Spirv& blocks, bool whole) {
  const auto kernel = [&](const Spirv& spirv, std::uint32_t wanted) {
    return std::make_unique<Kernel>(session.context(), session.vk(), spirv,
                                    std::vector{workgroup_size(session, wanted)});
  };
  const std::uint64_t groups = (n + kBlock - 1) / kBlock;
  const std::uint64_t sum_rows = (groups + 3) / 4;
  auto c = std::make_shared<ScanLevels>();
  c->in = session.allocate<std::uint32_t>(n);
  c->out = session.allocate<std::uint32_t>(n);
  session.generate(c->in.address(), n, Data::bits);
  c->blocks = kernel(blocks, 256);
  if (whole) {
    c->sums = session.allocate<std::uint32_t>(4 * sum_rows);
    c->base = kernel(spirv::scan_levels_base_scan, 1024);
    c->add = kernel(spirv::scan_levels_add_base, 256);
  }

  Case result;
  result.items = n;
  result.ideal_bytes = 8 * n;
  result.record = [=, &session](VkCommandBuffer cmd) {
    const VkDeviceAddress in = c->in.address(), out = c->out.address(), sums = c->sums.address();
    c->blocks->dispatch(
        cmd, groups,
        {low(in), high(in), low(out), high(out), low(n), high(n), low(sums), high(sums)});
    if (whole && groups != 0) {
      full_barrier(session.vk(), cmd);
      c->base->dispatch(cmd, 1, {low(sums), high(sums), low(sum_rows)});
      full_barrier(session.vk(), cmd);
      c->add->dispatch(
          cmd, groups,
          {low(out), high(out), low(out), high(out), low(n), high(n), low(sums), high(sums)});
    }
    return Status();
  };
  result.mismatch = [=, &session] {
    return first_difference(session.context().download(c->out),
                            inclusive_sums(host_data<std::uint32_t>(Data::bits, n),
                                           whole ? std::max<std::uint64_t>(n, 1) : kBlock));
  };
  return result;
}

Row scan_row(const char* name, const Spirv& blocks, bool whole = false) {
  return {.name = name, .bytes_per_item = 8, .make = [&blocks, whole](Session& s, std::uint64_t n) {
            return make_scan(s, n, blocks, whole);
          }};
}

const RegisterOther kRows({
    scan_row("scan_levels/hillis_steele", spirv::scan_levels_hillis_steele),
    scan_row("scan_levels/blelloch", spirv::scan_levels_blelloch),
    scan_row("scan_levels/subgroup", spirv::scan_levels_subgroup),
    scan_row("scan_levels/three_dispatches", spirv::scan_levels_subgroup, true),
});

}  // namespace
}  // namespace vkprims::bench
