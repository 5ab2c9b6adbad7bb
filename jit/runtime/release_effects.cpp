#include "jit/runtime/release_effects.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "interp/array_module.h"
#include "interp/buffers.h"
#include "interp/cpython/cpython_shim.h"
#include "interp/instance_classes.h"
#include "interp/numpy_flat.h"
#include "interp/numpy_types.h"
#include "jit/runtime/held_objects.h"
#include "jit/runtime/quiet_classes.h"

namespace kiln {
namespace {

// So many objects that end with others are looked into: an iterator's result, say. Giving up more as an operation that may run Python code
// costs less than looking further.
constexpr int kMostEnds = 4;

// Most ends are of these.
inline bool isFrequentLeaf(PyTypeObject* cls) {
    return cls == &PyUnicode_Type || cls == &PyLong_Type || cls == &PyFloat_Type;
}

bool looksLikeLeaf(PyTypeObject* cls) {
    return cls == &PyBytes_Type || cls == &PyBool_Type || cls == Py_TYPE(Py_None) || cls == &PyComplex_Type || cls == &PyRange_Type || cls == &PyRangeIter_Type ||
           cls == &PyLongRangeIter_Type || cls == &PyByteArray_Type ||
           quietEndOf(cls) == QuietEnd::kNothing;
}

// What a class says of itself, asked once as long as it does not change: its version is its own for good. The GIL guards it.
template <auto ask>
class AskedOnce {
   public:
    auto operator()(PyTypeObject* cls) {
        Known& known = known_[reinterpret_cast<uintptr_t>(cls) * 0x9E3779B97F4A7C15u >> (64 - kBits)];
        if (known.cls != cls || known.version != cls->tp_version_tag) {
            auto said = ask(cls);
            known = {cls->tp_version_tag != 0 ? cls : nullptr, cls->tp_version_tag, said};
        }
        return known.said;
    }

   private:
    struct Known {
        PyTypeObject* cls;
        unsigned int version;
        decltype(ask(nullptr)) said;
    };
    static constexpr int kBits = 6;
    std::array<Known, size_t{1} << kBits> known_{};
};

bool isRareLeaf(PyTypeObject* cls) {
    static constinit AskedOnce<looksLikeLeaf> leaves;
    return !PyType_IS_GC(cls) && (leaves(cls) || isScalarClass(cls));
}

// Built-in classes that hold no object, or none that could be the last holder of anything. None of them is the collector's.
inline bool isLeaf(PyTypeObject* cls) {
    return isFrequentLeaf(cls) || isRareLeaf(cls);
}

// A set of classes that never change.
class ClassTable {
   public:
    explicit ClassTable(std::initializer_list<PyTypeObject*> classes) {
        for (PyTypeObject* cls : classes) {
            place(cls) = cls;
        }
    }
    bool contains(PyTypeObject* cls) { return place(cls) == cls; }

   private:
    static constexpr size_t kRoom = 128;  // several times as many as there are

    PyTypeObject*& place(PyTypeObject* cls) {
        size_t index = reinterpret_cast<uintptr_t>(cls) / alignof(PyTypeObject) * 0x9E3779B97F4A7C15u >> 57;
        while (classes_[index] != nullptr && classes_[index] != cls) {
            index = (index + 1) % kRoom;
        }
        return classes_[index];
    }

    std::array<PyTypeObject*, kRoom> classes_{};
};

// Built-in classes whose end does nothing but give up what tp_traverse shows.
bool isContainer(PyTypeObject* cls) {
    static ClassTable classes{
        &PyList_Type, &PyTuple_Type, &PyDict_Type, &PySet_Type, &PyFrozenSet_Type, &PyCell_Type, &PyMethod_Type,
        &PySlice_Type, &PyFunction_Type, &PyCFunction_Type, &PyProperty_Type, &PyStaticMethod_Type, &PyClassMethod_Type,
        &PyListIter_Type, &PyListRevIter_Type, &PyTupleIter_Type, &PyDictKeys_Type, &PyDictValues_Type, &PyDictItems_Type,
        &PyDictIterKey_Type, &PyDictIterValue_Type, &PyDictIterItem_Type, &PySetIter_Type, &PySeqIter_Type, &PyCallIter_Type, &PyEnum_Type,
        &PyZip_Type, &PyMap_Type, &PyFilter_Type, &PyReversed_Type, &PyUnicodeIter_Type, &PyDictProxy_Type, &PySuper_Type, &_PyMethodWrapper_Type};
    return classes.contains(cls);
}

// A class of the program's without a finaliser, over object or a built-in class that has none either.
bool isPlainInstanceClass(PyTypeObject* cls) {
    PyTypeObject* base = baseOfPlainInstances(cls);
    return base == &PyBaseObject_Type || (base != nullptr && (isLeaf(base) || isContainer(base)));
}

enum class EndOf : uint8_t {
    kInstance,  // its attributes, of an instance of a plain class over object
    kContents,  // what tp_traverse shows
    kOther
};

EndOf findEndOf(PyTypeObject* cls) {
    if (baseOfPlainInstances(cls) == &PyBaseObject_Type) {
        return EndOf::kInstance;
    }
    return isContainer(cls) || isPlainInstanceClass(cls) || quietEndOf(cls) == QuietEnd::kContents ? EndOf::kContents : EndOf::kOther;
}

bool hasWeakCallbacks(PyObject* object) {
    if (!PyType_SUPPORTS_WEAKREFS(Py_TYPE(object))) {
        return false;
    }
    auto* reference = *reinterpret_cast<PyWeakReference**>(reinterpret_cast<char*>(object) + Py_TYPE(object)->tp_weaklistoffset);
    for (; reference != nullptr; reference = reference->wr_next) {
        if (reference->wr_callback != nullptr) {
            return true;
        }
    }
    return false;
}

// Follows what would end with an object. All references that would go are taken from the counts meanwhile, for an object ends with the
// last of its own.
class Ending {
   public:
    // So many references besides those that are followed may be taken from the counts.
    explicit Ending(size_t besides) : most_(2 * kRoom + besides) {}
    Ending(const Ending&) = delete;
    Ending& operator=(const Ending&) = delete;
    ~Ending() {
        for (size_t index = 0; index < used_; index++) {
            lost_[index]->ob_refcnt++;
        }
    }

    // Of no leaf. True when it may run code.
    [[gnu::noinline]] bool ends(PyObject* object) {  // apart from loses(), most of whose calls end at once and need no registers saved
        static constinit AskedOnce<findEndOf> ends;
        if (Answer found = anyHeld(object, [this](PyObject* held) { return loses(held); })) {
            return *found;
        }
        PyObject* held = nullptr;
        switch (ends(Py_TYPE(object))) {
        case EndOf::kInstance: return hasWeakCallbacks(object) || endsWithAttributes(object);
        case EndOf::kContents: return kiln_held_by_iterator(object, &held) ? loses(held) : endsWithContents(object);
        case EndOf::kOther: break;
        }
        return endsOtherwise(object);
    }

   private:
    bool endsOtherwise(PyObject* object) {
        PyTypeObject* cls = Py_TYPE(object);
        bool isFinished = cls == &PyGen_Type && kiln_generator_is_finished(object);
        if (isFinished || kiln_is_text_iterator(cls)) {
            return endsWithContents(object);
        }
        if (cls == &PyMemoryView_Type) {
            return hasWeakCallbacks(object) || loses(reinterpret_cast<PyObject*>(reinterpret_cast<PyMemoryViewObject*>(object)->mbuf));
        }
        if (cls == &_PyManagedBuffer_Type) {
            PyObject* exporter = reinterpret_cast<_PyManagedBufferObject*>(object)->master.obj;
            bool isPlain = exporter == nullptr || isBufferClass(Py_TYPE(exporter)) || isArrayClass(Py_TYPE(exporter));
            return !isPlain || loses(exporter);
        }
        if (isFlatClass(cls)) {
            return loses(arrayOfFlat(object));
        }
        if (isArrayModuleClass(cls)) {
            return hasWeakCallbacks(object);
        }
        if (PyObject* buffer = bufferOfIterator(object)) {
            return loses(buffer);
        }
        return !isArrayClass(cls) || !NumPyTypes::known()->holdsNumbers(object) || hasWeakCallbacks(object) || loses(NumPyTypes::baseOf(object));
    }

    // One of the references to `object` goes, too. True when it may run code.
    bool loses(PyObject* object) {
        if (object == nullptr || isFrequentLeaf(Py_TYPE(object)) || _Py_IsImmortal(object)) {
            return false;
        }
        if (static_cast<size_t>(Py_REFCNT(object)) > most_) {
            return ++passed_ > kRoom;  // more than could go
        }
        if (used_ == kRoom) {
            return !isRareLeaf(Py_TYPE(object));
        }
        lost_[used_++] = object;
        return --object->ob_refcnt == 0 && !isRareLeaf(Py_TYPE(object)) && (++ends_ > kMostEnds || ends(object));
    }
    bool endsWithAttributes(PyObject* instance) {
        Answer found = anyAttribute(instance, [this](PyObject* value) { return loses(value); });
        return found ? *found : losesAllShown(instance);
    }
    bool endsWithContents(PyObject* object) { return Py_TYPE(object)->tp_traverse == nullptr || hasWeakCallbacks(object) || losesAllShown(object); }
    bool losesAllShown(PyObject* object) {
        auto visit = [](PyObject* child, void* ending) { return static_cast<int>(static_cast<Ending*>(ending)->loses(child)); };
        return Py_TYPE(object)->tp_traverse(object, visit, this) != 0;
    }

    static constexpr size_t kRoom = 64;
    const size_t most_;
    PyObject* lost_[kRoom];  // the first `used_`
    size_t used_ = 0;
    size_t passed_ = 0;  // references that were not even counted
    int ends_ = 0;
};

// References that would go together, taken from the counts meanwhile.
class GivenTogether {
   public:
    explicit GivenTogether(std::span<PyObject* const> references) : references_(references) {
        for (PyObject* reference : references_) {
            if (isCounted(reference)) {
                someEnd_ |= --reference->ob_refcnt == 0;
            }
        }
    }
    GivenTogether(const GivenTogether&) = delete;
    GivenTogether& operator=(const GivenTogether&) = delete;
    ~GivenTogether() {
        for (PyObject* reference : references_) {
            if (isCounted(reference)) {
                reference->ob_refcnt++;
            }
        }
    }

    bool mayRunCode() const {
        if (!someEnd_) {
            return false;
        }
        Ending ending(references_.size());
        for (size_t index = 0; index < references_.size(); index++) {
            PyObject* reference = references_[index];
            if (reference != nullptr && Py_REFCNT(reference) == 0 && !isLeaf(Py_TYPE(reference)) && isFirst(index) && ending.ends(reference)) {
                return true;
            }
        }
        return false;
    }

   private:
    // The same before and after its count is lowered, whatever that comes to.
    static bool isCounted(PyObject* reference) {
        constexpr Py_ssize_t kImmortal = Py_ssize_t{1} << 31;  // from there on
        return reference != nullptr && Py_REFCNT(reference) < kImmortal;
    }
    // What goes several times ends once.
    bool isFirst(size_t index) const {
        std::span<PyObject* const> before = references_.first(index);
        return std::find(before.begin(), before.end(), references_[index]) == before.end();
    }

    std::span<PyObject* const> references_;
    bool someEnd_ = false;
};

bool isEndOfNothing(PyObject* item) {
    return item != nullptr && isLeaf(Py_TYPE(item));
}

// A small container of built-in values whose end nobody could tell.
bool holdsLeavesOnly(PyObject* object) {
    constexpr Py_ssize_t kFewItems = 16;
    if (PyList_CheckExact(object) || PyTuple_CheckExact(object)) {
        PyObject** items = PySequence_Fast_ITEMS(object);
        return std::all_of(items, items + PySequence_Fast_GET_SIZE(object), isEndOfNothing);
    }
    if (PyAnySet_CheckExact(object)) {
        return !hasWeakCallbacks(object) && kiln_set_holds_only(object, isEndOfNothing);
    }
    if (!PyDict_CheckExact(object) || PyDict_GET_SIZE(object) > kFewItems) {
        return false;
    }
    if (Answer found = anyValue(object, [](PyObject* value) { return value != nullptr && !isEndOfNothing(value); })) {
        return !*found;
    }
    Py_ssize_t position = 0;
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    bool quiet = true;
    while (quiet && PyDict_Next(object, &position, &key, &value)) {
        quiet = isEndOfNothing(key) && isEndOfNothing(value);
    }
    return quiet;
}

// Nothing but leaves ends with it, if it ends.
inline bool isOfLeaves(PyObject* object) {
    PyTypeObject* cls = Py_TYPE(object);
    constexpr Py_ssize_t kFewItems = 8;
    return isFrequentLeaf(cls) || ((cls == &PyTuple_Type || cls == &PyList_Type) && Py_SIZE(object) <= kFewItems &&
                                   !anyItem(object, [](PyObject* item) { return item != nullptr && !isFrequentLeaf(Py_TYPE(item)); }));
}

// The same of an item of a closure, or others hold it: not all of its references are in that closure.
bool isQuietInClosure(PyObject* cell, Py_ssize_t items) {
    PyObject* content = PyCell_Check(cell) ? PyCell_GET(cell) : cell;  // C code may put anything there
    return Py_REFCNT(cell) > items || content == nullptr || isFrequentLeaf(Py_TYPE(content));
}

// Code and namespaces are held as often as is compared with, or by a detail too, which then is neither of leaves nor held by others than this
// function.
bool functionEndsWithLeaves(const PyFunctionObject* function) {
    PyObject* closure = function->func_closure;
    bool isPlain = function->func_weakreflist == nullptr && Py_REFCNT(function->func_code) > 1 && Py_REFCNT(function->func_globals) > 2 &&
                   Py_REFCNT(function->func_builtins) > 2;
    auto mayEnd = [](PyObject* held) { return held != nullptr && !isOfLeaves(held) && Py_REFCNT(held) <= kHeldByFunction; };
    return isPlain && !anyDetail(function, mayEnd) &&
           (closure == nullptr || !anyItem(closure, [&](PyObject* cell) { return !isQuietInClosure(cell, Py_SIZE(closure)); }));
}

// How often an object of a class that anyHeld() knows may hold another one.
Py_ssize_t mostHeld(PyObject* object) {
    PyTypeObject* cls = Py_TYPE(object);
    if (cls == &PyTuple_Type || cls == &PyList_Type) {
        return Py_SIZE(object);
    }
    constexpr Py_ssize_t kMostFields = 3;  // a slice's; cells and methods have fewer
    return cls == &PyDict_Type ? PyDict_GET_SIZE(object) : kMostFields;
}

// With a container of those that are met most nothing but leaves ends: told by one look at what it holds.
bool endsWithLeaves(PyObject* object) {
    if (PyFunction_Check(object)) {
        return functionEndsWithLeaves(reinterpret_cast<PyFunctionObject*>(object));
    }
    Py_ssize_t most = mostHeld(object);
    auto mayEnd = [most](PyObject* held) { return held != nullptr && Py_REFCNT(held) <= most && !isOfLeaves(held); };
    Answer anyEnds = anyHeld(object, mayEnd);
    return anyEnds && !*anyEnds;
}

// Of the only reference to an object.
bool mayRunCodeAlone(PyObject* object) {
    PyTypeObject* cls = Py_TYPE(object);
    if (isFrequentLeaf(cls) || endsWithLeaves(object)) {
        return false;
    }
    bool isHashed = PyAnySet_CheckExact(object) || PyDict_CheckExact(object);
    return !isRareLeaf(cls) && !(isHashed && holdsLeavesOnly(object)) && Ending(0).ends(object);
}

}  // namespace

bool endsApart(PyObject* displaced, PyObject* container) {
    if (displaced == nullptr || isLeaf(Py_TYPE(displaced))) {
        return true;
    }
    return Py_REFCNT(displaced) == 1 ? holdsLeavesOnly(displaced) : displaced != container;
}

bool mayRunCode(PyObject* const* references, size_t count) {
    if (count == 1) {
        return references[0] != nullptr && Py_REFCNT(references[0]) == 1 && mayRunCodeAlone(references[0]);
    }
    return GivenTogether({references, count}).mayRunCode();
}

}  // namespace kiln
