// Rolling windows. Rows seed_… measure three plain kernels of a rolling mean as tutorials have
// them: a loop over the window for each row; the same in shared memory; and sums that run along the
// 48 rows of an invocation. These rows leave out windows whose loop would take more than 60,000
// turns, or that do not fit into shared memory.
#include "harness.hpp"
#include "oracles/rolling.hpp"
#include "spirv/rolling_seed_naive.hpp"
#include "spirv/rolling_seed_running.hpp"
#include "spirv/rolling_seed_tile.hpp"

namespace vkprims::bench {
namespace {

constexpr std::uint64_t kGroup = 1000;  // rows of each group, where there are groups

template <class T>
T element(std::uint64_t i) {
  constexpr std::uint64_t kWords = sizeof(T) / 4;
  std::uint32_t words[kWords];
  for (std::uint64_t k = 0; k < kWords; ++k) words[k] = data_word(data_for<T>(), kWords * i + k);
  return std::bit_cast<T>(words);
}

bool is_valid(std::uint64_t i) { return data_word(Data::bits, i / 32) >> (i % 32) & 1; }

// Computes row i of the result from the elements that it depends on.
template <class T>
oracle::RollingRow expected(const RollingDesc& desc, std::uint64_t i, std::uint64_t n) {
  const auto preceding = static_cast<std::uint64_t>(desc.preceding);
  std::uint64_t begin = i + 1 > preceding ? i + 1 - preceding : 0;
  std::uint64_t end = std::min(n, i + static_cast<std::uint64_t>(desc.following) + 1);
  if (desc.groups.max) {
    begin = std::max(begin, i / kGroup * kGroup);
    end = std::min(end, (i / kGroup + 1) * kGroup);
  }
  std::vector<T> values;
  oracle::RollingColumn<T> column;
  for (std::uint64_t e = begin; e < end; ++e) {
    values.push_back(element<T>(e));
    if (desc.nullable) column.valid.push_back(is_valid(e));
  }
  column.in = values;
  oracle::RollingRow row = oracle::rolling_row(desc, column, i - begin);
  if (desc.op >= RollingOp::arg_min && row.valid) row.integer += begin;
  return row;
}

// Compares some rows of the result, most of them where tiles and windows begin and end.
template <class Out, class T>
std::string difference_of(Context& context, const Buffer<Out>& out, const RollingDesc& desc,
                          std::uint64_t n) {
  const auto window = static_cast<std::uint64_t>(desc.preceding + desc.following);
  const std::uint64_t runs = 8, length = std::min<std::uint64_t>(n, 2 + 2'000'000 / window / runs);
  for (std::uint64_t run = 0; run < runs; ++run) {
    const std::uint64_t begin = (n - length) / (runs - 1) * run;
    const std::vector<Out> got = context.download(out, begin, length);
    for (std::uint64_t k = 0; k < length; ++k) {
      const oracle::RollingRow want = expected<T>(desc, begin + k, n);
      if (oracle::rolling_matches(want, got[k])) continue;
      return "row " + std::to_string(begin + k) + " is " + std::to_string(got[k]) + ", should be " +
             (std::is_floating_point_v<Out> ? std::to_string(want.value)
                                            : std::to_string(want.integer));
    }
  }
  return "";
}

template <class T, class Out>
struct Rolling {
  Buffer<T> in;
  Buffer<Out> out;
  Buffer<std::uint32_t> validity, out_validity;
  Buffer<std::uint64_t> offsets;
  Session::ScratchBlock scratch;
  RollingDesc desc;
  RollingBuffers buffers;
};

template <class T, class Out>
Case make_rolling(Session& session, std::uint64_t n, RollingDesc desc, std::uint64_t shift) {
  auto c = std::make_shared<Rolling<T, Out>>();
  desc.type = type_of<T>();
  desc.count = n;
  c->in = session.allocate<T>(n + 4);
  c->out = session.allocate<Out>(n);
  const VkDeviceAddress in = c->in.address() + shift * sizeof(T);
  session.generate(in, n * sizeof(T) / 4, data_for<T>());
  c->buffers = {.in = {in, n * sizeof(T)}, .out = c->out.view()};
  const std::uint64_t words = (n + 31) / 32;
  if (desc.nullable) {
    c->validity = session.allocate<std::uint32_t>(words);
    session.generate(c->validity.address(), words, Data::bits);
    c->out_validity = session.allocate<std::uint32_t>(words);
    c->buffers.validity = c->validity.view();
    c->buffers.out_validity = c->out_validity.view();
  }
  if (desc.groups.max) {
    std::vector<std::uint64_t> offsets;
    for (std::uint64_t at = 0; at <= n; at += kGroup) offsets.push_back(at);
    desc.groups = offsets.size() - 1;
    desc.offset_width = IndexWidth::u64;
    if (offsets.size() == 1) offsets.push_back(n), desc.groups = 1;
    c->offsets = session.context().upload(offsets);
    c->buffers.offsets = c->offsets.view();
  }
  c->desc = desc;
  c->scratch = session.allocate_scratch(rolling_scratch(session.device(), desc));
  c->buffers.scratch = c->scratch.scratch;

  Case result;
  result.items = n;
  result.ideal_bytes = n * (sizeof(T) + sizeof(Out)) + (desc.nullable ? 8 * words : 0);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_rolling(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [c, n, &session] {
    return difference_of<Out, T>(session.context(), c->out, c->desc, n);
  };
  return result;
}

const std::vector<std::uint64_t> kSizes{1 << 16, 1 << 20, 1 << 24, 1 << 28, 1'000'000'000};

template <class T, class Out = T>
Row rolling_row(const std::string& name, RollingDesc desc, std::uint64_t shift = 0,
                bool main = false) {
  desc.index_width = sizeof(Out) == 8 ? IndexWidth::u64 : IndexWidth::u32;
  const bool wide = std::is_same_v<T, double> || std::is_same_v<Out, double>;
  const bool computes =
      desc.op == RollingOp::sum || desc.op == RollingOp::mean || desc.op == RollingOp::variance;
  const std::size_t parts = desc.groups.max && desc.following ? 16 : 0;
  return {
      .name = "rolling/" + name,
      .bytes_per_item = static_cast<std::uint32_t>(sizeof(T) + sizeof(Out) + parts),
      .needs = wide && computes ? &Features::float64 : nullptr,
      .main = main,
      .sizes = kSizes,
      .make = [=](Session& s, std::uint64_t n) { return make_rolling<T, Out>(s, n, desc, shift); }};
}

struct Seed {
  Buffer<double> in, out;
  std::unique_ptr<Kernel> kernel;
};

// `items` is the number of rows of a workgroup.
Case make_seed(Session& session, std::uint64_t n, const Spirv& spirv, std::uint32_t workgroup_size,
               std::uint32_t items, std::uint32_t window) {
  const std::uint32_t shared = session.context().properties().limits.maxComputeSharedMemorySize;
  if (&spirv == &spirv::rolling_seed_tile && 8 * (workgroup_size + window) > shared) {
    throw Error(Status::error(Status::unsupported, "its tile needs more shared memory"));
  }
  if (!session.is_gpu() && n * window > std::uint64_t{1} << 28 && items < 1024) {
    throw Error(Status::error(Status::unsupported, "its loops take too long on a CPU"));
  }
  auto c = std::make_shared<Seed>();
  c->in = session.allocate<double>(n);
  c->out = session.allocate<double>(n);
  session.generate(c->in.address(), 2 * n, data_for<double>());
  c->kernel = std::make_unique<Kernel>(session.context(), session.vk(), spirv,
                                       std::vector{workgroup_size, window});
  Case result;
  result.items = n;
  result.ideal_bytes = 16 * n;
  result.record = [=](VkCommandBuffer cmd) {
    const VkDeviceAddress in = c->in.address(), out = c->out.address();
    c->kernel->dispatch(cmd, (n + items - 1) / items,
                        {low(in), high(in), low(out), high(out), low(n), high(n)});
    return Status();
  };
  result.mismatch = [=, &session] {
    const RollingDesc desc{.type = Type::f64,
                           .op = RollingOp::mean,
                           .preceding = window,
                           .partial = RollingPartial::infinity};
    return difference_of<double, double>(session.context(), c->out, desc, n);
  };
  return result;
}

Row seed_row(const std::string& name, const Spirv& spirv, std::uint32_t workgroup_size,
             std::uint32_t items, std::uint32_t window) {
  return {.name = "rolling/seed_" + name + "_mean_f64_w" + std::to_string(window),
          .bytes_per_item = 16,
          .needs = &Features::float64,
          .sizes = kSizes,
          .make = [=, &spirv](Session& s, std::uint64_t n) {
            return make_seed(s, n, spirv, workgroup_size, items, window);
          }};
}

std::vector<Row> rolling_rows() {
  std::vector<Row> rows;
  using enum RollingOp;
  for (const std::int64_t window : {4, 100, 3000, 100'000}) {
    const std::string w = "_w" + std::to_string(window);
    const bool main = window == 3000;
    const Row mean_row =
        rolling_row<double>("mean_f64" + w, {.op = mean, .preceding = window}, 0, main);
    rows.push_back(main ? headline("rolling", mean_row) : mean_row);
    rows.push_back(rolling_row<double>("min_f64" + w, {.op = min, .preceding = window}));
  }
  for (const std::int64_t window : {4, 3000, 100'000}) {
    const std::string w = "_w" + std::to_string(window);
    rows.push_back(rolling_row<float>("sum_f32" + w, {.preceding = window}));
  }
  rows.push_back(rolling_row<float>("sum_f32_w3000_unaligned4", {.preceding = 3000}, 1));
  rows.push_back(rolling_row<std::uint32_t>("max_u32_w100", {.op = max, .preceding = 100}));
  rows.push_back(
      rolling_row<std::uint32_t, double>("mean_u32_w100", {.op = mean, .preceding = 100}));
  rows.push_back(rolling_row<double>("variance_f64_w100", {.op = variance, .preceding = 100}));
  rows.push_back(
      rolling_row<float, std::uint32_t>("arg_min_f32_w100", {.op = arg_min, .preceding = 100}));
  for (const std::int64_t window : {100, 3000}) {
    const std::string w = "_w" + std::to_string(window);
    rows.push_back(rolling_row<double>("mean_f64_nulls" + w,
                                       {.op = mean, .preceding = window, .nullable = true}));
    rows.push_back(
        rolling_row<double>("mean_f64_groups" + w, {.op = mean, .preceding = window, .groups = 1}));
  }
  rows.push_back(rolling_row<double>("mean_f64_groups_w50_50",
                                     {.op = mean, .preceding = 50, .following = 50, .groups = 1}));
  for (const std::uint32_t window : {4u, 100u, 3000u}) {
    rows.push_back(seed_row("naive", spirv::rolling_seed_naive, 128, 128, window));
    rows.push_back(seed_row("tile", spirv::rolling_seed_tile, 128, 128, window));
    rows.push_back(seed_row("running", spirv::rolling_seed_running, 64, 64 * 48, window));
  }
  return rows;
}

const Register kRows(rolling_rows());

}  // namespace
}  // namespace vkprims::bench
