# vkprims_add_monoid(<target> NAME <name> SOURCE <monoid.glsl> FORMS <form> … [NAMESPACE <c++>])
#
# Makes kernels of a monoid of the target's own, and C++ to record them: the target can then say
#   #include "<target>/<name>.hpp"   // namespace <target>::<name>
# and call record_scan(), scan_scratch(), warm_up() and so on there, with the descriptors and
# buffers of the built-in primitives. NAMESPACE stands for the target's name where that is no C++
# name.
# The forms are scan, reduce, scan_by_key, segmented_scan, segmented_reduce, reduce_by_key,
# stack_fold and rolling; each adds some tens of kilobytes to the program.
#
# The source defines a type, an identity and an associative operation:
#   struct Bounds { float x0, y0, x1, y1; };
#   #define VKP_T Bounds
#   Bounds vkp_identity() { … }
#   Bounds vkp_combine(Bounds left, Bounds right) { … }
# and may say `#define VKP_COMMUTES` if left and right may change places. The header has the struct
# in C++. If reduce is the only form, vkp_load() may have a parameter behind the index, which
# ReduceDesc::arguments gives. docs/own_kernels.md has more.

include(${CMAKE_CURRENT_LIST_DIR}/VkprimsStruct.cmake)
set(VKPRIMS_MONOID_TEMPLATE ${CMAKE_CURRENT_LIST_DIR}/monoid_form.hpp.in
    CACHE INTERNAL "C++ of a form of a user's monoid")

# Kernels of each form, as <family>/<primitive>/<entry>.
set(_VKPRIMS_FORMS scan reduce scan_by_key segmented_scan segmented_reduce reduce_by_key stack_fold
    rolling)
set(_VKPRIMS_KERNELS_scan scan/scan/look_back scan/scan/multi_pass_fold scan/scan/multi_pass_scan)
set(_VKPRIMS_KERNELS_reduce reduce/reduce/reduce)
set(_VKPRIMS_KERNELS_segmented_scan
    scan/segmented_scan/look_back scan/segmented_scan/multi_pass_fold
    scan/segmented_scan/multi_pass_scan)
set(_VKPRIMS_KERNELS_scan_by_key ${_VKPRIMS_KERNELS_segmented_scan})
set(_VKPRIMS_KERNELS_segmented_reduce
    reduce/segmented_reduce/tiles reduce/segmented_reduce/fix_up)
set(_VKPRIMS_KERNELS_reduce_by_key
    compact/reduce_by_key/look_back compact/reduce_by_key/fold compact/reduce_by_key/reduce)
set(_VKPRIMS_KERNELS_stack_fold
    stack/stack_fold/slices stack/stack_fold/links stack/stack_fold/jump stack/stack_fold/seeds
    stack/stack_fold/rows stack/stack_fold/chains stack/stack_fold/tiles
    stack/stack_fold/nodes stack/stack_fold/enclosed)
set(_VKPRIMS_KERNELS_rolling
    rolling/rolling/tile rolling/rolling/edges rolling/rolling/fold rolling/rolling/double)
# Forms whose kernels call vkp_load() and vkp_store().
set(_VKPRIMS_TRANSFORMING_FORMS scan reduce)
# A project that has the library as a subdirectory calls functions where plain variables of this
# file are not seen.
foreach(variable IN LISTS _VKPRIMS_FORMS)
  set(_VKPRIMS_KERNELS_${variable} ${_VKPRIMS_KERNELS_${variable}} CACHE INTERNAL "")
endforeach()
set(_VKPRIMS_FORMS ${_VKPRIMS_FORMS} CACHE INTERNAL "")
set(_VKPRIMS_TRANSFORMING_FORMS ${_VKPRIMS_TRANSFORMING_FORMS} CACHE INTERNAL "")

# The kernels of forms, each as <family>/<primitive>/<entry>:<name in MonoidKernel>:<STATE>, where
# the last is empty for kernels without look-back.
function(_vkprims_monoid_kernels out forms)
  set(kernels "")
  foreach(form IN LISTS forms)
    list(APPEND kernels ${_VKPRIMS_KERNELS_${form}})
  endforeach()
  list(REMOVE_DUPLICATES kernels)
  set(result "")
  foreach(kernel IN LISTS kernels)
    string(REGEX MATCH "^[^/]+/([^/]+)/(.+)$" name ${kernel})
    set(name ${CMAKE_MATCH_1}_${CMAKE_MATCH_2})
    if(CMAKE_MATCH_1 STREQUAL CMAKE_MATCH_2)
      set(name ${CMAKE_MATCH_1})
    endif()
    file(STRINGS ${VKPRIMS_KERNEL_DIR}/${kernel}.comp states REGEX "^// %VARIANT% STATE ")
    if(states)
      list(APPEND result ${kernel}:${name}_word32:word32 ${kernel}:${name}_word64:word64)
    else()
      list(APPEND result ${kernel}:${name}:)
    endif()
  endforeach()
  set(${out} "${result}" PARENT_SCOPE)
endfunction()

function(vkprims_add_monoid target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "NAME;SOURCE;NAMESPACE" "FORMS")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${VKPRIMS_MONOID_TEMPLATE})
  _vkprims_check_own("vkprims_add_monoid(${target} NAME ${arg_NAME})" NAME SOURCE FORMS)
  set(where "vkprims_add_monoid: ${source}")
  foreach(form IN LISTS arg_FORMS)
    if(NOT form IN_LIST _VKPRIMS_FORMS)
      list(JOIN _VKPRIMS_FORMS " " forms)
      message(FATAL_ERROR "vkprims_add_monoid(${target} NAME ${arg_NAME}): FORMS has ${form}, "
              "which is none of: ${forms}")
    endif()
  endforeach()

  # What the source says.
  _vkprims_read_glsl(${source} text)
  _vkprims_definition("${text}" VKP_T type)
  if(type STREQUAL "")
    message(FATAL_ERROR "${where}: does not say \"#define VKP_T <type>\"")
  endif()
  foreach(function IN ITEMS vkp_identity vkp_combine)
    _vkprims_has_function("${text}" ${function} has)
    if(NOT has)
      message(FATAL_ERROR "${where}: does not define ${function}()")
    endif()
  endforeach()
  _vkprims_definition("${text}" VKP_WORDS own_words)
  if(own_words STREQUAL "")
    _vkprims_describe_type("${where}" "${text}" "${type}" element)
  else()
    _vkprims_describe_words("${where}" "${text}" ${own_words} element)
  endif()
  _vkprims_definition("${text}" VKP_COMMUTES commutes)
  set(in ${type})
  set(out ${type})
  foreach(side IN ITEMS IN:in:vkp_load OUT:out:vkp_store)
    string(REPLACE ":" ";" side ${side})
    list(POP_FRONT side macro variable function)
    _vkprims_definition("${text}" VKP_${macro} given)
    _vkprims_has_function("${text}" ${function} has)
    if(given STREQUAL "" AND has)
      message(FATAL_ERROR "${where}: defines ${function}() but not VKP_${macro}, its other type")
    elseif(NOT given STREQUAL "" AND NOT has)
      message(FATAL_ERROR "${where}: defines VKP_${macro} but not ${function}()")
    endif()
    if(given STREQUAL "")
      foreach(part IN ITEMS words members cpp wide double)
        set(${variable}_${part} "${element_${part}}")
      endforeach()
    else()
      set(${variable} ${given})
      _vkprims_describe_type("${where}" "${text}" "${${variable}}" ${variable})
    endif()
    set(has_${variable} ${has})
  endforeach()
  # Behind the index, vkp_load() may have what it gets for all elements.
  _vkprims_signature("${text}" vkp_load result parameters)
  set(arguments "")
  set(argument_bytes 0)
  if(parameters MATCHES "^[^;]*;[^;]*;([^:;]*):")
    set(arguments "${CMAKE_MATCH_1}")
    if(NOT arg_FORMS STREQUAL "reduce")
      message(FATAL_ERROR "${where}: vkp_load() has ${arguments} behind the index, which only "
              "reduce gives: leave the other FORMS out")
    endif()
    _vkprims_describe_type("${where}" "${text}" "${arguments}" arguments)
    math(EXPR argument_bytes "4 * ${arguments_words}")
  endif()
  _vkprims_arguments_code("${arguments}" arguments_code parameter)
  set(passed "")
  if(arguments)
    # The kernel sets the variable before it loads an element.
    string(APPEND arguments_code "VKP_ARGUMENTS vkp_arguments@SEMICOLON@\n")
    set(passed ", vkp_arguments")
  endif()
  if(has_in OR has_out)
    foreach(form IN LISTS arg_FORMS)
      if(NOT form IN_LIST _VKPRIMS_TRANSFORMING_FORMS)
        message(FATAL_ERROR "${where}: ${form} has no use for vkp_load() and vkp_store(), which "
                "scan and reduce call: leave it out of FORMS, or add a monoid without them")
      endif()
    endforeach()
  endif()

  # GLSL that the kernels include: the source, and how its types are moved.
  set(glsl ${generated}/${arg_NAME}_glsl)
  get_filename_component(file ${source} NAME)
  get_filename_component(directory ${source} DIRECTORY)
  # Functions whose parameters are const stay functions (VkprimsModule.cmake), so the source's are
  # called through such ones.
  set(code "")
  set(functions "VKP_T vkp_combine(const VKP_T left, const VKP_T right) {
  return vkp_own_combine(left, right)@SEMICOLON@
}\n")
  set(renamed vkp_combine)
  if(has_in)
    list(APPEND renamed vkp_load)
    string(APPEND functions "${arguments_code}VKP_T vkp_load(const VKP_IN x, const uvec2 index) {
  return vkp_own_load(x, index${passed})@SEMICOLON@
}\n")
  endif()
  if(has_out)
    list(APPEND renamed vkp_store)
    string(APPEND functions
           "VKP_OUT vkp_store(const VKP_T exclusive, const VKP_T inclusive, const uvec2 index) {
  return vkp_own_store(exclusive, inclusive, index)@SEMICOLON@
}\n")
  endif()
  foreach(function IN LISTS renamed)
    string(REPLACE vkp_ vkp_own_ own ${function})
    string(APPEND code "#define ${function} ${own}\n")
  endforeach()
  string(APPEND code "#include \"${file}\"\n")
  foreach(function IN LISTS renamed)
    string(APPEND code "#undef ${function}\n")
  endforeach()
  string(APPEND code "${functions}")
  if(own_words STREQUAL "")
    _vkprims_type_code(element ${type} vkp_pack vkp_unpack functions)
    string(APPEND code "#define VKP_WORDS ${element_words}\n${functions}")
  endif()
  if(has_in)
    string(APPEND code "#define VKP_IN_WORDS ${in_words}\n")
    _vkprims_type_code(in ${in} vkp_pack_in vkp_unpack_in functions)
    string(APPEND code "${functions}")
  endif()
  if(has_out)
    string(APPEND code "#define VKP_OUT_WORDS ${out_words}\n")
    _vkprims_type_code(out ${out} vkp_pack_out vkp_unpack_out functions)
    string(APPEND code "${functions}")
  endif()
  _vkprims_write_code(${glsl}/vkprims_monoid.glsl "${code}")

  # Modules.
  _vkprims_monoid_kernels(kernels "${arg_FORMS}")
  set(include_dirs -I${glsl} -I${directory} -I${VKPRIMS_SHADER_DIR} -I${VKPRIMS_KERNEL_DIR})
  set(modules "")
  set(cases "")
  set(outputs "")
  foreach(kernel IN LISTS kernels)
    string(REPLACE ":" ";" kernel ${kernel})
    list(GET kernel 0 path)
    list(GET kernel 1 name)
    list(GET kernel 2 state)
    set(module ${arg_NAME}_${name})
    set(options -DVKP_OWN_MONOID)
    if(NOT state STREQUAL "")
      list(APPEND options -DVKP_STATE_${state})
    endif()
    # For wide elements the code of functions is long, and calls of them are cheap beside it.
    set(kept "")
    if(element_words GREATER 2)
      set(kept KEEP_FUNCTIONS)
    endif()
    _vkprims_add_module(${generated} ${module} ${VKPRIMS_KERNEL_DIR}/${path}.comp "${options}"
                        "${include_dirs}" ${kept})
    list(APPEND outputs ${generated}/${module}.inc)
    _vkprims_module_code(${module} module_code)
    string(APPEND modules "${module_code}")
    string(APPEND cases "    case vkprims::MonoidKernel::${name}:
      return &${module}@SEMICOLON@\n")
  endforeach()

  # C++.
  set(includes "")
  set(structs "")
  set(known "")
  set(functions "")
  set(known "")
  foreach(kind IN ITEMS element in out)
    if(NOT ${kind}_members STREQUAL "" AND NOT ${kind}_cpp IN_LIST known)
      list(APPEND known ${${kind}_cpp})
      math(EXPR bytes "4 * ${${kind}_words}")
      string(APPEND structs "/// struct ${${kind}_cpp} of ${file}
struct ${${kind}_cpp} {
${${kind}_members}}@SEMICOLON@
static_assert(sizeof(${${kind}_cpp}) == ${bytes})@SEMICOLON@\n")
    endif()
  endforeach()
  foreach(form IN LISTS arg_FORMS)
    string(APPEND includes "#include \"vkprims/${form}.hpp\"\n")
    string(REPLACE "_" ";" words ${form})
    set(camel "")
    foreach(word IN LISTS words)
      string(SUBSTRING ${word} 0 1 first)
      string(TOUPPER ${first} first)
      string(SUBSTRING ${word} 1 -1 rest)
      string(APPEND camel ${first}${rest})
    endforeach()
    file(READ ${VKPRIMS_MONOID_TEMPLATE} text)
    string(REPLACE ";" "@SEMICOLON@" text "${text}")
    string(REPLACE "@FORM@" ${form} text "${text}")
    string(REPLACE "@Form@" ${camel} text "${text}")
    string(APPEND functions "${text}")
  endforeach()
  math(EXPR bytes "4 * ${element_words}")
  math(EXPR in_bytes "4 * ${in_words}")
  math(EXPR out_bytes "4 * ${out_words}")
  set(is_commutative false)
  if(commutes)
    set(is_commutative true)
  endif()
  # Kernels also handle what vkp_load() takes and vkp_store() gives.
  foreach(feature IN ITEMS wide double)
    if(in_${feature} OR out_${feature} OR arguments_${feature})
      set(element_${feature} TRUE)
    endif()
  endforeach()
  foreach(flag IN ITEMS has_in has_out element_wide element_double)
    string(TOLOWER "${${flag}}" ${flag})
  endforeach()
  _vkprims_write_own(monoid Monoid "MonoidOf<${element_cpp}, ${in_cpp}, ${out_cpp}>" MonoidKernel
    "\"${arg_NAME}\", ${bytes}, ${in_bytes}, ${out_bytes}, ${argument_bytes}, ${has_in}, \
${has_out}, ${is_commutative}, ${element_wide}, ${element_double}")
endfunction()
