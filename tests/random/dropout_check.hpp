// Checks one dropout call, forward and backward, against the oracle.
#pragma once

#include <cmath>
#include <limits>

#include "runtime/device_state.hpp"
#include "oracles/dropout.hpp"
#include "support/support.hpp"

namespace vkprims::test::drop {

using oracle::BFloat;
using oracle::Half;

struct Options {
  const Device* device = &test::device();
  bool residual = false;
  bool in_place = false;       // the output is the input
  bool onto_residual = false;  // the output is the residual
  std::uint64_t shift[5] =
      {};  // elements past a multiple of 16 bytes: in, bias, residual, out, bytes of mask
  std::uint64_t device_count = ~std::uint64_t{0};
  bool device_rng = false;  // seed and offset lie on the device
};

template <class T>
DropoutType dropout_type() {
  if constexpr (std::is_same_v<T, Half>) return DropoutType::f16;
  if constexpr (std::is_same_v<T, BFloat>) return DropoutType::bf16;
  return std::is_same_v<T, double> ? DropoutType::f64 : DropoutType::f32;
}

// Returns numbers of all kinds. None of the floats and doubles may be taken for 0 by a device.
template <class T>
std::vector<T> numbers(std::uint64_t n, std::uint32_t seed) {
  std::mt19937_64 engine(seed);
  std::vector<T> values(n);
  for (T& x : values) {
    const std::uint64_t bits = engine();
    const double number = static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-62;
    if constexpr (std::is_same_v<T, Half>) {
      x.bits = static_cast<std::uint16_t>(bits);
    } else if constexpr (std::is_same_v<T, BFloat>) {
      oracle::round_to(x, static_cast<float>(number));
    } else {
      x = static_cast<T>(number);
    }
    using Real = decltype(oracle::real_of(x));
    constexpr Real inf = std::numeric_limits<Real>::infinity();
    const Real special[] = {inf, -inf, std::numeric_limits<Real>::quiet_NaN(), -Real(0),
                            Real(3e38)};
    if (bits >> 32 & 31) continue;
    if constexpr (std::is_same_v<T, BFloat>) {
      oracle::round_to(x, special[bits % 5]);
    } else if constexpr (!std::is_same_v<T, Half>) {
      x = special[bits % 5];
    }
  }
  return values;
}

// Says whether two values have the same bits, except for the payload of a NaN.
template <class T>
bool same(T a, T b) {
  return same_bits(a, b) || (std::isnan(oracle::real_of(a)) && std::isnan(oracle::real_of(b)));
}

// A matrix in memory whose gaps are filled with 0xCD.
template <class T>
class Matrix {
 public:
  Matrix(const DropoutDesc& desc, std::uint32_t pitch, std::uint64_t shift)
      : columns_(desc.columns ? desc.columns : std::max<std::uint64_t>(desc.count.max, 1)),
        pitch_(pitch && desc.columns ? pitch : columns_),
        count_(desc.count.max),
        shift_(shift) {
    const std::uint64_t rows = (count_ + columns_ - 1) / columns_;
    image_.assign(count_ ? (rows - 1) * pitch_ + count_ - (rows - 1) * columns_ : 0, gap());
  }
  T& operator[](std::uint64_t i) { return image_[i / columns_ * pitch_ + i % columns_]; }
  void upload() { memory_ = std::make_unique<Guarded>(image_, shift_ * sizeof(T)); }
  BufferView view() const { return memory_->view(); }
  // Returns the first element that differs from `want`, or n if none does. All other bytes must be
  // unchanged.
  std::uint64_t difference(const std::vector<T>& want) {
    const std::vector<T> got = memory_->template read<T>();
    std::uint64_t first = want.size();
    for (std::uint64_t i = want.size(); i-- > 0;) {
      const std::uint64_t at = i / columns_ * pitch_ + i % columns_;
      if (!same(got[at], want[i])) first = i;
      image_[at] = got[at];
    }
    CHECK(same_bits(got, image_));
    return first;
  }
  static T gap() {
    T x;
    std::memset(&x, 0xcd, sizeof x);
    return x;
  }

 private:
  std::uint64_t columns_, pitch_, count_, shift_;
  std::vector<T> image_;
  std::unique_ptr<Guarded> memory_;
};

// Returns which elements were kept, in the format of the mask.
inline std::vector<std::uint8_t> mask_of(const DropoutDesc& desc, const std::vector<bool>& kept) {
  std::vector<std::uint8_t> mask(dropout_mask_bytes(desc), 0);
  for (std::uint64_t i = 0; i < kept.size() && desc.mask != DropoutMask::none; ++i) {
    if (desc.mask == DropoutMask::bytes) mask[i] = kept[i];
    if (desc.mask == DropoutMask::bits && kept[i]) {
      mask[i / 8] = static_cast<std::uint8_t>(mask[i / 8] | 1 << i % 8);
    }
  }
  return mask;
}

// Runs dropout forward, then backward by the mask.
template <class T>
void check(DropoutDesc desc, const Options& o = {}) {
  const Device& d = *o.device;
  desc.type = dropout_type<T>();
  const std::uint64_t room = desc.count.max, n = std::min<std::uint64_t>(room, o.device_count);
  CAPTURE(room);
  CAPTURE(static_cast<int>(desc.type));
  CAPTURE(static_cast<int>(desc.mask));
  CAPTURE(static_cast<int>(desc.draw));
  CAPTURE(desc.p);
  CAPTURE(desc.columns);
  CAPTURE(desc.run);
  CAPTURE(o.shift[0]);
  CAPTURE(o.shift[3]);
  const auto count = device_count<std::uint64_t>(o.device_count);
  if (o.device_count != ~std::uint64_t{0}) desc.count = {room, count.address(), CountWidth::u64};

  const std::vector<T> values = numbers<T>(room, 1), others = numbers<T>(room, 2),
                       more = numbers<T>(std::max<std::uint64_t>(room, desc.columns), 3);
  Matrix<T> in(desc, desc.in_pitch, o.shift[0]), residual(desc, desc.residual_pitch, o.shift[2]),
      out(desc, desc.out_pitch, o.shift[3]), full_bias(desc, desc.bias_pitch, o.shift[1]);
  for (std::uint64_t i = 0; i < room; ++i) {
    in[i] = values[i];
    residual[i] = others[i];
    full_bias[i] = more[i];
  }
  for (Matrix<T>* m : {&in, &residual, &out, &full_bias}) m->upload();
  const Guarded row_bias(std::vector<T>(more.begin(), more.begin() + desc.columns),
                         o.shift[1] * sizeof(T));
  const std::uint64_t mask_shift = desc.mask == DropoutMask::bits ? 4 * o.shift[4] : o.shift[4];
  const Guarded mask(dropout_mask_bytes(desc), mask_shift);
  const std::uint64_t seed = desc.rng.seed, first_word = desc.rng.offset;
  const Guarded state(std::vector<std::uint64_t>{seed, first_word - 4}, 8);

  std::vector<bool> kept(n);
  std::vector<T> want(n), want_gradient(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    kept[i] = oracle::dropout_keeps(desc, i);
    const T* bias = nullptr;
    if (desc.bias == DropoutBias::row) bias = &more[i % desc.columns];
    if (desc.bias == DropoutBias::full) bias = &more[i];
    want[i] = oracle::dropout(desc, kept[i], values[i], bias, o.residual ? &others[i] : nullptr);
    DropoutDesc plain = desc;
    plain.alpha = false;
    want_gradient[i] = oracle::dropout<T>(plain, true, values[i], nullptr, nullptr);
    if (desc.alpha) {
      using Real = decltype(oracle::real_of(values[i]));
      oracle::round_to(want_gradient[i],
                       oracle::real_of(values[i]) * static_cast<Real>(dropout_scale(desc)));
    }
    if (!kept[i]) want_gradient[i] = {};
    CHECK(dropout_keeps(desc, i) == kept[i]);
  }
  if (o.device_rng) {
    desc.rng.state = state.address();
    desc.rng.seed = 99;  // The seed and offset of the state are the ones that count.
    desc.rng.offset = 4;
  }
  Matrix<T>& to = o.in_place ? in : o.onto_residual ? residual : out;
  DropoutBuffers buffers{.in = in.view(),
                         .residual = o.residual ? residual.view() : BufferView{},
                         .out = to.view(),
                         .mask = desc.mask == DropoutMask::none ? BufferView{} : mask.view()};
  if (desc.bias == DropoutBias::row) buffers.bias = row_bias.view();
  if (desc.bias == DropoutBias::full) buffers.bias = full_bias.view();
  const DirtyScratch scratch(dropout_scratch(d, desc));
  buffers.scratch = scratch.get();
  run([&](VkCommandBuffer cmd) { throw_if_error(record_dropout(cmd, d, desc, buffers)); });
  CHECK(to.difference(want) == n);
  std::vector<std::uint8_t> want_mask = mask_of(desc, kept);
  if (desc.mask == DropoutMask::bits) want_mask.resize((n + 31) / 32 * 4);
  if (desc.mask == DropoutMask::bytes) want_mask.resize(n);
  want_mask.resize(dropout_mask_bytes(desc), 0xcd);  // nothing is written past the count
  CHECK(mask.read<std::uint8_t>() == want_mask);
  if (o.device_rng) {
    const bool moves = desc.rng.advance && desc.training;
    const std::uint64_t moved = moves ? 4 + (dropout_draws(desc) + 3) / 4 * 4 : 0;
    CHECK(state.read<std::uint64_t>() == std::vector<std::uint64_t>{seed, first_word - 4 + moved});
    if (moves && desc.mask == DropoutMask::none) return;
  }

  // The backward call takes the same numbers.
  Matrix<T> gradient(desc, desc.in_pitch, o.shift[0]), back(desc, desc.out_pitch, o.shift[3]);
  for (std::uint64_t i = 0; i < room; ++i) gradient[i] = values[i];
  gradient.upload();
  back.upload();
  const DirtyScratch more_scratch(dropout_backward_scratch(d, desc));
  Matrix<T>& onto = o.in_place ? gradient : back;
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_dropout_backward(cmd, d, desc,
                                           {.gradient = gradient.view(),
                                            .mask = buffers.mask,
                                            .out = onto.view(),
                                            .scratch = more_scratch.get()}));
  });
  CHECK(onto.difference(want_gradient) == n);
}

// Calls f for each type of the device.
template <class F>
void for_types(const Device& d, F&& f) {
  f(Half{});
  if (subset()) return;
  f(float{});
  f(BFloat{});
  if (d.features().float64) f(double{});
}

// Pipelines take long to compile. Of a check that goes through many of them, most runs for one type
// and only a part for the other types.
template <class T>
bool left_out(std::uint64_t turn) {
  return turn % (subset() ? 7 : std::is_same_v<T, Half> ? 1 : 4) != 0;
}

inline const Rng kRng{.seed = 0x123456789abcdef0, .offset = 20, .stream = 5};

}  // namespace vkprims::test::drop
