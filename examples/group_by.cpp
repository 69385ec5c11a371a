// A table of sales, grouped by shop and product: how many, the total, the mean, the lowest and highest price.
#include "vkprims/group_by.hpp"

#include <cstdio>
#include <vector>

#include "vkprims/context.hpp"

namespace {

constexpr const char* kShops[] = {"Berlin", "Lisbon", "Oslo"};
constexpr const char* kProducts[] = {"tea", "coffee"};

// Columns, with names as codes of the dictionaries above.
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
  constexpr std::uint64_t kRoom = 16;  // groups at most
  const Sales sales = some_sales();

  vkprims::Context context;
  const auto shop = context.upload(sales.shop), product = context.upload(sales.product);
  const auto price = context.upload(sales.price);
  const auto out_shop = context.allocate<std::uint32_t>(kRoom),
             out_product = context.allocate<std::uint32_t>(kRoom);
  const auto count = context.allocate<std::uint32_t>(kRoom);
  const auto sum = context.allocate<float>(kRoom), low = context.allocate<float>(kRoom);
  const auto high = context.allocate<float>(kRoom);
  const auto mean = context.allocate<double>(kRoom);
  const auto groups = context.allocate<std::uint64_t>(1);

  const vkprims::GroupKey keys[] = {{.bound = 3}, {.bound = 2}};
  const vkprims::GroupValue values[] = {{.type = vkprims::Type::f32}};
  const vkprims::GroupAggregation aggregations[] = {{Aggregate::count_rows},
                                                    {Aggregate::sum},
                                                    {Aggregate::mean},
                                                    {Aggregate::min},
                                                    {Aggregate::max}};
  const vkprims::BufferView in[] = {shop.view(), product.view()}, in_values[] = {price.view()};
  const vkprims::BufferView out_keys[] = {out_shop.view(), out_product.view()};
  const vkprims::BufferView out[] = {count.view(), sum.view(), mean.view(), low.view(),
                                     high.view()};
  context.run([&](vkprims::Recorder& r) {
    vkprims::group_by(r,
                      {.keys = keys,
                       .values = values,
                       .aggregations = aggregations,
                       .count = sales.price.size(),
                       .capacity = kRoom},
                      {.keys = in,
                       .values = in_values,
                       .out_keys = out_keys,
                       .out = out,
                       .group_count = groups.view()});
  });

  const std::uint64_t n = context.download(groups)[0];
  const auto shops = context.download(out_shop), products = context.download(out_product);
  const auto counts = context.download(count);
  const auto sums = context.download(sum), lows = context.download(low),
             highs = context.download(high);
  const auto means = context.download(mean);
  std::printf("%-8s %-8s %8s %12s %8s %8s %8s\n", "shop", "product", "count", "sum", "mean", "min",
              "max");
  std::uint64_t rows = 0;
  for (std::uint64_t g = 0; g < n && g < kRoom; ++g) {
    std::printf("%-8s %-8s %8u %12.2f %8.4f %8.2f %8.2f\n", kShops[shops[g] % 3],
                kProducts[products[g] % 2], counts[g], static_cast<double>(sums[g]), means[g],
                static_cast<double>(lows[g]), static_cast<double>(highs[g]));
    rows += counts[g];
  }
  return n == 6 && rows == sales.price.size() ? 0 : 1;
} catch (const vkprims::Error& error) {
  std::fprintf(stderr, "group_by: %s\n", error.what());
  return 1;
}
