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
