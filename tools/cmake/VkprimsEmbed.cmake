# cmake -DROOT=<directory> -DFILES=<a|b|…> -DOUTPUT=<files.cpp> -P VkprimsEmbed.cmake
#
# Writes the files, whose names are relative to ROOT, as C++: an array of vkprims::jit::File.
# MSVC takes 16 KB in a string literal, so a file is several that stand behind each other.

string(REPLACE "|" ";" FILES "${FILES}")
set(code "#include \"jit/files.hpp\"\n\nnamespace vkprims::jit {\nnamespace {\n\n")
string(APPEND code "constexpr File kFiles[] = {\n")
set(hash "")
foreach(name IN LISTS FILES)
  file(READ ${ROOT}/${name} text)
  string(SHA256 hash "${hash}${name}\n${text}")
  string(APPEND code "    {\"${name}\",\n")
  while(NOT text STREQUAL "")
    string(LENGTH "${text}" bytes)
    set(part "${text}")
    set(rest "")
    if(bytes GREATER 8000)
      string(SUBSTRING "${text}" 0 8000 part)
      string(FIND "${part}" "\n" end REVERSE)
      string(SUBSTRING "${text}" 0 ${end} part)
      string(SUBSTRING "${text}" ${end} -1 rest)
    endif()
    string(APPEND code "     R\"vkprims(${part})vkprims\"\n")
    set(text "${rest}")
  endwhile()
  string(APPEND code "    },\n")
endforeach()
string(APPEND code "};\n\n}  // namespace\n
std::span<const File> files() { return kFiles; }
const char* files_hash() { return \"${hash}\"; }\n\n}  // namespace vkprims::jit\n")
file(WRITE ${OUTPUT} "${code}")
