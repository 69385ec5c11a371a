#include "descriptors.hpp"

#include "vkprims/vkprims.hpp"

namespace vkprims::pipelines {
namespace {

constexpr Count kAny = kAnyCount;

template <class Enum>
std::vector<Enum> up_to(Enum last) {
  std::vector<Enum> all;
  for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(last); ++i) {
    all.push_back(static_cast<Enum>(i));
  }
  return all;
}

const std::vector<Type> kTypes = up_to(Type::f64);
const std::vector<Op> kOps = up_to(Op::bit_xor);
const std::vector<IndexWidth> kWidths = up_to(IndexWidth::u64);
const std::vector<FloatOrder> kOrders = up_to(FloatOrder::by_bits);
constexpr Schedule kSchedules[] = {Schedule::look_back, Schedule::multi_pass};
constexpr Determinism kDeterminisms[] = {Determinism::fastest, Determinism::run_to_run};

using WarmUpWith = void (*)(const WarmUp&);
std::vector<WarmUpWith>& registered() {
  static std::vector<WarmUpWith> list;  // in a function: static objects of other files use it
  return list;
}

void warm_up_maps(const WarmUp& warm) {
  warm("dispatch_args", DispatchArgsDesc{.count = kAny});
  for (const std::uint32_t bytes : {1, 2, 4, 8, 16}) {
    warm("copy", CopyDesc{bytes, kAny});
    warm("fill", FillDesc{bytes, kAny});
    for (const IndexWidth width : kWidths) {
      for (const OutOfRange outside : up_to(OutOfRange::clamp)) {
        warm("gather", GatherDesc{.element_bytes = bytes,
                                  .index_width = width,
                                  .out_of_range = outside,
                                  .count = kAny});
        warm("scatter", ScatterDesc{.element_bytes = bytes,
                                    .index_width = width,
                                    .out_of_range = outside,
                                    .count = kAny});
      }
    }
  }
  for (const Type type : kTypes) {
    warm("iota", IotaDesc{.type = type, .count = kAny});
    for (const MapOp op : up_to(MapOp::cast)) {
      for (const Type to : op == MapOp::cast ? kTypes : std::vector{Type::u32}) {
        for (const Value& scalar : {Value(), Value::at(64)}) {
          warm("transform",
               TransformDesc{.type = type, .op = op, .count = kAny, .scalar = scalar, .to = to});
        }
      }
      for (const Neighbour side : up_to(Neighbour::right)) {
        warm("adjacent_difference",
             AdjacentDifferenceDesc{.type = type, .op = op, .neighbour = side, .count = kAny});
      }
    }
    for (const ScatterMode mode : {ScatterMode::add, ScatterMode::min, ScatterMode::max}) {
      for (const IndexWidth width : kWidths) {
        for (const OutOfRange outside : up_to(OutOfRange::clamp)) {
          warm("scatter", ScatterDesc{.mode = mode,
                                      .type = type,
                                      .index_width = width,
                                      .out_of_range = outside,
                                      .count = kAny});
        }
      }
    }
    for (const SearchKind kind : up_to(SearchKind::upper_bound)) {
      for (const IndexWidth width : kWidths) {
        for (const bool sorted : {false, true}) {
          for (const FloatOrder order : kOrders) {
            warm("search", SearchDesc{.kind = kind,
                                      .type = type,
                                      .index_width = width,
                                      .needles_sorted = sorted,
                                      .count = kAny,
                                      .haystack_count = kAny,
                                      .float_order = order});
          }
        }
      }
    }
  }
}

void warm_up_random(const WarmUp& warm) {
  warm("rng_advance", RngAdvanceDesc{.words = kAny});
  for (const PhiloxRounds rounds : {PhiloxRounds::seven, PhiloxRounds::ten}) {
    const Rng rng{.rounds = rounds, .state = 64};
    for (const RandomDistribution distribution : up_to(RandomDistribution::bernoulli)) {
      for (const Type type : kTypes) {
        for (const double upper : {1, 9}) {
          warm("random", RandomDesc{.distribution = distribution,
                                    .type = type,
                                    .count = kAny,
                                    .rng = rng,
                                    .upper = upper});
        }
      }
    }
    for (const TrialStorage trials : up_to(TrialStorage::bytes)) {
      for (const std::uint32_t bits : {32, 16}) {
        warm("random", RandomDesc{.distribution = RandomDistribution::bernoulli,
                                  .count = kAny,
                                  .rng = rng,
                                  .trials = trials,
                                  .draw_bits = bits});
      }
    }
    for (const DropoutType type : up_to(DropoutType::f64)) {
      for (const DropoutMask mask : up_to(DropoutMask::bytes)) {
        for (const DropoutDraw draw : up_to(DropoutDraw::bits16)) {
          for (const DropoutBias bias : up_to(DropoutBias::full)) {
            for (const bool alpha : {false, true}) {
              warm("dropout", DropoutDesc{.type = type,
                                          .count = kAny,
                                          .mask = mask,
                                          .rng = rng,
                                          .draw = draw,
                                          .bias = bias,
                                          .columns = 1024,
                                          .alpha = alpha});
            }
          }
        }
      }
    }
  }
}

void warm_up_folds(const WarmUp& warm) {
  for (const Type type : kTypes) {
    for (const Op op : kOps) {
      warm("reduce", ReduceDesc{.type = type, .op = op, .count = kAny});
      warm("arg_reduce", ArgReduceDesc{.type = type, .op = op, .count = kAny});
      for (const IndexWidth width : kWidths) {
        warm("segmented_reduce",
             SegmentedReduceDesc{
                 .type = type, .op = op, .offset_width = width, .count = kAny, .value_count = 9});
      }
      for (const Schedule schedule : kSchedules) {
        for (const Determinism determinism : kDeterminisms) {
          for (const Type key : kTypes) {
            for (const FloatOrder order : kOrders) {
              warm("reduce_by_key", ReduceByKeyDesc{.key = key,
                                                    .type = type,
                                                    .op = op,
                                                    .count = kAny,
                                                    .schedule = schedule,
                                                    .determinism = determinism,
                                                    .float_order = order});
            }
          }
        }
      }
    }
    for (const IndexWidth width : kWidths) {
      for (const OutOfRange outside : up_to(OutOfRange::clamp)) {
        warm("spmv", SpmvDesc{.type = type,
                              .offset_width = width,
                              .out_of_range = outside,
                              .count = kAny,
                              .value_count = 9,
                              .x_count = 9});
      }
    }
  }
  for (const SampleType sample : up_to(SampleType::i32)) {
    for (const HistogramBins by : up_to(HistogramBins::levels)) {
      for (const std::uint32_t bins : {256u, 2048u, 1u << 16, kMaxHistogramBins}) {
        for (const CountWidth width : {CountWidth::u32, CountWidth::u64}) {
          warm("histogram", HistogramDesc{.sample = sample,
                                          .by = by,
                                          .bins = bins,
                                          .upper = 1,
                                          .count = kAny,
                                          .width = width});
        }
      }
    }
  }
  for (const Type type : kTypes) {
    for (const RollingOp op : up_to(RollingOp::arg_max)) {
      for (const std::int64_t preceding : {10, 1000, 1 << 20}) {
        for (const bool nullable : {false, true}) {
          for (const Count& groups : {Count(), kAny}) {
            for (const IndexWidth width : kWidths) {
              warm("rolling", RollingDesc{.type = type,
                                          .op = op,
                                          .count = kAny,
                                          .preceding = preceding,
                                          .index_width = width,
                                          .nullable = nullable,
                                          .groups = groups,
                                          .offset_width = width});
            }
          }
        }
      }
    }
  }
}

void warm_up_scans(const WarmUp& warm) {
  for (const Type type : kTypes) {
    for (const Op op : kOps) {
      for (const ScanKind kind : up_to(ScanKind::inclusive)) {
        for (const Schedule schedule : kSchedules) {
          for (const Determinism determinism : kDeterminisms) {
            for (const ScanInput input : up_to(ScanInput::u16)) {
              warm("scan", ScanDesc{.type = type,
                                    .op = op,
                                    .kind = kind,
                                    .count = kAny,
                                    .input = input,
                                    .schedule = schedule,
                                    .determinism = determinism});
            }
            for (const SegmentForm form : up_to(SegmentForm::bits)) {
              for (const IndexWidth width : kWidths) {
                warm("segmented_scan", SegmentedScanDesc{.type = type,
                                                         .op = op,
                                                         .kind = kind,
                                                         .count = kAny,
                                                         .form = form,
                                                         .segments = kAny,
                                                         .offset_width = width,
                                                         .schedule = schedule,
                                                         .determinism = determinism});
              }
            }
            for (const Type key : kTypes) {
              for (const FloatOrder order : kOrders) {
                warm("scan_by_key", ScanByKeyDesc{.key = key,
                                                  .type = type,
                                                  .op = op,
                                                  .kind = kind,
                                                  .count = kAny,
                                                  .schedule = schedule,
                                                  .determinism = determinism,
                                                  .float_order = order});
              }
            }
          }
        }
      }
    }
  }
}

void warm_up_compactions(const WarmUp& warm) {
  for (const Schedule schedule : kSchedules) {
    for (const Type type : kTypes) {
      for (const IndexWidth width : kWidths) {
        for (const SelectBy by : up_to(SelectBy::predicate)) {
          for (const std::uint32_t bytes : {0, 4, 8, 16}) {
            for (const Predicate predicate : up_to(Predicate::has_bits)) {
              // Selection by flags has no predicate to choose.
              if (by != SelectBy::predicate && predicate != Predicate::less) continue;
              const Value operand = by == SelectBy::predicate ? Value::at(64) : Value();
              warm("select", SelectDesc{.type = type,
                                        .element_bytes = bytes,
                                        .by = by,
                                        .predicate = predicate,
                                        .operand = operand,
                                        .count = kAny,
                                        .index_width = width,
                                        .schedule = schedule});
              for (const bool one_output : {false, true}) {
                warm("partition", PartitionDesc{.type = type,
                                                .element_bytes = bytes,
                                                .by = by,
                                                .predicate = predicate,
                                                .operand = operand,
                                                .one_output = one_output,
                                                .count = kAny,
                                                .schedule = schedule});
              }
            }
          }
        }
        for (const FloatOrder order : kOrders) {
          for (const std::uint32_t bytes : {0, 4, 8, 16}) {
            warm("unique", UniqueDesc{.type = type,
                                      .value_bytes = bytes,
                                      .count = kAny,
                                      .index_width = width,
                                      .schedule = schedule,
                                      .float_order = order});
          }
          warm("run_length_encode", RunLengthEncodeDesc{.type = type,
                                                        .length_width = width,
                                                        .count = kAny,
                                                        .schedule = schedule,
                                                        .float_order = order});
        }
      }
    }
  }
}

void warm_up_sorts(const WarmUp& warm) {
  for (const Type type : kTypes) {
    for (const FloatOrder order : kOrders) {
      for (const SortOrder direction : up_to(SortOrder::descending)) {
        for (const Schedule schedule : kSchedules) {
          for (const std::uint32_t bytes : {0, 1, 2, 4, 8, 16}) {
            warm("radix_sort", RadixSortDesc{.type = type,
                                             .order = direction,
                                             .float_order = order,
                                             .value_bytes = bytes,
                                             .count = kAny,
                                             .schedule = schedule});
          }
          for (const IndexWidth width : kWidths) {
            warm("argsort", ArgsortDesc{.type = type,
                                        .order = direction,
                                        .float_order = order,
                                        .index_width = width,
                                        .count = kAny,
                                        .schedule = schedule});
          }
        }
        for (const std::uint32_t bytes : {0, 4, 8, 16}) {
          for (const IndexWidth width : kWidths) {
            warm("segmented_sort", SegmentedSortDesc{.type = type,
                                                     .order = direction,
                                                     .float_order = order,
                                                     .value_bytes = bytes,
                                                     .offset_width = width,
                                                     .count = kAny,
                                                     .key_count = 1 << 30});
          }
        }
      }
      for (const std::uint32_t bytes : {0, 4, 8}) {
        warm("merge", MergeDesc{.type = type,
                                .value_bytes = bytes,
                                .a_count = kAny,
                                .b_count = kAny,
                                .float_order = order});
      }
      for (const TopKSide side : up_to(TopKSide::smallest)) {
        for (const bool sorted : {false, true}) {
          for (const IndexWidth width : kWidths) {
            warm("top_k", TopKDesc{.type = type,
                                   .side = side,
                                   .float_order = order,
                                   .k = 1000,
                                   .sorted = sorted,
                                   .index_width = width,
                                   .count = kAny});
          }
        }
      }
    }
  }
}

void warm_up_group_by(const WarmUp& warm) {
  for (const FloatOrder order : kOrders) {
    for (const bool nullable : {false, true}) {
      for (const GroupByMethod method : up_to(GroupByMethod::sort)) {
        for (const Type type : kTypes) {
          for (const Type other : kTypes) {
            const GroupKey keys[] = {{type, nullable}, {other, nullable}};
            const GroupValue values[] = {{other, nullable}};
            std::vector<GroupAggregation> aggregations;
            for (const Aggregate op : up_to(Aggregate::distinct)) aggregations.push_back({op});
            aggregations.push_back({.op = Aggregate::variance, .population = true});
            // The aggregations are requested one by one, all at once, and with a second column of
            // keys.
            const std::span all(aggregations);
            for (std::size_t i = 0; i < all.size(); ++i) {
              warm("group_by", GroupByDesc{.keys = {keys, 1},
                                           .values = values,
                                           .aggregations = all.subspan(i, 1),
                                           .count = kAny,
                                           .method = method,
                                           .float_order = order});
            }
            for (const std::size_t columns : {1, 2}) {
              for (const NullKeys nulls : up_to(NullKeys::drop)) {
                warm("group_by", GroupByDesc{.keys = {keys, columns},
                                             .values = values,
                                             .aggregations = all.first(3),
                                             .count = kAny,
                                             .null_keys = nulls,
                                             .method = method,
                                             .float_order = order});
              }
            }
          }
        }
      }
    }
  }
}

void warm_up_stacks(const WarmUp& warm) {
  for (const StackInput input : up_to(StackInput::bits)) {
    for (const StackSchedule schedule : up_to(StackSchedule::seed_window)) {
      for (const IndexWidth width : kWidths) {
        for (const bool types : {false, true}) {
          warm("stack_match", StackMatchDesc{.input = input,
                                             .count = kAny,
                                             .index_width = width,
                                             .types = types,
                                             .schedule = schedule});
        }
      }
    }
    for (const StackMonoid monoid : up_to(StackMonoid::affine)) {
      for (const StackFoldOver over : up_to(StackFoldOver::enclosed)) {
        for (const StackFoldKind kind : up_to(StackFoldKind::after)) {
          warm("stack_fold",
               StackFoldDesc{
                   .input = input, .monoid = monoid, .over = over, .kind = kind, .count = kAny});
        }
      }
    }
  }
  for (const Type type : kTypes) {
    for (const NearestDirection direction : up_to(NearestDirection::next)) {
      for (const NearestCompare compare : up_to(NearestCompare::greater_equal)) {
        for (const IndexWidth width : kWidths) {
          warm("nearest_smaller", NearestSmallerDesc{.type = type,
                                                     .direction = direction,
                                                     .compare = compare,
                                                     .count = kAny,
                                                     .index_width = width});
        }
      }
    }
  }
}

void warm_up_string_values(const WarmUp& warm) {
  using namespace strings;
  for (const Match match : up_to(Match::ends_with)) {
    for (const bool of_column : {false, true}) {
      warm("strings::match", MatchDesc{.match = match, .of_column = of_column, .text = ""});
    }
    warm("strings::match", MatchDesc{.match = match, .text = "text"});
  }
  for (const StringNumber number : up_to(StringNumber::count_tokens)) {
    for (const std::string_view text : {"", "x", "text", "--"}) {
      for (const std::uint32_t start : {0, 3}) {
        warm("strings::find", FindDesc{.number = number, .text = text, .start = start});
      }
    }
  }
  warm("strings::null_count", NullCountDesc{.rows = 9});
  warm("strings::gathered_bytes", GatheredBytesDesc{});
  for (const IndexWidth width : kWidths) {
    warm("strings::view_bytes", ViewBytesDesc{.offset_width = width});
  }
  for (const Schedule schedule : kSchedules) {
    for (const SortOrder order : up_to(SortOrder::descending)) {
      for (const NullOrder nulls : up_to(NullOrder::first)) {
        warm("strings::argsort",
             ArgsortStringsDesc{.order = order, .nulls = nulls, .schedule = schedule});
      }
    }
    warm("strings::dictionary_encode", DictionaryEncodeDesc{.schedule = schedule});
  }
}

void warm_up_string_columns(const WarmUp& warm) {
  using namespace strings;
  for (const Schedule schedule : kSchedules) {
    for (const Case to : up_to(Case::lower)) {
      warm("strings::change_case", ChangeCaseDesc{.to = to, .schedule = schedule});
    }
    for (const std::string_view separator : {"", ", "}) {
      warm("strings::concatenate", ConcatenateDesc{.separator = separator, .schedule = schedule});
    }
    for (const bool a_is_scalar : {false, true}) {
      for (const bool b_is_scalar : {false, true}) {
        warm("strings::copy_if_else",
             CopyIfElseDesc{
                 .a_is_scalar = a_is_scalar, .b_is_scalar = b_is_scalar, .schedule = schedule});
      }
    }
    for (const IndexWidth width : kWidths) {
      warm("strings::from_views", FromViewsDesc{.offset_width = width, .schedule = schedule});
    }
    warm("strings::gather", GatherStringsDesc{.schedule = schedule});
    warm("strings::select", SelectStringsDesc{.schedule = schedule});
    for (const std::int32_t step : {1, 2, -1, -2}) {
      for (const std::optional<std::int32_t> start : {std::optional<std::int32_t>(), {3}, {-3}}) {
        for (const std::optional<std::int32_t> stop : {std::optional<std::int32_t>(), {9}, {-9}}) {
          for (const bool per_row : {false, true}) {
            warm("strings::slice", SliceDesc{.start = start,
                                             .stop = stop,
                                             .step = step,
                                             .per_row = per_row,
                                             .schedule = schedule});
          }
        }
      }
    }
    for (const std::string_view delimiter : {"", ",", ", ", "--"}) {
      for (const bool rest : {false, true}) {
        warm("strings::split",
             SplitDesc{.delimiter = delimiter, .rest = rest, .schedule = schedule});
      }
    }
    for (const StripSide side : up_to(StripSide::right)) {
      for (const std::string_view characters : {std::string_view(), kUnicodeWhiteSpace}) {
        warm("strings::strip",
             StripDesc{.side = side, .characters = characters, .schedule = schedule});
      }
    }
  }
}

}  // namespace

RegisterDescriptors::RegisterDescriptors(void (*warm_up_with)(const WarmUp& warm)) {
  registered().push_back(warm_up_with);
}

void warm_up_everything(const Device& device, const std::function<void(const char*)>& begin) {
  const WarmUp warm(device, begin);
  warm_up_maps(warm);
  warm_up_random(warm);
  warm_up_folds(warm);
  warm_up_scans(warm);
  warm_up_compactions(warm);
  warm_up_sorts(warm);
  warm_up_group_by(warm);
  warm_up_stacks(warm);
  warm_up_string_values(warm);
  warm_up_string_columns(warm);
  for (const WarmUpWith warm_up_with : registered()) warm_up_with(warm);
}

}  // namespace vkprims::pipelines
