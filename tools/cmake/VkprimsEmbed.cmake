# cmake -DMODULE=<a.spv> -DOUTPUT=<a.inc> -P VkprimsEmbed.cmake: the words of a SPIR-V module as C++ constants.
# (Modules are written with the least significant byte of a word first: glslc and spirv-opt run where programs are built.)
file(READ ${MODULE} bytes HEX)
string(REGEX REPLACE "(..)(..)(..)(..)" "0x\\4\\3\\2\\1,\n" words "${bytes}")
file(WRITE ${OUTPUT} "${words}")
