// rolling over monoids of an application's own.
#include "blocks/own_monoids.hpp"
#include "oracles/rolling.hpp"
#include "rolling/rolling_check.hpp"
#include "rolling/rolling_plan.hpp"
#include "support/every_primitive.hpp"
#include "support/segment_lengths.hpp"
#include "vkprims-tests/path.hpp"

namespace vkprims::test {
namespace {

struct Options {
  const Device* device = &test::device(kTinyTiles);
  RollingDesc desc = {};                    // the count, own, nullable and groups follow
  std::vector<bool> valid = {};             // empty: all are valid
  std::vector<std::uint64_t> offsets = {};  // of groups; empty: one group
  std::uint64_t offset = 0;                 // of in and out, in bytes past a multiple of 256
  bool out_validity = false;
  std::uint64_t device_count = kAll;
};

template <class C>
void check_own(std::uint64_t n, const Options& o) {
  using M = typename C::M;
  using E = typename M::Element;
  CAPTURE(std::string(C::monoid().name));
  CAPTURE(n);
  CAPTURE(o.desc.preceding);
  CAPTURE(o.desc.following);
  CAPTURE(o.offset);
  CAPTURE(o.out_validity);
  CAPTURE(static_cast<std::int64_t>(o.device_count));
  const std::vector<E> values = oracle::elements<M>(1, n);
  const AnyCount count(n, o.device_count);
  RollingDesc desc = o.desc;
  desc.own = &C::monoid();
  desc.count = count.count;
  desc.nullable = !o.valid.empty();
  if (!o.offsets.empty()) desc.groups = o.offsets.size() - 1;
  const std::uint64_t bytes = n * sizeof(E);
  const Guarded in(values, o.offset), out(bytes, o.offset);
  const Guarded validity(to_words(o.valid, desc.validity_offset), 4);
  const Guarded out_validity((n + 31) / 32 * 4, 4);
  const std::vector<std::uint32_t> narrow(o.offsets.begin(), o.offsets.end());
  const Guarded offsets =
      desc.offset_width == IndexWidth::u64 ? Guarded(o.offsets, 8) : Guarded(narrow, 4);
  const DirtyScratch scratch(rolling_scratch(*o.device, desc));
  RollingBuffers buffers{in.view(), out.view(), {}, {}, {}, scratch.get()};
  if (desc.nullable) buffers.validity = validity.view();
  if (desc.groups.max) buffers.offsets = offsets.view();
  if (o.out_validity) buffers.out_validity = out_validity.view();
  run([&](VkCommandBuffer cmd) { throw_if_error(record_rolling(cmd, *o.device, desc, buffers)); });

  std::vector<E> some = values, expected;
  some.resize(count.used);
  const oracle::RollingColumn<E> column{some, o.valid, o.offsets};
  std::vector<std::uint32_t> expected_validity((n + 31) / 32, 0xcdcdcdcd);
  for (std::uint64_t i = 0; i < count.used; ++i) {
    const auto elements = oracle::rolling_elements(desc, column, i);
    const auto window = static_cast<std::uint64_t>(desc.preceding + desc.following);
    const bool is_valid =
        elements.size() >= (desc.partial == RollingPartial::keep ? desc.min_periods : window);
    E fold = M::kIdentity;
    for (const std::uint64_t e : elements) {
      if (is_valid) fold = M::combine(fold, some[e]);
    }
    expected.push_back(fold);
    if (i % 32 == 0) expected_validity[i / 32] = 0;
    expected_validity[i / 32] |= (is_valid ? 1u : 0u) << i % 32;
  }
  CHECK(difference_in(out.read<std::uint32_t>(), expected, untouched(bytes)) == "");
  if (o.out_validity) {
    CHECK(difference(out_validity.read<std::uint32_t>(), expected_validity) == "");
  }
}

std::vector<bool> some_nulls(std::uint64_t n) {
  std::vector<bool> valid;
  for (std::uint64_t i = 0; i < n; ++i) valid.push_back(i % 5 != 0 && i / 40 % 4 != 2);
  return valid;
}

// Windows of each path: in registers, in shared memory, with two edges, and with middles.
struct Sides {
  std::int64_t preceding, following;
};
constexpr Sides kSides[] = {{1, 0}, {3, 4}, {60, 0}, {100, 300}, {2500, 100}};
constexpr Sides kBesides[] = {{-2, 9}, {12, -4}, {-90, 400}, {3000, -700}};

const RegisterPrimitive kRolling([](std::uint64_t n) {
  return any_primitive(
      "rolling", record_rolling,
      RollingDesc{.own = &own::affine::monoid, .count = n, .preceding = 5000},
      RollingBuffers{.in = view_at(1), .out = view_at(2), .scratch = some_scratch()});
});

}  // namespace

TEST_CASE("own monoid: rolling keeps the order, whatever the window, at any place in memory") {
  std::uint64_t offset = 0;
  for (const Sides& s : kSides) {
    offset = 4 - offset;
    for (const std::uint64_t n : {0, 1, 255, 256, 257, 5003}) {
      const RollingDesc desc{.preceding = s.preceding, .following = s.following};
      check_own<OwnAffine>(n, {.desc = desc, .offset = offset});
    }
  }
  for (const Sides& s : kBesides) {
    const RollingDesc desc{.preceding = s.preceding, .following = s.following};
    check_own<OwnAffine>(5003, {.desc = desc});
  }
}

TEST_CASE("own monoid: rolling combines neighbours only, and takes 32 bytes") {
  for (const Sides& s : kSides) {
    const RollingDesc desc{.preceding = s.preceding, .following = s.following};
    check_own<OwnIllegal>(4100, {.desc = desc});
  }
  check_own<OwnWide>(4100, {.desc = {.preceding = 3, .following = 4}});
  check_own<OwnWide>(4100, {.desc = {.preceding = 2500}, .offset = 4});
  if (subset()) return;
  check_own<OwnIllegal>(20'001, {.device = &device(), .desc = {.preceding = 100}});
  check_own<OwnIllegal>(20'001, {.device = &device(), .desc = {.preceding = 9000}, .offset = 4});
  check_own<OwnWide>(5001, {.device = &device(), .desc = {.preceding = 400}});
}

TEST_CASE("own monoid: rolling over nulls; windows of too few elements are the identity") {
  const std::uint64_t n = 3001;
  for (const Sides& s : {kSides[1], kSides[2], kSides[3], kSides[4]}) {
    const std::uint64_t half = static_cast<std::uint64_t>(s.preceding + s.following) / 2;
    const RollingDesc desc{.preceding = s.preceding,
                           .following = s.following,
                           .min_periods = half,
                           .validity_offset = 29};
    check_own<OwnAffine>(n, {.desc = desc, .valid = some_nulls(n), .out_validity = true});
  }
  for (const bool out_validity : {false, true}) {
    RollingDesc desc{.preceding = 5, .following = 2, .min_periods = 0};
    check_own<OwnWide>(n, {.desc = desc, .valid = some_nulls(n), .out_validity = out_validity});
    desc.partial = RollingPartial::null;
    check_own<OwnWide>(n, {.desc = desc, .out_validity = out_validity});
    // Some windows are empty, and more have fewer than 3 elements.
    desc = {.preceding = -2, .following = 9, .min_periods = 3};
    check_own<OwnAffine>(n, {.desc = desc, .out_validity = out_validity});
  }
}

TEST_CASE("own monoid: rolling does not go beyond groups, in any order of their offsets") {
  const std::uint64_t n = 3001;
  for (const Sides& s : {Sides{4, 0}, Sides{4, 3}, Sides{300, 1500}}) {
    for (const Spread spread : {Spread::empty_runs, Spread::power_law}) {
      const RollingDesc desc{.preceding = s.preceding,
                             .following = s.following,
                             .min_periods = 2,
                             .offset_width = s.following ? IndexWidth::u64 : IndexWidth::u32};
      check_own<OwnIllegal>(n, {.desc = desc,
                                .offsets = offsets_of<std::uint64_t>(lengths(spread, n, 3)),
                                .out_validity = s.preceding == 4});
    }
  }
  const RollingDesc desc{.preceding = 50, .following = 20, .offset_width = IndexWidth::u64};
  for (const auto& offsets : hostile_offsets<std::uint64_t>(40, n)) {
    check_own<OwnWide>(n, {.desc = desc, .valid = some_nulls(n), .offsets = offsets});
  }
}

TEST_CASE("own monoid: rolling with the count on the GPU") {
  for (const Sides& s : {kSides[1], kSides[3], kSides[4]}) {
    const RollingDesc desc{.preceding = s.preceding, .following = s.following};
    for (const std::uint64_t n : {0, 1, 1234, 4000, 5000}) {
      check_own<OwnAffine>(4000, {.desc = desc, .out_validity = true, .device_count = n});
    }
  }
}

TEST_CASE("own monoid: rolling in 16 KB of shared memory, by workgroups of 128") {
  Device small;
  throw_if_error(create_device(device(kTinyTiles).state()->info, limits(), small));
  observe(small);
  small.state()->largest_workgroup = 128;
  small.state()->shared_bytes = 16384;
  for (const Sides& s : {Sides{2, 0}, Sides{20, 0}, Sides{30, 5}, Sides{100, 50}, Sides{900, 0}}) {
    const RollingDesc desc{.preceding = s.preceding, .following = s.following};
    check_own<OwnWide>(2001, {.device = &small, .desc = desc, .out_validity = true});
  }
}

TEST_CASE("own monoid: plans of rolling fit into shared memory, for every size of elements") {
  Device d;
  throw_if_error(Device::create(device().state()->info, d));
  for (const std::uint32_t rows_per_tile : {1, 4}) {
    for (const std::uint32_t shared : {16384, 32768, 49152, 65536}) {
      for (const std::uint32_t workgroup : {128, 256, 1024}) {
        for (std::uint32_t words = 1; words <= 8; ++words) {
          d.state()->tuning.rows_per_tile = rows_per_tile;
          d.state()->shared_bytes = shared;
          d.state()->largest_workgroup = workgroup;
          Monoid monoid = own::affine::monoid;
          monoid.bytes = 4 * words;
          for (std::int64_t window = 1; window < 10'000; window += 1 + window / 9) {
            const RollingDesc desc{.own = &monoid, .count = 1 << 20, .preceding = window};
            const bool out_validity = window % 2 == 0;
            const RollingSide s = rolling_plan(*d.state(), desc, out_validity).sides[0];
            CAPTURE(shared);
            CAPTURE(words);
            CAPTURE(window);
            CHECK(s.run_items >= 1);
            CHECK(s.workgroup_size <= workgroup);
            CHECK(s.tile_items >= 32);
            const std::uint32_t partials = s.path == RollingPath::tile
                                               ? 3 * s.max_runs * (words + 2)
                                               : s.workgroup_size * (words + 2);
            const std::uint32_t stage = (s.stage_items + s.stage_items / 32 + 1) * words;
            CHECK(4 * (partials + stage + s.workgroup_size * s.run_items / 32 + 2) <= shared);
          }
        }
      }
    }
  }
}

TEST_CASE("own monoid: warm_up of rolling compiles everything that is used") {
  DeviceInfo info = device(kTinyTiles).state()->info;
  info.pipelines = PipelinePolicy::warmed_only;
  Device d;
  throw_if_error(create_device(info, limits(), d));
  observe(d);
  for (const Sides& s : {kSides[1], kSides[4]}) {
    const RollingDesc desc{
        .own = &own::illegal::monoid, .preceding = s.preceding, .following = s.following};
    throw_if_error(warm_up(d, desc));
    for (const std::uint64_t offset : {0, 4}) {
      for (const bool out_validity : {false, true}) {
        check_own<OwnIllegal>(
            3001, {.device = &d, .desc = desc, .offset = offset, .out_validity = out_validity});
      }
    }
  }
  RollingDesc grouped{.own = &own::illegal::monoid, .preceding = 300, .following = 20, .groups = 1};
  throw_if_error(warm_up(d, grouped));
  check_own<OwnIllegal>(3001, {.device = &d, .desc = grouped, .offsets = {0, 700}});
}

TEST_CASE("own monoid: rolling through a Recorder, with typed sequences") {
  using own::affine::Affine;
  using M = oracle::Affine;
  const auto values = oracle::elements<M>(1, 1000);
  std::vector<Affine> typed(values.size());
  std::memcpy(typed.data(), values.data(), typed.size() * sizeof(Affine));
  const auto in = context().upload(typed);
  const auto offsets = context().upload(std::vector<std::uint32_t>{0, 500, 1000});
  const auto out = context().allocate<Affine>(typed.size());
  context().run([&](Recorder& r) {
    own::affine::rolling(r, {.preceding = 3}, in, out, RollingOptionalBuffers{.offsets = offsets});
  });
  std::vector<M::Element> expected;
  for (std::size_t i = 0; i < values.size(); ++i) {
    M::Element fold = M::kIdentity;
    for (std::size_t e = i - std::min<std::size_t>(i % 500, 2); e <= i; ++e) {
      fold = M::combine(fold, values[e]);
    }
    expected.push_back(fold);
  }
  CHECK(difference(words_of(context().download(out)), words_of(expected)) == "");
}

TEST_CASE("own monoid: wrong input to rolling is refused by name") {
  const auto message = [](const RollingDesc& desc) {
    return std::string(warm_up(device(), desc).message());
  };
  CHECK(message({.own = &own::path::monoid, .count = 1}) ==
        "rolling: monoid path has vkp_load() or vkp_store(), which only scan and reduce use");
  CHECK(message({.own = &own::affine::monoid, .partial = RollingPartial::infinity}) ==
        "rolling: partial is RollingPartial::infinity, but results are elements of monoid affine");
  Monoid broken = own::affine::monoid;
  broken.bytes = 36;
  CHECK(message({.own = &broken, .count = 1}) ==
        "rolling: monoid affine has elements of 36 bytes, must be a multiple of 4, 4 … 32");
  broken = own::affine::monoid;
  broken.find_module = [](const Monoid&, MonoidKernel, const Spirv*& spirv) {
    spirv = nullptr;
    return Status();
  };
  for (const std::int64_t preceding : {2, 1000, 100'000}) {
    CHECK(message({.own = &broken, .count = 1, .preceding = preceding}) ==
          "rolling: monoid affine has no kernels for it; name it in the FORMS of "
          "vkprims_add_monoid()");
  }
  // What a monoid does not use is not looked at.
  CHECK(message({.type = Type(99), .op = RollingOp(99), .own = &own::affine::monoid}) == "ok");
  const BufferView small{view_at(1).address, 239}, unaligned{view_at(1).address + 2, 240};
  expect_error(Status::invalid_argument, {"rolling: in.bytes is 239", "240"},
               [&](VkCommandBuffer cmd) {
                 return own::affine::record_rolling(cmd, device(), {.count = 10},
                                                    {.in = small, .out = view_at(2)});
               });
  expect_error(Status::invalid_argument, {"rolling: in.address", "multiple of 4"},
               [&](VkCommandBuffer cmd) {
                 return own::affine::record_rolling(cmd, device(), {.count = 10},
                                                    {.in = unaligned, .out = view_at(2)});
               });
}

}  // namespace vkprims::test
