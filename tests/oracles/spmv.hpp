// Oracle of vkprims/spmv.hpp: one row after another, with more digits.
#pragma once

#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "vkprims/types.hpp"

namespace vkprims::oracle {

/// A matrix in CSR format.
template <class T, class Offset>
struct Csr {
  std::vector<T> values;
  std::vector<std::uint32_t> columns;
  std::vector<Offset> offsets;
  std::uint64_t rows() const { return offsets.size() - 1; }
};

/// An element of the result, and the bound of vkprims/spmv.hpp on its error.
struct RowSum {
  long double value = 0;
  long double error_bound = 0;
};

/// Computes alpha * A x + beta * y; `outside` is the number of columns that are out of range.
template <class T, class Offset>
std::vector<RowSum> spmv(const Csr<T, Offset>& a, std::span<const T> x, OutOfRange policy, T alpha,
                         T beta, std::span<const T> y, std::uint64_t& outside) {
  std::vector<RowSum> result(a.rows());
  outside = 0;
  for (std::uint64_t row = 0; row < a.rows(); ++row) {
    long double sum = 0, magnitudes = 0;
    for (std::uint64_t i = a.offsets[row]; i < a.offsets[row + 1]; ++i) {
      std::uint64_t column = a.columns[i];
      if (column >= x.size()) {
        ++outside;
        if (policy != OutOfRange::clamp || x.empty()) continue;
        column = x.size() - 1;
      }
      const long double product = static_cast<long double>(a.values[i]) * x[column];
      sum += product;
      magnitudes += std::fabs(product);
    }
    const auto n = static_cast<long double>(a.offsets[row + 1] - a.offsets[row]);
    const long double eps = std::numeric_limits<T>::epsilon() / 2.0L;
    const long double old = beta != 0 ? static_cast<long double>(beta) * y[row] : 0;
    if (alpha == 0) sum = magnitudes = 0;  // as in BLAS
    result[row].value = alpha * sum + old;
    result[row].error_bound =
        1.1L * (std::fmin(n, n / 4194304.0L + 1024) + 3) * eps *
        (std::fabs(static_cast<long double>(alpha)) * magnitudes + std::fabs(old));
  }
  return result;
}

}  // namespace vkprims::oracle
