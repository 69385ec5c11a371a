// What CUDA's own library takes for the same operations.
//
//   cub_peers [--chain] [OUT.json] [NAME]
//
// Google Benchmark's JSON, to OUT.json or the standard output; only the rows whose name contains
// NAME. With --chain: of small inputs, in chains of dependent calls, microseconds a call.
#include <cstring>

#include "cub_folds.cuh"
#include "cub_group_by.cuh"
#include "cub_segmented_sort.cuh"
#include "cub_selections.cuh"
#include "cub_sorts.cuh"

int main(int argc, char** argv) {
  using u64 = std::uint64_t;
  using Row = std::pair<const char*, std::function<Result(std::size_t)>>;
  const Row rows[] = {
      {"memcpy", [](std::size_t n) { return measure_memcpy(n); }},
      {"reduce_u32", [](std::size_t n) { return measure_reduce<u32>("u32", n); }},
      {"reduce_f32", [](std::size_t n) { return measure_reduce<float>("f32", n); }},
      {"reduce_u64", [](std::size_t n) { return measure_reduce<u64>("u64", n); }},
      {"arg_reduce", [](std::size_t n) { return measure_arg_min(n); }},
      {"scan_u32", [](std::size_t n) { return measure_scan<u32, u32>("u32_exclusive", n, false); }},
      {"scan_f32",
       [](std::size_t n) { return measure_scan<float, float>("f32_inclusive", n, true); }},
      {"scan_u64", [](std::size_t n) { return measure_scan<u64, u64>("u64_exclusive", n, false); }},
      {"scan_f64",
       [](std::size_t n) { return measure_scan<double, double>("f64_inclusive", n, true); }},
      {"scan_u8",
       [](std::size_t n) {
         return measure_scan<std::uint8_t, u32>("u32_exclusive_from_u8", n, false);
       }},
      {"scan_u16",
       [](std::size_t n) {
         return measure_scan<std::uint16_t, u32>("u32_exclusive_from_u16", n, false);
       }},
      {"scan_in_place",
       [](std::size_t n) {
         return measure_scan<u32, u32>("u32_exclusive_in_place", n, false, true);
       }},
      {"select_50", [](std::size_t n) { return measure_select(n, 50); }},
      {"select_1", [](std::size_t n) { return measure_select(n, 1); }},
      {"select_99", [](std::size_t n) { return measure_select(n, 99); }},
      {"select_flagged", [](std::size_t n) { return measure_select_flagged(n); }},
      {"partition", [](std::size_t n) { return measure_partition(n); }},
      {"unique_random", [](std::size_t n) { return measure_unique(n, Keys::random); }},
      {"unique_16", [](std::size_t n) { return measure_unique(n, Keys::runs_of_16); }},
      {"run_length_random",
       [](std::size_t n) { return measure_run_length_encode(n, Keys::random); }},
      {"run_length_16",
       [](std::size_t n) { return measure_run_length_encode(n, Keys::runs_of_16); }},
      {"run_length_256",
       [](std::size_t n) { return measure_run_length_encode(n, Keys::runs_of_256); }},
      {"run_length_one", [](std::size_t n) { return measure_run_length_encode(n, Keys::one_run); }},
      {"reduce_by_key_random",
       [](std::size_t n) { return measure_reduce_by_key(n, Keys::random); }},
      {"reduce_by_key_16",
       [](std::size_t n) { return measure_reduce_by_key(n, Keys::runs_of_16); }},
      {"reduce_by_key_256",
       [](std::size_t n) { return measure_reduce_by_key(n, Keys::runs_of_256); }},
      {"reduce_by_key_one", [](std::size_t n) { return measure_reduce_by_key(n, Keys::one_run); }},
      {"scan_by_key_random", [](std::size_t n) { return measure_scan_by_key(n, Keys::random); }},
      {"scan_by_key_16", [](std::size_t n) { return measure_scan_by_key(n, Keys::runs_of_16); }},
      {"scan_by_key_256", [](std::size_t n) { return measure_scan_by_key(n, Keys::runs_of_256); }},
      {"scan_by_key_one", [](std::size_t n) { return measure_scan_by_key(n, Keys::one_run); }},
      {"segmented_reduce", [](std::size_t n) { return measure_segmented_reduce(n); }},
      {"histogram_u8",
       [](std::size_t n) { return measure_histogram<std::uint8_t>("u8_256", n, 256, false); }},
      {"histogram_u8_constant",
       [](std::size_t n) {
         return measure_histogram<std::uint8_t>("u8_256_constant", n, 256, true);
       }},
      {"histogram_u32_2048",
       [](std::size_t n) { return measure_histogram<u32>("u32_2048", n, 2048, false); }},
      {"merge", [](std::size_t n) { return measure_merge(n); }},
      {"search_random", [](std::size_t n) { return measure_search(n, false); }},
      {"search_sorted", [](std::size_t n) { return measure_search(n, true); }},
      {"gather", [](std::size_t n) { return measure_gather(n); }},
      {"scatter", [](std::size_t n) { return measure_scatter(n); }},
      {"sort_u32",
       [](std::size_t n) { return measure_sort_keys<u32>("cub/sort_u32", n, SortKeys::random); }},
      {"sort_u32_entropy_54",
       [](std::size_t n) {
         return measure_sort_keys<u32>("cub/sort_u32_entropy_54", n, SortKeys::entropy_54);
       }},
      {"sort_u32_entropy_20",
       [](std::size_t n) {
         return measure_sort_keys<u32>("cub/sort_u32_entropy_20", n, SortKeys::entropy_20);
       }},
      {"sort_u32_sorted",
       [](std::size_t n) {
         return measure_sort_keys<u32>("cub/sort_u32_sorted", n, SortKeys::ascending);
       }},
      {"sort_u32_reversed",
       [](std::size_t n) {
         return measure_sort_keys<u32>("cub/sort_u32_reversed", n, SortKeys::descending);
       }},
      {"sort_u32_constant",
       [](std::size_t n) {
         return measure_sort_keys<u32>("cub/sort_u32_constant", n, SortKeys::constant);
       }},
      {"sort_u32_16_distinct",
       [](std::size_t n) {
         return measure_sort_keys<u32>("cub/sort_u32_16_distinct", n, SortKeys::distinct_16);
       }},
      {"sort_u32_256_distinct",
       [](std::size_t n) {
         return measure_sort_keys<u32>("cub/sort_u32_256_distinct", n, SortKeys::distinct_256);
       }},
      {"sort_u32_zipf",
       [](std::size_t n) {
         return measure_sort_keys<u32>("cub/sort_u32_zipf", n, SortKeys::zipf);
       }},
      {"sort_u64",
       [](std::size_t n) {
         return measure_sort_keys<u64>("cub/sort_u64", n, SortKeys::random);
       }},
      {"sort_u32_values_u32",
       [](std::size_t n) {
         return measure_sort_pairs<u32, u32>("cub/sort_u32_values_u32", n);
       }},
      {"sort_u32_values_u64",
       [](std::size_t n) {
         return measure_sort_pairs<u32, u64>("cub/sort_u32_values_u64", n);
       }},
      {"sort_u64_values_u32",
       [](std::size_t n) {
         return measure_sort_pairs<u64, u32>("cub/sort_u64_values_u32", n);
       }},
      {"merge_sort_u32",
       [](std::size_t n) { return measure_merge_sort<u32>("cub/merge_sort_u32", n, Less()); }},
      {"merge_sort_pairs",
       [](std::size_t n) { return measure_merge_sort_pairs("cub/merge_sort_pairs", n); }},
      {"merge_sort_struct16",
       [](std::size_t n) {
         return measure_merge_sort<Particle>("cub/merge_sort_struct16", n, CellThenDepth());
       }},
      {"segmented_sort_1",
       [](std::size_t n) { return measure_segmented_sort<u32>("u32_1", n, 1); }},
      {"segmented_sort_16",
       [](std::size_t n) { return measure_segmented_sort<u32>("u32_16", n, 16); }},
      {"segmented_sort_64",
       [](std::size_t n) { return measure_segmented_sort<u32>("u32_64", n, 64); }},
      {"segmented_sort_256",
       [](std::size_t n) { return measure_segmented_sort<u32>("u32_256", n, 256); }},
      {"segmented_sort_1024",
       [](std::size_t n) { return measure_segmented_sort<u32>("u32_1024", n, 1024); }},
      {"segmented_sort_4096",
       [](std::size_t n) { return measure_segmented_sort<u32>("u32_4096", n, 4096); }},
      {"segmented_sort_65536",
       [](std::size_t n) { return measure_segmented_sort<u32>("u32_65536", n, 65536); }},
      {"segmented_sort_values_16",
       [](std::size_t n) { return measure_segmented_sort<u32>("u32_16_values_u32", n, 16, true); }},
      {"segmented_sort_values_1024",
       [](std::size_t n) {
         return measure_segmented_sort<u32>("u32_1024_values_u32", n, 1024, true);
       }},
      {"segmented_sort_u64_16",
       [](std::size_t n) { return measure_segmented_sort<u64>("u64_16", n, 16); }},
      {"segmented_sort_u64_1024",
       [](std::size_t n) { return measure_segmented_sort<u64>("u64_1024", n, 1024); }},
      {"group_by_256",
       [](std::size_t n) { return measure_group_by("cub/group_by_u32_f32_256", n, 256); }},
      {"group_by_64k",
       [](std::size_t n) { return measure_group_by("cub/group_by_u32_f32_64k", n, 1u << 16); }},
      {"group_by_1m",
       [](std::size_t n) { return measure_group_by("cub/group_by_u32_f32_1m", n, 1u << 20); }},
      {"group_by_16m",
       [](std::size_t n) { return measure_group_by("cub/group_by_u32_f32_16m", n, 1u << 24); }},
  };
  measures_chains = argc > 1 && std::strcmp(argv[1], "--chain") == 0;
  if (measures_chains) ++argv, --argc;
  const std::vector<int> exponents =
      measures_chains ? std::vector{10, 12, 14, 16, 18, 20} : std::vector{16, 20, 24, 28};
  const char* wanted = argc > 2 ? argv[2] : "";
  std::vector<Result> results;
  for (const int exponent : exponents) {
    for (const Row& row : rows) {
      if (std::strstr(row.first, wanted)) results.push_back(row.second(std::size_t{1} << exponent));
    }
  }
  std::FILE* file = argc > 1 ? std::fopen(argv[1], "w") : stdout;
  if (!file) {
    std::fprintf(stderr, "%s cannot be written\n", argv[1]);
    return 1;
  }
  write_json(file, results);
  return file == stdout || std::fclose(file) == 0 ? 0 : 1;
}
