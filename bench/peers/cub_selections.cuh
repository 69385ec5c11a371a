// CUB's selections, and its operations on runs of equal keys and on segments.
#pragma once

#include "measure.cuh"

namespace {

using u32 = std::uint32_t;

// Keys in runs: bench/data.hpp makes the same.
__device__ u32 mix_bits(std::uint64_t i) {
  u32 x = static_cast<u32>(i) * 0x9e3779b1u + static_cast<u32>(i >> 32) * 0x85ebca6bu + 0x27d4eb2fu;
  x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  x = (x ^ (x >> 12)) * 0x297a2d39u;
  return x ^ (x >> 15);
}

__device__ u32 run_key(std::uint64_t i) {
  const std::uint64_t block = i / 256;
  u32 heads = 0;
  for (std::uint64_t group = 8 * block; 32 * group <= i; ++group) {
    const std::uint64_t seed = 4 * group + (std::uint64_t{1} << 40);
    u32 mask = mix_bits(seed) & mix_bits(seed + 1) & mix_bits(seed + 2) & mix_bits(seed + 3);
    if (i / 32 == group) mask &= ~0u >> (31 - i % 32);
    heads += __popc(mask);
  }
  return static_cast<u32>(256 * block) + heads;
}

// scale 1: runs of about 16; 16: of about 256.
__global__ void make_runs(u32* out, std::size_t n, u32 scale) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    out[i] = run_key(i / scale);
  }
}

__global__ void make_flags(std::uint8_t* out, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    out[i] = mix_bits(i) & 1;
  }
}

enum class Keys { random, runs_of_16, runs_of_256, one_run };

const char* name_of(Keys keys) {
  constexpr const char* names[] = {"random", "runs_of_16", "runs_of_256", "one_run"};
  return names[static_cast<int>(keys)];
}

double share_of_heads(Keys keys) {
  constexpr double shares[] = {1, 1.0 / 16, 1.0 / 256, 0};
  return shares[static_cast<int>(keys)];
}

void make_keys(u32* out, std::size_t n, Keys keys) {
  if (keys == Keys::random) make_input<<<1024, 256>>>(out, n);
  if (keys == Keys::runs_of_16) make_runs<<<1024, 256>>>(out, n, 1);
  if (keys == Keys::runs_of_256) make_runs<<<1024, 256>>>(out, n, 16);
  if (keys == Keys::one_run) CHECK(cudaMemset(out, 0, n * sizeof(u32)));
  CHECK(cudaGetLastError());
}

// call(temporary, bytes): CUB's two-phase interface.
template <class Call>
Result measure_cub(const std::string& name, std::size_t n, double bytes, Call&& call) {
  std::size_t temporary_bytes = 0;
  CHECK(call(nullptr, temporary_bytes));
  const Array<char> temporary(temporary_bytes);
  return measure(name, n, static_cast<std::size_t>(bytes),
                 [&] { CHECK(call(static_cast<void*>(temporary.data), temporary_bytes)); });
}

struct Below {
  u32 limit;
  __device__ bool operator()(u32 x) const { return x < limit; }
};

Result measure_select(std::size_t n, u32 percent) {
  const Array<u32> in(n), out(n);
  const Array<std::uint64_t> count(1);
  make_keys(in.data, n, Keys::random);
  const Below below{static_cast<u32>(std::uint64_t{0xffffffff} * percent / 100)};
  const Result result =
      measure_cub("cub/select_u32_" + std::to_string(percent) + "_percent", n,
                  4.0 * n * (1 + percent / 100.0), [&](void* t, std::size_t& b) {
                    return cub::DeviceSelect::If(t, b, in.data, out.data, count.data, n, below);
                  });
  if (n <= kLargestChecked) {
    std::vector<u32> want;
    for (const u32 x : download(in.data, n)) {
      if (x < below.limit) want.push_back(x);
    }
    check(download(count.data, 1)[0] == want.size() && download(out.data, want.size()) == want,
          result.name, 0);
  }
  return result;
}

Result measure_select_flagged(std::size_t n) {
  const Array<u32> in(n), out(n);
  const Array<std::uint8_t> flags(n);
  const Array<std::uint64_t> count(1);
  make_keys(in.data, n, Keys::random);
  make_flags<<<1024, 256>>>(flags.data, n);
  return measure_cub("cub/select_u32_by_bytes", n, 7.0 * n, [&](void* t, std::size_t& b) {
    return cub::DeviceSelect::Flagged(t, b, in.data, flags.data, out.data, count.data, n);
  });
}

Result measure_partition(std::size_t n) {
  const Array<u32> in(n), out(n);
  const Array<std::uint64_t> count(1);
  make_keys(in.data, n, Keys::random);
  return measure_cub("cub/partition_u32_50_percent", n, 8.0 * n, [&](void* t, std::size_t& b) {
    return cub::DevicePartition::If(t, b, in.data, out.data, count.data, n, Below{1u << 31});
  });
}

Result measure_unique(std::size_t n, Keys keys) {
  const Array<u32> in(n), out(n);
  const Array<std::uint64_t> count(1);
  make_keys(in.data, n, keys);
  return measure_cub(std::string("cub/unique_u32_") + name_of(keys), n,
                     4.0 * n * (1 + share_of_heads(keys)), [&](void* t, std::size_t& b) {
                       return cub::DeviceSelect::Unique(t, b, in.data, out.data, count.data, n);
                     });
}

Result measure_run_length_encode(std::size_t n, Keys keys) {
  const Array<u32> in(n), out(n), lengths(n);
  const Array<std::uint64_t> count(1);
  make_keys(in.data, n, keys);
  return measure_cub(std::string("cub/run_length_encode_u32_") + name_of(keys), n,
                     4.0 * n * (1 + 2 * share_of_heads(keys)), [&](void* t, std::size_t& b) {
                       return cub::DeviceRunLengthEncode::Encode(t, b, in.data, out.data,
                                                                 lengths.data, count.data,
                                                                 static_cast<std::int64_t>(n));
                     });
}

Result measure_reduce_by_key(std::size_t n, Keys keys) {
  const Array<u32> in(n), values(n), out(n), sums(n);
  const Array<std::uint64_t> count(1);
  make_keys(in.data, n, keys);
  make_keys(values.data, n, Keys::random);
  return measure_cub(std::string("cub/reduce_by_key_u32_") + name_of(keys), n,
                     8.0 * n * (1 + share_of_heads(keys)), [&](void* t, std::size_t& b) {
                       return cub::DeviceReduce::ReduceByKey(
                           t, b, in.data, out.data, values.data, sums.data, count.data,
                           cuda::std::plus<>{}, static_cast<std::int64_t>(n));
                     });
}

Result measure_scan_by_key(std::size_t n, Keys keys) {
  const Array<u32> in(n), values(n), out(n);
  make_keys(in.data, n, keys);
  make_keys(values.data, n, Keys::random);
  return measure_cub(std::string("cub/scan_by_key_u32_") + name_of(keys), n, 12.0 * n,
                     [&](void* t, std::size_t& b) {
                       return cub::DeviceScan::ExclusiveSumByKey(
                           t, b, in.data, values.data, out.data, static_cast<std::int64_t>(n));
                     });
}

struct IsHead {
  const u32* keys;
  __device__ bool operator()(u32 i) const { return i == 0 || keys[i] != keys[i - 1]; }
};

// Segments that begin where keys in runs of about 16 change.
Result measure_segmented_reduce(std::size_t n) {
  const Array<u32> keys(n), values(n), heads(n + 1), sums(n);
  const Array<std::uint64_t> count(1);
  make_keys(keys.data, n, Keys::runs_of_16);
  make_keys(values.data, n, Keys::random);
  const thrust::counting_iterator<u32> numbers(0);
  const IsHead is_head{keys.data};
  std::size_t bytes = 0;
  CHECK(cub::DeviceSelect::If(nullptr, bytes, numbers, heads.data, count.data, n, is_head));
  const Array<char> temporary(bytes);
  CHECK(cub::DeviceSelect::If(temporary.data, bytes, numbers, heads.data, count.data, n, is_head));
  const std::uint64_t segments = download(count.data, 1)[0];
  const u32 end = static_cast<u32>(n);
  CHECK(cudaMemcpy(heads.data + segments, &end, 4, cudaMemcpyHostToDevice));
  return measure_cub("cub/segmented_reduce_u32_mean_16", n, 4.0 * n + 8.0 * segments,
                     [&](void* t, std::size_t& b) {
                       return cub::DeviceSegmentedReduce::Sum(t, b, values.data, sums.data,
                                                              static_cast<std::int64_t>(segments),
                                                              heads.data, heads.data + 1);
                     });
}

template <class Sample>
Result measure_histogram(const std::string& variant, std::size_t n, int bins, bool constant) {
  const Array<Sample> in(n);
  const Array<u32> counts(bins);
  make_input<<<1024, 256>>>(in.data, n);
  if (constant) CHECK(cudaMemset(in.data, 7, n * sizeof(Sample)));
  CHECK(cudaGetLastError());
  const double levels = sizeof(Sample) == 1 ? 256.0 : 4294967296.0;
  return measure_cub("cub/histogram_" + variant, n, 1.0 * n * sizeof(Sample) + 4.0 * bins,
                     [&](void* t, std::size_t& b) {
                       return cub::DeviceHistogram::HistogramEven(t, b, in.data, counts.data,
                                                                  bins + 1, 0.0, levels,
                                                                  static_cast<std::int64_t>(n));
                     });
}

}  // namespace
