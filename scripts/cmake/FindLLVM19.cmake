# LLVM 19's static libraries, for the one shared object that holds the compiler.
find_package(LLVM 19.1 REQUIRED CONFIG PATHS /usr/lib/llvm-19/lib/cmake/llvm)
llvm_map_components_to_libnames(KILN_LLVM_LIBS orcjit orcdebugging debuginfodwarf passes x86codegen x86asmparser x86desc x86info x86disassembler)

# That object must not depend on the machine's zlib, zstd or Z3, which LLVM's own configuration asks for as shared libraries.
get_target_property(KILN_LLVM_SUPPORT_LIBS LLVMSupport INTERFACE_LINK_LIBRARIES)
list(TRANSFORM KILN_LLVM_SUPPORT_LIBS REPLACE "zstd::libzstd_shared" "zstd::libzstd_static")
find_library(KILN_LIBZ libz.a REQUIRED)
list(TRANSFORM KILN_LLVM_SUPPORT_LIBS REPLACE "ZLIB::ZLIB" "${KILN_LIBZ}")
list(FILTER KILN_LLVM_SUPPORT_LIBS EXCLUDE REGEX "libz3")
set_target_properties(LLVMSupport PROPERTIES INTERFACE_LINK_LIBRARIES "${KILN_LLVM_SUPPORT_LIBS}")
