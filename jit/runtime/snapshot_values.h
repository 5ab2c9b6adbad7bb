// From the words that compiled code stored for a snapshot to Python objects.
#pragma once

#include <Python.h>

#include <vector>

#include "interp/py_ref.h"
#include "interp/support/short_vector.h"
#include "jit/ir/region.h"

namespace kiln {

// Reads a snapshot's values in the order in which compiled code stored them, and makes each box once. At an exit the
// references that compiled code owned move into the objects made; copies leave them where they are.
class SnapshotValues {
   public:
    enum class Mode { kMove, kCopy };

    SnapshotValues(const ir::Region& region, const int64_t* words, Mode mode = Mode::kMove)
        : region_(region), next_(words), mode_(mode) {}

    // A new reference, or nullptr for an unbound slot. Home slots must not be asked for. Needs the GIL; ends the process
    // when there is no memory.
    PyObject* make(const ir::SlotSource& source);

   private:
    bool moves(const ir::SlotSource& source) const { return source.owned && mode_ == Mode::kMove; }
    PyObject* existing(const ir::SlotSource& source, int64_t word) const;
    PyObject* makeValue(const ir::SlotSource& source, int64_t word);
    // The object made first for this source's identity; takes the reference to the one made now.
    PyObject* shared(const ir::SlotSource& source, PyObject* made);
    PyObject* makeAny(const ir::SlotSource& source, int64_t box, int64_t bits) const;
    PyTypeObject* classOf(const ir::SlotSource& source) const;
    PyObject* makeViewOf(const ir::SlotSource& source);
    PyObject* makeTuple(const ir::SlotSource& source);
    PyObject* makeSlice(const ir::SlotSource& source);
    PyObject* makeInstanceOf(const ir::SlotSource& source);
    PyObject* makeList(const ir::SlotSource& source);
    PyObject* makeKeywords(const ir::SlotSource& source);
    PyObject* makeMethod(const ir::SlotSource& source);
    PyObject* makeGenerator(const ir::SlotSource& source, PyObject* existingGenerator);
    PyObject* makeListIterator(const ir::SlotSource& source, PyObject* existingIterator);
    ShortVector<PyObject*, 8> objects(const ir::SlotSource& source);
    ShortVector<int64_t, 8> parts(const ir::SlotSource& source);

    const ir::Region& region_;
    const int64_t* next_;
    Mode mode_;
    struct Box {
        ir::ValueId value;
        PyObject* object;
    };
    struct Shared {
        int32_t identity;
        PyObject* object;
    };
    ShortVector<Box, 8> boxes_;
    ShortVector<Shared, 8> shared_;
    std::vector<Ref<>> lent_;  // arrays that views were made of, and second copies: other sources may rely on them or on their parts
};

}  // namespace kiln
