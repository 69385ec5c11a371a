// Monoids from text: the same as vkprims_add_monoid() makes.
#include <array>

#include "blocks/scan_tile.hpp"
#include "jit/jit_support.hpp"
#include "jit/monoid_source.hpp"
#include "oracles/monoids.hpp"

namespace vkprims::test {
namespace {

struct Affine {
  std::uint32_t m[4], t[2];
};
struct Path {
  std::uint32_t points, paths, transforms, points_of_path;
};

jit::Monoid<Affine> affine() {
  return compiler().monoid<Affine>(source_of("affine"), {.name = "affine"});
}
jit::Monoid<Path, std::uint32_t, std::uint32_t> path() {
  return compiler().monoid<Path, std::uint32_t, std::uint32_t>(source_of("path"), {.name = "path"});
}

template <class E>
std::vector<std::uint32_t> words_of(const std::vector<E>& elements) {
  std::vector<std::uint32_t> words(elements.size() * sizeof(E) / 4);
  if (!elements.empty()) std::memcpy(words.data(), elements.data(), words.size() * 4);
  return words;
}

template <class T = std::uint32_t, class In = T, class Out = T>
std::string message(const std::string& source, const std::string& name = "own") {
  return compiler().monoid<T, In, Out>(source, {.name = name}).status().message();
}

constexpr const char* kAdd = R"(#define VKP_T uint
uint vkp_identity() { return 0u; }
uint vkp_combine(uint left, uint right) { return left + right; }
)";

std::string with_type(const std::string& type, const std::string& definitions = "") {
  return definitions + "#define VKP_T " + type + "\n" + type + " vkp_identity() { return x; }\n" +
         type + " vkp_combine(" + type + " left, " + type + " right) { return left; }\n";
}

}  // namespace

TEST_CASE("jit monoid: the GLSL is what the build makes of the same source") {
  for (const auto& monoid : kOwnMonoids) {
    CAPTURE(std::string(monoid.name));
    jit::MonoidSource read;
    throw_if_error(jit::read_monoid(std::string(monoid.name) + ".glsl", monoid.source, read));
    CHECK(read.glsl == monoid.glsl);
  }
}

TEST_CASE("jit monoid: scan, reduce and reduce_by_key by affine maps, by every schedule") {
  using M = oracle::Affine;
  const jit::Monoid<Affine> monoid = affine();
  CHECK(!monoid.commutes);
  const auto seed = oracle::elements<M>(0, 1)[0];
  for (const Tuning& tuning : either_tuning({Tuning{}, kTinyTiles})) {
    const Device& d = device(tuning);
    const std::uint64_t tile = scan_tile(d.state()->tuning, 6).items;
    for (const std::uint64_t n : {std::uint64_t{0}, std::uint64_t{1}, tile + 1, 5 * tile + 7}) {
      const auto values = oracle::elements<M>(1, n);
      for (const Schedule schedule : {Schedule::look_back, Schedule::multi_pass}) {
        CAPTURE(n);
        CAPTURE(static_cast<int>(schedule));
        const ScanDesc desc{.own = &monoid,
                            .kind = ScanKind::inclusive,
                            .count = n,
                            .initial = Value::bits(seed),
                            .schedule = schedule};
        const Guarded in(values), out(n * sizeof(Affine));
        const DirtyScratch scratch(scan_scratch(d, desc));
        run([&](VkCommandBuffer cmd) {
          throw_if_error(record_scan(cmd, d, desc, {in.view(), out.view(), scratch.get()}));
        });
        CHECK(difference(out.read<std::uint32_t>(),
                         words_of(oracle::scan<M>(values, ScanKind::inclusive, seed))) == "");
      }
    }
  }
}

TEST_CASE("jit monoid: rolling by affine maps, short and long windows") {
  using M = oracle::Affine;
  const jit::Monoid<Affine> monoid = affine();
  const auto values = oracle::elements<M>(1, 3000);
  std::vector<Affine> typed(values.size());
  std::memcpy(typed.data(), values.data(), typed.size() * sizeof(Affine));
  const auto in = context().upload(typed);
  const auto near = context().allocate<Affine>(typed.size());
  const auto far = context().allocate<Affine>(typed.size());
  context().run([&](Recorder& r) {
    rolling(r, monoid, {.preceding = 20}, in, near);
    rolling(r, monoid, {.preceding = 2900}, in, far);
  });
  const auto expected = [&](std::size_t window) {
    std::vector<M::Element> folds;
    for (std::size_t i = 0; i < values.size(); ++i) {
      folds.push_back(M::kIdentity);
      for (std::size_t e = i + 1 - std::min(window, i + 1); e <= i; ++e) {
        folds.back() = M::combine(folds.back(), values[e]);
      }
    }
    return words_of(folds);
  };
  CHECK(difference(words_of(context().download(near)), expected(20)) == "");
  CHECK(difference(words_of(context().download(far)), expected(2900)) == "");
}

TEST_CASE("jit monoid: types may have the names of structs in the kernels of rolling") {
  std::string source;
  for (const char* name : {"Block", "Extent", "Marks", "Around", "Divisor", "Window"}) {
    source += std::string("struct ") + name + " { uint x; };\n";
  }
  source += R"(#define VKP_T Window
Window vkp_identity() { return Window(Extent(0u).x); }
Window vkp_combine(Window a, Window b) { return Window(a.x + Block(b.x).x); }
)";
  const auto monoid = compiler().monoid<std::uint32_t>(source, {.name = "window"});
  for (const MonoidKernel kernel : {MonoidKernel::rolling_tile, MonoidKernel::rolling_edges}) {
    const Spirv* spirv = nullptr;
    throw_if_error(monoid.find_module(monoid, kernel, spirv));
  }
}

TEST_CASE("jit monoid: tags become a struct of 16 bytes and this an index, by a Recorder") {
  const auto monoid = path();
  throw_if_error(monoid.status());
  std::vector<std::uint32_t> tags = random_values<std::uint32_t>(10'000, 5), expected;
  Path total{};
  for (std::uint32_t i = 0; i < tags.size(); ++i) {
    const std::uint32_t points = tags[i] & 7, ends = tags[i] >> 3 & 1;
    const Path before = total;
    total = {before.points + points, before.paths + ends, before.transforms + (tags[i] >> 4 & 1),
             ends ? 0 : before.points_of_path + points};
    expected.push_back((before.points ^ before.points_of_path << 8 ^ total.transforms << 20) ^ i);
  }
  const auto in = context().upload(tags);
  const auto out = context().allocate<std::uint32_t>(tags.size());
  const auto sum = context().allocate<Path>(1);
  context().run([&](Recorder& r) {
    scan(r, monoid, {}, in, out);
    reduce(r, monoid, {}, in, sum);
  });
  CHECK(difference(context().download(out), expected) == "");
  CHECK(context().download(sum)[0].points == total.points);
}

TEST_CASE("jit monoid: each kernel is compiled when it is first needed, and once") {
  const jit::Compiler jit(context().device());
  const jit::Monoid<std::uint32_t> add = jit.monoid<std::uint32_t>(kAdd, {.name = "add"});
  CHECK(jit.statistics().compiled == 0);
  const ReduceDesc desc{.own = &add, .count = 1000};
  throw_if_error(warm_up(context().device(), desc));
  CHECK(jit.statistics().compiled == 1);
  throw_if_error(warm_up(context().device(), desc));
  CHECK(jit.statistics().compiled == 1);
  // Another object of the same source finds what the first has compiled.
  const jit::Monoid<std::uint32_t> again = jit.monoid<std::uint32_t>(kAdd, {.name = "add"});
  throw_if_error(warm_up(context().device(), ReduceDesc{.own = &again, .count = 1000}));
  CHECK(jit.statistics().compiled == 1);
  CHECK(jit.statistics().from_memory == 1);
}

TEST_CASE("jit monoid: it may be moved, and destroyed after recording") {
  const auto in = context().upload(std::vector<std::uint32_t>(5000, 3));
  const auto out = context().allocate<std::uint32_t>(1);
  context().run([&](Recorder& r) {
    jit::Monoid<std::uint32_t> add =
        jit::Compiler(context().device()).monoid<std::uint32_t>(kAdd, {.name = "moved"});
    const jit::Monoid<std::uint32_t> moved = std::move(add);
    reduce(r, moved, {}, in, out);
  });
  CHECK(context().download(out)[0] == 15000);
}

TEST_CASE("jit monoid: kernels of every form compile") {
  const jit::Monoid<std::uint32_t> add = compiler().monoid<std::uint32_t>(kAdd, {.name = "add"});
  for (std::uint32_t i = 0; i <= static_cast<std::uint32_t>(MonoidKernel::rolling_double); ++i) {
    CAPTURE(i);
    const Spirv* spirv = nullptr;
    throw_if_error(add.find_module(add, static_cast<MonoidKernel>(i), spirv));
    CHECK(spirv);
  }
}

TEST_CASE("jit monoid: what a source says wrong is one sentence") {
  CHECK(message("uint vkp_identity();") == "jit: own: does not say \"#define VKP_T <type>\"");
  CHECK(message("#define VKP_T uint\nuint vkp_combine(uint a, uint b) { return a; }") ==
        "jit: own: does not define vkp_identity()");
  CHECK(message("#define VKP_T uint\nuint vkp_identity() { return 0u; } // vkp_combine()") ==
        "jit: own: does not define vkp_combine()");
  CHECK(message(with_type("Thing")) ==
        "jit: own: Thing is neither a struct of this file nor one of uint, int, float, double, "
        "uint64_t, int64_t and their vectors and matrices");
  CHECK(message(with_type("Thing", "struct Thing { bool x; };\n")) ==
        "jit: own: member \"bool x\" of Thing has type bool, which is none of uint, int, float, "
        "double, uint64_t, int64_t and their vectors and matrices");
  CHECK(message(with_type("Thing", "struct Thing { uint x[N]; };\n")) ==
        "jit: own: \"x[N]\" of Thing is neither a name nor an array of a number of elements");
  CHECK(message(with_type("Thing", "struct Thing { uint x; double y; };\n")) ==
        "jit: own: member y of Thing has 8-byte numbers and follows an odd number of 4-byte ones: "
        "reorder the members, so that C++ has no gap there");
  CHECK(message(with_type("Thing", "struct Thing { double y; uint x; };\n")) ==
        "jit: own: Thing has 8-byte members and an odd number of 4-byte words: add a member, so "
        "that C++ has no gap at its end");
  CHECK(message(with_type("Thing", "struct Thing { mat3 x; };\n")) ==
        "jit: own: Thing has 36 bytes, must be 4 … 32");
  CHECK(message(with_type("Thing", "struct Thing { };\n")) ==
        "jit: own: struct Thing has no members");
  CHECK(message(with_type("uint", "#define VKP_WORDS 9\n")) ==
        "jit: own: VKP_WORDS is 9, must be 1 … 8");
  CHECK(message(with_type("uint", "#define VKP_WORDS 1\n")) ==
        "jit: own: defines VKP_WORDS but not vkp_pack()");
  CHECK(message(with_type("uint", "uint vkp_load(float x, uvec2 i) { return 0u; }\n")) ==
        "jit: own: defines vkp_load() but not VKP_IN, its other type");
  CHECK(message(with_type("uint",
                          "#define VKP_IN float\n"
                          "uint vkp_load(float x, uvec2 index, uint y) { return y; }\n")) ==
        "jit: own: vkp_load() has a parameter behind index, which only vkprims_add_monoid() knows");
  CHECK(message(with_type("uint", "#define VKP_OUT float\n")) ==
        "jit: own: defines VKP_OUT but not vkp_store()");
  CHECK(message(kAdd, "a\"b") ==
        "jit: the name of a monoid is \"a\"b\", must be letters, digits, blanks, _, - and ., and "
        "not begin with vkprims");
}

TEST_CASE("jit monoid: the C++ types are what the source says") {
  CHECK(message<std::uint64_t>(kAdd) ==
        "jit: own: the C++ type T has 8 bytes, but uint of the source has 4");
  CHECK(
      message<float>(kAdd) ==
      "jit: own: the C++ type T is a floating-point number, but uint of the source is an unsigned "
      "integer");
  CHECK(message<std::uint32_t, float>(kAdd) ==
        "jit: own: the C++ type In is not T, but the source has no VKP_IN");
  CHECK(message<Path, std::uint32_t, std::uint64_t>(source_of("path")) ==
        "jit: own: the C++ type Out has 8 bytes, but uint of the source has 4");
  CHECK(message<Path>(source_of("path")) ==
        "jit: own: the C++ type In has 16 bytes, but uint of the source has 4");
  CHECK(message<Affine>(source_of("path")) ==
        "jit: own: the C++ type T has 24 bytes, but Path of the source has 16");
}

TEST_CASE("jit monoid: errors come with the call that records it, and have the source's lines") {
  const auto wrong = compiler().monoid<std::uint64_t>(kAdd, {.name = "add"});
  CHECK(std::string(warm_up(device(), ScanDesc{.own = &wrong, .count = 1}).message()) ==
        "jit: add: the C++ type T has 8 bytes, but uint of the source has 4");
  const auto broken = compiler().monoid<std::uint32_t>(
      "#define VKP_T uint\nuint vkp_identity() { return 0u; }\n"
      "uint vkp_combine(uint left, uint right) {\n  return left + rihgt;\n}\n",
      {.name = "broken"});
  CHECK(!!broken.status());
  const std::string expected =
      "jit: monoid broken does not compile:\n"
      "broken:4: 'rihgt' : undeclared identifier\n"
      "      return left + rihgt;";
  CHECK(std::string(warm_up(device(), ReduceDesc{.own = &broken, .count = 1}).message()) ==
        expected);
  const auto in = context().upload(std::vector<std::uint32_t>(5));
  const auto out = context().allocate<std::uint32_t>(1);
  CHECK_THROWS_WITH(context().run([&](Recorder& r) { reduce(r, broken, {}, in, out); }),
                    expected.c_str());
}

}  // namespace vkprims::test
