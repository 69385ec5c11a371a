// Checks rolling windows on the device against the oracle.
#pragma once

#include <bit>
#include <cmath>

#include "oracles/rolling.hpp"
#include "support/support.hpp"

namespace vkprims::test {

struct RollingOptions {
  const Device* device = &test::device();
  RollingDesc desc = {};                            // type and count follow from the data
  std::uint64_t misalign_in = 0, misalign_out = 0;  // elements
  bool out_validity = false;
  std::uint64_t device_count = ~std::uint64_t{0};  // read on the device if given
  bool every_row = false;                          // else some of long windows
};

template <class Out>
struct RollingResult {
  std::vector<Out> out;
  std::vector<std::uint32_t> validity;
};

inline std::vector<std::uint32_t> to_words(const std::vector<bool>& bits, std::uint64_t offset) {
  std::vector<std::uint32_t> words((bits.size() + offset + 31) / 32, 0xa5a5a5a5);
  for (std::size_t i = 0; i < bits.size(); ++i) {
    std::uint32_t& word = words[(i + offset) / 32];
    const std::uint32_t bit = 1u << (i + offset) % 32;
    word = bits[i] ? word | bit : word & ~bit;
  }
  return words;
}

template <class T>
RollingDesc full_desc(const oracle::RollingColumn<T>& column, const RollingOptions& o) {
  RollingDesc desc = o.desc;
  desc.type = type_of<T>();
  desc.count = column.in.size();
  desc.nullable = !column.valid.empty();
  if (!column.offsets.empty())
    desc.groups = Count(column.offsets.size() - 1, desc.groups.address, desc.groups.width);
  return desc;
}

template <class Out, class T>
RollingResult<Out> run_on_device(const oracle::RollingColumn<T>& column, const RollingOptions& o) {
  RollingDesc desc = full_desc(column, o);
  const std::uint64_t n = column.in.size();
  const auto count = device_count<std::uint64_t>(o.device_count);
  if (o.device_count != ~std::uint64_t{0}) desc.count = {n, count.address(), CountWidth::u64};
  const std::vector<T> values(column.in.begin(), column.in.end());
  const Guarded in(values, o.misalign_in * sizeof(T));
  const Guarded out(n * sizeof(Out), o.misalign_out * sizeof(Out));
  const Guarded valid(to_words(column.valid, desc.validity_offset), 4 * o.misalign_in);
  const Guarded out_valid((n + 31) / 32 * 4, 4 * o.misalign_out);
  std::vector<std::uint32_t> offsets_32(column.offsets.begin(), column.offsets.end());
  const Guarded offsets =
      desc.offset_width == IndexWidth::u64 ? Guarded(column.offsets, 8) : Guarded(offsets_32, 4);
  const DirtyScratch scratch(rolling_scratch(*o.device, desc));
  RollingBuffers buffers{in.view(), out.view(), {}, {}, {}, scratch.get()};
  if (desc.nullable) buffers.validity = valid.view();
  if (o.out_validity) buffers.out_validity = out_valid.view();
  if (desc.groups.max) buffers.offsets = offsets.view();
  run([&](VkCommandBuffer cmd) { throw_if_error(record_rolling(cmd, *o.device, desc, buffers)); });
  CHECK(in.read<T>().size() == n);
  return {out.read<Out>(), out_valid.read<std::uint32_t>()};
}

// Returns the rows to check: all, or those near the ends and some between.
inline std::vector<std::uint64_t> rows_to_check(std::uint64_t n, const RollingOptions& o) {
  const auto window = static_cast<std::uint64_t>(o.desc.preceding + o.desc.following);
  const std::uint64_t step =
      o.every_row ? 1 : std::max<std::uint64_t>(1, std::min(n, window) * n / 20'000'000);
  std::vector<std::uint64_t> rows;
  for (std::uint64_t i = 0; i < n; i += i < 40 || i + 40 > n ? 1 : step) rows.push_back(i);
  return rows;
}

template <class Out, class T>
void check_as(const oracle::RollingColumn<T>& column, const RollingOptions& o) {
  CAPTURE(std::string(name_of(o.desc.op)));
  CAPTURE(std::string(name_of(type_of<T>())));
  CAPTURE(column.in.size());
  CAPTURE(o.desc.preceding);
  CAPTURE(o.desc.following);
  CAPTURE(o.device_count);
  const RollingDesc desc = full_desc(column, o);
  const std::uint64_t room = column.in.size(), n = std::min<std::uint64_t>(room, o.device_count);
  const RollingResult<Out> result = run_on_device<Out>(column, o);
  oracle::RollingColumn<T> used = column;
  used.in = column.in.first(n);
  for (const std::uint64_t i : rows_to_check(n, o)) {
    const oracle::RollingRow want = oracle::rolling_row(desc, used, i);
    const bool valid = !o.out_validity || (result.validity[i / 32] >> i % 32 & 1) == want.valid;
    if (valid && oracle::rolling_matches(want, result.out[i])) continue;
    CAPTURE(i);
    CAPTURE(result.out[i]);
    CAPTURE(static_cast<double>(want.value));
    CAPTURE(want.integer);
    CAPTURE(want.valid);
    CAPTURE(static_cast<double>(want.tolerance));
    FAIL_CHECK("a wrong result");
    return;
  }
  for (std::uint64_t i = n; i < room; ++i) {
    if (static_cast<std::uint32_t>(
            std::bit_cast<std::conditional_t<sizeof(Out) == 8, std::uint64_t, std::uint32_t>>(
                result.out[i])) == 0xcdcdcdcd) {
      continue;
    }
    CAPTURE(i);
    FAIL_CHECK("written past the count");
    return;
  }
  for (std::uint64_t word = 0; word < result.validity.size(); ++word) {
    const std::uint32_t bits = result.validity[word];
    const bool written = o.out_validity && 32 * word < n;
    if (!written) CHECK(bits == 0xcdcdcdcd);
    if (!written || 32 * word + 32 <= n) continue;
    const std::uint32_t past_the_end = bits >> (n % 32);
    CHECK(past_the_end == 0);
  }
}

template <class T>
void check(const oracle::RollingColumn<T>& column, const RollingOptions& o) {
  RollingDesc desc = o.desc;
  desc.type = type_of<T>();
  with_type(result_type(desc), [&](auto zero) { check_as<decltype(zero)>(column, o); });
}

}  // namespace vkprims::test
