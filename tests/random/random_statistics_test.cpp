// Tests whether the numbers are random, by statistics of the host's values, which are those of the
// device. A score is the distance from the expected value in standard deviations; a correct
// generator exceeds 5 with probability 6e-7 each. As the seeds are fixed, a test passes always or
// never.
#include <array>
#include <bit>
#include <cmath>

#include "oracles/random.hpp"
#include "support/support.hpp"

namespace vkprims::test {
namespace {

using enum RandomDistribution;
constexpr std::uint64_t kSeed = 20'261'122;

// Returns words 0 … n - 1.
std::vector<std::uint32_t> words_of(const Rng& rng, std::uint64_t n) {
  oracle::WordStream stream(rng);
  std::vector<std::uint32_t> words(n);
  for (std::uint32_t& word : words) word = stream.next();
  return words;
}

std::uint64_t ones_in(const std::vector<std::uint32_t>& words) {
  std::uint64_t ones = 0;
  for (const std::uint32_t word : words) ones += static_cast<std::uint64_t>(std::popcount(word));
  return ones;
}

// The score of `ones` ones among n independent bits that are one with probability p.
double score(double ones, double n, double p) {
  return (ones - n * p) / std::sqrt(n * p * (1 - p));
}

// The score of a chi-square value with k degrees of freedom, after E. Wilson, M. Hilferty, "The
// distribution of chi-square" (1931).
double chi_square_score(double chi_square, double k) {
  return (std::cbrt(chi_square / k) - (1 - 2 / (9 * k))) / std::sqrt(2 / (9 * k));
}

// The score of counts whose expected values are `expected`. Neighbouring bins are merged until at
// least 5 are expected.
double chi_square_score(const std::vector<double>& counts, const std::vector<double>& expected) {
  double chi_square = 0, count = 0, want = 0, left = 0, bins = 0;
  for (const double x : expected) left += x;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    count += counts[i];
    want += expected[i];
    left -= expected[i];
    if (i + 1 < counts.size() && (want < 5 || left < 5)) continue;
    chi_square += (count - want) * (count - want) / want;
    bins += 1;
    count = want = 0;
  }
  return chi_square_score(chi_square, bins - 1);
}

// Returns P(k ones of n) for k = 0 … n.
std::vector<double> binomial(int n, double p) {
  std::vector<double> result;
  for (int k = 0; k <= n; ++k) {
    const double choose = std::lgamma(n + 1) - std::lgamma(k + 1) - std::lgamma(n - k + 1);
    result.push_back(std::exp(choose + k * std::log(p) + (n - k) * std::log1p(-p)));
  }
  return result;
}

bool bit_of(const std::vector<std::uint32_t>& words, std::uint64_t i) {
  return words[i / 32] >> i % 32 & 1;
}

// Returns the words whose bit i is bit i + lag of `words`, as many as are complete.
std::vector<std::uint32_t> shifted(const std::vector<std::uint32_t>& words, std::uint64_t lag) {
  std::vector<std::uint32_t> result(words.size() - lag / 32 - 1);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const std::uint64_t both = words[i + lag / 32] | std::uint64_t{words[i + lag / 32 + 1]} << 32;
    result[i] = static_cast<std::uint32_t>(both >> lag % 32);
  }
  return result;
}

// The score of the number of places where the bits of a and b agree. p is the probability of a one.
double agreement_score(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b,
                       double p) {
  std::uint64_t same = 0;
  const std::size_t n = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < n; ++i) {
    same += static_cast<std::uint64_t>(std::popcount(~(a[i] ^ b[i])));
  }
  // If a is b shifted, pairs are not independent: the variance includes that of pairs (x, y), (y,
  // z).
  const double q = p * p + (1 - p) * (1 - p);
  const double variance = q * (1 - q) + 2 * (p * p * p + (1 - p) * (1 - p) * (1 - p) - q * q);
  return (static_cast<double>(same) - 32.0 * n * q) / std::sqrt(32.0 * n * variance);
}

// Checks what holds for independent bits that are one with probability p.
void check_bits(const std::vector<std::uint32_t>& words, double p) {
  const double n = static_cast<double>(words.size()), bits = 32 * n;
  const double ones = static_cast<double>(ones_in(words));
  CHECK(std::abs(score(ones, bits, p)) < 5);

  std::array<std::uint64_t, 32> at_place{};
  std::vector<double> popcounts(33), expected = binomial(32, p);
  for (const std::uint32_t word : words) {
    for (int place = 0; place < 32; ++place) at_place[place] += word >> place & 1;
    popcounts[std::popcount(word)] += 1;
  }
  for (int place = 0; place < 32; ++place) {
    CAPTURE(place);
    CHECK(std::abs(score(static_cast<double>(at_place[place]), n, p)) < 5);
  }
  for (double& x : expected) x *= n;
  CHECK(std::abs(chi_square_score(popcounts, expected)) < 5);

  // Sums the squares of the scores of the ones in every 4,096 bits.
  double chi_square = 0;
  for (std::size_t i = 0; i + 128 <= words.size(); i += 128) {
    double count = 0;
    for (std::size_t k = 0; k < 128; ++k) count += std::popcount(words[i + k]);
    chi_square += std::pow(score(count, 4096, p), 2);
  }
  CHECK(std::abs(chi_square_score(chi_square, std::floor(n / 128))) < 5);

  // The number of runs of equal bits (Wald and Wolfowitz) is one more than the number of changes.
  const std::vector<std::uint32_t> next = shifted(words, 1);
  double runs = 1;
  for (std::size_t i = 0; i < next.size(); ++i) runs += std::popcount(words[i] ^ next[i]);
  for (std::uint64_t i = 32 * next.size(); i + 1 < 32 * words.size(); ++i) {
    runs += bit_of(words, i) != bit_of(words, i + 1);
  }
  const double mean = 2 * ones * (bits - ones) / bits + 1;
  CHECK(std::abs(runs - mean) / std::sqrt((mean - 1) * (mean - 2) / (bits - 1)) < 5);

  for (const std::uint64_t lag : {1, 2, 3, 4, 8, 16, 32, 64, 128, 256, 768, 1024, 4096}) {
    CAPTURE(lag);
    CHECK(std::abs(agreement_score(words, shifted(words, lag), p)) < 5);
  }
}

std::vector<std::uint32_t> trials_of(RandomDesc desc, std::uint64_t n) {
  desc.distribution = bernoulli;
  const std::vector<std::uint8_t> bytes = oracle::random(desc, n);
  std::vector<std::uint32_t> words(bytes.size() / 4);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  return words;
}

std::uint64_t trials() { return subset() ? 1 << 20 : 1 << 25; }

template <class T>
std::vector<T> values_of(RandomDesc desc, std::uint64_t n) {
  desc.rng.seed = kSeed;
  desc.type = type_of<T>();
  std::vector<T> values(n);
  for (std::uint64_t i = 0; i < n; ++i) values[i] = random_value<T>(desc, i);
  return values;
}

// Returns the largest distance between the distribution of `values` and `cdf`, times the square
// root of the number of values. This is not a score: it is below 2.3 with probability 1 - 5e-5
// (Kolmogorov and Smirnov).
template <class T, class F>
double kolmogorov_smirnov(std::vector<T> values, F&& cdf) {
  std::sort(values.begin(), values.end());
  const double n = static_cast<double>(values.size());
  double distance = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double x = cdf(static_cast<double>(values[i])), at = static_cast<double>(i);
    distance = std::max({distance, x - at / n, (at + 1) / n - x});
  }
  return distance * std::sqrt(n);
}

// The score of the sum of x^power. Its expectations for `power` and for 2 * power are given.
template <class T>
double moment_score(const std::vector<T>& values, int power, double expected, double of_square) {
  double sum = 0;
  for (const T x : values) sum += std::pow(static_cast<double>(x), power);
  const double n = static_cast<double>(values.size());
  return (sum - n * expected) / std::sqrt(n * (of_square - expected * expected));
}

// The score of the sum of products of values at distance `lag`. The values have mean 0 and variance
// 1.
double correlation_score(const std::vector<double>& values, std::size_t lag) {
  double sum = 0;
  for (std::size_t i = lag; i < values.size(); ++i) sum += values[i] * values[i - lag];
  return sum / std::sqrt(static_cast<double>(values.size() - lag));
}

}  // namespace

TEST_CASE(
    "random: bits are balanced, at each place, in words, blocks and runs, and do not correlate") {
  const std::uint64_t n = subset() ? 1 << 17 : 1 << 21;  // 2^26 bits in a full run
  for (const PhiloxRounds rounds : {PhiloxRounds::ten, PhiloxRounds::seven}) {
    check_bits(words_of({.seed = kSeed, .rounds = rounds}, n), 0.5);
  }
}

TEST_CASE("random: streams of neighbouring seeds, streams and offsets agree by chance only") {
  const std::uint64_t n = subset() ? 1 << 16 : 1 << 20;
  const auto words = words_of({.seed = kSeed}, n);
  const std::uint64_t one_bit_less = kSeed & (kSeed - 1), high = std::uint64_t{1} << 32;
  for (const Rng& other : {Rng{.seed = kSeed + 1}, Rng{.seed = one_bit_less},
                           Rng{.seed = kSeed + high}, Rng{.seed = kSeed, .stream = 1},
                           Rng{.seed = kSeed, .stream = high}, Rng{.seed = kSeed, .offset = 4},
                           Rng{.seed = kSeed, .offset = 4 * high}, Rng{.seed = ~kSeed}}) {
    CHECK(std::abs(agreement_score(words, words_of(other, n), 0.5)) < 5);
  }
}

TEST_CASE("random: consecutive calls of RngState are independent") {
  // Some calls take less than a block: a generator that hands out too few words would repeat some.
  for (const std::uint64_t n : {1, 3, 5, 100}) {
    RngState state(kSeed);
    std::vector<std::uint32_t> first, second;
    for (std::uint64_t words = 0; words < 100'000; words += n) {
      for (std::vector<std::uint32_t>* calls : {&first, &second}) {
        const RandomDesc desc{.count = n};
        const Rng rng = state.take(random_draws(desc));
        for (std::uint64_t i = 0; i < n; ++i) calls->push_back(random_word(rng, i));
      }
    }
    CAPTURE(n);
    CHECK(std::abs(agreement_score(first, second, 0.5)) < 5);
    first.erase(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(n));
    CHECK(std::abs(agreement_score(first, second, 0.5)) < 5);
  }
}

TEST_CASE("random: Bernoulli trials of any probability and draw") {
  for (const std::uint32_t draw_bits : {32, 16}) {
    std::vector<std::uint32_t> less;
    for (const double p : {0.1, 0.5, 0.9}) {
      CAPTURE(p);
      CAPTURE(draw_bits);
      const RandomDesc desc{.rng = {.seed = kSeed}, .probability = p, .draw_bits = draw_bits};
      const auto words = trials_of(desc, trials());
      check_bits(words, random_probability(desc));
      // The ones of a lower probability are a subset of the ones of a higher probability.
      for (std::size_t i = 0; i < less.size(); ++i) less[i] &= ~words[i];
      CHECK(ones_in(less) == 0);
      less = words;
    }
    CHECK(ones_in(trials_of({.probability = 0, .draw_bits = draw_bits}, trials())) == 0);
    CHECK(ones_in(trials_of({.probability = 1, .draw_bits = draw_bits}, trials())) == trials());
  }
}

TEST_CASE("random: uniform numbers: moments, distribution, every integer") {
  const std::uint64_t n = subset() ? 1 << 16 : 1 << 20;
  const auto check_unit = [&](const auto& values) {
    for (int power = 1; power <= 4; ++power) {
      CHECK(std::abs(moment_score(values, power, 1.0 / (power + 1), 1.0 / (2 * power + 1))) < 5);
    }
    CHECK(kolmogorov_smirnov(values, [](double x) { return x; }) < 2.3);
    CHECK(*std::max_element(values.begin(), values.end()) < 1);
  };
  check_unit(values_of<float>({.distribution = uniform}, n));
  check_unit(values_of<double>({.distribution = uniform}, n));
  for (const double range : {2.0, 7.0, 1000.0}) {
    std::vector<double> counts(static_cast<std::size_t>(range));
    const std::vector<double> expected(counts.size(), static_cast<double>(n) / range);
    for (const std::int32_t x :
         values_of<std::int32_t>({.distribution = uniform, .lower = -1, .upper = range - 1}, n)) {
      counts.at(static_cast<std::size_t>(x + 1)) += 1;
    }
    CHECK(std::abs(chi_square_score(counts, expected)) < 5);
  }
}

TEST_CASE("random: normal numbers: moments, distribution, tails, pairs") {
  const std::uint64_t n = subset() ? 1 << 17 : 1 << 21;
  const auto floats = values_of<float>({.distribution = normal}, n);
  const std::vector<double> z(floats.begin(), floats.end());
  const double moments[] = {1, 0, 1, 0, 3, 0, 15, 0, 105, 0, 945, 0, 10395};
  for (int power = 1; power <= 6; ++power) {
    CAPTURE(power);
    CHECK(std::abs(moment_score(z, power, moments[power], moments[2 * power])) < 5);
  }
  const auto cdf = [](double x) { return std::erfc(-x / std::sqrt(2.0)) / 2; };
  CHECK(kolmogorov_smirnov(z, cdf) < 2.3);
  // The bins are 1/8 wide, from -5 to 5, with one more at each end for values beyond.
  std::vector<double> counts(82), expected(82);
  for (const double x : z) {
    counts[static_cast<std::size_t>(std::clamp(std::floor(8 * x) + 41, 0.0, 81.0))] += 1;
  }
  for (int i = 0; i < 82; ++i) {
    const double below = i == 0 ? 0 : cdf((i - 41) / 8.0),
                 up_to = i == 81 ? 1 : cdf((i - 40) / 8.0);
    expected[i] = static_cast<double>(n) * (up_to - below);
  }
  CHECK(std::abs(chi_square_score(counts, expected)) < 5);
  for (const double tail : {2.0, 3.0, 4.0}) {
    const auto beyond =
        std::count_if(z.begin(), z.end(), [&](double x) { return std::abs(x) > tail; });
    CHECK(std::abs(score(static_cast<double>(beyond), static_cast<double>(n), 2 * cdf(-tail))) < 5);
  }
  // The two numbers of a pair are uncorrelated, and so are their squares and those of other pairs.
  std::vector<double> squares(z);
  for (double& x : squares) x = (x * x - 1) / std::sqrt(2.0);
  for (const std::size_t lag : {1, 2, 3, 4, 8, 64}) {
    CAPTURE(lag);
    CHECK(std::abs(correlation_score(z, lag)) < 5);
    CHECK(std::abs(correlation_score(squares, lag)) < 5);
  }
}

}  // namespace vkprims::test
