// Classes of C modules whose objects' end runs no code of the program's.
#pragma once

#include <Python.h>

#include <cstdint>

namespace kiln {

// kUnknown: it may run code. kContents: it gives up what tp_traverse shows. kNothing: it gives up nothing.
enum class QuietEnd : uint8_t { kUnknown, kContents, kNothing };

// Of objects of exactly this class; kUnknown for all that are not in quiet_classes.def.
QuietEnd quietEndOf(PyTypeObject* cls);

}  // namespace kiln
