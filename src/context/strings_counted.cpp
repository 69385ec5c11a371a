// Operations on strings that wait for a number which the GPU counts first.
#include <algorithm>

#include "vkprims/reduce.hpp"
#include "vkprims/strings.hpp"

namespace vkprims::strings {

std::vector<StringColumn> split(Context& context, const StringColumn& in, SplitOptions options) {
  if (options.max_columns == 0) {
    const auto most = context.allocate<std::int32_t>(1);
    context.submit([&](Recorder& r) {
      reduce(r, {.op = Op::max}, count_tokens(r, in, options.delimiter), most);
    });
    // Of no rows it is the least number there is.
    options.max_columns =
        static_cast<std::uint32_t>(std::max(context.download(most)[0], std::int32_t{1}));
  }
  std::vector<StringColumn> columns;
  context.submit([&](Recorder& r) { columns = split(r, in, options); });
  return columns;
}

}  // namespace vkprims::strings
