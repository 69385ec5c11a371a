// What CUB takes to sort segments.
#pragma once

#include "measure.cuh"

namespace {

// n / length segments of `length` keys; 0: one segment.
template <class Key>
Result measure_segmented_sort(const std::string& type, std::size_t n, std::size_t length,
                              bool values = false) {
  if (length == 0) length = n;
  const std::size_t segments = n / length;
  const Array<Key> in(n), out(n);
  const Array<std::uint32_t> values_in(values ? n : 1), values_out(values ? n : 1);
  const Array<std::int64_t> offsets(segments + 1);
  make_input<<<1024, 256>>>(in.data, n);
  if (values) make_input<<<1024, 256>>>(values_in.data, n);
  CHECK(cudaGetLastError());
  std::vector<std::int64_t> bounds(segments + 1);
  for (std::size_t s = 0; s <= segments; ++s) bounds[s] = static_cast<std::int64_t>(s * length);
  CHECK(cudaMemcpy(offsets.data, bounds.data(), bounds.size() * 8, cudaMemcpyHostToDevice));
  const auto sort = [&](void* temporary, std::size_t& bytes) {
    const auto keys = static_cast<std::int64_t>(n);
    const auto count = static_cast<std::int64_t>(segments);
    if (values) {
      CHECK(cub::DeviceSegmentedSort::SortPairs(temporary, bytes, in.data, out.data, values_in.data,
                                                values_out.data, keys, count, offsets.data,
                                                offsets.data + 1));
    } else {
      CHECK(cub::DeviceSegmentedSort::SortKeys(temporary, bytes, in.data, out.data, keys, count,
                                               offsets.data, offsets.data + 1));
    }
  };
  std::size_t temporary_bytes = 0;
  sort(nullptr, temporary_bytes);
  const Array<char> temporary(temporary_bytes);
  const Result result =
      measure("cub/segmented_sort_" + type, n, n * 2 * (sizeof(Key) + (values ? 4 : 0)),
              [&] { sort(temporary.data, temporary_bytes); });
  if (n <= kLargestChecked) {
    const std::vector<Key> got = download(out.data, n);
    for (std::size_t i = 1; i < n; ++i) {
      check(i % length == 0 || !(got[i] < got[i - 1]), result.name, i);
    }
  }
  return result;
}

}  // namespace
