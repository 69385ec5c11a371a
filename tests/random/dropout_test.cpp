// Dropout of all types, masks and layouts against the oracle.
#include "random/dropout_check.hpp"

namespace vkprims::test {

using namespace drop;

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
  const DropoutDesc desc{
      .count = 0, .mask = DropoutMask::bits, .bias = DropoutBias::row, .columns = 4};
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
  // Some draws are equal to the threshold: the largest word of 32 bits, and some words of 16 bits.
  const Rng largest{.seed = 1, .offset = 4 * std::uint64_t{1'711'450'034}};
  const DropoutDesc one{.count = 9, .p = 1 - 1e-13, .mask = DropoutMask::bits, .rng = largest};
  CHECK(dropout_keeps(one, 0));
  CHECK_FALSE(dropout_keeps(one, 1));
  check<float>(one);
  check<float>({.count = 300000, .p = 1 - 1e-13, .rng = kRng, .draw = DropoutDraw::bits16});
  // Word numbers carry into the upper half, between the strips of subgroups and inside a strip.
  for (const std::uint64_t offset : {std::uint64_t{4} << 32, (std::uint64_t{4} << 32) - 1044,
                                     (std::uint64_t{4} << 32) - 4, ~std::uint64_t{0} - 8191}) {
    const Rng rng{.seed = 3, .offset = offset, .stream = ~std::uint64_t{0}};
    check<float>({.count = n, .p = 0.25, .rng = rng});
    check<float>({.count = n, .p = 0.25, .rng = rng, .draw = DropoutDraw::bits16});
  }
}

TEST_CASE("dropout: block numbers that carry") {
  Rng rng = kRng;
  rng.offset = (std::uint64_t{1} << 34) - 4 * 300;  // 300 blocks of four words before a carry
  for (const DropoutDraw draw : {DropoutDraw::bits32, DropoutDraw::bits16}) {
    check<float>({.count = 5003, .p = 0.3, .mask = DropoutMask::bits, .rng = rng, .draw = draw});
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
        const std::uint64_t shift = 1 + turn % 7;
        if (paired(turn / 2)) {
          check<T>(desc, {.residual = turn % 2 == 0});
          check<T>(desc,
                   {.residual = turn % 2 == 1, .shift = {shift, 2 * shift, 0, 3 * shift, shift}});
        }
        if (paired(turn / 2 + 1)) {
          check<T>(desc,
                   {.residual = true, .in_place = turn % 4 == 0, .onto_residual = turn % 4 == 1});
          check<T>(desc, {.in_place = true, .shift = {shift, 0, 0, shift, 2}});
        }
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
  context().run(
      [&](Recorder& r) { dropout(r, {.p = 0.3, .rng = {.seed = 1}, .alpha = true}, in, out); });
  double sum = 0, squares = 0;
  for (const float x : context().download(out)) sum += x, squares += double(x) * x;
  CHECK(std::abs(sum / static_cast<double>(n)) < 5 / 256.0);  // five standard deviations
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

TEST_CASE("dropout: buffers say what their elements and masks are") {
  const std::uint64_t n = 100;
  const auto half = context().upload(std::vector<std::uint16_t>(n, 0x3c00));  // 1 as f16
  const auto whole = context().upload(std::vector<double>(n, 1.0));
  const auto half_out = context().allocate<std::uint16_t>(n);
  const auto whole_out = context().allocate<double>(n);
  const auto words = context().allocate<std::uint32_t>(4);
  const auto bytes = context().allocate<std::uint8_t>(n);
  const DropoutDesc desc{.type = DropoutType::f16, .rng = {.seed = 5}};
  context().run([&](Recorder& r) {
    dropout(r, desc, half, half_out, {.mask = bytes});
    if (device().features().float64) dropout(r, desc, whole, whole_out, {.mask = words});
  });
  const auto kept = context().download(bytes);
  const auto doubled = context().download(half_out);
  for (std::uint64_t i = 0; i < n; ++i) {
    CHECK(kept[i] == (dropout_keeps(desc, i) ? 1 : 0));
    CHECK(doubled[i] == (kept[i] ? 0x4000 : 0));
  }
  if (device().features().float64) {
    const auto bits = context().download(words);
    const auto scaled = context().download(whole_out);
    for (std::uint64_t i = 0; i < n; ++i) {
      CHECK((bits[i / 32] >> i % 32 & 1) == kept[i]);
      CHECK(scaled[i] == (kept[i] ? 2.0 : 0.0));
    }
  }
  CHECK_THROWS_WITH_AS(context().run([&](Recorder& r) { dropout(r, {}, half, half_out); }),
                       "dropout: type must say whether 16 bits are f16 or bf16", Error);
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
    dropout(r, {.rng = Rng{.seed = 8}}, in, whole);
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

TEST_CASE("dropout: smoke" * doctest::test_suite("smoke")) {
  check<float>({.count = 700, .p = 0.3, .mask = DropoutMask::bits, .rng = kRng});
}

TEST_CASE("dropout: halves round alike where the device does it and where the kernel does") {
  DeviceInfo info = device().state()->info;
  Device own;
  throw_if_error(create_device(info, limits(), own));
  own.state()->rounds_halves = false;
  std::vector<std::uint16_t> halves(65536);
  for (std::uint32_t i = 0; i < 65536; ++i) halves[i] = static_cast<std::uint16_t>(i);
  const Guarded in(halves), out(131072), other(131072);
  // These scales make ties, subnormal halves and overflow.
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

}  // namespace vkprims::test
