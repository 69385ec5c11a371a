# vkprims_add_predicate(<target> NAME <name> SOURCE <predicate.glsl> FORMS <form> …
#                       [NAMESPACE <c++>])
#
# Makes kernels of a predicate of the target's own, and C++ to record them: the target can then say
#   #include "<target>/<name>.hpp"   // namespace <target>::<name>
# and call record_select(), select_scratch(), warm_up() and so on there, with the descriptors and
# buffers of the built-in primitives. NAMESPACE stands for the target's name where that is no C++
# name. The forms are select, partition and find_if, or partition_three.
#
# The source defines a function of an element, of 4, 8 or 16 bytes, and its number:
#   bool vkp_predicate(uvec2 edge, uvec2 index) { return edge.x < edge.y; }
# or for partition_three one that says which part the element is of, 0, 1 or 2:
#   uint vkp_part(float depth, uvec2 index) { return depth < 1.0 ? 0u : depth < 9.0 ? 1u : 2u; }
# Behind `index` there may be a parameter for what the caller gives for all elements.
# docs/own_kernels.md has more.

include(${CMAKE_CURRENT_LIST_DIR}/VkprimsStruct.cmake)
set(VKPRIMS_PREDICATE_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/predicate_form.hpp.in
    CACHE INTERNAL "C++ of a form of a user's predicate")
set(VKPRIMS_FIND_IF_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/find_if_form.hpp.in
    CACHE INTERNAL "C++ of find_if by a user's predicate")
set(_VKPRIMS_PREDICATE_FORMS select partition find_if partition_three
    CACHE INTERNAL "Forms of predicates")

function(vkprims_add_predicate target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;SOURCE;NAMESPACE" "FORMS")
  set(command "vkprims_add_predicate(${target} NAME ${arg_NAME})")
  _vkprims_check_own("${command}" NAME SOURCE FORMS)
  set(where "vkprims_add_predicate: ${source}")
  foreach(form IN LISTS arg_FORMS)
    if(NOT form IN_LIST _VKPRIMS_PREDICATE_FORMS)
      list(JOIN _VKPRIMS_PREDICATE_FORMS " " forms)
      message(FATAL_ERROR "${command}: FORMS has ${form}, which is none of: ${forms}")
    endif()
  endforeach()
  set(three FALSE)
  set(function vkp_predicate)
  set(result bool)
  if(partition_three IN_LIST arg_FORMS)
    if(NOT arg_FORMS STREQUAL "partition_three")
      message(FATAL_ERROR "${command}: FORMS has partition_three, whose source has a vkp_part(), "
              "and others, whose source has a vkp_predicate(): call it for each")
    endif()
    set(three TRUE)
    set(function vkp_part)
    set(result uint)
  endif()
  get_filename_component(file ${source} NAME)
  get_filename_component(directory ${source} DIRECTORY)

  # What the source says.
  _vkprims_read_glsl(${source} text)
  _vkprims_read_function("${where}" "${text}" ${function} returned inputs outputs arguments)
  list(LENGTH inputs count)
  if(NOT returned STREQUAL ${result} OR outputs OR NOT count EQUAL 1)
    message(FATAL_ERROR "${where}: ${function}() must return ${result} and have one element before "
            "index")
  endif()
  string(REGEX REPLACE ":.*" "" type "${inputs}")
  _vkprims_describe_type("${where}" "${text}" "${type}" element)
  math(EXPR bytes "4 * ${element_words}")
  set(moves TRUE)
  if(arg_FORMS STREQUAL "find_if")
    set(moves FALSE)
  endif()
  if(moves AND NOT element_words MATCHES "^(1|2|4)$")
    message(FATAL_ERROR "${where}: ${type} has ${bytes} bytes, elements that select and partition "
            "move must have 4, 8 or 16; map the elements to flags, and select numbers by these")
  endif()
  set(prefixes element)
  if(arguments)
    _vkprims_describe_type("${where}" "${text}" "${arguments}" arguments)
    list(APPEND prefixes arguments)
  endif()
  _vkprims_extensions_of("${prefixes}" wide double)

  # GLSL that the kernels include.
  set(code "#define VKP_ITEM_WORDS ${element_words}\n")
  if(wide)
    string(APPEND code "#extension GL_ARB_gpu_shader_int64 : require\n")
  endif()
  _vkprims_type_code(element ${type} vkp_pack_element vkp_unpack_element functions)
  string(APPEND code "#include \"${file}\"\n${functions}")
  _vkprims_arguments_code("${arguments}" functions parameter)
  string(APPEND code "${functions}")
  set(passed "")
  if(arguments)
    set(passed ", arguments")
  endif()
  # Functions whose parameters are const stay functions (VkprimsModule.cmake).
  set(primitive compact)
  set(part " ? 0u : 1u")
  if(three)
    set(primitive partition_three)
    set(part "")
  endif()
  string(APPEND code
         "uint vkp_part_of(const uint w[VKP_ITEM_WORDS], const uvec2 index${parameter}) {
  return ${function}(vkp_unpack_element(w), index${passed})${part}@SEMICOLON@\n}\n")
  set(glsl ${generated}/${arg_NAME}_glsl)
  _vkprims_write_code(${glsl}/vkprims_predicate.glsl "${code}")

  # Modules.
  set(modules "")
  set(cases "")
  set(outputs "")
  set(kernels "")
  if(moves)
    set(kernels look_back:word32 look_back:word64 count: place:)
  endif()
  foreach(kernel IN LISTS kernels)
    string(REGEX MATCH "^(.*):(.*)$" all ${kernel})
    set(entry ${CMAKE_MATCH_1})
    set(state "${CMAKE_MATCH_2}")
    set(name ${primitive}_${entry})
    set(options -DVKP_OWN_PREDICATE)
    if(state)
      string(APPEND name _${state})
      list(APPEND options -DVKP_STATE_${state})
    endif()
    set(module ${arg_NAME}_${name})
    _vkprims_add_module(${generated} ${module}
                        ${VKPRIMS_KERNEL_DIR}/compact/${primitive}/${entry}.comp "${options}"
                        "-I${glsl};-I${directory};-I${VKPRIMS_SHADER_DIR};-I${VKPRIMS_KERNEL_DIR}")
    list(APPEND outputs ${generated}/${module}.inc)
    _vkprims_module_code(${module} module_code)
    string(APPEND modules "${module_code}")
    string(APPEND cases "    case vkprims::PredicateKernel::${name}:
      return &${module}@SEMICOLON@\n")
  endforeach()

  # C++.
  _vkprims_structs(${file} structs ${prefixes})
  set(argument_bytes 0)
  set(given "")
  set(argument "")
  if(arguments)
    math(EXPR argument_bytes "4 * ${arguments_words}")
    set(argument ", const ${arguments_cpp}& arguments")
    set(given "  desc.arguments = vkprims::Value::bits(arguments)@SEMICOLON@\n")
  endif()
  set(includes "")
  set(functions "")
  foreach(form IN LISTS arg_FORMS)
    if(form STREQUAL "find_if")
      set(template ${VKPRIMS_FIND_IF_TEMPLATE})
      string(APPEND includes "#include \"${target}/${arg_NAME}_find_if.hpp\"\n")
    else()
      set(template ${VKPRIMS_PREDICATE_TEMPLATE})
      string(APPEND includes "#include \"vkprims/${form}.hpp\"\n")
    endif()
    string(SUBSTRING ${form} 0 1 first)
    string(TOUPPER ${first} first)
    string(SUBSTRING ${form} 1 -1 rest)
    string(REPLACE "_three" "Three" rest ${rest})
    file(READ ${template} text)
    string(REPLACE ";" "@SEMICOLON@" text "${text}")
    string(REPLACE "@FORM@" ${form} text "${text}")
    string(REPLACE "@Form@" ${first}${rest} text "${text}")
    string(REPLACE "@NAME@" ${arg_NAME} text "${text}")
    string(REPLACE "@ELEMENT@" ${element_cpp} text "${text}")
    string(REPLACE "@ARGUMENT@" "${argument}" text "${text}")
    string(REPLACE "@GIVEN@\n" "${given}" text "${text}")
    string(APPEND functions "${text}")
  endforeach()
  _vkprims_write_own(predicate OwnPredicate "PredicateOf<${element_cpp}>" PredicateKernel
    "\"${namespace}\", ${bytes}, ${argument_bytes}, ${wide}, ${double}")

  # find_if is the least of the numbers of the elements that are chosen.
  if(find_if IN_LIST arg_FORMS)
    file(RELATIVE_PATH relative ${generated} ${source})
    set(parameter "")
    if(arguments)
      set(parameter ", ${arguments} arguments")
    endif()
    set(extension "")
    if(wide)
      set(extension "#extension GL_ARB_gpu_shader_int64 : require\n")
    endif()
    set(monoid ${generated}/${arg_NAME}_find_if.glsl)
    _vkprims_write_code(${monoid}
"#extension GL_GOOGLE_include_directive : require
${extension}#include \"${relative}\"
#define VKP_T uvec2
#define VKP_COMMUTES
#define VKP_IN ${type}
uvec2 vkp_identity() { return uvec2(~0u)@SEMICOLON@ }
uvec2 vkp_combine(uvec2 left, uvec2 right) {
  return left.y < right.y || left.y == right.y && left.x < right.x ? left : right@SEMICOLON@
}
uvec2 vkp_load(${type} x, uvec2 index${parameter}) {
  return vkp_predicate(x, index${passed}) ? index : uvec2(~0u)@SEMICOLON@
}
")
    vkprims_add_monoid(${target} NAME ${arg_NAME}_find_if NAMESPACE ${namespace} SOURCE ${monoid}
                       FORMS reduce)
  endif()
endfunction()
