// String kernels from text: the same as vkprims_add_string_kernel() makes.
#include "jit/jit_support.hpp"
#include "oracles/strings/pieces.hpp"
#include "strings/layouts.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::test {
namespace {

std::string rows_source(const std::string& name) {
  for (const auto& kernel : kOwnStringKernels) {
    if (kernel.name == name) return kernel.source;
  }
  return "";
}

jit::StringKernel stairs() {
  return compiler().string_kernel(rows_source("stairs"), {.name = "stairs.glsl", .pieces = 6});
}

// What kernels that are wrong in one thing say of it.
std::string message(const std::string& source, const jit::StringKernelDesc& desc = {}) {
  return compiler().string_kernel(source, desc).status().message();
}

constexpr const char* kCopy = R"(struct Row { VkpText text; };
bool vkp_evaluate(uint row, out Row x) {
  x.text = vkp_row_text(vkp_push.a, row);
  return vkp_valid(vkp_push.a, row);
}
VkpText vkp_piece(Row x, uint row, uint k) { return x.text; }
)";

}  // namespace

TEST_CASE("jit strings: rows of many pieces, by both schedules") {
  const Device& d = device();
  const jit::StringKernel kernel = stairs();
  throw_if_error(kernel.status());
  for_each_count(kRopeSchedules, [&](const HostStrings& a, const Layout& layout) {
    const PlacedColumn column(a, layout.in);
    const strings::RopeDesc desc{.rows = a.size(), .schedule = layout.schedule};
    throw_if_error(kernel.warm_up(d, desc));
    check_rows(oracle::strings::stairs(a, 6), layout.to, kernel.scratch(d, desc),
               [&](VkCommandBuffer cmd, const StringColumnOut& out, const Scratch& scratch) {
                 return kernel.record(cmd, d, desc,
                                      {.a = column.view(), .out = out, .scratch = scratch});
               });
  });
}

TEST_CASE("jit strings: two columns, texts and numbers, as a step of a Recorder") {
  const auto swap =
      compiler().string_kernel(rows_source("swap"), {.name = "swap", .columns = 2, .pieces = 4});
  const auto digits = compiler().string_kernel(rows_source("digits"),
                                               {.name = "digits", .columns = 0, .pieces = 2});
  const StringColumn a = upload_strings(context(), HostStrings{"a", "", "c"});
  const StringColumn b = upload_strings(context(), HostStrings{"x", "yy", "z"});
  const auto numbers = context().upload(std::vector<std::uint32_t>{0, 1, 3});
  StringColumn swapped, written;
  context().run([&](Recorder& r) {
    swapped = swap.make(r, {.text = ", ", .more_text = ".", .constant = 3},
                        {&a, &b, numbers.view()}, 13, true);
    written =
        digits.make(r, {.rows = 3, .text = "0123456789"}, {.indices = numbers.view()}, 6, false);
  });
  CHECK(download_strings(context(), swapped) == HostStrings{"x, a.", "yy, .", std::nullopt});
  CHECK(download_strings(context(), written) == HostStrings{"00", "01", "03"});
}

TEST_CASE("jit strings: computed bytes, in one part and in several") {
  const std::string doubled = R"(struct Row { VkpText text; };
bool vkp_evaluate(uint row, out Row x) {
  x.text = vkp_row_text(vkp_push.a, row);
  return vkp_valid(vkp_push.a, row);
}
void vkp_write_part(Row x, uint part, inout VkpWriter w) {
  const VkpText t = vkp_substr(x.text, 8 * part, PART);
  for (uint i = 0u; i < t.bytes; ++i) {
    vkp_put_byte(w, vkp_text_byte(t, i));
    vkp_put_byte(w, vkp_text_byte(t, i));
  }
}
)";
  const std::string whole = "#define PART 4096\n" + doubled;
  const std::string parts =
      "#define PART 8\n" + doubled + "uint vkp_parts(Row x) { return (x.text.bytes + 7u) / 8u; }\n";
  const HostStrings rows{"ab", std::nullopt, "", "a rather long row, in parts", "z"};
  HostStrings expected = rows;
  for (auto& row : expected) {
    if (!row) continue;
    std::string twice;
    for (const char c : *row) twice += {c, c};
    row = twice;
  }
  const StringColumn a = upload_strings(context(), rows);
  for (const std::string& source : {whole, parts}) {
    const auto kernel = compiler().string_kernel(source, {.generates = true});
    throw_if_error(kernel.status());
    StringColumn made;
    context().run([&](Recorder& r) { made = kernel.make(r, {}, {.a = &a}, 100, true); });
    CHECK(download_strings(context(), made) == expected);
  }
  CHECK(message(kCopy, {.generates = true}) == "jit: rows: does not define vkp_write_part()");
}

TEST_CASE("jit strings: values of rows, null ones, bits, and of two columns") {
  const StringColumn a = upload_strings(context(), HostStrings{"12", "", std::nullopt, "x", "7"});
  const StringColumn b = upload_strings(context(), HostStrings{"12", "y", "z", "x", "8"});
  const auto digits = compiler().string_map<std::int32_t>(R"(#define VKP_NULL_VALUE -1
bool vkp_value(uint row, VkpText a, out int x) {
  x = 0;
  for (uint i = 0u; i < a.bytes; ++i) x = 10 * x + int(vkp_text_byte(a, i)) - 0x30;
  return a.bytes != 0u && vkp_text_byte(a, 0u) < 0x3au;
}
)");
  const auto same = compiler().string_map<bool>(R"(
bool vkp_value(uint row, VkpText a, VkpText b) { return vkp_equal(a, b); }
)");
  const auto sizes = compiler().string_map<std::array<std::uint32_t, 2>>(
      "uvec2 vkp_value(uint row, VkpText a) { return uvec2(row, a.bytes); }");
  throw_if_error(digits.status());
  throw_if_error(same.status());
  throw_if_error(sizes.status());
  strings::ValueColumn<std::int32_t> numbers;
  strings::ValueColumn<std::array<std::uint32_t, 2>> pairs;
  BitColumn equal;
  context().run([&](Recorder& r) {
    numbers = digits.make(r, {}, {a});
    equal = same.make(r, {}, {a, &b});
    pairs = sizes.make(r, {}, {a});
  });
  CHECK(difference(context().download(numbers.values), {12, -1, -1, -1, 7}) == "");
  CHECK(context().download(numbers.validity)[0] == 0b10001);
  CHECK((context().download(equal.bits)[0] & 0b11011) == 0b01001);
  CHECK(context().download(pairs.values)[4] == std::array<std::uint32_t, 2>{4, 1});

  const auto said = [](const std::string& source) {
    return std::string(compiler().string_map<std::uint32_t>(source).status().message());
  };
  CHECK(said("") == "jit: value: does not define vkp_value()");
  CHECK(said("uint vkp_value(VkpText a) { return 0u; }")
            .starts_with("jit: value: vkp_value() must have the parameters uint row, VkpText a"));
  CHECK(said("uint vkp_value(uint row, VkpText a, out uint x) { return 0u; }")
            .starts_with("jit: value: vkp_value() returns uint and has an out parameter"));
  CHECK(said("uvec2 vkp_value(uint row, VkpText a) { return uvec2(0u); }") ==
        "jit: value: the C++ type T has 4 bytes, but uvec2 of the source has 8");
  CHECK(said("uint vkp_value(uint row, VkpText a) {\n  return b;\n}")
            .find("value:2: 'b' : undeclared identifier") != std::string::npos);
}

TEST_CASE("jit strings: mistakes are named, and every call gives them") {
  CHECK(message("") == "jit: rows: does not define vkp_evaluate()");
  CHECK(message("bool vkp_evaluate(uint row, out Row x) { return true; }") ==
        "jit: rows: does not define vkp_piece()");
  CHECK(message(kCopy, {.columns = 3}) == "jit: rows: columns is 3, must be 0, 1 or 2");
  CHECK(message(kCopy, {.pieces = 0}) == "jit: rows: pieces is 0, must be 1 … 512");
  CHECK(message(kCopy, {.pieces = 513}) == "jit: rows: pieces is 513, must be 1 … 512");
  std::string counted = kCopy;
  counted += "#define VKP_MOST_PIECES 3u\n";
  CHECK(message(counted) == "jit: rows: defines VKP_MOST_PIECES, which `pieces` says");
  CHECK(message(kCopy, {.name = "a/b"}).starts_with("jit: the name of a string kernel is"));
  CHECK(compiler().string_kernel(kCopy).status());

  // What only the compiler finds has the source's line, and comes with the call.
  std::string broken = kCopy;
  broken.replace(broken.find("vkp_valid"), 9, "vkp_valud");
  const jit::StringKernel kernel = compiler().string_kernel(broken, {.name = "broken"});
  throw_if_error(kernel.status());
  const std::string said = kernel.warm_up(device(), {.rows = 1}).message();
  CAPTURE(said);
  CHECK(said.find("jit: string kernel broken does not compile:\nbroken:4: ") == 0);
  CHECK(said.find("    return vkp_valud(vkp_push.a, row);") != std::string::npos);
  const StringColumn a = upload_strings(context(), HostStrings{"a"});
  CHECK_THROWS_AS(context().run([&](Recorder& r) { kernel.make(r, {}, {.a = &a}, 1, true); }),
                  Error);
  CHECK(kernel.scratch(device(), {.rows = 1}).bytes > 0);

  const jit::StringKernel none;
  CHECK(none.status().message() == std::string("jit: the string kernel has no source"));
  CHECK(!none.warm_up(device(), {.rows = 1}));
  CHECK(none.scratch(device(), {.rows = 1}).bytes == 0);
  CHECK(!jit::Compiler().string_kernel(kCopy).status());
}

}  // namespace vkprims::test
