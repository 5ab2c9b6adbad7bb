# Finds the CPython 3.12 that kiln embeds: KILN_PYTHON names its executable (scripts/run passes the one it tried).
# Sets the target kiln_python: headers, and libpython3.12.a linked whole so that extension modules find every symbol.
if(NOT KILN_PYTHON)
  message(FATAL_ERROR "Set KILN_PYTHON to a CPython 3.12 executable with headers and libpython3.12.a (scripts/run finds one).")
endif()

function(kiln_python_config variable expression)
  execute_process(COMMAND ${KILN_PYTHON} -I -c "import sysconfig, sys, os; print(${expression})"
    OUTPUT_VARIABLE value OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "${KILN_PYTHON} does not run; set KILN_PYTHON to a working CPython 3.12.")
  endif()
  set(${variable} "${value}" PARENT_SCOPE)
endfunction()

kiln_python_config(KILN_PYTHON_VERSION "'%d.%d.%d' % sys.version_info[:3]")
kiln_python_config(KILN_PYTHON_INCLUDE "sysconfig.get_path('include')")
kiln_python_config(KILN_PYTHON_LIBPL "sysconfig.get_config_var('LIBPL')")
kiln_python_config(KILN_PYTHON_LIBDIR "sysconfig.get_config_var('LIBDIR')")
kiln_python_config(KILN_PYTHON_HOME "sys.base_prefix")
if(NOT KILN_PYTHON_VERSION MATCHES "^3\\.12\\.")
  message(FATAL_ERROR "kiln embeds CPython 3.12; ${KILN_PYTHON} is ${KILN_PYTHON_VERSION}.")
endif()
# What extension modules compiled into the archive need: Debian and Ubuntu put zlib, expat and others there.
kiln_python_config(KILN_PYTHON_MODLIBS
  "';'.join(dict.fromkeys(word for word in sysconfig.get_config_var('MODLIBS').split() if word.startswith('-l')))")
find_library(KILN_LIBPYTHON libpython3.12.a PATHS ${KILN_PYTHON_LIBPL} ${KILN_PYTHON_LIBDIR} NO_DEFAULT_PATH REQUIRED)
# How it was optimised, for doctor. Distributions call make's profile-opt by themselves, so the options don't tell; but compilers put
# what a profile shows to be hot apart, while a build without one has that in the few files that name hot functions.
kiln_python_config(KILN_PYTHON_LTO "int('--with-lto' in (sysconfig.get_config_var('CONFIG_ARGS') or ''))")
execute_process(COMMAND ${CMAKE_OBJDUMP} -h ${KILN_LIBPYTHON} OUTPUT_VARIABLE sections ERROR_QUIET)
string(REGEX MATCHALL "\\.text\\.hot" hot_sections "${sections}")
list(LENGTH hot_sections hot_sections)
set(KILN_PYTHON_PROFILED 0)
if(hot_sections GREATER 20)
  set(KILN_PYTHON_PROFILED 1)
endif()
if(sections MATCHES "\\.gnu\\.lto_")
  set(KILN_PYTHON_LTO 1)
endif()
# Names of the mechanism tests that this CPython fails, set by scripts/run; not empty, kiln runs with its JIT off.
set(KILN_JIT_DISABLED "" CACHE STRING "Mechanism tests that the CPython found fails, comma-separated; turns the JIT off")

# A copy of the archive in which some functions have other names: interp/cpython has theirs, for callers inside the archive and
# for extension modules. (--wrap would leave the latter out.) Of objects for link-time optimisation it keeps the machine code alone:
# the optimiser would go by the names as they were, and past --wrap.
set(KILN_RENAMED_IN frameobject.o pystate.o ceval.o signalmodule.o genobject.o)
set(KILN_RENAMED_frameobject.o  # frame_readers.c
  PyFrame_GetLocals PyFrame_GetVar PyFrame_GetVarString PyFrame_FastToLocals PyFrame_FastToLocalsWithError
  _PyFrame_GetLocals _PyFrame_FastToLocalsWithError PyFrame_GetLineNumber PyFrame_GetLasti)
set(KILN_RENAMED_pystate.o
  _PyInterpreterState_SetEvalFrameFunc               # frame_hook.c
  PyThreadState_GetFrame _PyThread_CurrentFrames)    # waiting_frames.c, as those that follow
set(KILN_RENAMED_ceval.o
  _PyEval_Vector PyEval_EvalCode PyEval_EvalCodeEx PyEval_EvalFrame PyEval_EvalFrameEx PyEval_GetFrame _PyEval_GetFrame
  PyEval_GetLocals _PyEval_GetFrameLocals PyEval_GetGlobals PyEval_GetBuiltins _PyEval_GetBuiltins PyEval_MergeCompilerFlags)
set(KILN_RENAMED_signalmodule.o PyErr_CheckSignals _PyErr_CheckSignals _PyErr_CheckSignalsTstate)
set(KILN_RENAMED_genobject.o _PyEval_EvalFrameDefault=kiln_evaluate_generator)  # the caller, not what it calls
set(KILN_PYTHON_ARCHIVE ${CMAKE_BINARY_DIR}/libpython/libpython3.12.a)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/libpython)
set(KILN_IN_ARCHIVE COMMAND ${CMAKE_COMMAND} -E chdir ${CMAKE_BINARY_DIR}/libpython)
foreach(member ${KILN_RENAMED_IN})
  set(names ${KILN_RENAMED_${member}})
  list(TRANSFORM names REPLACE "^([^=]+)$" "\\1=kiln_plain_\\1")
  list(TRANSFORM names PREPEND "--redefine-sym;")
  list(APPEND KILN_RENAME ${KILN_IN_ARCHIVE} ${CMAKE_OBJCOPY} ${names} ${member})
endforeach()
add_custom_command(OUTPUT ${KILN_PYTHON_ARCHIVE}
  COMMAND ${CMAKE_COMMAND} -E copy ${KILN_LIBPYTHON} ${KILN_PYTHON_ARCHIVE}
  ${KILN_IN_ARCHIVE} ${CMAKE_AR} x ${KILN_PYTHON_ARCHIVE} ${KILN_RENAMED_IN}
  ${KILN_RENAME}
  ${KILN_IN_ARCHIVE} ${CMAKE_AR} r ${KILN_PYTHON_ARCHIVE} ${KILN_RENAMED_IN}
  COMMAND ${CMAKE_OBJCOPY} --wildcard --remove-section=.gnu.lto_* --remove-section=.gnu.debuglto_* ${KILN_PYTHON_ARCHIVE}
  DEPENDS ${KILN_LIBPYTHON} ${CMAKE_CURRENT_LIST_FILE}
  COMMENT "Preparing libpython" VERBATIM)
add_custom_target(kiln_python_archive DEPENDS ${KILN_PYTHON_ARCHIVE})

add_library(kiln_python_headers INTERFACE)
target_include_directories(kiln_python_headers SYSTEM INTERFACE ${KILN_PYTHON_INCLUDE})
add_library(kiln_python INTERFACE)
target_link_libraries(kiln_python INTERFACE kiln_python_headers
  -Wl,--whole-archive ${KILN_PYTHON_ARCHIVE} -Wl,--no-whole-archive ${KILN_PYTHON_MODLIBS}
  -lm -ldl -lutil -lpthread)
target_link_options(kiln_python INTERFACE -Wl,--export-dynamic)
add_dependencies(kiln_python kiln_python_archive)
message(STATUS "kiln: CPython ${KILN_PYTHON_VERSION} at ${KILN_PYTHON_HOME}")
