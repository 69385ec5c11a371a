#include "oracles/dropout.hpp"

#include <cmath>
#include <limits>

#include "device_state.hpp"
#include "support.hpp"
#include "wrong_input.hpp"

namespace vkprims::test {
namespace {

using oracle::BFloat;
using oracle::Half;

struct Options {
  const Device* device = &test::device();
  bool residual = false;
  bool in_place = false;       // out is in
  bool onto_residual = false;  // out is the residual
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

// Numbers of all kinds; of floats and doubles none that a device may take for 0.
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

// Equal to the bit, but for the payload of NaN.
template <class T>
bool same(T a, T b) {
  return same_bits(a, b) || (std::isnan(oracle::real_of(a)) && std::isnan(oracle::real_of(b)));
}

// A matrix in memory with gaps of 0xCD.
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
  // The first element that differs from what is expected, n if none does. Others must be as they were.
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

// What was kept, as the mask has it.
std::vector<std::uint8_t> mask_of(const DropoutDesc& desc, const std::vector<bool>& kept) {
  std::vector<std::uint8_t> mask(dropout_mask_bytes(desc), 0);
  for (std::uint64_t i = 0; i < kept.size() && desc.mask != DropoutMask::none; ++i) {
    if (desc.mask == DropoutMask::bytes) mask[i] = kept[i];
    if (desc.mask == DropoutMask::bits && kept[i]) {
      mask[i / 8] = static_cast<std::uint8_t>(mask[i / 8] | 1 << i % 8);
    }
  }
  return mask;
}

// Forward, then backward by the mask.
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
    desc.rng.seed = 99;  // those of the state count
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
  want_mask.resize(dropout_mask_bytes(desc), 0xcd);  // past the count nothing is written
  CHECK(mask.read<std::uint8_t>() == want_mask);
  if (o.device_rng) {
    const bool moves = desc.rng.advance && desc.training;
    const std::uint64_t moved = moves ? 4 + (dropout_draws(desc) + 3) / 4 * 4 : 0;
    CHECK(state.read<std::uint64_t>() == std::vector<std::uint64_t>{seed, first_word - 4 + moved});
    if (moves && desc.mask == DropoutMask::none) return;
  }

  // Backward, of the same numbers.
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

// For each type of the device.
template <class F>
void for_types(const Device& d, F&& f) {
  f(Half{});
  if (subset()) return;
  f(float{});
  f(BFloat{});
  if (d.features().float64) f(double{});
}

// Pipelines take long to compile: of what goes through many of them, most is run for one type, some for the others.
template <class T>
bool left_out(std::uint64_t turn) {
  return turn % (subset() ? 5 : std::is_same_v<T, Half> ? 1 : 4) != 0;
}

const Rng kRng{.seed = 0x123456789abcdef0, .offset = 20, .stream = 5};

}  // namespace

TEST_CASE("dropout: all sizes up to 130, and around tiles, with every mask") {
  std::vector<std::uint64_t> sizes;
  for (std::uint64_t n = 0; n <= 130; n += subset() ? 13 : 1) sizes.push_back(n);
  for (const std::uint64_t n : {255, 256, 257, 4095, 4096, 4097, 20000}) sizes.push_back(n);
  for_types(device(), [&]<class T>(T) {
    for (const std::uint64_t n : sizes) {
      for (const DropoutMask mask : {DropoutMask::none, DropoutMask::bits, DropoutMask::bytes}) {
        check<T>({.count = n, .p = 0.3, .mask = mask, .rng = kRng});
      }
    }
  });
  if (!subset()) return;
  check<float>({.count = 3001, .p = 0.3, .mask = DropoutMask::bits, .rng = kRng});
  if (device().features().float64) check<double>({.count = 3001, .p = 0.3, .rng = kRng});
}

TEST_CASE("dropout: of nothing, views may be none") {
  const DropoutDesc desc{.mask = DropoutMask::bits, .bias = DropoutBias::row, .columns = 4};
  run([&](VkCommandBuffer cmd) { throw_if_error(record_dropout(cmd, device(), desc, {})); });
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_dropout_backward(cmd, device(), desc, {}));
  });
}

TEST_CASE("dropout: sizes around powers of two, workgroups of any size") {
  for (const std::uint32_t workgroup : {128, 256, 512, 1024}) {
    if (workgroup > device().state()->largest_workgroup) continue;
    const Device& d = device({.workgroup_size = workgroup});
    for (std::uint64_t power = 256; power <= 131072; power *= subset() ? 8 : 2) {
      for (const std::uint64_t n : {power - 1, power + 1}) {
        check<Half>({.count = n, .p = 0.6, .mask = DropoutMask::bits, .rng = kRng}, {.device = &d});
      }
    }
  }
}

TEST_CASE("dropout: probabilities at the edges, all numbers of bits and rounds") {
  const std::uint64_t n = 5003;
  const double all[] = {0, 1, 0.5, 0x1p-32, 1e-12, 0.9, 1 - 0x1p-24, 1 - 1e-13, 0.1};
  for (const DropoutDraw draw : {DropoutDraw::bits32, DropoutDraw::bits16}) {
    for (const double p : all) {
      for (const DropoutMask mask : {DropoutMask::none, DropoutMask::bits}) {
        const PhiloxRounds rounds = p == 0.1 ? PhiloxRounds::seven : PhiloxRounds::ten;
        Rng rng = kRng;
        rng.rounds = rounds;
        check<float>({.count = n, .p = p, .mask = mask, .rng = rng, .draw = draw});
        if (!subset()) check<Half>({.count = n, .p = p, .mask = mask, .rng = rng, .draw = draw});
      }
    }
  }
  for (const DropoutMask mask : {DropoutMask::none, DropoutMask::bits, DropoutMask::bytes}) {
    check<float>({.count = n, .p = 0.5, .training = false, .mask = mask});
    check<Half>({.count = n, .p = 1, .training = false, .mask = mask});
  }
  // Draws that are equal to the threshold: the largest word of 32 bits, and some of 16.
  const Rng largest{.seed = 1, .offset = 4 * std::uint64_t{1'711'450'034}};
  const DropoutDesc one{.count = 9, .p = 1 - 1e-13, .mask = DropoutMask::bits, .rng = largest};
  CHECK(dropout_keeps(one, 0));
  CHECK_FALSE(dropout_keeps(one, 1));
  check<float>(one);
  check<float>({.count = 300000, .p = 1 - 1e-13, .rng = kRng, .draw = DropoutDraw::bits16});
  // Numbers of words carry into the upper half.
  for (const std::uint64_t offset :
       {std::uint64_t{4} << 32, (std::uint64_t{4} << 32) - 1024, ~std::uint64_t{0} - 8191}) {
    check<float>(
        {.count = n, .p = 0.25, .rng = {.seed = 3, .offset = offset, .stream = ~std::uint64_t{0}}});
  }
}

TEST_CASE("dropout: bias and residual, in place, views that begin at any element") {
  for_types(device(), [&]<class T>(T) {
    std::uint64_t turn = 0;
    for (const std::uint32_t columns : {1, 3, 8, 24, 1000, 4999}) {
      for (const DropoutBias bias : {DropoutBias::none, DropoutBias::row, DropoutBias::full}) {
        ++turn;
        if (left_out<T>(turn)) continue;
        const DropoutDesc desc{.count = 9001,
                               .p = 0.2,
                               .mask = DropoutMask(turn % 3),
                               .rng = kRng,
                               .bias = bias,
                               .columns = columns};
        check<T>(desc, {.residual = turn % 2 == 0});
        check<T>(desc,
                 {.residual = true, .in_place = turn % 4 == 0, .onto_residual = turn % 4 == 1});
        const std::uint64_t shift = 1 + turn % 7;
        check<T>(desc,
                 {.residual = turn % 2 == 1, .shift = {shift, 2 * shift, 0, 3 * shift, shift}});
        check<T>(desc, {.in_place = true, .shift = {shift, 0, 0, shift, 2}});
      }
    }
  });
}

TEST_CASE("dropout: rows with gaps have the masks of rows without") {
  for_types(device(), [&]<class T>(T) {
    std::uint32_t turn = 0;
    for (const std::uint32_t columns : {1, 3, 32, 40, 1001}) {
      for (const std::uint32_t gap : {0, 1, 8, 16}) {
        ++turn;
        if (left_out<T>(turn)) continue;
        check<T>({.count = 7 * std::uint64_t{columns} + columns / 2,
                  .p = 0.4,
                  .mask = DropoutMask(turn % 3),
                  .rng = kRng,
                  .bias = DropoutBias(turn % 3),
                  .columns = columns,
                  .in_pitch = columns + gap,
                  .out_pitch = columns + (turn % 2 ? gap : 8),
                  .bias_pitch = turn % 4 ? 0 : columns + 3,
                  .residual_pitch = columns + 24},
                 {.residual = turn % 2 == 0, .shift = {turn % 5 ? 0 : 1u, 0, 0, 0, 0}});
        check<T>({.count = 100 * std::uint64_t{columns} + 1,
                  .p = 0.4,
                  .rng = kRng,
                  .columns = columns,
                  .in_pitch = columns + gap,
                  .out_pitch = columns + gap},
                 {.in_place = true});
      }
    }
  });
}

TEST_CASE("dropout: whole channels, and alpha dropout") {
  for_types(device(), [&]<class T>(T) {
    for (const std::uint32_t run : {1, 2, 5, 31, 32, 49, 5000}) {
      for (const DropoutDraw draw : {DropoutDraw::bits32, DropoutDraw::bits16}) {
        if (left_out<T>(run + static_cast<std::uint32_t>(draw))) continue;
        check<T>({.count = 6007,
                  .p = 0.5,
                  .mask = DropoutMask(run % 3),
                  .rng = kRng,
                  .draw = draw,
                  .run = run,
                  .alpha = run % 2 == 1});
      }
    }
    for (const double p : {0.0, 0.1, 1.0}) check<T>({.count = 1000, .p = p, .alpha = true});
    check<T>({.count = 1000, .p = 0.3, .training = false, .alpha = true});
  });
}

TEST_CASE("dropout: alpha dropout keeps mean and variance") {
  const std::uint64_t n = 1 << 16;
  std::mt19937 engine(4);
  std::normal_distribution<float> normal;
  std::vector<float> values(n);
  for (float& x : values) x = normal(engine);
  const auto in = context().upload(values);
  const auto out = context().allocate<float>(n);
  context().run([&](Recorder& r) {
    dropout(r, {.p = 0.3, .rng = {.seed = 1}, .alpha = true}, {.in = in.view(), .out = out.view()});
  });
  double sum = 0, squares = 0;
  for (const float x : context().download(out)) sum += x, squares += double(x) * x;
  CHECK(std::abs(sum / static_cast<double>(n)) < 5 / 256.0);  // standard deviations
  CHECK(std::abs(squares / static_cast<double>(n) - 1) < 0.05);
}

TEST_CASE("dropout: counts on the device, seed and offset on the device") {
  const std::uint64_t room = 40000;
  for (const std::uint64_t count :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{4097}, room, ~std::uint64_t{1}}) {
    check<Half>({.count = room, .p = 0.3, .mask = DropoutMask::bits, .rng = kRng},
                {.device_count = count});
    check<float>({.count = room, .p = 0.3, .rng = kRng}, {.device_count = count});
  }
  const std::uint64_t large = std::uint64_t{4097} * 32 * device().state()->tuning.workgroup_size;
  check<Half>({.count = large, .p = 0.3, .rng = kRng}, {.device_count = 77});  // an indirect grid
  for (const bool advance : {false, true}) {
    for (const DropoutMask mask : {DropoutMask::none, DropoutMask::bits}) {
      for (const DropoutDraw draw : {DropoutDraw::bits32, DropoutDraw::bits16}) {
        Rng rng = kRng;
        rng.advance = advance;
        check<float>({.count = 1001, .p = 0.3, .mask = mask, .rng = rng, .draw = draw},
                     {.device_rng = true});
        check<float>({.count = 1001, .training = false, .mask = mask, .rng = rng, .draw = draw},
                     {.device_rng = true});
      }
    }
  }
}

TEST_CASE("dropout: a part of a sequence draws what the whole does") {
  const std::uint64_t n = 10000, at = 3336;
  const std::vector<float> ones(n, 1.0f);
  const auto in = context().upload(ones);
  const auto whole = context().allocate<float>(n), parts = context().allocate<float>(n);
  const auto view = [](const Buffer<float>& b, std::uint64_t begin, std::uint64_t end) {
    return BufferView{b.address() + 4 * begin, 4 * (end - begin)};
  };
  RngState rng(8);
  context().run([&](Recorder& r) {
    dropout(r, {.rng = Rng{.seed = 8}}, {.in = in.view(), .out = whole.view()});
    for (const auto& [begin, end] : {std::pair{std::uint64_t{0}, at}, {at, n}}) {
      DropoutDesc desc{.count = end - begin};
      desc.rng = rng.take(dropout_draws(desc));
      r.commands([&](VkCommandBuffer cmd) {
        throw_if_error(record_dropout(
            cmd, r.device(), desc, {.in = view(in, begin, end), .out = view(parts, begin, end)}));
      });
    }
  });
  CHECK(difference(context().download(parts), context().download(whole)) == "");
}

TEST_CASE("dropout: halves round alike where the device does it and where the kernel does") {
  DeviceInfo info = device().state()->info;
  Device own;
  throw_if_error(Device::create(info, own));
  own.state()->rounds_halves = false;
  std::vector<std::uint16_t> halves(65536);
  for (std::uint32_t i = 0; i < 65536; ++i) halves[i] = static_cast<std::uint16_t>(i);
  const Guarded in(halves), out(131072), other(131072);
  // Scales that make ties, subnormal halves and overflow.
  for (const double p : {0.0, 0.3, 0.5, 1.0 / 3, 0.999}) {
    const DropoutDesc desc{.type = DropoutType::f16, .count = 65536, .p = p, .rng = kRng};
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_dropout(cmd, device(), desc, {.in = in.view(), .out = out.view()}));
    });
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_dropout(cmd, own, desc, {.in = in.view(), .out = other.view()}));
    });
    const std::vector<Half> got = out.read<Half>(), same_way = other.read<Half>();
    std::uint64_t wrong = 0, differ = 0;
    for (std::uint32_t i = 0; i < 65536; ++i) {
      const Half want = oracle::dropout<Half>(desc, oracle::dropout_keeps(desc, i), Half{halves[i]},
                                              nullptr, nullptr);
      wrong += !same(got[i], want);
      differ += !same(same_way[i], want);
    }
    CHECK(wrong == 0);
    CHECK(differ == 0);
  }
}

namespace {

// The sums of columns of out, against sums in long doubles.
template <class T>
void check_bias_gradient(std::uint64_t count, std::uint32_t columns, std::uint32_t pitch = 0,
                         std::uint64_t device_n = ~std::uint64_t{0}) {
  CAPTURE(count);
  CAPTURE(columns);
  DropoutDesc desc{.type = dropout_type<T>(),
                   .count = count,
                   .p = 0.4,
                   .rng = kRng,
                   .bias = DropoutBias::row,
                   .columns = columns,
                   .out_pitch = pitch};
  const auto n_on_device = device_count<std::uint64_t>(device_n);
  const std::uint64_t n = std::min(count, device_n);
  if (device_n != ~std::uint64_t{0}) desc.count = {count, n_on_device.address(), CountWidth::u64};
  Matrix<T> in(desc, 0, 0), out(desc, pitch, 1);
  std::mt19937 engine(columns);
  for (std::uint64_t i = 0; i < count; ++i) {
    oracle::round_to(in[i], static_cast<decltype(oracle::real_of(T{}))>(
                                static_cast<std::int32_t>(engine()) * 0x1p-31));
  }
  in.upload();
  out.upload();
  const Guarded sums(columns * sizeof(T), sizeof(T));
  const DirtyScratch scratch(dropout_backward_scratch(device(), desc));
  std::vector<T> first;
  for (int i = 0; i < 2; ++i) {
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_dropout_backward(cmd, device(), desc,
                                             {.gradient = in.view(),
                                              .out = out.view(),
                                              .bias_gradient = sums.view(),
                                              .scratch = scratch.get()}));
    });
    if (i == 0) first = sums.read<T>();
  }
  CHECK(same_bits(first, sums.read<T>()));
  out.difference(std::vector<T>(count));  // reads
  std::vector<long double> want(columns), magnitudes(columns);
  for (std::uint64_t i = 0; i < n; ++i) {
    want[i % columns] += oracle::real_of(out[i]);
    magnitudes[i % columns] += std::fabs(oracle::real_of(out[i]));
  }
  const double rows = static_cast<double>((count + columns - 1) / columns);
  const double unit = sizeof(T) == 8 ? 0x1p-53 : 0x1p-24;
  const double last = sizeof(T) >= 4 ? unit : std::is_same_v<T, Half> ? 0x1p-11 : 0x1p-8;
  for (std::uint32_t c = 0; c < columns; ++c) {
    const long double error =
        std::fabs(want[c] - static_cast<long double>(oracle::real_of(first[c])));
    CHECK(error <=
          unit * (rows / 1024 + 2048) * magnitudes[c] + last * std::fabs(want[c]) + 0x1p-24);
  }
}

}  // namespace

TEST_CASE("dropout: gradient of the bias of all rows") {
  for_types(device(), [&]<class T>(T) {
    for (const std::uint32_t columns : {1, 2, 7, 64, 129, 1000}) {
      for (const std::uint64_t rows : {0, 1, 255, 256, 257, 700}) {
        if (subset() && rows != 257) continue;
        check_bias_gradient<T>(rows * columns, columns);
        check_bias_gradient<T>(rows * columns + columns / 2, columns, columns + 5);
      }
    }
    check_bias_gradient<T>(300000, 3);
    check_bias_gradient<T>(100000, 77, 0, 50001);
    check_bias_gradient<T>(100000, 77, 0, 0);
  });
}

TEST_CASE("dropout: replayed, a state on the device draws new numbers each time") {
  const std::uint64_t n = 3000;
  DropoutDesc desc{.count = n, .p = 0.5, .mask = DropoutMask::bits};
  const Guarded in(std::vector<float>(n, 1.0f)), out(4 * n), mask(dropout_mask_bytes(desc)),
      again(4 * n);
  const Guarded state(std::vector<std::uint64_t>{77, 0});
  desc.rng.state = state.address();
  std::uint64_t offset = 0, agree = 0, bits = 0;
  std::vector<std::uint32_t> last;
  replay(
      device(), [] {},
      [&](VkCommandBuffer cmd, int i) {
        if (i == 0) {
          return record_dropout(cmd, device(), desc,
                                {.in = in.view(), .out = out.view(), .mask = mask.view()});
        }
        return record_dropout_backward(
            cmd, device(), desc, {.gradient = in.view(), .mask = mask.view(), .out = again.view()});
      },
      [&] {
        DropoutDesc host = desc;
        host.rng = {.seed = 77, .offset = offset};
        offset += 3000;
        std::vector<float> want(n);
        for (std::uint64_t i = 0; i < n; ++i)
          want[i] = oracle::dropout_keeps(host, i) ? 2.0f : 0.0f;
        CHECK(difference(out.read<float>(), want) == "");
        CHECK(difference(again.read<float>(), want) == "");
        const std::vector<std::uint32_t> words = mask.read<std::uint32_t>();
        for (std::uint64_t i = 0; i < last.size(); ++i) {
          agree += static_cast<std::uint64_t>(std::popcount(~(words[i] ^ last[i])));
          bits += 32;
        }
        last = words;
      });
  // Calls one after the other are independent: as many bits agree as chance has it, the zero tail apart.
  const double tail = 99 * 8, sure = static_cast<double>(bits) - tail;
  CHECK(std::abs(static_cast<double>(agree) - tail - sure / 2) < 5 * std::sqrt(sure) / 2);
}

TEST_CASE("dropout: threshold, probability and scale") {
  CHECK(dropout_threshold({.p = 0.5}) == 0x80000000u);
  CHECK(dropout_threshold({.p = 0.1}) == 429496730u);  // of the double, not of 0.1f
  CHECK(dropout_threshold({.p = 1 - 1e-15}) == 0xffffffffu);
  CHECK(dropout_threshold({.p = 0.1, .draw = DropoutDraw::bits16}) == 6554u);
  CHECK(dropout_probability({.p = 0.1, .draw = DropoutDraw::bits16}) == 6554.0 / 65536);
  CHECK(dropout_scale({.p = 0.1, .draw = DropoutDraw::bits16}) == 65536.0 / (65536 - 6554));
  CHECK(dropout_scale({.p = 0.75}) == 4);
  CHECK(dropout_scale({.p = 0.75, .training = false}) == 1);
  CHECK(dropout_draws({.count = 9}) == 9);
  CHECK(dropout_draws({.count = 9, .draw = DropoutDraw::bits16}) == 5);
  CHECK(dropout_draws({.count = 9, .run = 4}) == 3);
  CHECK(dropout_draws({.count = 9, .training = false}) == 0);
  CHECK(dropout_mask_bytes({.count = 33, .mask = DropoutMask::bits}) == 8);
  CHECK(dropout_mask_bytes({.count = 33, .mask = DropoutMask::bytes}) == 33);
}

TEST_CASE("dropout: warm_up compiles all that is used") {
  DeviceInfo info = device().state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(Device::create(info, d));
  const Guarded in(4000), out(4000), mask(1000), state(16);
  for (const DropoutMask kind : {DropoutMask::bits, DropoutMask::bytes}) {
    const DropoutDesc desc{.count = 900,
                           .mask = kind,
                           .rng = {.state = state.address()},
                           .bias = DropoutBias::row,
                           .columns = 30};
    const DirtyScratch scratch(dropout_backward_scratch(d, desc));
    const auto forward = [&](VkCommandBuffer cmd) {
      return record_dropout(
          cmd, d, desc,
          {.in = in.view(), .bias = in.view(), .out = out.view(), .mask = mask.view()});
    };
    const auto backward = [&](VkCommandBuffer cmd) {
      return record_dropout_backward(cmd, d, desc,
                                     {.gradient = out.view(),
                                      .mask = mask.view(),
                                      .out = out.view(),
                                      .bias_gradient = in.view(),
                                      .scratch = scratch.get()});
    };
    expect_error(Status::not_warmed, {"warm_up"}, forward);
    expect_error(Status::not_warmed, {"warm_up"}, backward);
    throw_if_error(warm_up(d, desc));
    run([&](VkCommandBuffer cmd) { throw_if_error(forward(cmd)); });
    run([&](VkCommandBuffer cmd) { throw_if_error(backward(cmd)); });
  }
}

TEST_CASE("dropout: scratch grows with the count") {
  for (const std::uint32_t columns : {1, 1000}) {
    for (const DropoutBias bias : {DropoutBias::none, DropoutBias::row}) {
      VkDeviceSize last = 0;
      for (std::uint64_t n = 1; n <= std::uint64_t{1} << 31; n *= 2) {
        const VkDeviceSize bytes =
            dropout_backward_scratch(device(), {.count = {n, 8}, .bias = bias, .columns = columns})
                .bytes;
        CHECK(bytes >= last);
        last = bytes;
      }
    }
  }
  CHECK(dropout_scratch(device(), {.count = kMaxCount}).bytes == 0);
  CHECK(dropout_scratch(device(), {.count = {kMaxCount, 8}}).bytes == 16);
  CHECK(dropout_scratch(device(), {.count = {kMaxCount + 1, 8}}).bytes == 0);
  CHECK(dropout_backward_scratch(Device(), {.count = 100, .bias = DropoutBias::row, .columns = 4})
            .bytes == 0);
}

TEST_CASE("dropout: wrong input is refused") {
  const Guarded in(4096), out(4096), mask(1024), bias(4096), residual(4096);
  const DropoutDesc good{
      .count = 1000, .mask = DropoutMask::bits, .bias = DropoutBias::row, .columns = 100};
  const DropoutBuffers buffers{.in = in.view(),
                               .bias = bias.view(),
                               .residual = residual.view(),
                               .out = out.view(),
                               .mask = mask.view()};
  const WrongInput<DropoutDesc, DropoutBuffers> forward(device(), record_dropout, good, buffers);
  forward.anywhere();
  for (const double p : {-0.1, 1.1, std::nan(""), std::numeric_limits<double>::infinity()}) {
    forward.desc({"dropout: p is", "0 … 1"}, [&](DropoutDesc& x) { x.p = p; });
  }
  forward.desc({"type is 4"}, [](DropoutDesc& x) { x.type = DropoutType(4); });
  forward.desc({"mask is 3"}, [](DropoutDesc& x) { x.mask = DropoutMask(3); });
  forward.desc({"draw is 2"}, [](DropoutDesc& x) { x.draw = DropoutDraw(2); });
  forward.desc({"bias is 3"}, [](DropoutDesc& x) { x.bias = DropoutBias(3); });
  forward.desc({"rng.offset is 2", "multiple of 4"}, [](DropoutDesc& x) { x.rng.offset = 2; });
  forward.desc({"rng.rounds is 8"}, [](DropoutDesc& x) { x.rng.rounds = PhiloxRounds(8); });
  forward.desc({"rng.state", "multiple of 8"}, [](DropoutDesc& x) { x.rng.state = 0x1004; });
  forward.desc({"columns is 0"}, [](DropoutDesc& x) { x.columns = 0; });
  forward.desc({"columns is 2147483648"}, [](DropoutDesc& x) { x.columns = 1u << 31; });
  forward.desc({"run is 0"}, [](DropoutDesc& x) { x.run = 0; });
  forward.desc({"out_pitch is 99", "100"}, [](DropoutDesc& x) { x.out_pitch = 99; });
  forward.desc({"rows"}, [](DropoutDesc& x) { x.count = std::uint64_t{1} << 34, x.columns = 1; });
  forward.desc({"runs"}, [](DropoutDesc& x) { x.count = std::uint64_t{1} << 34, x.run = 2; });
  forward.desc({"alpha", "bias"}, [](DropoutDesc& x) { x.alpha = true; });
  forward.desc({"mask is given"}, [](DropoutDesc& x) { x.mask = DropoutMask::none; });
  forward.desc({"bias is given"}, [](DropoutDesc& x) { x.bias = DropoutBias::none; });
  forward.buffers({"mask is not given"}, [](DropoutBuffers& x) { x.mask = {}; });
  forward.buffers({"bias is not given"}, [](DropoutBuffers& x) { x.bias = {}; });
  forward.both(
      {"alpha", "residual"}, [](DropoutDesc& x) { x.alpha = true, x.bias = DropoutBias::none; },
      [](DropoutBuffers& x) { x.bias = {}; });
  forward.buffers({"in.bytes"}, [](DropoutBuffers& x) { x.in.bytes = 3999; });
  forward.buffers({"out.bytes"}, [](DropoutBuffers& x) { x.out.bytes = 3999; });
  forward.buffers({"residual.bytes"}, [](DropoutBuffers& x) { x.residual.bytes = 3999; });
  forward.buffers({"bias.bytes"}, [](DropoutBuffers& x) { x.bias.bytes = 399; });
  forward.buffers({"mask.bytes"}, [](DropoutBuffers& x) { x.mask.bytes = 127; });
  forward.buffers({"mask.address"}, [](DropoutBuffers& x) { x.mask.address += 2; });
  forward.buffers({"in", "out", "overlap"},
                  [](DropoutBuffers& x) { x.out.address = x.in.address + 4; });
  forward.buffers({"bias", "out", "overlap"}, [](DropoutBuffers& x) { x.bias = x.out; });
  forward.both(
      {"in", "out", "overlap"}, [](DropoutDesc& x) { x.out_pitch = 101; },
      [](DropoutBuffers& x) { x.out = x.in; });
  const DropoutBackwardBuffers back{.gradient = in.view(), .mask = mask.view(), .out = out.view()};
  DropoutDesc none = good;
  none.bias = DropoutBias::none;
  const WrongInput<DropoutDesc, DropoutBackwardBuffers> backward(device(), record_dropout_backward,
                                                                 none, back);
  backward.anywhere();
  backward.buffers({"gradient.bytes"}, [](DropoutBackwardBuffers& x) { x.gradient.bytes = 3999; });
  backward.buffers({"mask is not given"}, [](DropoutBackwardBuffers& x) { x.mask = {}; });
  backward.buffers({"bias_gradient", "bias"},
                   [&](DropoutBackwardBuffers& x) { x.bias_gradient = bias.view(); });
  backward.both(
      {"scratch"}, [](DropoutDesc& x) { x.bias = DropoutBias::row; },
      [&](DropoutBackwardBuffers& x) { x.bias_gradient = bias.view(); });
  DeviceInfo info = device().state()->info;
  info.enabled.float64 = false;
  Device narrow;
  throw_if_error(Device::create(info, narrow));
  expect_error(Status::unsupported, {"f64", "float64"}, [&](VkCommandBuffer cmd) {
    DropoutDesc desc = good;
    desc.type = DropoutType::f64;
    return record_dropout(cmd, narrow, desc, buffers);
  });
}

}  // namespace vkprims::test
