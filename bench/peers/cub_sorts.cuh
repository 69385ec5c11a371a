// What CUB takes to sort.
#pragma once

#include "cub_orders.cuh"

namespace {

enum class SortKeys {
  random,
  entropy_54,
  entropy_20,
  ascending,
  descending,
  constant,
  distinct_16,
  distinct_256,
  zipf
};

__device__ inline u32 sort_word(SortKeys kind, std::uint64_t i) {
  const u32 x = mix_bits(i);
  switch (kind) {
    case SortKeys::entropy_54:
      return x & mix_bits(i + (std::uint64_t{1} << 40)) & mix_bits(i + (std::uint64_t{2} << 40));
    case SortKeys::entropy_20:
      return x & mix_bits(i + (std::uint64_t{1} << 40)) & mix_bits(i + (std::uint64_t{2} << 40)) &
             mix_bits(i + (std::uint64_t{3} << 40)) & mix_bits(i + (std::uint64_t{4} << 40));
    case SortKeys::ascending:
      return static_cast<u32>(16 * i);
    case SortKeys::descending:
      return ~static_cast<u32>(16 * i);
    case SortKeys::constant:
      return 0;
    case SortKeys::distinct_16:
      return (x & 15) * 0x9e3779b1u;
    case SortKeys::distinct_256:
      return (x & 255) * 0x9e3779b1u;
    case SortKeys::zipf: {
      const u32 one = 1u << ((x >> 8) % 28);
      return (one | (mix_bits(i + (std::uint64_t{1} << 40)) & (one - 1))) * 0x9e3779b1u;
    }
    default:
      return x;
  }
}

__global__ void make_sort_keys(u32* out, std::size_t words, SortKeys kind) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < words;
       i += std::size_t{gridDim.x} * blockDim.x) {
    out[i] = sort_word(kind, i);
  }
}

// Keys from one array to another, as the rows of vkprims-bench have it.
template <class Key>
Result measure_sort_keys(const char* name, std::size_t n, SortKeys kind) {
  const Array<Key> in(n), out(n);
  make_sort_keys<<<1024, 256>>>(reinterpret_cast<u32*>(in.data), n * sizeof(Key) / 4, kind);
  CHECK(cudaGetLastError());
  const Result result =
      measure_cub(name, n, 2.0 * sizeof(Key) * n, [&](void* temporary, std::size_t& bytes) {
        return cub::DeviceRadixSort::SortKeys(temporary, bytes, in.data, out.data, n);
      });
  if (n <= kLargestChecked) {
    const auto got = download(out.data, n);
    check(std::is_sorted(got.begin(), got.end()), result.name, 0);
  }
  return result;
}

template <class Key, class Value>
Result measure_sort_pairs(const char* name, std::size_t n) {
  const Array<Key> in(n), out(n);
  const Array<Value> values_in(n), values_out(n);
  make_sort_keys<<<1024, 256>>>(reinterpret_cast<u32*>(in.data), n * sizeof(Key) / 4,
                                SortKeys::random);
  CHECK(cudaGetLastError());
  const double bytes_each = 2.0 * (sizeof(Key) + sizeof(Value));
  return measure_cub(name, n, bytes_each * n, [&](void* temporary, std::size_t& bytes) {
    return cub::DeviceRadixSort::SortPairs(temporary, bytes, in.data, out.data, values_in.data,
                                           values_out.data, n);
  });
}

// Orders of an application's own, as the rows of vkprims-bench have them.
struct Less {
  __host__ __device__ bool operator()(u32 a, u32 b) const { return a < b; }
};

struct Particle {
  u32 cell, depth, id, tag;
};

struct CellThenDepth {
  __host__ __device__ bool operator()(const Particle& a, const Particle& b) const {
    return a.cell != b.cell ? a.cell < b.cell : a.depth > b.depth;
  }
};

template <class Key, class Before>
Result measure_merge_sort(const char* name, std::size_t n, Before before) {
  const Array<Key> in(n), out(n);
  make_sort_keys<<<1024, 256>>>(reinterpret_cast<u32*>(in.data), n * sizeof(Key) / 4,
                                SortKeys::random);
  CHECK(cudaGetLastError());
  const Result result =
      measure_cub(name, n, 2.0 * sizeof(Key) * n, [&](void* temporary, std::size_t& bytes) {
        return cub::DeviceMergeSort::StableSortKeysCopy(temporary, bytes, in.data, out.data, n,
                                                        before);
      });
  if (n <= kLargestChecked) {
    const auto got = download(out.data, n);
    check(std::is_sorted(got.begin(), got.end(), before), result.name, 0);
  }
  return result;
}

inline Result measure_merge_sort_pairs(const char* name, std::size_t n) {
  const Array<u32> in(n), out(n), values_in(n), values_out(n);
  make_sort_keys<<<1024, 256>>>(in.data, n, SortKeys::random);
  CHECK(cudaGetLastError());
  return measure_cub(name, n, 16.0 * n, [&](void* temporary, std::size_t& bytes) {
    return cub::DeviceMergeSort::SortPairsCopy(temporary, bytes, in.data, values_in.data, out.data,
                                               values_out.data, n, Less());
  });
}

}  // namespace
