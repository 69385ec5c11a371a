// What CUB takes to group: values sorted by their keys, then one reduction by key of all that is
// asked for at once.
#pragma once

#include <thrust/iterator/transform_iterator.h>

#include "cub_orders.cuh"

namespace {

struct GroupStats {
  float sum, low, high;
  u32 count;
};

struct GroupStatsOf {
  __host__ __device__ GroupStats operator()(float x) const { return {x, x, x, 1}; }
};

struct JoinGroupStats {
  __host__ __device__ GroupStats operator()(const GroupStats& a, const GroupStats& b) const {
    return {a.sum + b.sum, a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high,
            a.count + b.count};
  }
};

// Keys are numbers below `groups`, at random.
__global__ void make_group_keys(u32* out, std::size_t n, u32 groups) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    out[i] = static_cast<u32>(std::uint64_t{mix_bits(i)} * groups >> 32);
  }
}

// Sum, least, greatest and number of the values of each key. Only the bits that keys have are
// sorted.
Result measure_group_by(const char* name, std::size_t n, u32 groups) {
  const std::size_t room = std::min<std::size_t>(n, groups);
  const Array<u32> keys(n), sorted_keys(n), out_keys(room), count(1);
  const Array<float> values(n), sorted_values(n);
  const Array<GroupStats> out(room);
  make_group_keys<<<1024, 256>>>(keys.data, n, groups);
  make_input<<<1024, 256>>>(values.data, n);
  CHECK(cudaGetLastError());
  int bits = 1;
  while (bits < 32 && groups - 1 >= u32{1} << bits) ++bits;
  const auto sort = [&](void* temporary, std::size_t& bytes) {
    CHECK(cub::DeviceRadixSort::SortPairs(temporary, bytes, keys.data, sorted_keys.data,
                                          values.data, sorted_values.data, n, 0, bits));
  };
  const auto reduce = [&](void* temporary, std::size_t& bytes) {
    CHECK(cub::DeviceReduce::ReduceByKey(
        temporary, bytes, sorted_keys.data, out_keys.data,
        thrust::make_transform_iterator(sorted_values.data, GroupStatsOf{}), out.data, count.data,
        JoinGroupStats{}, static_cast<int>(n)));
  };
  std::size_t sort_bytes = 0, reduce_bytes = 0;
  sort(nullptr, sort_bytes);
  reduce(nullptr, reduce_bytes);
  const Array<char> sort_memory(sort_bytes), reduce_memory(reduce_bytes);
  const Result result = measure(name, n, 8 * n + 20 * room, [&] {
    sort(sort_memory.data, sort_bytes);
    reduce(reduce_memory.data, reduce_bytes);
  });
  if (n <= kLargestChecked) {
    std::size_t rows = 0;
    const u32 found = download(count.data, 1)[0];
    check(found <= room, result.name, 0);
    for (const GroupStats& s : download(out.data, found)) rows += s.count;
    check(rows == n, result.name, 0);
  }
  return result;
}

}  // namespace
