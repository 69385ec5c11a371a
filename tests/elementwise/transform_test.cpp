// Tests of transform.
#include "oracles/transform.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "blocks/tile.hpp"
#include "elementwise/map.hpp"
#include "runtime/push.hpp"
#include "spirv/transform_arithmetic.hpp"
#include "spirv/transform_cast.hpp"
#include "spirv/transform_compare.hpp"
#include "support/spirv_reader.hpp"
#include "support/support.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {
namespace {

template <class T>
std::vector<T> join(std::vector<T> a, const std::vector<T>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

// Returns numbers at which functions of T change their behaviour.
template <class T>
std::vector<T> special_values() {
  using Limits = std::numeric_limits<T>;
  if constexpr (std::is_integral_v<T>) {
    const T low = Limits::lowest(), high = Limits::max();
    return {T(0),  T(1),  T(-1), T(2),       T(31),       T(32), T(33),       T(63),
            T(64), T(65), low,   T(low + 1), T(high - 1), high,  T(high / 2), T(high / 2 + 1)};
  } else {
    const T inf = Limits::infinity(), nan = Limits::quiet_NaN(), tiny = Limits::denorm_min();
    return {T(0),
            -T(0),
            T(1),
            T(-1),
            T(0.5),
            T(-0.75),
            T(1.5),
            inf,
            -inf,
            nan,
            -nan,
            tiny,
            -tiny,
            Limits::min(),
            Limits::min() - tiny,
            Limits::max(),
            Limits::lowest()};
  }
}

// Appends every pair of special values.
template <class T>
void special_pairs(std::vector<T>& a, std::vector<T>& b) {
  const std::vector<T> special = special_values<T>();
  for (const T x : special) {
    for (const T y : special) {
      a.push_back(x);
      b.push_back(y);
    }
  }
}

enum class Operand { none, sequence, host, device };

struct Options {
  const Device* device;
  Operand b = Operand::sequence;
  std::uint64_t shift_a = 0, shift_b = 0, shift_out = 0;  // elements past a multiple of 16 bytes
  bool alpha_on_device = false;
};

template <class Out, class T>
std::vector<Out> transform_on_device(TransformDesc desc, const std::vector<T>& values_a,
                                     const std::vector<T>& values_b, const Options& o) {
  const Device& d = *o.device;
  desc.type = type_of<T>();
  const Guarded a(values_a, o.shift_a * sizeof(T));
  const Guarded b(values_b, o.shift_b * sizeof(T));
  const Guarded alpha(std::vector<T>{T(3)}, sizeof(T));
  const Guarded out(values_a.size() * sizeof(Out), o.shift_out * sizeof(Out));
  if (o.b == Operand::host) desc.scalar = values_b[0];
  if (o.b == Operand::device) desc.scalar = Value::at(b.address());
  if (desc.op == MapOp::scale_add) {
    desc.alpha = o.alpha_on_device ? Value::at(alpha.address()) : Value(T(3));
  }
  const DirtyScratch scratch(transform_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_transform(cmd, d, desc,
                                    {.a = a.view(),
                                     .b = o.b == Operand::sequence ? b.view() : BufferView{},
                                     .out = out.view(),
                                     .scratch = scratch.get()}));
  });
  return out.read<Out>();
}

template <class Out, class T>
std::vector<Out> expected(const TransformDesc& desc, const std::vector<T>& a,
                          const std::vector<T>& b, Operand operand = Operand::sequence) {
  std::vector<Out> out(a.size());
  const auto all = std::span<const T>(b);
  const bool scalar = operand == Operand::host || operand == Operand::device;
  oracle::transform<Out, T>(desc, a, scalar ? all.first(1) : all, out, T(3));
  return out;
}

// Returns "", or describes the first element that is not as expected: its bits differ (any NaN
// equals any other where a function computes), or a quotient of floats is more than 2.5 ulp off.
template <class T>
std::string wrong(MapOp op, const std::vector<T>& result, const std::vector<T>& want) {
  for (std::size_t i = 0; i < want.size(); ++i) {
    bool right = same_bits(result[i], want[i]);
    if constexpr (std::is_floating_point_v<T>) {
      const bool bitwise = op == MapOp::neg || op == MapOp::abs || op == MapOp::cast;
      right = right || (!bitwise && std::isnan(result[i]) && std::isnan(want[i]));
      right = right || (op == MapOp::div &&
                        std::abs(result[i] - want[i]) <=
                            T(2.5) * std::numeric_limits<T>::epsilon() * std::abs(want[i]));
    }
    if (right) continue;
    std::ostringstream text;
    text.precision(17);
    text << "element " << i << " is " << +result[i] << ", expected " << +want[i];
    return text.str();
  }
  return "";
}

// Checks random operands and, where the host's arithmetic and the device's must agree, all special
// ones. Floats that Vulkan lets a device flush are left out.
template <class T>
void check_function(const Device& d, MapOp op) {
  CAPTURE(std::string(name_of(type_of<T>())));
  CAPTURE(std::string(name_of(op)));
  const std::uint64_t n =
      3 * MapCell{sizeof(T), sizeof(T)}.grid(d.state()->tuning, 0).items_per_group + 5;
  std::vector<T> a = random_values<T>(n, 1), b = random_values<T>(n, 2);
  special_pairs(a, b);
  const bool arithmetic = op == MapOp::add || op == MapOp::mul || op == MapOp::sub ||
                          op == MapOp::div || op == MapOp::scale_add;
  if (std::is_floating_point_v<T> && arithmetic) a.resize(n), b.resize(n);
  const bool unary = op == MapOp::neg || op == MapOp::abs || op == MapOp::bit_not;
  const Options o{.device = &d, .b = unary ? Operand::none : Operand::sequence};
  const TransformDesc desc{.type = type_of<T>(), .op = op, .count = a.size()};
  if (op >= MapOp::less && op <= MapOp::greater_equal) {
    CHECK(difference(transform_on_device<std::uint32_t>(desc, a, b, o),
                     expected<std::uint32_t>(desc, a, b)) == "");
  } else {
    CHECK(wrong(op, transform_on_device<T>(desc, a, b, o), expected<T>(desc, a, b)) == "");
  }
}

// Returns numbers around the limits of To, and numbers halfway between neighbours in To.
template <class T, class To>
std::vector<T> values_to_cast() {
  std::vector<T> values = join(special_values<T>(), random_values<T>(3000, 5));
  std::mt19937_64 engine(7);
  if constexpr (std::is_floating_point_v<T>) {
    // These are the ends of f32: the largest number, numbers that round to infinity, and the limits
    // of the normal and the denormal numbers.
    for (const double x : {0x1.fffffep127, 0x1.ffffffp127, 0x1p128, 0x1p-126, 0x1.fffffep-127,
                           0x1.ffffffp-127, 0x1p-149, 0x1p-150}) {
      const T at = static_cast<T>(x);
      for (const T y : {at, std::nextafter(at, T(0)), std::nextafter(at, T(2) * at)}) {
        values.push_back(y);
        values.push_back(-y);
      }
    }
  }
  for (int i = 0; i < 6000; ++i) {
    if constexpr (std::is_integral_v<T>) {
      // These numbers have few digits and lie next to or at a halfway point, at every magnitude.
      const std::uint64_t x = (engine() | std::uint64_t{1} << 63) >> (engine() % 64);
      const int cut = static_cast<int>(engine() % 50);
      values.push_back(static_cast<T>(((x >> cut) << cut) + engine() % 3 - 1));
      values.push_back(static_cast<T>(((x >> cut) << cut) + ((std::uint64_t{1} << cut) >> 1)));
    } else {
      // These numbers have all magnitudes, down to the denormals of f32 and f64.
      const T x = std::ldexp(T(1) + static_cast<T>(engine() % 1024) / T(1024),
                             static_cast<int>(engine() % 2200) - 1100);
      const T near = std::ldexp(static_cast<T>(static_cast<std::uint32_t>(engine())),
                                static_cast<int>(engine() % 70) - 35);
      const T f32 =
          std::ldexp(static_cast<T>(engine() % (1u << 25)), static_cast<int>(engine() % 60) - 170);
      for (const T y : {x, near, f32}) {
        values.push_back(y);
        values.push_back(-y);
      }
    }
  }
  return values;
}

template <class From, class To>
void check_cast(const Device& d) {
  CAPTURE(std::string(name_of(type_of<From>())));
  CAPTURE(std::string(name_of(type_of<To>())));
  const std::vector<From> a = values_to_cast<From, To>();
  const TransformDesc desc{
      .type = type_of<From>(), .op = MapOp::cast, .count = a.size(), .to = type_of<To>()};
  const std::vector<From> none;
  CHECK(wrong(desc.op, transform_on_device<To>(desc, a, none, {.device = &d, .b = Operand::none}),
              expected<To>(desc, a, none)) == "");
}

// Two types and a function. The list has every way in which sizes of operands and results differ.
struct Sizes {
  Type type;
  MapOp op;
  Type to;
  Operand b;
};
constexpr Sizes kSizes[] = {
    {Type::u32, MapOp::sub, Type::u32, Operand::sequence},
    {Type::f64, MapOp::less, Type::u32, Operand::sequence},
    {Type::f32, MapOp::cast, Type::f64, Operand::none},
    {Type::i64, MapOp::cast, Type::f32, Operand::none},
    {Type::f64, MapOp::cast, Type::u64, Operand::none},
};

}  // namespace

TEST_CASE("transform: every function of two elements and of one equals the host's") {
  const Device& d = device(kTinyTiles);
  // One type of each kind has all functions; the others have those that are implemented differently
  // there.
  const std::vector<MapOp> integer = {
      MapOp::add,         MapOp::mul,     MapOp::min, MapOp::max,     MapOp::bit_and,
      MapOp::bit_or,      MapOp::bit_xor, MapOp::sub, MapOp::div,     MapOp::shift_left,
      MapOp::shift_right, MapOp::neg,     MapOp::abs, MapOp::bit_not, MapOp::scale_add};
  const std::vector<MapOp> real = {MapOp::add, MapOp::mul, MapOp::min, MapOp::max,      MapOp::sub,
                                   MapOp::div, MapOp::neg, MapOp::abs, MapOp::scale_add};
  for (const Type type : types()) {
    std::vector<MapOp> ops = integer;
    if (type == Type::f32) ops = real;
    if (type == Type::f64) ops = {MapOp::div, MapOp::max, MapOp::neg, MapOp::abs, MapOp::scale_add};
    if (type == Type::i32 || type == Type::i64 || type == Type::u64) {
      ops = {MapOp::min, MapOp::div, MapOp::shift_left, MapOp::shift_right, MapOp::abs};
    }
    if (subset()) ops = {MapOp::sub, MapOp::div};
    for (const MapOp op : ops) {
      with_type(type, [&](auto zero) { check_function<decltype(zero)>(d, op); });
    }
  }
}

TEST_CASE("transform: comparisons order all types, on every device, and NaN is unordered") {
  const Device& d = device(kTinyTiles);
  using std::int32_t, std::int64_t, std::uint32_t, std::uint64_t;
  if (!subset()) {
    for (const MapOp op : {MapOp::less_equal, MapOp::greater, MapOp::greater_equal}) {
      check_function<float>(d, op);
    }
    check_function<uint32_t>(d, MapOp::less);
    check_function<int32_t>(d, MapOp::greater_equal);
    check_function<uint64_t>(d, MapOp::greater);
    check_function<int64_t>(d, MapOp::less_equal);
    check_function<double>(d, MapOp::equal);
    check_function<float>(d, MapOp::less);
    check_function<float>(d, MapOp::equal);
  }
  check_function<float>(d, MapOp::not_equal);
  check_function<double>(d, MapOp::less);
}

TEST_CASE("transform: casts between all types truncate, saturate and round as on the host") {
  const Device& d = device(kTinyTiles);
  using std::int32_t, std::int64_t, std::uint32_t, std::uint64_t;
  check_cast<double, float>(d);
  check_cast<float, int64_t>(d);
  check_cast<uint64_t, float>(d);
  if (subset()) return;
  check_cast<float, double>(d);
  check_cast<float, uint32_t>(d);
  check_cast<float, int32_t>(d);
  check_cast<float, uint64_t>(d);
  check_cast<double, uint32_t>(d);
  check_cast<double, int32_t>(d);
  check_cast<double, uint64_t>(d);
  check_cast<double, int64_t>(d);
  check_cast<uint32_t, float>(d);
  check_cast<int32_t, float>(d);
  check_cast<int64_t, float>(d);
  check_cast<uint32_t, double>(d);
  check_cast<int32_t, double>(d);
  check_cast<uint64_t, double>(d);
  check_cast<int64_t, double>(d);
  check_cast<uint32_t, int64_t>(d);
  check_cast<int32_t, uint64_t>(d);
  check_cast<uint32_t, int32_t>(d);
  check_cast<int64_t, uint32_t>(d);
  check_cast<uint64_t, int64_t>(d);
  check_cast<float, float>(d);
}

TEST_CASE("transform: around subgroup and tile edges, at every alignment of operands and result") {
  const Device& d = device(kTinyTiles);
  for (const Sizes& sizes : kSizes) {
    if (subset() && sizes.op == MapOp::cast) continue;
    with_type(sizes.type, [&](auto in_zero) {
      with_type(sizes.to, [&](auto out_zero) {
        using T = decltype(in_zero);
        using Out = decltype(out_zero);
        const MapCell cell{sizeof(T), sizeof(Out)};
        const std::uint64_t tile =
            cell.grid(d.state()->tuning, 0).items_per_group + cell.items() - 1;
        for (const std::uint64_t n : edge_counts(tile)) {
          for (std::uint64_t shift = 0; shift < 4 * cell.items(); ++shift) {
            // First all have the same shift; then the others have shifts that differ from the first
            // one's.
            const std::uint64_t k = cell.items();
            const Options o{.device = &d,
                            .b = sizes.b,
                            .shift_a = shift % k,
                            .shift_b = (shift + (shift >= 2 * k)) % k,
                            .shift_out = (shift + shift / k) % k};
            if (n > 1000 && shift % 3 == 1) continue;
            CAPTURE(n);
            CAPTURE(shift);
            const std::vector<T> a = random_values<T>(n, 3), b = random_values<T>(n, 4);
            const TransformDesc desc{
                .type = sizes.type, .op = sizes.op, .count = n, .to = sizes.to};
            CHECK(difference(transform_on_device<Out>(desc, a, b, o), expected<Out>(desc, a, b)) ==
                  "");
          }
        }
      });
    });
  }
}

TEST_CASE("transform: the default tiles, aligned and not, with scalars from host and device") {
  const Device& d = device();
  const std::uint64_t n = 300'007;
  const std::vector<float> a = random_values<float>(n, 8), b = random_values<float>(n, 9);
  for (const Operand operand : {Operand::host, Operand::device, Operand::sequence}) {
    for (const std::uint64_t shift : {0, 1, 2}) {
      const TransformDesc desc{.type = Type::f32, .op = MapOp::scale_add, .count = n};
      const Options o{.device = &d,
                      .b = operand,
                      .shift_a = shift,
                      .shift_b = shift,
                      .shift_out = shift == 2 ? 0 : shift,
                      .alpha_on_device = operand == Operand::device};
      CHECK(wrong(desc.op, transform_on_device<float>(desc, a, b, o),
                  expected<float>(desc, a, b, operand)) == "");
    }
  }
}

TEST_CASE("transform: scale_add rounds the product before it adds") {
  // (1 + e)^2 - (1 + 2 e) is e^2 if the product is not rounded, and 0 if it is.
  const float e = 0x1p-20f;
  const std::vector<float> a(1000, 1 + e);
  const auto in = context().upload(a), out = context().upload(a);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_transform(cmd, device(),
                                    {.type = Type::f32,
                                     .op = MapOp::scale_add,
                                     .count = a.size(),
                                     .scalar = -(1 + 2 * e),
                                     .alpha = 1 + e},
                                    {.a = in.view(), .out = out.view()}));
  });
  CHECK(difference(context().download(out), std::vector<float>(1000, 0)) == "");
}

TEST_CASE("transform: the result may overwrite an operand, or both, at every alignment") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = 3 * tile_bytes(d.state()->tuning) / 4 + 5;
  const std::vector<std::uint32_t> a = random_values<std::uint32_t>(n, 1),
                                   b = random_values<std::uint32_t>(n, 2);
  const TransformDesc desc{.op = MapOp::sub, .count = n};
  for (const std::uint64_t shift : {0, 1}) {
    for (const std::uint64_t shift_b : {0, 1}) {
      const auto check = [&](const Guarded& x, const Guarded& y, const Guarded& out,
                             const std::vector<std::uint32_t>& right) {
        run([&](VkCommandBuffer cmd) {
          throw_if_error(record_transform(cmd, d, desc, {x.view(), y.view(), out.view()}));
        });
        CHECK(difference(out.read<std::uint32_t>(), expected<std::uint32_t>(desc, a, right)) == "");
      };
      const Guarded x(a, 4 * shift), y(b, 4 * shift_b), z(a, 4 * shift);
      check(x, y, x, b);
      check(z, y, y, b);
      check(z, z, z, a);
    }
  }
  // These are a comparison and a cast to another type of the same size.
  const std::vector<float> values = random_values<float>(n, 3);
  const Guarded memory(values, 4);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_transform(
        cmd, d, {.type = Type::f32, .op = MapOp::less, .count = n, .scalar = 0.25f},
        {.a = memory.view(), .out = memory.view()}));
  });
  const TransformDesc less{.type = Type::f32, .op = MapOp::less};
  CHECK(difference(memory.read<std::uint32_t>(),
                   expected<std::uint32_t>(less, values, {0.25f}, Operand::host)) == "");
}

TEST_CASE("transform: the count may be read on the GPU; elements past it stay as they were") {
  const Device& d = device(kTinyTiles);
  // 3,000,000 elements are more than 4,096 tiles, so the grid is computed on the GPU.
  for (const std::uint64_t max : {std::uint64_t{10'000}, std::uint64_t{3'000'000}}) {
    const std::vector<std::uint32_t> a = random_values<std::uint32_t>(max, 2);
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, max / 3, max, max + 77}) {
      if (subset() && n == max) continue;
      CAPTURE(max);
      CAPTURE(n);
      std::vector<std::uint32_t> want(max, 0xcdcdcdcd);
      for (std::uint64_t i = 0; i < std::min(n, max); ++i) want[i] = a[i] + 5;
      const auto narrow = device_count(static_cast<std::uint32_t>(n));
      const auto wide = device_count(n);
      const Count counts[] = {{max, narrow.address()}, {max, wide.address(), CountWidth::u64}};
      for (const Count& count : counts) {
        const Options o{.device = &d, .b = Operand::host, .shift_a = 1, .shift_out = 1};
        CHECK(difference(transform_on_device<std::uint32_t>({.count = count}, a, {5}, o), want) ==
              "");
      }
    }
  }
}

TEST_CASE("transform: more than 65,535 tiles") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t n = (65'535ull + 10) * tile_bytes(d.state()->tuning) / 4 + 3;
  const auto memory = context().upload(random_values<std::uint32_t>(n, 6));
  std::vector<std::uint32_t> want = context().download(memory);
  for (std::uint32_t& x : want) x += 1;
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_transform(cmd, d, {.count = n, .scalar = 1u},
                                    {.a = memory.view(), .out = memory.view()}));
  });
  CHECK(context().download(memory) == want);
}

TEST_CASE("transform: recorded twice in one command buffer, and replayed 100 times") {
  const Device& d = device(kTinyTiles);
  const std::vector<std::uint32_t> values = random_values<std::uint32_t>(3'000'000, 4);
  const auto in = context().upload(values);
  const auto out = context().allocate<std::uint32_t>(values.size() + 2000);
  const auto count = device_count(2000u);
  const TransformDesc desc{.count = {values.size(), count.address()}, .scalar = 3u};
  const DirtyScratch scratch(transform_scratch(d, desc));
  std::vector<std::uint32_t> want(4000);
  for (std::size_t i = 0; i < 4000; ++i) want[i] = values[i % 2000] + 3;
  replay(
      d, [&] { context().write(out, std::vector<std::uint32_t>(4000, 0)); },
      [&](VkCommandBuffer cmd, std::uint64_t i) {
        return record_transform(cmd, d, desc,
                                {.a = in.view(),
                                 .out = out.slice(2000 * i, values.size()).view(),
                                 .scratch = scratch.get()});
      },
      [&] { CHECK(difference(context().download(out, 0, 4000), want) == ""); });
}

TEST_CASE("transform: a step of a Recorder, with a sequence, a scalar, and another type") {
  const std::vector<float> a = random_values<float>(5000, 1), b = random_values<float>(5000, 2);
  const auto x = context().upload(a), y = context().upload(b);
  const auto sum = context().allocate<float>(5000);
  const auto wide = context().allocate<double>(5000);
  const auto positive = context().allocate<std::uint32_t>(5000);
  context().run([&](Recorder& r) {
    transform(r, {.op = MapOp::add}, x, y, sum);
    transform(r, {.op = MapOp::cast}, sum, wide);
    transform(r, {.op = MapOp::greater, .scalar = 0.0}, wide, positive);
  });
  std::vector<double> want(5000);
  std::vector<std::uint32_t> want_positive(5000);
  for (std::size_t i = 0; i < 5000; ++i) {
    want[i] = double(a[i] + b[i]);
    want_positive[i] = want[i] > 0;
  }
  CHECK(difference(context().download(wide), want) == "");
  CHECK(difference(context().download(positive), want_positive) == "");
}

TEST_CASE("transform: a type that the device lacks is refused, but can be compared and cast") {
  check_refused_types([](VkCommandBuffer cmd, const Device& narrow, Type type) {
    return record_transform(cmd, narrow, {.type = type, .op = MapOp::neg}, {});
  });
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.enabled.int64 = info.enabled.int64_atomics = info.enabled.float64 = false;
  Device narrow;
  throw_if_error(create_device(info, limits(), narrow));
  observe(narrow);
  check_function<double>(narrow, MapOp::less);
  check_cast<std::uint64_t, float>(narrow);
  for (const Spirv* spirv :
       {&vkprims::spirv::transform_compare_w64, &vkprims::spirv::transform_cast_w32_w64,
        &vkprims::spirv::transform_cast_w64_w32, &vkprims::spirv::transform_cast_w64_w64}) {
    constexpr std::uint32_t kFloat64 = 10, kInt64 = 11;
    const SpirvReader module(*spirv);
    CHECK(module.capabilities.count(kFloat64) == 0);
    CHECK(module.capabilities.count(kInt64) == 0);
  }
}

TEST_CASE("transform: smoke" * doctest::test_suite("smoke")) {
  const std::vector<std::uint32_t> a = random_values<std::uint32_t>(77, 1),
                                   b = random_values<std::uint32_t>(77, 2);
  const TransformDesc desc{.op = MapOp::max, .count = 77};
  CHECK(difference(transform_on_device<std::uint32_t>(desc, a, b, {.device = &device()}),
                   expected<std::uint32_t>(desc, a, b)) == "");
}

}  // namespace vkprims::test
