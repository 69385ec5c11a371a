# MODE map of vkprims_add_string_kernel(), which calls this: a kernel of a function of a row,
#   uint vkp_value(uint row, VkpText a)          // or (uint row, VkpText a, VkpText b)
#   bool vkp_value(uint row, VkpText a)          // a bit for each row
#   bool vkp_value(uint row, VkpText a, out T x) // false: the value is null
# whose parameters say how many columns are read, and what a value is.
#   #define VKP_NULL_VALUE -1                    // the value of null rows; otherwise 0

set(VKPRIMS_STRING_MAP_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/string_map.hpp.in
    CACHE INTERNAL "C++ of a user's map of strings")

# Reads what vkp_value() of `text` returns and has as parameters: sets `type`, that of a value,
# `columns`, their number, and `makes_nulls`, true or false, in the caller.
function(_vkprims_read_value where text)
  _vkprims_signature("${text}" vkp_value returned parameters)
  if(returned STREQUAL "")
    message(FATAL_ERROR "${where}: does not define vkp_value()")
  endif()
  set(ins "")
  set(outs "")
  foreach(parameter IN LISTS parameters)
    string(REGEX MATCH "^(.*):.*:(in|out)$" all "${parameter}")
    list(APPEND ${CMAKE_MATCH_2}s "${CMAKE_MATCH_1}")
  endforeach()
  list(LENGTH outs out_count)
  if(NOT ins MATCHES "^uint;VkpText(;VkpText)?$" OR out_count GREATER 1)
    message(FATAL_ERROR "${where}: vkp_value() must have the parameters uint row, VkpText a, "
            "perhaps VkpText b, and perhaps one that is out")
  endif()
  if(outs AND NOT returned STREQUAL "bool")
    message(FATAL_ERROR "${where}: vkp_value() returns ${returned} and has an out parameter, must "
            "return bool, which says whether the row has a value")
  endif()
  list(LENGTH ins columns)
  math(EXPR columns "${columns} - 1")
  set(columns ${columns} PARENT_SCOPE)
  if(outs)
    set(type ${outs} PARENT_SCOPE)
    set(makes_nulls true PARENT_SCOPE)
  else()
    set(type ${returned} PARENT_SCOPE)
    set(makes_nulls false PARENT_SCOPE)
  endif()
endfunction()

# Adds the kernel to the target, with what vkprims_add_string_kernel() has read of its call.
function(_vkprims_add_string_map)
  _vkprims_read_glsl(${source} text)
  set(where "vkprims_add_string_kernel: ${source}")
  _vkprims_read_value("${where}" "${text}")
  get_filename_component(file ${source} NAME)
  get_filename_component(directory ${source} DIRECTORY)
  set(structs "")
  set(wide false)
  set(double false)
  if(type STREQUAL "bool")
    set(bytes 0)
    set(words 0)
    set(room 1)
    set(make vkprims::strings::map_bits)
    set(functions
        "void vkp_pack_value(const bool x, out uint w[1]) { w[0] = uint(x)@SEMICOLON@ }\n")
  else()
    _vkprims_describe_type("${where}" "${text}" "${type}" value)
    _vkprims_extensions_of(value wide double)
    _vkprims_structs(${file} structs value)
    set(words ${value_words})
    set(room ${words})
    math(EXPR bytes "4 * ${words}")
    set(make "vkprims::strings::map_values<${value_cpp}>")
    _vkprims_type_code(value ${type} vkp_pack_value vkp_unpack_value functions)
  endif()

  # GLSL.
  set(head "")
  set(parameters "const uint row, const VkpText a")
  set(passed "row, a")
  set(members "  const vkprims::StringColumn& a@SEMICOLON@\n")
  set(second nullptr)
  if(wide)
    string(APPEND head "#extension GL_ARB_gpu_shader_int64 : require\n")
  endif()
  string(APPEND head "#include \"vkprims/strings/strings.glsl\"
#define VKP_VALUE_WORDS ${words}\n")
  if(columns EQUAL 2)
    string(APPEND head "#define VKP_VALUES_OF_TWO\n")
    string(APPEND parameters ", const VkpText b")
    string(APPEND passed ", b")
    string(APPEND members "  const vkprims::StringColumn& b@SEMICOLON@\n")
    set(second "&columns.b")
  endif()
  set(call "const bool valid = true@SEMICOLON@\n  x = vkp_value(${passed})")
  if(makes_nulls)
    set(call "const bool valid = vkp_value(${passed}, x)")
  endif()
  _vkprims_write_code(${generated}/${arg_NAME}.comp "// Made by vkprims_add_string_kernel().
#version 460
#extension GL_GOOGLE_include_directive : require
${head}#include \"${file}\"
${functions}bool vkp_words_of_row(${parameters}, out uint w[${room}]) {
  ${type} x@SEMICOLON@
  ${call}@SEMICOLON@
  vkp_pack_value(x, w)@SEMICOLON@
  return valid@SEMICOLON@
}
void vkp_words_of_null(out uint w[${room}]) {
#ifdef VKP_NULL_VALUE
  vkp_pack_value(VKP_NULL_VALUE, w)@SEMICOLON@
#else
  for (uint k = 0u@SEMICOLON@ k < ${room}u@SEMICOLON@ ++k) w[k] = 0u@SEMICOLON@
#endif
}
#include \"vkprims/strings/values.glsl\"
void main() { vkp_map_rows()@SEMICOLON@ }
")
  set(module ${arg_NAME}_map)
  _vkprims_add_module(${generated} ${module} ${generated}/${arg_NAME}.comp ""
                      "-I${directory};-I${VKPRIMS_SHADER_DIR}")
  _vkprims_module_code(${module} module_code)

  # C++.
  _vkprims_write_string_header(${VKPRIMS_STRING_MAP_TEMPLATE} FILE:file NAMESPACE:namespace
    STRUCTS:structs MEMBERS:members MAKE:make SECOND:second)
  _vkprims_write_string_source("${module_code}}  // namespace
const vkprims::strings::MapKernel kernel{
    .spirv = &${module}, .value_bytes = ${bytes}, .columns = ${columns},
    .makes_nulls = ${makes_nulls}, .has_int64 = ${wide}, .has_float64 = ${double}}@SEMICOLON@
" ${generated}/${module}.inc)
endfunction()
