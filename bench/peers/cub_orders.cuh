// What CUB and Thrust take to merge, to search, to gather and to scatter.
#pragma once

#include <thrust/binary_search.h>
#include <thrust/execution_policy.h>
#include <thrust/gather.h>
#include <thrust/scatter.h>

#include "cub_selections.cuh"

namespace {

// Ascending over the range of 32 bits: bench/data.hpp makes the same.
__global__ void make_ascending(u32* out, std::size_t n, std::uint64_t seed) {
  const std::uint64_t step = (std::uint64_t{1} << 32) / n;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    out[i] = static_cast<u32>(i * step + mix_bits(i + seed) % step);
  }
}

// A permutation of n = 2^k numbers: bench/permutation.hpp makes the same.
__global__ void make_permutation(u32* out, std::size_t n) {
  const int bits = 63 - __clzll(n);
  for (std::uint64_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    std::uint64_t x = i;
    for (const std::uint64_t factor : {0x9e3779b97f4a7c15u, 0xd1342543de82ef95u}) {
      x = (x * factor + 0x5851f42d4c957f2du) & (n - 1);
      x ^= x >> (bits / 2 + 1);
    }
    out[i] = static_cast<u32>(x);
  }
}

Result measure_merge(std::size_t n) {
  const std::size_t half = n / 2;
  const Array<u32> a(half), b(half), out(n);
  make_ascending<<<1024, 256>>>(a.data, half, 0);
  make_ascending<<<1024, 256>>>(b.data, half, 1 << 20);
  CHECK(cudaGetLastError());
  const Result result =
      measure_cub("cub/merge_u32", n, 8.0 * n, [&](void* temporary, std::size_t& bytes) {
        return cub::DeviceMerge::MergeKeys(temporary, bytes, a.data, half, b.data, half, out.data);
      });
  if (n <= kLargestChecked) {
    const auto got = download(out.data, n);
    check(std::is_sorted(got.begin(), got.end()), result.name, 0);
  }
  return result;
}

Result measure_search(std::size_t n, bool sorted) {
  const Array<u32> haystack(n), needles(n), out(n);
  make_ascending<<<1024, 256>>>(haystack.data, n, 0);
  if (sorted) {
    make_ascending<<<1024, 256>>>(needles.data, n, 1 << 20);
  } else {
    make_input<<<1024, 256>>>(needles.data, n);
  }
  CHECK(cudaGetLastError());
  const std::string name =
      sorted ? "thrust/lower_bound_u32_sorted" : "thrust/lower_bound_u32_random";
  return measure(name, n, 12 * n, [&] {
    thrust::lower_bound(thrust::cuda::par_nosync, haystack.data, haystack.data + n, needles.data,
                        needles.data + n, out.data);
  });
}

Result measure_gather(std::size_t n) {
  const Array<u32> in(n), indices(n), out(n);
  make_input<<<1024, 256>>>(in.data, n);
  make_permutation<<<1024, 256>>>(indices.data, n);
  CHECK(cudaGetLastError());
  return measure("thrust/gather_u32_random", n, 12 * n, [&] {
    thrust::gather(thrust::cuda::par_nosync, indices.data, indices.data + n, in.data, out.data);
  });
}

Result measure_scatter(std::size_t n) {
  const Array<u32> in(n), indices(n), out(n);
  make_input<<<1024, 256>>>(in.data, n);
  make_permutation<<<1024, 256>>>(indices.data, n);
  CHECK(cudaGetLastError());
  return measure("thrust/scatter_u32_random", n, 12 * n, [&] {
    thrust::scatter(thrust::cuda::par_nosync, in.data, in.data + n, indices.data, out.data);
  });
}

}  // namespace
