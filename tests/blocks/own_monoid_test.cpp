// Scans and reductions over monoids of an application's own, through vkprims_add_monoid().
#include <array>

#include "blocks/own_monoids.hpp"
#include "blocks/own_scan.hpp"
#include "blocks/scan_tile.hpp"
#include "support/support.hpp"
#include "vkprims-tests/path.hpp"
#include "vkprims-tests/span.hpp"

namespace vkprims::test {
namespace {

std::vector<std::uint64_t> counts_for(const Device& d, std::uint32_t words) {
  const DeviceState& state = *d.state();
  const std::uint64_t tile =
      lanes_tile(state, words, words, state.tuning.scan_workgroup_size, kMaxCount).tile.items;
  return {0, 1, 2, 31, 33, tile - 1, tile, tile + 1, 5 * tile + 7, 20 * tile + 3};
}

template <class In>
std::vector<std::uint32_t> reduce_on_device(const Device& d, const ReduceDesc& desc,
                                            const std::vector<In>& values, std::uint64_t offset) {
  const Guarded in(values, offset), out(std::uint64_t{desc.own->bytes}, offset);
  const DirtyScratch scratch(reduce_scratch(d, desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_reduce(cmd, d, desc, {in.view(), out.view(), scratch.get()}));
  });
  return out.read<std::uint32_t>();
}

template <class C>
void check_monoid() {
  using M = typename C::M;
  using Element = typename M::Element;
  constexpr std::uint32_t words = std::tuple_size_v<Element>;
  const Monoid& monoid = C::monoid();
  CAPTURE(std::string(monoid.name));
  CHECK(monoid.bytes == 4 * words);
  for (const Tuning& tuning : either_tuning({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : counts_for(d, words)) {
      const std::vector<Element> values = oracle::elements<M>(1, n);
      const Element seed = oracle::elements<M>(0, 1)[0];
      Element total = seed;
      for (const Element& x : values) total = M::combine(total, x);
      for (const std::uint64_t offset : {0, 4, 8, 16}) {
        CAPTURE(n);
        CAPTURE(offset);
        if (offset % Monoid::alignment(monoid.bytes) != 0) continue;
        for (const Schedule schedule : kSchedules) {
          CAPTURE(static_cast<int>(schedule));
          const ScanKind kind = offset % 8 ? ScanKind::exclusive : ScanKind::inclusive;
          const ScanDesc desc{.own = &monoid,
                              .kind = kind,
                              .count = n,
                              .initial = Value::bits(seed),
                              .schedule = schedule};
          const auto expected = words_of(oracle::scan<M>(values, kind, seed));
          std::vector<std::uint32_t> fold;
          CHECK(difference(words_of(scan_on_device<Element>(d, desc, values, offset, false, &fold)),
                           expected) == "");
          CHECK(difference(fold, words_of(std::vector{total})) == "");
          if (offset == 0) {
            CHECK(difference(words_of(scan_on_device<Element>(d, desc, values, offset, true)),
                             expected) == "");
          }
        }
        const ReduceDesc desc{.own = &monoid, .count = n, .initial = Value::bits(seed)};
        CHECK(difference(reduce_on_device(d, desc, values, offset), words_of(std::vector{total})) ==
              "");
      }
    }
  }
}

}  // namespace

TEST_CASE("own monoid: scan and reduce by affine maps, whose struct is packed by the build") {
  static_assert(sizeof(own::affine::Affine) == 24);
  CHECK(!own::affine::monoid.commutes);
  check_monoid<OwnAffine>();
}

TEST_CASE("own monoid: no operands that are not neighbours, in scan and reduce") {
  check_monoid<OwnIllegal>();
}

TEST_CASE("own monoid: 32 bytes") { check_monoid<OwnWide>(); }

TEST_CASE("own monoid: tags become a 16-byte monoid, and this becomes an index") {
  using own::path::Path;
  const auto combine = [](const Path& a, const Path& b) {
    return Path{a.points + b.points, a.paths + b.paths, a.transforms + b.transforms,
                b.points_of_path + (b.paths == 0 ? a.points_of_path : 0)};
  };
  const auto load = [](std::uint32_t tag) {
    const std::uint32_t points = tag & 7, ends = tag >> 3 & 1;
    return Path{points, ends, tag >> 4 & 1, ends ? 0 : points};
  };
  for (const Tuning& tuning : either_tuning({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : counts_for(d, 1)) {
      std::vector<std::uint32_t> tags = random_values<std::uint32_t>(n, 5);
      for (std::uint32_t& tag : tags) tag &= tag & 0x100 ? 31 : 23;
      std::vector<std::uint32_t> expected;
      Path total{};
      for (std::uint32_t i = 0; i < n; ++i) {
        const Path next = combine(total, load(tags[i]));
        expected.push_back((total.points ^ total.points_of_path << 8 ^ next.transforms << 20) ^ i);
        total = next;
      }
      for (const std::uint64_t offset : {0, 4, 8, 12}) {
        for (const Schedule schedule : kSchedules) {
          CAPTURE(n);
          CAPTURE(offset);
          CAPTURE(static_cast<int>(schedule));
          const ScanDesc desc{.own = &own::path::monoid, .count = n, .schedule = schedule};
          CHECK(difference(scan_on_device<std::uint32_t>(d, desc, tags, offset, offset == 4),
                           expected) == "");
        }
        const ReduceDesc desc{.own = &own::path::monoid, .count = n};
        CHECK(difference(reduce_on_device(d, desc, tags, offset), words_of(std::vector{total})) ==
              "");
      }
    }
  }
}

TEST_CASE("own monoid: inputs of 8 bytes, results of 12, and the numbers of elements") {
  if (!device().state()->info.enabled.float64) {
    const ScanDesc desc{.own = &own::span::monoid, .count = 1};
    CHECK(scan_scratch(device(), desc).bytes == 0);
    CHECK(std::string(warm_up(device(), desc).message()) ==
          "scan: monoid span needs Features::float64, without which this device was created");
    return;
  }
  using own::span::Item;
  using own::span::Span;
  const auto combine = [](const Span& a, const Span& b) {
    Span x = a;
    if (b.key > a.key) {
      x = b;
    } else if (b.key == a.key) {
      x.last = b.last;
      x.weight = a.weight + b.weight;
    }
    x.sum = a.sum + b.sum;
    return x;
  };
  for (const Tuning& tuning : either_tuning({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    for (const std::uint64_t n : counts_for(d, 2)) {
      const std::vector<std::uint32_t> random = random_values<std::uint32_t>(n, 6);
      std::vector<Item> items(n);
      for (std::size_t i = 0; i < n; ++i) {
        items[i] = {static_cast<float>(random[i] % 50), static_cast<std::int32_t>(random[i] >> 28)};
      }
      std::vector<std::array<std::int32_t, 3>> expected;
      Span total{-1, 0, 0, 0, 0};
      for (std::uint32_t i = 0; i < n; ++i) {
        const Span next =
            combine(total, {items[i].key, i, i, items[i].weight, double(items[i].weight)});
        expected.push_back({static_cast<std::int32_t>(next.last), next.weight,
                            static_cast<std::int32_t>(total.sum)});
        total = next;
      }
      for (const std::uint64_t offset : {0, 8}) {
        for (const Schedule schedule : kSchedules) {
          CAPTURE(n);
          CAPTURE(static_cast<int>(schedule));
          const ScanDesc desc{.own = &own::span::monoid, .count = n, .schedule = schedule};
          CHECK(difference(
                    words_of(scan_on_device<std::array<std::int32_t, 3>>(d, desc, items, offset)),
                    words_of(expected)) == "");
        }
        const ReduceDesc desc{.own = &own::span::monoid, .count = n};
        CHECK(difference(reduce_on_device(d, desc, items, offset), words_of(std::vector{total})) ==
              "");
      }
    }
  }
}

TEST_CASE("own monoid: no kernel is larger than those of the library may be") {
  for (const Monoid* monoid : {&OwnAffine::monoid(), &OwnIllegal::monoid(), &OwnWide::monoid()}) {
    for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(MonoidKernel::rolling_double); ++i) {
      const Spirv* spirv = nullptr;
      throw_if_error(monoid->find_module(*monoid, static_cast<MonoidKernel>(i), spirv));
      REQUIRE(spirv);
      CAPTURE(std::string(spirv->name));
      CHECK(spirv->bytes <= 96 * 1024);
    }
  }
}

TEST_CASE("own monoid: a count from the GPU is clamped, may be 0, and nothing behind is touched") {
  const Device& d = device(kTinyTiles);
  const std::uint64_t most = 5000;
  const auto values = oracle::elements<oracle::Affine>(1, most);
  const Guarded in(values);
  for (const std::uint32_t n : {0u, 1u, 1234u, 5000u, 6000u}) {
    for (const Schedule schedule : kSchedules) {
      CAPTURE(n);
      CAPTURE(static_cast<int>(schedule));
      const auto count = context().upload(std::vector<std::uint32_t>{n});
      const Count on_gpu(most, count.address());
      const ScanDesc scan{.own = &own::affine::monoid, .count = on_gpu, .schedule = schedule};
      const ReduceDesc reduce{.own = &own::affine::monoid, .count = on_gpu};
      const Guarded out(most * 24), total(std::uint64_t{24});
      const DirtyScratch scan_memory(scan_scratch(d, scan)), memory(reduce_scratch(d, reduce));
      run([&](VkCommandBuffer cmd) {
        throw_if_error(record_scan(cmd, d, scan, {in.view(), out.view(), scan_memory.get()}));
        throw_if_error(record_reduce(cmd, d, reduce, {in.view(), total.view(), memory.get()}));
      });
      const std::vector some(values.begin(), values.begin() + std::min<std::uint64_t>(n, most));
      const auto identity = oracle::Affine::kIdentity;
      auto expected = words_of(oracle::scan<oracle::Affine>(some, ScanKind::exclusive, identity));
      expected.resize(most * 6, 0xcdcdcdcd);
      CHECK(difference(out.read<std::uint32_t>(), expected) == "");
      auto fold = identity;
      for (const auto& x : some) fold = oracle::Affine::combine(fold, x);
      CHECK(difference(total.read<std::uint32_t>(), words_of(std::vector{fold})) == "");
    }
  }
}

TEST_CASE("own monoid: through a Recorder, with typed sequences") {
  const std::vector<std::uint32_t> tags = random_values<std::uint32_t>(1000, 7);
  const auto in = context().upload(tags);
  const auto out = context().allocate<std::uint32_t>(tags.size());
  const auto total = context().allocate<own::path::Path>(1);
  context().run([&](Recorder& r) {
    own::path::scan(r, {}, in, out);
    own::path::reduce(r, {}, in, total);
  });
  std::uint32_t points = 0;
  for (const std::uint32_t tag : tags) points += tag & 7;
  CHECK(context().download(total)[0].points == points);
}

TEST_CASE("own monoid: wrong input is refused by name") {
  const Device& d = device();
  const auto message = [&](const ScanDesc& desc) {
    return std::string(warm_up(d, desc).message());
  };
  CHECK(message({.own = &own::affine::monoid, .count = 1, .initial = 1u}) ==
        "scan: initial has 4 bytes, an element of monoid affine has 24");
  CHECK(message({.own = &own::affine::monoid,
                 .count = 1,
                 .schedule = Schedule::look_back,
                 .determinism = Determinism::run_to_run}) ==
        "scan: schedule is look_back, which is not run_to_run for monoid affine; automatic and "
        "multi_pass are");
  CHECK(message({.own = &own::path::monoid, .count = 1, .input = ScanInput::u8}) ==
        "scan: input is given with monoid path, whose vkp_load() says what it is");
  Monoid broken = own::affine::monoid;
  broken.bytes = 36;
  CHECK(message({.own = &broken, .count = 1}) ==
        "scan: monoid affine has elements of 36 bytes, must be a multiple of 4, 4 … 32");
  broken = own::affine::monoid;
  broken.find_module = nullptr;
  CHECK(message({.own = &broken, .count = 1}) == "scan: monoid affine has no find_module");
  broken.find_module = [](const Monoid&, MonoidKernel, const Spirv*& spirv) {
    spirv = nullptr;
    return Status();
  };
  CHECK(message({.own = &broken, .count = 1}) ==
        "scan: monoid affine has no kernels for it; name it in the FORMS of vkprims_add_monoid()");
}

}  // namespace vkprims::test
