// Random numbers and dropout past 2^32 bytes, on devices that hold them.
#include "support/large.hpp"

namespace vkprims::test {

using namespace large;

TEST_CASE("large: random numbers past 2^32 bytes, and more than 2^32 trials") {
  if (!holds(2 * kBytes)) return;
  const Device& d = device();
  const Rng rng{.seed = 3, .offset = 4 * ((std::uint64_t{1} << 32) - 100)};
  {
    const auto out = context().allocate<std::uint32_t>(kWords + 1);
    std::uint32_t sums[2];
    for (const std::uint64_t offset : {0, 1}) {
      CAPTURE(offset);
      const auto to = out.slice(offset, kWords);
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_random(cmd, d, {.count = kWords, .rng = rng}, {to.view(), {}}));
      });
      check_samples(out, offset, kWords, [&](std::uint64_t i) { return random_word(rng, i); });
      sums[offset] = sum_of(to.view());
    }
    CHECK(sums[0] == sums[1]);
  }
  RandomDesc desc{.distribution = RandomDistribution::bernoulli, .count = kBytes, .rng = rng};
  const auto words = context().allocate<std::uint32_t>(kBytes / 32 + 1);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_random(cmd, d, desc, {words.view(), {}}));
  });
  check_samples(words, 0, words.size(), [&](std::uint64_t i) {
    std::uint32_t word = 0;
    for (std::uint64_t k = 0; k < 32 && 32 * i + k < kBytes; ++k) {
      word |= random_value<std::uint32_t>(desc, 32 * i + k) << k;
    }
    return word;
  });
  desc.trials = TrialStorage::bytes;
  const auto bytes = context().allocate<std::uint8_t>(kBytes + 1);
  for (const std::uint64_t offset : {0, 1}) {
    CAPTURE(offset);
    run([&](VkCommandBuffer cmd) {
      throw_if_error(record_random(cmd, d, desc, {bytes.slice(offset, kBytes).view(), {}}));
    });
    check_samples(bytes, offset, kBytes,
                  [&](std::uint64_t i) { return random_value<std::uint8_t>(desc, i); });
  }
}

TEST_CASE("large: dropout past 2^32 bytes, and of more than 2^32 elements") {
  if (!holds(4 * kBytes)) return;
  const Device& d = device();
  DropoutDesc desc{
      .count = kWords, .p = 0.5, .rng = {.seed = 5, .offset = 4 * ((std::uint64_t{1} << 32) - 9)}};
  {
    const auto in = context().allocate<std::uint32_t>(kWords + 1),
               out = context().allocate<std::uint32_t>(kWords + 1);
    const auto mask = context().allocate<std::uint32_t>(kWords / 32 + 1);
    write_fill(in.view(), 1.0f);
    desc.mask = DropoutMask::bits;
    for (const std::uint64_t offset : {0, 1}) {
      CAPTURE(offset);
      const auto to = out.slice(offset, kWords);
      run([&](VkCommandBuffer cmd) {
        throw_if_error(
            record_dropout(cmd, d, desc, {.in = in.view(), .out = to.view(), .mask = mask.view()}));
      });
      check_samples(out, offset, kWords,
                    [&](std::uint64_t i) { return dropout_keeps(desc, i) ? 0x40000000u : 0u; });
      check_samples(mask, 0, mask.size(), [&](std::uint64_t w) {
        std::uint32_t word = 0;
        for (std::uint64_t k = 0; k < 32 && 32 * w + k < kWords; ++k) {
          word |= (dropout_keeps(desc, 32 * w + k) ? 1u : 0u) << k;
        }
        return word;
      });
      const std::uint32_t sum = sum_of(to.view());
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_dropout_backward(
            cmd, d, desc, {.gradient = in.view(), .mask = mask.view(), .out = to.view()}));
      });
      CHECK(sum_of(to.view()) == sum);
    }
  }
  desc.type = DropoutType::f16;
  desc.count = kBytes;
  desc.mask = DropoutMask::bytes;
  const auto halves = context().allocate<std::uint16_t>(kBytes);
  const auto bytes = context().allocate<std::uint8_t>(kBytes);
  write_fill(halves.view(), std::uint16_t{0x3c00});  // 1 in half precision
  // The bias is 0, 1, 2 and 3 in turn.
  desc.bias = DropoutBias::row;
  desc.columns = 1001;
  std::vector<std::uint16_t> row(desc.columns);
  for (std::size_t c = 0; c < row.size(); ++c)
    row[c] = std::vector<std::uint16_t>{0, 0x3c00, 0x4000, 0x4200}[c % 4];
  const auto bias = context().upload(row);
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_dropout(
        cmd, d, desc,
        {.in = halves.view(), .bias = bias.view(), .out = halves.view(), .mask = bytes.view()}));
  });
  check_samples(halves, 0, kBytes, [&](std::uint64_t i) {
    constexpr int sums[] = {0x4000, 0x4400, 0x4600, 0x4800};  // 2, 4, 6 and 8
    return dropout_keeps(desc, i) ? sums[i % desc.columns % 4] : 0;
  });
  check_samples(bytes, 0, kBytes, [&](std::uint64_t i) { return dropout_keeps(desc, i) ? 1 : 0; });
}

}  // namespace vkprims::test
