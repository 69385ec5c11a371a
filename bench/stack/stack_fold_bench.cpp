// Benchmark rows of stack_fold.
#include <cstring>
#include <limits>

#include "harness.hpp"
#include "oracles/stack_fold.hpp"
#include "oracles/stack_match.hpp"

namespace vkprims::bench {
namespace {

struct Shape {
  StackMonoid monoid;
  StackFoldKind kind = StackFoldKind::exclusive;
  bool up_down = false;  // all open, then all close; else at random
  StackFoldOver over = StackFoldOver::enclosing;
  bool matched = false;  // with match and header, as a renderer's clips
};

std::vector<std::uint8_t> tags_of(const Shape& shape, std::uint64_t n) {
  std::vector<std::uint8_t> tags(n);
  for (std::uint64_t i = 0; i < n; ++i) {
    tags[i] = shape.up_down ? (i < n / 2 ? 1 : 2) : 1 + (mix_bits(i) >> 7 & 1);
  }
  return tags;
}

struct StackFold {
  Buffer<std::uint8_t> symbols;
  Buffer<std::uint32_t> values, out, match;
  Buffer<StackHeader> header;
  Session::ScratchBlock scratch;
  StackFoldDesc desc;
  StackFoldBuffers buffers;
};

std::vector<std::uint32_t> values_of(const Shape& shape, std::uint64_t n);

// The oracle's results as words; the values are words, too.
template <class T, class Combine>
std::vector<std::uint32_t> expected(const Shape& shape, std::uint64_t n, T identity,
                                    Combine&& combine) {
  const std::vector<std::uint8_t> tags = tags_of(shape, n);
  std::vector<std::uint32_t> words = values_of(shape, n);
  std::vector<T> values(n);
  std::memcpy(values.data(), words.data(), n * sizeof(T));
  const std::vector<T> folds =
      shape.over == StackFoldOver::enclosing
          ? oracle::stack_fold(tags, values, identity, combine, shape.kind)
          : oracle::stack_fold_enclosed(tags, values, identity, combine, shape.kind);
  std::memcpy(words.data(), folds.data(), n * sizeof(T));
  return words;
}

std::vector<std::uint32_t> expected(const Shape& shape, std::uint64_t n) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  using Box = StackRectangle;
  switch (shape.monoid) {
    case StackMonoid::u32_add:
      return expected(shape, n, 0u, [](std::uint32_t a, std::uint32_t b) { return a + b; });
    case StackMonoid::affine:
      return expected(shape, n, StackAffine{1, 0, 0, 1, 0, 0}, [](StackAffine l, StackAffine r) {
        return StackAffine{l.a * r.a + l.c * r.b,       l.b * r.a + l.d * r.b,
                           l.a * r.c + l.c * r.d,       l.b * r.c + l.d * r.d,
                           l.a * r.e + l.c * r.f + l.e, l.b * r.e + l.d * r.f + l.f};
      });
    case StackMonoid::rectangle_union:
      return expected(shape, n, Box{inf, inf, -inf, -inf}, [](Box a, Box b) {
        return Box{std::min(a.x0, b.x0), std::min(a.y0, b.y0), std::max(a.x1, b.x1),
                   std::max(a.y1, b.y1)};
      });
    default:
      return expected(shape, n, Box{-inf, -inf, inf, inf}, [](Box a, Box b) {
        return Box{std::max(a.x0, b.x0), std::max(a.y0, b.y0), std::min(a.x1, b.x1),
                   std::min(a.y1, b.y1)};
      });
  }
}

std::vector<std::uint32_t> values_of(const Shape& shape, std::uint64_t n) {
  const std::uint32_t size = size_of(shape.monoid) / 4;
  std::vector<std::uint32_t> words(n * size);
  for (std::uint64_t i = 0; i < words.size(); ++i) {
    words[i] = mix_bits(i);
    if (size == 1) continue;
    auto x = static_cast<float>(words[i] & 0xffff);
    if (shape.monoid == StackMonoid::affine) {  // small shifts, of which sums are exact
      const std::uint64_t at = i % size;
      x = at == 1 || at == 2 ? 0.f : at < 4 ? 1.f : static_cast<float>(words[i] & 3);
    }
    std::memcpy(&words[i], &x, 4);
  }
  return words;
}

Case make_stack_fold(Session& session, std::uint64_t n, const Shape& shape) {
  Context& context = session.context();
  auto c = std::make_shared<StackFold>();
  c->symbols = context.upload(tags_of(shape, n));
  c->values = context.upload(values_of(shape, n));
  c->out = session.allocate<std::uint32_t>(c->values.size());
  c->desc = {.monoid = shape.monoid, .over = shape.over, .kind = shape.kind, .count = n};
  c->scratch = session.allocate_scratch(stack_fold_scratch(session.device(), c->desc));
  c->buffers = {.symbols = c->symbols.view(),
                .values = c->values.view(),
                .out = c->out.view(),
                .scratch = c->scratch.scratch};
  if (shape.matched) {
    c->match = session.allocate<std::uint32_t>(n);
    c->header = session.allocate<StackHeader>(1);
    c->buffers.match = c->match.view();
    c->buffers.header = c->header.view();
  }
  Case result;
  result.items = n;
  result.ideal_bytes = n + 2 * n * size_of(shape.monoid) + (shape.matched ? 4 * n : 0);
  result.record = [&session, c](VkCommandBuffer cmd) {
    return record_stack_fold(cmd, session.device(), c->desc, c->buffers);
  };
  result.mismatch = [=, &session] {
    const auto folds = first_difference(session.context().download(c->out), expected(shape, n));
    if (!shape.matched || !folds.empty()) return folds;
    const std::vector<std::uint64_t> match = oracle::stack_match(tags_of(shape, n)).match;
    return first_difference(session.context().download(c->match),
                            std::vector<std::uint32_t>(match.begin(), match.end()));
  };
  return result;
}

Row stack_fold_row(const char* name, bool main, Shape shape) {
  return {.name = name,
          .bytes_per_item = 2 * size_of(shape.monoid) + 16 + (shape.matched ? 4u : 0u),
          .main = main,
          .sizes = {1 << 16, 1 << 20, 1 << 24, 1 << 26},
          .make = [shape](Session& s, std::uint64_t n) { return make_stack_fold(s, n, shape); }};
}

const Register kRows({
    headline("stack", stack_fold_row("stack_fold/rectangle_random", true,
                                     {StackMonoid::rectangle_intersection})),
    stack_fold_row("stack_fold/rectangle_random_after", true,
                   {StackMonoid::rectangle_intersection, StackFoldKind::after}),
    stack_fold_row("stack_fold/rectangle_up_down", false,
                   {StackMonoid::rectangle_intersection, StackFoldKind::exclusive, true}),
    stack_fold_row("stack_fold/rectangle_enclosed_random", false,
                   {StackMonoid::rectangle_union, StackFoldKind::after, false,
                    StackFoldOver::enclosed}),
    stack_fold_row("stack_fold/rectangle_random_matched", false,
                   {.monoid = StackMonoid::rectangle_intersection, .matched = true}),
    stack_fold_row("stack_fold/u32_add_random", false, {StackMonoid::u32_add}),
    stack_fold_row("stack_fold/affine_random", false, {StackMonoid::affine}),
});

}  // namespace
}  // namespace vkprims::bench
