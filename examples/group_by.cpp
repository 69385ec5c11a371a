// Groups a table of sales by shop and product: number of sales, total, mean, lowest and highest
// price.
#include <cstdio>
#include <vector>

#include "vkprims/group_by_columns.hpp"

namespace {

constexpr const char* kShops[] = {"Berlin", "Lisbon", "Oslo"};
constexpr const char* kProducts[] = {"tea", "coffee"};

// The columns, with names as codes of the dictionaries above.
struct Sales {
  std::vector<std::uint32_t> shop, product;
  std::vector<float> price;
};

Sales some_sales() {
  Sales sales;
  for (std::uint32_t i = 0; i < 100'000; ++i) {
    sales.shop.push_back(i * 7 / 5 % 3);
    sales.product.push_back(i * 11 / 3 % 2);
    sales.price.push_back(2.0f + static_cast<float>(i * 37 % 100) / 100);
  }
  return sales;
}

}  // namespace

int main() try {
  using vkprims::Aggregate;
  const Sales sales = some_sales();

  vkprims::Context context;
  const auto shop = context.upload(sales.shop), product = context.upload(sales.product);
  const auto price = context.upload(sales.price);
  vkprims::Groups groups;
  context.run([&](vkprims::Recorder& r) {
    groups = vkprims::group_by(r, {shop, product},
                               {{Aggregate::count_rows},
                                {Aggregate::sum, price},
                                {Aggregate::mean, price},
                                {Aggregate::min, price},
                                {Aggregate::max, price}},
                               {.capacity = 16});
  });

  const auto shops = context.download(groups.key<std::uint32_t>(0).values, groups.count);
  const auto products = context.download(groups.key<std::uint32_t>(1).values, groups.count);
  const auto counts = context.download(groups.column<std::uint32_t>(0).values, groups.count);
  const auto sums = context.download(groups.column<float>(1).values, groups.count);
  const auto means = context.download(groups.column<double>(2).values, groups.count);
  const auto lows = context.download(groups.column<float>(3).values, groups.count);
  const auto highs = context.download(groups.column<float>(4).values, groups.count);
  std::printf("%-8s %-8s %8s %12s %8s %8s %8s\n", "shop", "product", "count", "sum", "mean", "min",
              "max");
  std::uint64_t rows = 0;
  for (std::size_t g = 0; g < shops.size(); ++g) {
    std::printf("%-8s %-8s %8u %12.2f %8.4f %8.2f %8.2f\n", kShops[shops[g] % 3],
                kProducts[products[g] % 2], counts[g], static_cast<double>(sums[g]), means[g],
                static_cast<double>(lows[g]), static_cast<double>(highs[g]));
    rows += counts[g];
  }
  return shops.size() == 6 && rows == sales.price.size() ? 0 : 1;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "group_by: %s\n", error.what());
  return 1;
}
