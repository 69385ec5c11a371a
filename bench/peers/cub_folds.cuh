// CUB's reductions and scans.
#pragma once

#include "measure.cuh"

namespace {

template <class T>
Result measure_reduce(const std::string& type, std::size_t n) {
  const Array<T> in(n), out(1);
  make_input<<<1024, 256>>>(in.data, n);
  CHECK(cudaGetLastError());
  std::size_t temporary_bytes = 0;
  CHECK(cub::DeviceReduce::Sum(nullptr, temporary_bytes, in.data, out.data, n));
  const Array<char> temporary(temporary_bytes);
  const Result result = measure("cub/reduce_" + type + "_add", n, (n + 1) * sizeof(T), [&] {
    CHECK(cub::DeviceReduce::Sum(temporary.data, temporary_bytes, in.data, out.data, n));
  });

  T want{};
  for (const T x : download(in.data, n)) want += x;
  check(download(out.data, 1)[0] == want, result.name, 0);
  return result;
}

// Sums of type Out over elements of type In. Where In is narrower, CUB adds up in Out all the same:
// it takes the accumulator's type from the initial value.
template <class In, class Out>
Result measure_scan(const std::string& variant, std::size_t n, bool inclusive,
                    bool in_place = false) {
  const Array<In> source(n);
  const Array<Out> out(n);
  make_input<<<1024, 256>>>(source.data, n);
  CHECK(cudaGetLastError());
  In* in = source.data;
  if constexpr (std::is_same_v<In, Out>) {
    if (in_place) in = out.data;
  }
  const auto scan = [&](void* temporary, std::size_t& bytes) {
    if constexpr (!std::is_same_v<In, Out>) {
      CHECK(cub::DeviceScan::ExclusiveScan(temporary, bytes, in, out.data, cuda::std::plus<>{},
                                           Out{0}, n));
    } else if (inclusive) {
      CHECK(cub::DeviceScan::InclusiveSum(temporary, bytes, in, out.data, n));
    } else {
      CHECK(cub::DeviceScan::ExclusiveSum(temporary, bytes, in, out.data, n));
    }
  };
  std::size_t temporary_bytes = 0;
  scan(nullptr, temporary_bytes);
  const Array<char> temporary(temporary_bytes);

  // Checked before it is measured: in place, each execution scans what the last one left. Not the
  // largest ones, which would take the host seconds each.
  const std::string name = "cub/scan_" + variant;
  if (in_place) CHECK(cudaMemcpy(in, source.data, n * sizeof(In), cudaMemcpyDeviceToDevice));
  scan(temporary.data, temporary_bytes);
  if (n <= kLargestChecked) {
    const std::vector<In> values = download(source.data, n);
    const std::vector<Out> got = download(out.data, n);
    Out sum{};
    for (std::size_t i = 0; i < n; ++i) {
      const Out before = sum;
      sum += values[i];
      check(got[i] == (inclusive ? sum : before), name, i);
    }
  }
  return measure(name, n, n * (sizeof(In) + sizeof(Out)),
                 [&] { scan(temporary.data, temporary_bytes); });
}

// The smallest element and where it is first.
Result measure_arg_min(std::size_t n) {
  const Array<std::uint32_t> in(n), least(1);
  const Array<std::int64_t> index(1);
  make_input<<<1024, 256>>>(in.data, n);
  CHECK(cudaGetLastError());
  const auto arg_min = [&](void* temporary, std::size_t& bytes) {
    CHECK(cub::DeviceReduce::ArgMin(temporary, bytes, in.data, least.data, index.data,
                                    static_cast<std::int64_t>(n)));
  };
  std::size_t temporary_bytes = 0;
  arg_min(nullptr, temporary_bytes);
  const Array<char> temporary(temporary_bytes);
  const Result result =
      measure("cub/arg_reduce_u32_min", n, n * sizeof(std::uint32_t) + 12,  // {value, index} out
              [&] { arg_min(temporary.data, temporary_bytes); });

  const std::vector<std::uint32_t> values = download(in.data, n);
  const auto want = std::min_element(values.begin(), values.end());  // the first of several
  check(download(least.data, 1)[0] == *want, result.name, 0);
  check(download(index.data, 1)[0] == want - values.begin(), result.name, 0);
  return result;
}

}  // namespace
