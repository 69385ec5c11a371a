// The host side of the primitive histogram.
#include "vkprims/histogram.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "blocks/alone.hpp"
#include "elementwise/fill.hpp"
#include "reduce/histogram/histogram.abi.h"
#include "runtime/arithmetic.hpp"
#include "runtime/push.hpp"
#include "runtime/tuning.hpp"
#include "spirv/histogram_count.hpp"

namespace vkprims {
namespace {

bool is_signed(SampleType sample) { return sample > SampleType::f32; }

constexpr double k2To31 = 2147483648.0, k2To32 = 4294967296.0;
constexpr float kLargestScale =
    0x1p100f;  // so that denormals, which a device may flush, are in bin 0

// Samples that one workgroup counts alone. They are so few that clearing counters counts.
constexpr std::uint32_t kAloneBytes = 1 << 14, kAloneCopies = 8;
constexpr std::uint32_t kGroupBytes = 1 << 16;  // samples of a workgroup, where there are many

// Where bins of equal width lie, in the form that kernels take.
struct EvenBins {
  std::uint32_t lower = 0, last = 0, width = 0;
  std::uint64_t scale = 0;
};

// Unsigned numbers in the order of the floats; both zeros have the same number.
std::uint32_t order_of(float x) {
  const auto bits = std::bit_cast<std::uint32_t>(x == 0 ? 0.0f : x);
  return bits & 0x80000000u ? ~bits : bits | 0x80000000u;
}

Status check_bounds(const HistogramDesc& desc) {
  const auto refuse = [&](const char* what) {
    return Status::error(Status::invalid_argument, "histogram: lower is %g and upper is %g, %s",
                         desc.lower, desc.upper, what);
  };
  if (desc.sample != SampleType::f32) {
    const bool has_sign = is_signed(desc.sample);
    const double least = has_sign ? -k2To31 : 0, most = has_sign ? k2To31 : k2To32;
    if (!(desc.lower >= least && desc.upper <= most) || std::floor(desc.lower) != desc.lower ||
        std::floor(desc.upper) != desc.upper) {
      return refuse(has_sign ? "must be integers in -2^31 … 2^31 for integer samples with a sign"
                             : "must be integers in 0 … 2^32 for integer samples");
    }
    return desc.lower < desc.upper ? Status() : refuse("lower must be below upper");
  }
  const auto lower = static_cast<float>(desc.lower), upper = static_cast<float>(desc.upper);
  if (!(lower < upper)) return refuse("lower must be below upper, as f32");
  if (!std::isfinite(lower) || !std::isfinite(upper - lower)) {
    return refuse("they and their difference must be finite, as f32");
  }
  const float scale = static_cast<float>(desc.bins) / (upper - lower);
  return scale <= kLargestScale ? Status() : refuse("bins must be at least 2^-100 wide");
}

Status check_desc(const HistogramDesc& desc) {
  VKPRIMS_TRY(check_enum("histogram", "sample", desc.sample, SampleType::i32));
  VKPRIMS_TRY(check_enum("histogram", "by", desc.by, HistogramBins::levels));
  VKPRIMS_TRY(check_enum("histogram", "width", desc.width, CountWidth::u64));
  VKPRIMS_TRY(check_count("histogram", desc.count));
  if (desc.bins == 0 || desc.bins > kMaxHistogramBins) {
    return Status::error(Status::invalid_argument,
                         "histogram: bins is %u, must be 1 … %u (kMaxHistogramBins)", desc.bins,
                         kMaxHistogramBins);
  }
  if (desc.by == HistogramBins::keys && desc.sample == SampleType::f32) {
    return Status::error(Status::invalid_argument,
                         "histogram: by is keys, which is for integer samples, not for f32");
  }
  return desc.by == HistogramBins::even ? check_bounds(desc) : Status();
}

EvenBins even_bins(const HistogramDesc& desc) {
  EvenBins even;
  if (desc.by != HistogramBins::even) return even;
  if (desc.sample == SampleType::f32) {
    const auto lower = static_cast<float>(desc.lower), upper = static_cast<float>(desc.upper);
    const float scale = static_cast<float>(desc.bins) / (upper - lower);
    even.lower = order_of(lower);
    even.last = order_of(upper) - 1;
    even.scale = std::uint64_t{std::bit_cast<std::uint32_t>(lower)} << 32 |
                 std::bit_cast<std::uint32_t>(scale);
    return even;
  }
  const double bias = is_signed(desc.sample) ? k2To31 : 0;  // what key_of() in bins.glsl adds
  const auto lower = static_cast<std::uint64_t>(desc.lower + bias);
  const auto upper = static_cast<std::uint64_t>(desc.upper + bias);
  const std::uint64_t scaled_bins = std::uint64_t{desc.bins} << 32;
  even.lower = static_cast<std::uint32_t>(lower);
  even.last = static_cast<std::uint32_t>(upper - 1);
  even.scale = scaled_bins / (upper - lower);
  if (scaled_bins % (upper - lower)) even.width = static_cast<std::uint32_t>(upper - lower);
  return even;
}

// How a workgroup counts.
struct Counters {
  std::uint32_t copies = 0;  // copies of the counters; 0: it counts in the result
  bool shared_levels = false;
  std::uint32_t shared_words = 1;  // rounded up, so that there are few pipelines
  bool alone = false;              // it is the only one, and stores its counts

  // The number of rows that an invocation has in flight: each is the code of up to 16 samples.
  std::uint32_t rows(const Tuning& tuning) const {
    return std::min(tuning.rows_per_tile, copies == 0 ? 2u : 4u);
  }
};

std::uint64_t most_alone(const DeviceState& state, const HistogramDesc& desc) {
  return std::min(state.tuning.single_scan_bytes, kAloneBytes) / size_of(desc.sample);
}

// Whether one workgroup counts all samples. Filling the result with zeros before would take as long
// as the rest. Samples of 8 bits have to be their own bins, as each counter is stored as it is.
bool is_alone(const DeviceState& state, const HistogramDesc& desc) {
  const bool by_value = desc.by == HistogramBins::keys && desc.bins <= 256;
  return !desc.accumulate && (size_of(desc.sample) > 1 || by_value) &&
         desc.count.max <= most_alone(state, desc);
}

Counters counters_of(const DeviceState& state, const HistogramDesc& desc) {
  const std::uint32_t bytes =
      state.hooks.shared16k ? 16384 : std::min(state.limits.maxComputeSharedMemorySize, 32768u);
  const std::uint32_t words = std::bit_floor(bytes) / 4;
  const std::uint32_t counters = size_of(desc.sample) == 1 ? 256 : desc.bins;
  if (counters > words) return {};
  const std::uint32_t levels = desc.bins + 1;
  const bool shared_levels =
      desc.by == HistogramBins::levels && size_of(desc.sample) != 1 && counters + levels <= words;
  const bool alone = is_alone(state, desc);
  const std::uint32_t rest = words - (shared_levels ? levels : 0);
  const std::uint32_t copies = std::min<std::uint32_t>(
      std::bit_floor(rest / counters), alone ? kAloneCopies : VKP_HISTOGRAM_MAX_COPIES);
  return {copies, shared_levels, std::bit_ceil(counters * copies + (shared_levels ? levels : 0)),
          alone};
}

// The number of workgroups that share the samples. Each has at least one 16-byte row per invocation
// and step, and there are enough that none makes more than kMostTurns turns, including those of its
// binary searches.
std::uint32_t max_groups(const DeviceState& state, const HistogramDesc& desc) {
  const Counters counters = counters_of(state, desc);
  const std::uint32_t size = size_of(desc.sample);
  const std::uint64_t group_rows =
      (desc.count.max * size + 15) / (16 * state.tuning.workgroup_size) + 1;
  const std::uint64_t batches = (group_rows - 1) / counters.rows(state.tuning) + 1;
  const bool searches = desc.by == HistogramBins::levels && size_of(desc.sample) != 1;
  const std::uint32_t steps = searches ? std::bit_width(desc.bins + 1) : 0;
  const std::uint64_t most_group_rows = kMostTurns / (1 + 16 / size * (1 + steps));
  const std::uint64_t least_groups = group_rows / most_group_rows + 1;
  std::uint64_t most = state.tuning.max_reduce_groups;
  // Adding its counters to the result takes a workgroup as long as counting thousands of samples.
  if (counters.copies != 0) {
    most = std::min(most, std::max(desc.count.max * size / kGroupBytes, most / 8));
  }
  return static_cast<std::uint32_t>(std::max(least_groups, std::min(batches, most)));
}

std::uint32_t counter_bytes(const HistogramDesc& desc) {
  return desc.width == CountWidth::u64 ? 8 : 4;
}

Specialization specialization_of(const DeviceState& state, const HistogramDesc& desc) {
  const Counters counters = counters_of(state, desc);
  const std::uint32_t invocations =
      counters.alone ? alone_workgroup(state) : state.tuning.workgroup_size;
  Specialization constants{.workgroup_size = invocations, .rows = counters.rows(state.tuning)};
  return constants.set(VKP_HISTOGRAM_SPEC_BINS, static_cast<std::uint32_t>(desc.by))
      .set(VKP_HISTOGRAM_SPEC_COPIES, counters.copies)
      .set(VKP_HISTOGRAM_SPEC_SHARED_WORDS, counters.shared_words)
      .set(VKP_HISTOGRAM_SPEC_SHARED_LEVELS, counters.shared_levels)
      .set(VKP_HISTOGRAM_SPEC_SIGNED, is_signed(desc.sample))
      .set(VKP_HISTOGRAM_SPEC_ALONE, counters.alone);
}

// The kernels of samples with a sign are those of samples without one.
const Spirv& module_of(SampleType sample) {
  const auto number = static_cast<std::uint32_t>(sample);
  return spirv::histogram_count(is_signed(sample) ? number - 4 : number);
}

std::array<Operand, 4> operands_of(const HistogramDesc& desc, const HistogramBuffers& buffers) {
  const std::uint32_t size = size_of(desc.sample), out_size = counter_bytes(desc);
  const VkDeviceSize bins = desc.bins;
  const VkDeviceSize levels_bytes = desc.by == HistogramBins::levels ? (bins + 1) * 4 : 0;
  return {{{"in", buffers.in, desc.count.max * size, size, false},
           {"levels", buffers.levels, levels_bytes, 4, false, "", "bins + 1"},
           {"out", buffers.out, bins * out_size, out_size, true, "", "bins"},
           operand_of(desc.count)}};
}

Status check_buffers(const HistogramDesc& desc, const HistogramBuffers& buffers) {
  if (buffers.levels.address && desc.by != HistogramBins::levels) {
    return Status::error(
        Status::invalid_argument,
        "histogram: levels is given, but by is %s; it is for HistogramBins::levels",
        desc.by == HistogramBins::even ? "even" : "keys");
  }
  return check_operands("histogram", operands_of(desc, buffers));
}

Status add_histogram(Commands& commands, const HistogramDesc& desc,
                     const HistogramBuffers& buffers) {
  const DeviceState& state = commands.state();
  const bool alone = counters_of(state, desc).alone && desc.count.max != 0;
  if (!desc.accumulate && !alone) {
    VKPRIMS_TRY(add_fill(commands, {.element_bytes = counter_bytes(desc), .count = desc.bins},
                         {.out = buffers.out}));
  }
  if (desc.count.max == 0) return {};
  const auto [in, levels, out, count] = operands_of(desc, buffers);
  const std::uint32_t groups = alone ? 1 : max_groups(state, desc);
  const EvenBins even = even_bins(desc);
  const abi::HistogramPush push{.in_base = push_u64(in),
                                .levels_base = push_u64(levels),
                                .out_base = push_u64(out),
                                .count = push_count(desc.count),
                                .max_groups = groups,
                                .bins = desc.bins,
                                .wide = desc.width == CountWidth::u64,
                                .lower = even.lower,
                                .last = even.last,
                                .scale = push_u64(even.scale),
                                .width = even.width};
  return commands.dispatch(module_of(desc.sample), specialization_of(state, desc), push,
                           Grid(groups), {count, in, levels, out});
}

}  // namespace

ScratchNeed histogram_scratch(const Device&, const HistogramDesc&) { return {}; }

Status record_histogram(VkCommandBuffer cmd, const Device& device, const HistogramDesc& desc,
                        const HistogramBuffers& buffers) {
  return record_call("histogram", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    VKPRIMS_TRY(check_buffers(desc, buffers));
    return add_histogram(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const HistogramDesc& desc) {
  return warm_up_call("histogram", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(desc));
    for (const std::uint64_t count : {std::uint64_t{1}, most_alone(commands.state(), desc) + 1}) {
      HistogramDesc any = desc;
      any.count.max = count;
      VKPRIMS_TRY(add_histogram(commands, any, {}));
    }
    return Status();
  });
}

}  // namespace vkprims
