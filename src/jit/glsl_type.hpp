// What a GLSL source of a user's says about its types, by the rules of VkprimsStruct.cmake: GLSL
// that moves values of these types as 32-bit words is made of it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "vkprims/status.hpp"
#include "vkprims/types.hpp"

namespace vkprims::jit {

/// A text without its comments.
std::string without_comments(std::string_view text);
/// The value of `#define NAME value` in a text without comments; "1" if there is none, "" if there
/// is no such line.
std::string definition(std::string_view text, std::string_view name);
/// Whether a text has a function or macro of this name.
bool has_function(std::string_view text, std::string_view name);

/// A parameter of a function.
struct Parameter {
  std::string type, name;
  bool is_out = false;  // or inout
};
/// The parameters of the function of this name that a text without comments has.
std::vector<Parameter> parameters_of(std::string_view text, std::string_view name);
/// The type that it returns; "" if there is no such function.
std::string result_of(std::string_view text, std::string_view name);

/// A type that GLSL can move as words.
struct GlslType {
  std::string name;          // in GLSL
  std::uint32_t words = 0;   // 1 … 8
  std::string pack, unpack;  // bodies of functions between w[] and x
  bool has_int64 = false, has_float64 = false;
  ValueKind kind = ValueKind::raw;  // of a number
};

/// Describes `type`, which `text` may define as a struct. `where` begins messages.
Status describe_type(std::string_view where, std::string_view text, std::string_view type,
                     GlslType& description);
/// The same for a type whose source defines VKP_WORDS, vkp_pack() and vkp_unpack() itself.
Status describe_words(std::string_view where, std::string_view text, std::string_view words,
                      GlslType& description);

/// GLSL of two functions between a type and its words.
std::string type_code(const GlslType& type, std::string_view pack, std::string_view unpack);

}  // namespace vkprims::jit
