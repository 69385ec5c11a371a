// How a peer is measured, as vkprims-bench measures: copies until the clocks are up, then copy and
// operation in turn, all queued ahead so that the GPU never idles.
#pragma once

#include <cuda_runtime.h>
#include <thrust/iterator/counting_iterator.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <cuda/std/functional>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace {

#define CHECK(call)                                                                       \
  do {                                                                                    \
    if (const cudaError_t error = (call); error != cudaSuccess) {                         \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

constexpr int kSamples = 15;
constexpr double kWarmUpMilliseconds = 150;
constexpr std::size_t kWarmUpBytes = std::size_t{1} << 30;
constexpr std::size_t kLargestCopy = std::size_t{4} << 30;
constexpr std::size_t kLargestChecked = std::size_t{1} << 24;
constexpr std::size_t kLargestCached = std::size_t{256} << 20;  // as in vkprims-bench
constexpr int kChainCalls = 20;                                 // as in vkprims-bench's chain rows

// Whether an operation is measured as a chain of calls in a CUDA graph, each of which waits for the
// one before. A stream of calls would be bound by the CPU.
bool measures_chains = false;

struct Result {
  std::string name;
  std::size_t items;
  double microseconds, least, copy_microseconds, bytes;
};

template <class T>
struct Array {
  explicit Array(std::size_t n) { CHECK(cudaMalloc(&data, n * sizeof(T))); }
  ~Array() { cudaFree(data); }
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  T* data = nullptr;
};

// Random bits for integers; integers from -8 to 8 for floats, whose sums are exact in any order.
template <class T>
__global__ void make_input(T* out, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15ull;
    x ^= x >> 29;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    out[i] = static_cast<T>(1) / static_cast<T>(2) == static_cast<T>(0)
                 ? static_cast<T>(x)
                 : static_cast<T>(static_cast<int>(x % 17) - 8);
  }
}

template <class T>
std::vector<T> download(const T* data, std::size_t n) {
  std::vector<T> values(n);
  CHECK(cudaMemcpy(values.data(), data, n * sizeof(T), cudaMemcpyDeviceToHost));
  return values;
}

void check(bool right, const std::string& name, std::size_t element) {
  if (right) return;
  std::fprintf(stderr, "%s: element %zu of the result is wrong\n", name.c_str(), element);
  std::exit(1);
}

double median(std::vector<float> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// A chain of calls of an operation, as a CUDA graph.
class Chain {
 public:
  explicit Chain(const std::function<void()>& operation) {
    operation();  // outside the graph, for what is done once
    cudaGraph_t graph = nullptr;
    CHECK(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < kChainCalls; ++i) operation();
    CHECK(cudaStreamEndCapture(cudaStreamPerThread, &graph));
    CHECK(cudaGraphInstantiate(&executable_, graph, 0));
    CHECK(cudaGraphDestroy(graph));
  }
  ~Chain() { cudaGraphExecDestroy(executable_); }
  Chain(const Chain&) = delete;
  Chain& operator=(const Chain&) = delete;
  void launch() const { CHECK(cudaGraphLaunch(executable_, cudaStreamPerThread)); }

 private:
  cudaGraphExec_t executable_ = nullptr;
};

Result measure_calls(const std::string& name, std::size_t items, std::size_t bytes, int calls,
                     const std::function<void()>& operation);

// Microseconds of `operation`, and of a copy that moves `bytes` bytes.
Result measure(const std::string& name, std::size_t items, std::size_t bytes,
               const std::function<void()>& operation) {
  if (!measures_chains) return measure_calls(name, items, bytes, 1, operation);
  const Chain chain(operation);
  return measure_calls("chain/" + name, items, bytes, kChainCalls, [&] { chain.launch(); });
}

// `operation` makes as many calls; the time is that of one.
Result measure_calls(const std::string& name, std::size_t items, std::size_t bytes, int calls,
                     const std::function<void()>& operation) {
  const std::size_t half = std::max<std::size_t>(bytes / 2 / 16 * 16, 16);
  static Array<char> from(kLargestCopy), to(kLargestCopy);
  if (half > kLargestCopy) {
    std::fprintf(stderr, "%s: too large\n", name.c_str());
    std::exit(1);
  }
  const auto copy = [&](std::size_t n) {
    CHECK(cudaMemcpyAsync(to.data, from.data, n, cudaMemcpyDeviceToDevice));
  };
  std::vector<cudaEvent_t> events(4 * kSamples);
  for (cudaEvent_t& event : events) CHECK(cudaEventCreate(&event));

  operation();
  copy(kWarmUpBytes);
  CHECK(cudaEventRecord(events[0]));
  copy(kWarmUpBytes);
  CHECK(cudaEventRecord(events[1]));
  CHECK(cudaEventSynchronize(events[1]));
  float one_copy = 0;
  CHECK(cudaEventElapsedTime(&one_copy, events[0], events[1]));

  const auto timed = [&](int at, const std::function<void()>& work) {
    if (bytes <= kLargestCached) work();  // leaves in the cache what it can hold
    CHECK(cudaEventRecord(events[at]));
    work();
    CHECK(cudaEventRecord(events[at + 1]));
  };
  const int warm_up_copies = 1 + static_cast<int>(kWarmUpMilliseconds / one_copy);
  for (int i = 0; i < warm_up_copies; ++i) copy(kWarmUpBytes);
  for (int i = 0; i < kSamples; ++i) {
    timed(4 * i, [&] { copy(half); });
    timed(4 * i + 2, operation);
  }
  CHECK(cudaDeviceSynchronize());

  std::vector<float> copies(kSamples), times(kSamples);
  for (int i = 0; i < kSamples; ++i) {
    CHECK(cudaEventElapsedTime(&copies[i], events[4 * i], events[4 * i + 1]));
    CHECK(cudaEventElapsedTime(&times[i], events[4 * i + 2], events[4 * i + 3]));
  }
  for (cudaEvent_t event : events) CHECK(cudaEventDestroy(event));
  const Result result{name + "/" + std::to_string(items),
                      items,
                      1e3 * median(times) / calls,
                      1e3 * *std::min_element(times.begin(), times.end()) / calls,
                      1e3 * median(copies),
                      static_cast<double>(bytes)};
  std::fprintf(stderr, "%-36s %10.2f us  %8.1f GB/s\n", result.name.c_str(), result.microseconds,
               1e-3 * result.bytes / result.microseconds);
  return result;
}

Result measure_memcpy(std::size_t n) {
  const Array<std::uint32_t> from(n), to(n);
  make_input<<<1024, 256>>>(from.data, n);
  CHECK(cudaGetLastError());
  return measure("cuda/memcpy_d2d", n, 8 * n, [&] {
    CHECK(cudaMemcpyAsync(to.data, from.data, 4 * n, cudaMemcpyDeviceToDevice));
  });
}

void write_json(std::FILE* file, const std::vector<Result>& results) {
  cudaDeviceProp properties{};
  CHECK(cudaGetDeviceProperties(&properties, 0));
  int driver = 0;
  CHECK(cudaDriverGetVersion(&driver));
  std::fprintf(
      file,
      "{\n  \"context\": {\"device\": \"%s\", \"driver\": \"CUDA driver %d.%d, CUB %d.%d.%d\"},\n"
      "  \"benchmarks\": [",
      properties.name, driver / 1000, driver % 1000 / 10, CUB_MAJOR_VERSION, CUB_MINOR_VERSION,
      CUB_SUBMINOR_VERSION);
  const char* separator = "\n";
  for (const Result& r : results) {
    std::fprintf(
        file,
        "%s    {\"name\": \"%s\", \"run_name\": \"%s\", \"run_type\": \"iteration\", "
        "\"iterations\": 1, "
        "\"real_time\": %.3f, \"cpu_time\": 0, \"time_unit\": \"us\", \"min_us\": %.3f, "
        "\"GB/s\": %.2f, \"copy_share\": %.4f, \"samples\": %d, \"items_per_second\": %.6g}",
        separator, r.name.c_str(), r.name.c_str(), r.microseconds, r.least,
        1e-3 * r.bytes / r.microseconds, r.copy_microseconds / r.microseconds, kSamples,
        1e6 * static_cast<double>(r.items) / r.microseconds);
    separator = ",\n";
  }
  std::fprintf(file, "\n  ]\n}\n");
}

}  // namespace
