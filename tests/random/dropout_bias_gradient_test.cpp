// The gradient of a bias that all rows share.
#include "random/dropout_check.hpp"

namespace vkprims::test {

using namespace drop;

namespace {

// Compares the column sums of the output with sums in long double.
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
  out.difference(std::vector<T>(count));  // This call reads the memory.
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

}  // namespace vkprims::test
