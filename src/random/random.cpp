// The host side of the primitive random.
#include "vkprims/random.hpp"

#include <bit>
#include <cmath>

#include "blocks/tile.hpp"
#include "random/random/random.abi.h"
#include "random/rng.hpp"
#include "runtime/arithmetic.hpp"
#include "runtime/push.hpp"
#include "spirv/random_bernoulli_bits.hpp"
#include "spirv/random_bernoulli_bytes.hpp"
#include "spirv/random_bits.hpp"
#include "spirv/random_normal.hpp"
#include "spirv/random_uniform.hpp"
#include "vkprims/random/normal.h"

namespace vkprims {
namespace {

constexpr double k2To32 = 4294967296.0;

bool is_trials(const RandomDesc& desc) {
  return desc.distribution == RandomDistribution::bernoulli;
}
bool is_trial_bits(const RandomDesc& desc) {
  return is_trials(desc) && desc.trials == TrialStorage::bits;
}
bool is_unit(const RandomDesc& desc) { return desc.lower == 0 && desc.upper == 1; }

// The size of what is written, which is at an address that is a multiple of this.
std::uint32_t element_bytes(const RandomDesc& desc) {
  if (is_trials(desc)) return desc.trials == TrialStorage::bytes ? 1 : 4;
  return size_of(desc.type);
}

VkDeviceSize out_bytes(const RandomDesc& desc) {
  if (is_trial_bits(desc)) return mask_bytes(desc.count.max);
  return desc.count.max * element_bytes(desc);
}

// The number of ones among 2^draw_bits draws.
std::uint64_t ones_of(const RandomDesc& desc) {
  return static_cast<std::uint64_t>(
      std::round(std::ldexp(desc.probability, static_cast<int>(desc.draw_bits))));
}

// The parameters that push constants and the host compute with.
struct Parameters {
  std::uint64_t offset = 0, scale = 0;
  std::uint32_t threshold = 0;
  bool ones = false;
};

Parameters parameters_of(const RandomDesc& desc) {
  const auto word = [](float x) { return std::bit_cast<std::uint32_t>(x); };
  Parameters p;
  if (is_trials(desc)) {
    const std::uint64_t ones = ones_of(desc);
    p.ones = ones != 0;
    p.threshold = static_cast<std::uint32_t>((std::uint64_t{1} << desc.draw_bits) - ones);
  } else if (desc.distribution == RandomDistribution::normal) {
    p.offset = word(static_cast<float>(desc.mean));
    p.scale = word(static_cast<float>(desc.deviation));
  } else if (desc.distribution == RandomDistribution::uniform) {
    if (desc.type == Type::f64) {
      p.offset = std::bit_cast<std::uint64_t>(desc.lower);
      p.scale = std::bit_cast<std::uint64_t>(desc.upper - desc.lower);
    } else if (desc.type == Type::f32) {
      const auto lower = static_cast<float>(desc.lower), upper = static_cast<float>(desc.upper);
      p.offset = word(lower);
      p.scale = word(upper - lower);
    } else {
      p.offset = static_cast<std::uint32_t>(static_cast<std::int64_t>(desc.lower));
      p.scale = static_cast<std::uint32_t>(static_cast<std::int64_t>(desc.upper - desc.lower));
    }
  }
  return p;
}

Status check_bounds(const RandomDesc& desc) {
  const auto refuse = [&](const char* what) {
    return Status::error(Status::invalid_argument, "random: lower is %g and upper is %g, %s",
                         desc.lower, desc.upper, what);
  };
  if (desc.type == Type::f64) {
    if (!(desc.lower < desc.upper)) return refuse("lower must be below upper");
    return std::isfinite(desc.upper - desc.lower)
               ? Status()
               : refuse("they and their difference must be finite");
  }
  if (desc.type == Type::f32) {
    const auto lower = static_cast<float>(desc.lower), upper = static_cast<float>(desc.upper);
    if (!(lower < upper)) return refuse("lower must be below upper, as f32");
    return std::isfinite(upper - lower)
               ? Status()
               : refuse("they and their difference must be finite, as f32");
  }
  const double least = desc.type == Type::i32 ? -k2To32 / 2 : 0, end = least + k2To32;
  if (!(desc.lower >= least && desc.upper <= end) || std::floor(desc.lower) != desc.lower ||
      std::floor(desc.upper) != desc.upper) {
    return refuse(desc.type == Type::i32 ? "must be integers in -2^31 … 2^31 for i32"
                                         : "must be integers in 0 … 2^32 for u32");
  }
  return desc.lower < desc.upper ? Status() : refuse("lower must be below upper");
}

Status check_distribution(const RandomDesc& desc) {
  const auto refuse_type = [&](const char* allowed) {
    return Status::error(Status::invalid_argument, "random: type is %s, %s is for %s",
                         name_of(desc.type), name_of(desc.distribution), allowed);
  };
  switch (desc.distribution) {
    case RandomDistribution::bits:
      if (desc.type == Type::u32 || desc.type == Type::u64) return {};
      return refuse_type("u32 and u64");
    case RandomDistribution::uniform:
      if (desc.type == Type::u64 || desc.type == Type::i64) {
        return refuse_type("u32, i32, f32 and f64");
      }
      return check_bounds(desc);
    case RandomDistribution::normal: {
      if (desc.type != Type::f32) return refuse_type("f32");
      const auto mean = static_cast<float>(desc.mean),
                 deviation = static_cast<float>(desc.deviation);
      if (std::isfinite(mean) && std::isfinite(deviation) && deviation >= 0) return {};
      return Status::error(Status::invalid_argument,
                           "random: mean is %g and deviation is %g, must be finite as f32, "
                           "deviation not negative",
                           desc.mean, desc.deviation);
    }
    default:
      break;
  }
  VKPRIMS_TRY(check_enum("random", "trials", desc.trials, TrialStorage::bytes));
  if (desc.draw_bits != 32 && desc.draw_bits != 16) {
    return Status::error(Status::invalid_argument, "random: draw_bits is %u, must be 32 or 16",
                         desc.draw_bits);
  }
  if (desc.probability >= 0 && desc.probability <= 1) return {};
  return Status::error(Status::invalid_argument, "random: probability is %g, must be in 0 … 1",
                       desc.probability);
}

Status check_desc(const DeviceState& state, const RandomDesc& desc) {
  VKPRIMS_TRY(
      check_enum("random", "distribution", desc.distribution, RandomDistribution::bernoulli));
  VKPRIMS_TRY(check_type("random", desc.type));
  VKPRIMS_TRY(check_count("random", desc.count));
  VKPRIMS_TRY(check_rng("random", desc.rng));
  VKPRIMS_TRY(check_distribution(desc));
  const bool scaled = desc.distribution == RandomDistribution::uniform && !is_unit(desc);
  return scaled ? check_type("random", state, desc.type) : Status();
}

// The number of rows of an invocation. It is larger than for kernels that only move memory, because
// some work is done once.
std::uint32_t rows_of(const Tuning& tuning) { return 2 * tuning.rows_per_tile; }

// The least number of elements in a tile. If the output is not aligned, a workgroup stores one row
// fewer than it has invocations, and the first row of all is used in part.
std::uint64_t items_per_tile(const Tuning& tuning, const RandomDesc& desc) {
  const std::uint64_t rows = rows_of(tuning);
  if (is_trial_bits(desc)) return 32 * rows * tuning.workgroup_size;
  return (16 * rows * (tuning.workgroup_size - 1) - 16) / element_bytes(desc);
}

// log2 of the elements that share a block of random words.
std::uint32_t block_draws(const RandomDesc& desc) {
  if (is_trials(desc)) return desc.draw_bits == 16 ? 3 : 2;
  return size_of(desc.type) == 8 ? 1 : 2;
}

const Spirv& shader_of(const RandomDesc& desc) {
  switch (desc.distribution) {
    case RandomDistribution::bits:
      return spirv::random_bits;
    case RandomDistribution::uniform:
      if (desc.type == Type::f32) return spirv::random_uniform_f32;
      if (desc.type != Type::f64) return spirv::random_uniform_int32;
      return is_unit(desc) ? spirv::random_uniform_f64 : spirv::random_uniform_scaled_f64;
    case RandomDistribution::normal:
      return spirv::random_normal;
    default:
      return is_trial_bits(desc) ? spirv::random_bernoulli_bits : spirv::random_bernoulli_bytes;
  }
}

Operand out_of(const RandomDesc& desc, const RandomBuffers& buffers) {
  return {"out", buffers.out, out_bytes(desc), element_bytes(desc), true};
}

Status add_random(Commands& commands, const RandomDesc& desc, const RandomBuffers& buffers) {
  const Operand out = out_of(desc, buffers);
  if (out.need == 0) return {};
  const Tuning& tuning = commands.tuning();
  const bool aligned = is_trial_bits(desc) || out.address() % 16 == 0;
  Specialization constants = tile_specialization(tuning, aligned ? 4 : 1);
  constants.rows = rows_of(tuning);
  constants.set(VKP_RANDOM_SPEC_ROUNDS, rounds_of(desc.rng))
      .set(VKP_RANDOM_SPEC_DRAW_BITS, desc.draw_bits);
  const Parameters p = parameters_of(desc);
  const abi::RandomPush push{.out_base = push_u64(out),
                             .count = push_count(desc.count),
                             .rng = push_rng(desc.rng),
                             .element_bytes = element_bytes(desc),
                             .offset = push_u64(p.offset),
                             .scale = push_u64(p.scale),
                             .threshold = p.threshold,
                             .ones = p.ones ? ~0u : 0u};
  const Grid grid(desc.count, items_per_tile(tuning, desc), buffers.scratch);
  VKPRIMS_TRY(commands.dispatch(shader_of(desc), constants, push, grid,
                                {operand_of(desc.count), reads(desc.rng), out}));
  return add_rng_advance(commands, desc.rng, desc.count, block_draws(desc));
}

ScratchNeed need_of(const Tuning& tuning, const RandomDesc& desc) {
  return {grid_is_indirect(desc.count, items_per_tile(tuning, desc)) ? kGridScratchBytes : 0};
}

}  // namespace

double random_probability(const RandomDesc& desc) {
  return std::ldexp(static_cast<double>(ones_of(desc)), -static_cast<int>(desc.draw_bits));
}

std::uint64_t random_bits(const RandomDesc& desc, std::uint64_t i) {
  const Parameters p = parameters_of(desc);
  const auto two_words = [&] {
    return random_word(desc.rng, 2 * i) | std::uint64_t{random_word(desc.rng, 2 * i + 1)} << 32;
  };
  // The product of two f32 is exact in f64, so it is rounded once, and no compiler can fuse it with
  // the sum.
  const auto scaled = [&](float x) {
    const auto scale = std::bit_cast<float>(static_cast<std::uint32_t>(p.scale));
    const auto offset = std::bit_cast<float>(static_cast<std::uint32_t>(p.offset));
    const auto product = static_cast<float>(static_cast<double>(scale) * x);
    return std::bit_cast<std::uint32_t>(offset + product);
  };
  switch (desc.distribution) {
    case RandomDistribution::bits:
      return desc.type == Type::u64 ? two_words() : random_word(desc.rng, i);
    case RandomDistribution::uniform: {
      if (desc.type == Type::f64) {
        const double u = static_cast<double>(two_words() >> 11) * 0x1p-53;
        volatile double product = std::bit_cast<double>(p.scale) * u;  // not fused with the sum
        return std::bit_cast<std::uint64_t>(std::bit_cast<double>(p.offset) + product);
      }
      const std::uint32_t word = random_word(desc.rng, i);
      if (desc.type == Type::f32) return scaled(static_cast<float>(word >> 8) * 0x1p-24f);
      const std::uint64_t range = p.scale ? p.scale : std::uint64_t{1} << 32;
      return static_cast<std::uint32_t>(p.offset + (range * word >> 32));
    }
    case RandomDistribution::normal: {
      const std::uint64_t even = i & ~std::uint64_t{1};
      const abi::VkpNormalPair pair =
          abi::vkp_normal_pair(random_word(desc.rng, even), random_word(desc.rng, even + 1));
      return scaled(std::bit_cast<float>(i % 2 ? pair.second : pair.first));
    }
    default: {
      std::uint32_t draw = random_word(desc.rng, desc.draw_bits == 16 ? i / 2 : i);
      if (desc.draw_bits == 16) draw = i % 2 ? draw >> 16 : draw & 0xffff;
      return p.ones && draw >= p.threshold;
    }
  }
}

ScratchNeed random_scratch(const Device& device, const RandomDesc& desc) {
  if (!device || !check_desc(*device.state(), desc)) return {};
  return need_of(device.state()->tuning, desc);
}

Status record_random(VkCommandBuffer cmd, const Device& device, const RandomDesc& desc,
                     const RandomBuffers& buffers) {
  return record_call("random", cmd, device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    VKPRIMS_TRY(check_operands("random",
                               {out_of(desc, buffers), operand_of(desc.rng), operand_of(desc.count),
                                operand_of(buffers.scratch, need_of(commands.tuning(), desc))}));
    return add_random(commands, desc, buffers);
  });
}

Status warm_up(const Device& device, const RandomDesc& desc) {
  return warm_up_call("random", device, [&](Commands& commands) {
    VKPRIMS_TRY(check_desc(commands.state(), desc));
    RandomDesc any = desc;
    any.count.max = kMaxCount;
    for (const VkDeviceAddress out : {16, 24}) {
      VKPRIMS_TRY(add_random(commands, any, {.out = {out}}));
    }
    return Status();
  });
}

}  // namespace vkprims
