// Sparse matrix times vector (CSR), y = A x, on the best Vulkan device present. It is composed of
// primitives as in lecture notes on data-parallel programming, and then done by the primitive for
// it.
//
//   gathered = x[columns]                    gather
//   products = values * gathered             transform
//   y        = sum of each row's products    segmented_reduce
#include <cstdio>
#include <vector>

#include "vkprims/context.hpp"
#include "vkprims/vkprims.hpp"

namespace {

// The matrix of a one-dimensional Laplace operator, with 2 on the diagonal and -1 beside it.
struct Matrix {
  std::vector<float> values;
  std::vector<std::uint32_t> columns;
  std::vector<std::uint32_t> offsets{0};  // row r has elements offsets[r] … offsets[r + 1] - 1
};

Matrix laplace(std::uint32_t rows) {
  Matrix a;
  for (std::uint32_t r = 0; r < rows; ++r) {
    for (std::uint32_t c = r ? r - 1 : 0; c <= r + 1 && c < rows; ++c) {
      a.values.push_back(c == r ? 2.0f : -1.0f);
      a.columns.push_back(c);
    }
    a.offsets.push_back(static_cast<std::uint32_t>(a.values.size()));
  }
  return a;
}

}  // namespace

int main() try {
  constexpr std::uint32_t kRows = 100000;
  const Matrix a = laplace(kRows);
  std::vector<float> host_x(kRows);
  for (std::uint32_t i = 0; i < kRows; ++i) host_x[i] = static_cast<float>(i % 10);

  vkprims::Context context;
  const auto values = context.upload(a.values);
  const auto columns = context.upload(a.columns);
  const auto offsets = context.upload(a.offsets);
  const auto x = context.upload(host_x);
  const auto products = context.allocate<float>(a.values.size());
  const auto y = context.allocate<float>(kRows);
  const auto y_at_once = context.allocate<float>(kRows);
  context.run([&](vkprims::Recorder& r) {
    vkprims::gather(r, {}, x, columns, products);
    vkprims::transform(r, {.op = vkprims::MapOp::mul}, values, products, products);
    vkprims::segmented_reduce(r, {.op = vkprims::Op::add}, products, offsets, y);
    vkprims::spmv(r, {}, values, columns, offsets, x, y_at_once);
  });

  const std::vector<float> composed = context.download(y), at_once = context.download(y_at_once);
  std::uint32_t wrong = 0;
  for (std::uint32_t r = 0; r < kRows; ++r) {
    float expected = 0;
    for (std::uint32_t i = a.offsets[r]; i < a.offsets[r + 1]; ++i) {
      expected += a.values[i] * host_x[a.columns[i]];
    }
    if (composed[r] != expected || at_once[r] != expected) ++wrong;
  }
  std::printf("%s: %u rows, %zu nonzeros, %u rows are wrong\n", context.properties().deviceName,
              kRows, a.values.size(), wrong);
  return wrong ? 1 : 0;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "spmv: %s\n", error.what());
  return 1;
}
