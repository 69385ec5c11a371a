# cmake -DSPIRV_DIS=… -DSPIRV_AS=… -DSPIRV_OPT=… -DPASSES=… -DINLINE=… -DMODULE=<a.spv>
# -DNAME=<a> -DOUTPUT=<a.inc> -P VkprimsModule.cmake
#
# Optimises a module, and writes it, packed, as a C++ constant of type vkprims::Spirv. Without
# SPIRV_OPT it is packed as it is. KEEP_DEBUG keeps names and lines.
#
# A function that takes its parameters by value, because all of them are const, that is called more
# than once and is not tiny stays a function: copies of it wherever it is called would be most of a
# module, and drivers inline it themselves. All other functions are inlined here, so that what their
# parameters point to can live in registers; and those that INLINE names, as a|b, or has all of.
# Functions that return a reference are inlined too: the validation layer (1.3.239) crashes where it
# looks for what is behind one.

cmake_policy(VERSION 3.24)

# Leaves the module as text in `code`.
macro(disassemble)
  execute_process(COMMAND ${SPIRV_DIS} --no-color --no-header --raw-id ${MODULE}
                  OUTPUT_VARIABLE code COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE ";" "," code "${code}") # in names, which a list would be split at
endmacro()

# Makes the module of `code`, with options of spirv-as.
macro(assemble)
  file(WRITE ${MODULE}asm "${code}")
  execute_process(COMMAND ${SPIRV_AS} --target-env vulkan1.2 ${ARGN} ${MODULE}asm -o ${MODULE}
                  COMMAND_ERROR_IS_FATAL ANY)
  file(REMOVE ${MODULE}asm)
endmacro()

if(SPIRV_OPT)
  disassemble()
  set(tiny 8) # lines

  string(REGEX MATCHALL "%[0-9]+ = OpTypePointer" pointers "${code}")
  foreach(pointer IN LISTS pointers)
    string(REGEX REPLACE " .*" "" pointer ${pointer})
    set(is_pointer_${pointer} 1)
  endforeach()

  set(called "")
  string(REGEX MATCHALL "OpFunctionCall %[0-9]+ %[0-9]+" calls "${code}")
  foreach(call IN LISTS calls)
    string(REGEX REPLACE ".* " "" function ${call})
    if(is_called_${function})
      list(APPEND called ${function})
    endif()
    set(is_called_${function} 1)
  endforeach()
  list(REMOVE_DUPLICATES called)

  if(INLINE STREQUAL "all")
    set(called "")
  elseif(INLINE)
    string(REGEX MATCHALL "OpName %[0-9]+ \"(${INLINE})\\(" inlined "${code}")
    foreach(name IN LISTS inlined)
      string(REGEX REPLACE "OpName (%[0-9]+) .*" "\\1" function ${name})
      list(REMOVE_ITEM called ${function})
    endforeach()
  endif()

  foreach(function IN LISTS called)
    string(FIND "${code}" "${function} = OpFunction " begin)
    string(SUBSTRING "${code}" ${begin} -1 body)
    string(FIND "${body}" "OpFunctionEnd" end)
    string(SUBSTRING "${body}" 0 ${end} body)
    # Lines are left out so that debug information changes nothing else.
    string(REGEX REPLACE "\n *Op(No)?Line[^\n]*" "" body "${body}")
    string(REGEX MATCHALL "\n" lines "${body}")
    list(LENGTH lines lines)
    set(has_pointer 0)
    # These are the types of the result and the parameters.
    string(REGEX MATCHALL "OpFunction(Parameter)? %[0-9]+" types "${body}")
    foreach(type IN LISTS types)
      string(REGEX REPLACE ".* " "" type ${type})
      if(is_pointer_${type})
        set(has_pointer 1)
      endif()
    endforeach()
    if(NOT has_pointer AND lines GREATER tiny)
      string(REGEX REPLACE "(\n *${function} = OpFunction %[0-9]+) None" "\\1 DontInline"
             code "${code}")
    endif()
  endforeach()
  assemble(--preserve-numeric-ids)
  # -O leaves each expression of specialization constants as often as it is used, and types that are
  # the same.
  list(APPEND PASSES --unify-const --remove-duplicates)
  if(NOT KEEP_DEBUG)
    list(PREPEND PASSES --strip-debug)
  endif()
  execute_process(COMMAND ${SPIRV_OPT} ${PASSES} ${MODULE} -o ${MODULE} COMMAND_ERROR_IS_FATAL ANY)

  # What is asked of spirv-opt is not asked of drivers: that of NVIDIA (580) crashes. What glslc
  # says of the precision of built-in variables means nothing here. The assembler numbers ids anew,
  # in the order of the text, so that the module can be packed well.
  disassemble()
  string(REGEX REPLACE "\n *OpDecorate %[0-9]+ RelaxedPrecision" "" code "${code}")
  string(REGEX REPLACE "(= OpFunction %[0-9]+) DontInline" "\\1 None" code "${code}")
  assemble()
endif()

# The words are packed as src/runtime/spirv.cpp says. The least significant byte of a word comes
# first in the file: glslc and spirv-opt run where programs are built.
file(READ ${MODULE} bytes HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" ";0x\\4\\3\\2\\1" words "${bytes}")
list(POP_FRONT words)
list(LENGTH words size)
math(EXPR size "4 * ${size}")
set(next_id 1)
set(packed "")
foreach(word IN LISTS words)
  math(EXPR word "${word}")
  math(EXPR set "${word} % 126")
  if(word EQUAL next_id)
    string(APPEND packed "0,")
    math(EXPR next_id "${next_id} + 1")
  elseif(word STREQUAL "${last_${set}}")
    math(EXPR set "1 + ${set}")
    string(APPEND packed "${set},")
    continue()
  elseif(word STREQUAL "${before_${set}}")
    math(EXPR code "127 + ${set}")
    string(APPEND packed "${code},")
  else()
    string(APPEND packed "255,")
    set(rest ${word})
    while(rest GREATER 127)
      math(EXPR group "${rest} & 127 | 128")
      math(EXPR rest "${rest} >> 7")
      string(APPEND packed "${group},")
    endwhile()
    string(APPEND packed "${rest},\n")
  endif()
  set(before_${set} "${last_${set}}")
  set(last_${set} ${word})
endforeach()
file(WRITE ${OUTPUT} "static const std::uint8_t packed_${NAME}[] = {
${packed}
};
const vkprims::Spirv ${NAME}{\"${NAME}\", nullptr, ${size}, packed_${NAME}};
")
