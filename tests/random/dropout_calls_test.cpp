// How dropout is called: replays, warm-up, sizes of scratch and masks, and wrong input.
#include "random/dropout_check.hpp"
#include "support/wrong_input.hpp"

namespace vkprims::test {

using namespace drop;

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
  // Consecutive calls are independent: apart from the zero tail, as many bits agree as chance
  // predicts.
  const double tail = 99 * 8, sure = static_cast<double>(bits) - tail;
  CHECK(std::abs(static_cast<double>(agree) - tail - sure / 2) < 5 * std::sqrt(sure) / 2);
}

TEST_CASE("dropout: threshold, probability and scale") {
  CHECK(dropout_threshold({.p = 0.5}) == 0x80000000u);
  CHECK(dropout_threshold({.p = 0.1}) == 429496730u);  // p is the double 0.1, not 0.1f
  CHECK(dropout_threshold({.p = 1 - 1e-15}) == 0xffffffffu);
  CHECK(dropout_threshold({.p = 0.1, .draw = DropoutDraw::bits16}) == 6554u);
  CHECK(dropout_probability({.p = 0.1, .draw = DropoutDraw::bits16}) == 6554.0 / 65536);
  CHECK(dropout_scale({.p = 0.1, .draw = DropoutDraw::bits16}) == 65536.0 / (65536 - 6554));
  CHECK(dropout_scale({.p = 0.75}) == 4);
  CHECK(dropout_scale({.p = 0.75, .training = false}) == 1);
  CHECK(dropout_scale({.p = 1}) == 0);
  CHECK(dropout_scale({.p = 1, .alpha = true}) == 0);
  CHECK(dropout_scale({.p = 1, .training = false}) == 1);
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
  throw_if_error(create_device(info, limits(), d));
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
  throw_if_error(create_device(info, limits(), narrow));
  expect_error(Status::unsupported, {"f64", "float64"}, [&](VkCommandBuffer cmd) {
    DropoutDesc desc = good;
    desc.type = DropoutType::f64;
    return record_dropout(cmd, narrow, desc, buffers);
  });
}

}  // namespace vkprims::test
