// stack_fold over monoids of an application's own.
#include "blocks/own_monoids.hpp"
#include "oracles/stack_fold.hpp"
#include "stack/stack_tags.hpp"
#include "support/every_primitive.hpp"
#include "vkprims-tests/path.hpp"

namespace vkprims::test {
namespace {

using namespace stack;

struct Options {
  StackFoldOver over = StackFoldOver::enclosing;
  StackFoldKind kind = StackFoldKind::exclusive;
  StackInput input = StackInput::tags_u8;
  std::uint64_t offset = 0;  // of values and folds, in bytes past a multiple of 256
  std::uint64_t device_count = kAll;
};

// Gives values that may be combined in the order of the fold: neighbours are opens of which one
// encloses the other, or opens and symbols without a bracket one after another.
std::vector<oracle::Illegal::Element> neighbours(const Tags& tags, StackFoldOver over) {
  std::vector<oracle::Illegal::Element> values;
  std::uint32_t depth = 0, rank = 0;
  for (const std::uint8_t tag : tags) {
    const auto symbol = static_cast<StackTag>(tag & 3);
    const std::uint32_t x = over == StackFoldOver::enclosing ? depth : rank;
    values.push_back({x, x, 1, 0});
    if (symbol == StackTag::open) ++depth;
    if (symbol == StackTag::close && depth > 0) --depth;
    if (symbol == StackTag::reset) depth = 0;
    if (symbol == StackTag::open || symbol == StackTag::none) ++rank;
  }
  return values;
}

template <class C>
void check(const Tags& tags, const Options& o) {
  using M = typename C::M;
  using E = typename M::Element;
  CAPTURE(tags.size());
  CAPTURE(static_cast<int>(o.over));
  CAPTURE(static_cast<int>(o.kind));
  CAPTURE(static_cast<int>(o.input));
  CAPTURE(o.offset);
  CAPTURE(static_cast<std::int64_t>(o.device_count));
  std::vector<E> values = oracle::elements<M>(1, tags.size());
  if constexpr (std::is_same_v<M, oracle::Illegal>) values = neighbours(tags, o.over);
  std::vector<std::uint32_t> words(tags.begin(), tags.end()), planes[2];
  for (int p = 0; p < 2; ++p) {
    planes[p].assign((tags.size() + 31) / 32, 0);
    for (std::size_t i = 0; i < tags.size(); ++i)
      planes[p][i / 32] |= (tags[i] >> p & 1u) << i % 32;
  }
  const bool bits = o.input == StackInput::bits;
  const Guarded symbols = bits                             ? Guarded(planes[0], 4)
                          : o.input == StackInput::tags_u8 ? Guarded(tags, 1)
                                                           : Guarded(words, 4);
  const Guarded closes(planes[1], 8);
  const Guarded in(values, o.offset), out(tags.size() * sizeof(E), o.offset);
  const AnyCount count(tags.size(), o.device_count);
  const StackFoldDesc desc{
      .input = o.input, .own = &C::monoid(), .over = o.over, .kind = o.kind, .count = count.count};
  const DirtyScratch scratch(stack_fold_scratch(device(), desc));
  run([&](VkCommandBuffer cmd) {
    throw_if_error(record_stack_fold(cmd, device(), desc,
                                     {.symbols = symbols.view(),
                                      .closes = bits ? closes.view() : BufferView{},
                                      .values = in.view(),
                                      .out = out.view(),
                                      .scratch = scratch.get()}));
  });
  Tags some = tags;
  some.resize(count.used);
  const auto fold = o.over == StackFoldOver::enclosing
                        ? oracle::stack_fold<E, std::uint8_t, decltype(&M::combine)>
                        : oracle::stack_fold_enclosed<E, std::uint8_t, decltype(&M::combine)>;
  const std::vector<E> expected = fold(some, values, M::kIdentity, &M::combine, o.kind);
  if constexpr (std::is_same_v<M, oracle::Illegal>) {
    CHECK(std::all_of(expected.begin(), expected.end(), [](const E& x) { return x[3] == 0; }));
  }
  CHECK(difference_in(out.read<std::uint32_t>(), expected, untouched(tags.size() * sizeof(E))) ==
        "");
}

constexpr StackFoldOver kOvers[] = {StackFoldOver::enclosing, StackFoldOver::enclosed};
constexpr StackFoldKind kKinds[] = {StackFoldKind::exclusive, StackFoldKind::after};
constexpr std::uint64_t kTile = 2048;  // symbols

const RegisterPrimitive kEnclosing([](std::uint64_t n) {
  return any_primitive(
      "stack_fold", record_stack_fold, StackFoldDesc{.own = &own::affine::monoid, .count = n},
      StackFoldBuffers{view_at(1), {}, view_at(3), view_at(4), {}, {}, some_scratch()});
});
const RegisterPrimitive kEnclosed([](std::uint64_t n) {
  return any_primitive(
      "stack_fold", record_stack_fold,
      StackFoldDesc{.own = &own::wide::monoid, .over = StackFoldOver::enclosed, .count = n},
      StackFoldBuffers{view_at(1), {}, view_at(3), view_at(4), {}, {}, some_scratch()});
});

}  // namespace

TEST_CASE("own monoid: stack_fold of affine maps, both folds, any place in memory") {
  const std::uint32_t weights[][4] = {{1, 1, 0, 0},   {3, 1, 0, 0}, {1, 3, 1, 0}, {5, 4, 20, 0},
                                      {20, 20, 5, 1}, {1, 0, 0, 0}, {0, 1, 0, 0}};
  std::uint32_t seed = 0;
  for (const std::uint64_t n :
       {std::uint64_t{0}, std::uint64_t{1}, std::uint64_t{33}, kTile - 1, kTile + 1, 5 * kTile}) {
    for (const auto& w : weights) {
      ++seed;
      for (const StackFoldOver over : kOvers) {
        check<OwnAffine>(random_tags(n, seed, w[0], w[1], w[2], w[3]),
                         {.over = over,
                          .kind = kKinds[seed / 2 % 2],
                          .input = static_cast<StackInput>(seed % 3),
                          .offset = 4 * (seed % 3)});
      }
    }
  }
}

TEST_CASE("own monoid: stack_fold combines neighbours only, and takes 32 bytes") {
  for (const StackFoldOver over : kOvers) {
    for (const StackFoldKind kind : kKinds) {
      for (const auto& tags :
           {random_tags(3 * kTile + 7, 1, 10, 10, 3, 0),
            random_tags(7 * kTile, 2, 5000, 4900, 100, 1),
            tags_of(repeat("(" + repeat("()", kTile / 2 - 1) + ".", 9) + "))")}) {
        check<OwnIllegal>(tags, {.over = over, .kind = kind});
      }
    }
    check<OwnIllegal>(random_tags(5000, 3, 10, 10, 3), {.over = over, .offset = 4});
    check<OwnWide>(random_tags(5000, 4, 10, 10, 3), {.over = over});
    check<OwnWide>(random_tags(5000, 5, 10, 9, 3, 1), {.over = over, .offset = 4});
  }
}

TEST_CASE("own monoid: stack_fold over links of many tiles") {
  const std::uint64_t tiles = subset() ? 300 : 600;  // links of 256 tiles are made at once
  Tags tags = tags_of(repeat("(" + repeat("()", kTile / 2 - 1) + ".", tiles));
  tags.resize(tags.size() + tiles / 2, 2);
  check<OwnAffine>(tags, {.kind = StackFoldKind::after});
  check<OwnAffine>(tags, {.over = StackFoldOver::enclosed});
}

TEST_CASE("own monoid: stack_fold with the count on the GPU") {
  const Tags tags = random_tags(3 * kTile, 4, 2, 1, 1);
  for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, kTile + 9, 4 * kTile}) {
    for (const StackFoldOver over : kOvers) {
      check<OwnAffine>(tags, {.over = over, .device_count = n});
    }
  }
}

TEST_CASE("own monoid: stack_fold through a Recorder, with typed sequences") {
  using own::affine::Affine;
  const Tags tags = random_tags(1000, 1, 3, 2, 1);
  const auto values = oracle::elements<oracle::Affine>(1, tags.size());
  std::vector<Affine> typed(values.size());
  std::memcpy(typed.data(), values.data(), typed.size() * sizeof(Affine));
  std::vector<std::uint32_t> planes[2];
  for (int p = 0; p < 2; ++p) {
    planes[p].assign((tags.size() + 31) / 32, 0);
    for (std::size_t i = 0; i < tags.size(); ++i)
      planes[p][i / 32] |= (tags[i] >> p & 1u) << i % 32;
  }
  const auto symbols = context().upload(tags);
  const auto in = context().upload(typed);
  const auto opens = context().upload(planes[0]), closes = context().upload(planes[1]);
  const auto out = context().allocate<Affine>(tags.size()),
             out_bits = context().allocate<Affine>(tags.size());
  context().run([&](Recorder& r) {
    own::affine::stack_fold(r, {}, symbols, in, out);
    own::affine::stack_fold(r, {.over = StackFoldOver::enclosed}, opens, in, out_bits,
                            StackFoldOptionalBuffers{.closes = closes});
  });
  using M = oracle::Affine;
  CHECK(difference(words_of(context().download(out)),
                   words_of(oracle::stack_fold(tags, values, M::kIdentity, &M::combine,
                                               StackFoldKind::exclusive))) == "");
  CHECK(difference(words_of(context().download(out_bits)),
                   words_of(oracle::stack_fold_enclosed(tags, values, M::kIdentity, &M::combine,
                                                        StackFoldKind::exclusive))) == "");
}

TEST_CASE("own monoid: wrong input to stack_fold is refused by name") {
  CHECK(std::string(
            warm_up(device(), StackFoldDesc{.own = &own::path::monoid, .count = 1}).message()) ==
        "stack_fold: monoid path has vkp_load() or vkp_store(), which only scan and reduce use");
  Monoid broken = own::affine::monoid;
  broken.bytes = 0;
  CHECK(std::string(warm_up(device(), StackFoldDesc{.own = &broken, .count = 1}).message()) ==
        "stack_fold: monoid affine has elements of 0 bytes, must be a multiple of 4, 4 … 32");
  broken = own::affine::monoid;
  broken.find_module = [](const Monoid&, MonoidKernel, const Spirv*& spirv) {
    spirv = nullptr;
    return Status();
  };
  for (const StackFoldOver over : kOvers) {
    CHECK(
        std::string(
            warm_up(device(), StackFoldDesc{.own = &broken, .over = over, .count = 1}).message()) ==
        "stack_fold: monoid affine has no kernels for it; name it in the FORMS of "
        "vkprims_add_monoid()");
  }
  const BufferView small{view_at(3).address, 239};
  expect_error(Status::invalid_argument, {"stack_fold: values.bytes is 239", "240"},
               [&](VkCommandBuffer cmd) {
                 return own::affine::record_stack_fold(
                     cmd, device(), {.count = 10},
                     {view_at(1), {}, small, view_at(4), {}, {}, some_scratch()});
               });
}

}  // namespace vkprims::test
