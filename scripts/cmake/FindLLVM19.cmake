# LLVM 19 static libraries, for the one shared object that holds the compiler.
find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19/lib/cmake/llvm)
llvm_map_components_to_libnames(KILN_LLVM_LIBS orcjit passes x86codegen x86asmparser x86desc x86info x86disassembler)
