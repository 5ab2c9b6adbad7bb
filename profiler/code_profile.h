// What was observed while code ran in the interpreter: which instructions, with which classes and callees.
#pragma once

#include <Python.h>

#include <cstdint>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "interp/bytecode.h"
#include "interp/numpy_elements.h"
#include "interp/py_ref.h"

namespace kiln {

// The classes seen at one place. Those made by programs come and go: ObservedClasses tells which still exist, others are
// never looked at.
class ClassSet {
   public:
    static constexpr int kMost = 4;
    void add(PyTypeObject* cls);
    // Of what needs no watching: one of the program's is among the others, or `object` stands for it where that is as good.
    void addBuiltin(PyTypeObject* cls, bool asObject);
    // Those of them that the program made.
    ClassSet programs() const;
    bool empty() const { return count_ == 0 && !others_; }
    // Classes were among them that it does not tell.
    bool others() const { return others_; }
    int size() const { return count_; }
    // nullptr for a class that is dead.
    PyTypeObject* operator[](int index) const;
    bool has(PyTypeObject* cls) const;
    // The class when it was always the same one, which still exists; nullptr otherwise.
    PyTypeObject* only() const { return count_ == 1 && !others_ ? (*this)[0] : nullptr; }

   private:
    PyTypeObject* classes_[kMost] = {};
    bool program_[kMost] = {};
    int count_ = 0;
    bool others_ = false;
};

// The layouts of the arrays seen at one place.
class ArraySet {
   public:
    // nullptr: not one that compiled code can handle.
    void add(const ArrayLayout* layout);
    // What all of them were like; not known when their elements or dimensions differed.
    ArrayLayout only() const { return varies_ ? ArrayLayout{} : layout_; }

   private:
    ArrayLayout layout_;
    bool varies_ = false;
};

// The code objects of the functions called at one place; ObservedCallees tells which still exist.
class CodeSet {
   public:
    static constexpr int kMost = 4;
    // nullptr: of a callee that is none of those that compiled code enters. `defaults`: how many the function has.
    void add(PyCodeObject* code, Py_ssize_t defaults);
    // More codes than there is room for. The other callees:
    bool overflows() const { return overflows_; }
    bool others() const { return others_; }
    int size() const { return count_; }
    // nullptr for one that is dead.
    PyCodeObject* operator[](int index) const;
    // As its function had them when it was met first.
    Py_ssize_t defaults(int index) const { return defaults_[index]; }
    // The code when it was always the same one, which still exists; nullptr otherwise.
    PyCodeObject* only() const { return count_ == 1 && !others_ && !overflows_ ? (*this)[0] : nullptr; }

   private:
    PyCodeObject* codes_[kMost] = {};
    Py_ssize_t defaults_[kMost] = {};
    int count_ = 0;
    bool overflows_ = false;
    bool others_ = false;
};

// A number seen at one place.
class SeenNumber {
   public:
    void add(int64_t number) {
        varies_ = varies_ || (isKnown_ && number != number_);
        number_ = number;
        isKnown_ = true;
    }
    // The number when it was always the same; 0 otherwise.
    int64_t only() const { return varies_ ? 0 : number_; }

   private:
    int64_t number_ = 0;
    bool isKnown_ = false;
    bool varies_ = false;
};

// One instruction's history.
struct Site {
    uint32_t executed = 0;
    uint32_t session = 0;      // of the recorder, when it was sampled last, and
    uint32_t sampled = 0;      // how often then
    bool isOutdated = false;   // its classes are those of what the program did before
    ClassSet results;          // classes of what it left on top of the stack
    ClassSet receivers;        // classes of what is asked for an attribute, an item or its truth, unpacked or iterated; of left operands
    ClassSet seconds;          // CALL: classes of the second argument
    ArraySet arrays;           // NumPy's, and those of the module `array`, among the receivers
    ArraySet others;           // what is stored into an item or a slice, and all arguments of a call: not known where one was no array
    ClassSet rights;           // classes of right operands, of keys, of what is looked for, and of what is called
    SeenNumber number;         // FOR_ITER: where the ranges end that go up by one; CALL_FUNCTION_EX: how many arguments its list or tuple has
    bool bigInt = false;       // an int beyond 64 bits was among them, or its arithmetic overflowed
    bool inDict = false;       // an attribute of an instance that keeps its attributes in a dict, not in values
    bool runsFinalisers = false;  // what it gives up may run Python code as it ends
    bool raises = false;          // its exceptions often leave the function
    bool generic = false;      // what keeps failing natively: hand it to CPython
    // Before it is sampled: its classes are forgotten if they are outdated, and no more than these.
    void renew();
    // CALL: the object called, when it was always the same; see observedCallee(). Functions are borrowed. Builtin functions and
    // static classes are held: they live as long as their modules. Others are not remembered.
    PyObject* callee = nullptr;
    Ref<> heldCallee;
    void rememberCallee(PyObject* object);
    bool calleeVaries = false;
    CodeSet calleeCodes;                 // CALL: of the functions called
    Ref<> calleeDefaults;      // and their positional defaults, if always the same tuple of plain constants
    bool calleesLookUpHere = false;      // and their globals and builtins were the caller's
    PyObject* boundMethod = nullptr;     // CALL: the method of a class of CPython's own that was bound to an instance each time; immortal
    bool callsPython = false;  // CALL: the last one was of a Python function, or of a class that gives its instances to one
    // The object called at each time, if it still exists.
    PyObject* observedCallee() const;
};

// The sites of one code object, by code unit. Everything here needs the GIL.
class CodeProfile {
   public:
    explicit CodeProfile(PyCodeObject* code);
    Site& site(int unit);
    const Site& site(int unit) const;
    // The program does something else for good: the classes seen from `begin` until `end`, two units, are forgotten wherever others show.
    void outdateClasses(int begin, int end);
    bool reached(int unit) const { return !sites_.empty() && sites_[unit].executed != 0; }
    const Bytecode& bytecode() const { return bytecode_; }
    // Slots whose object turned out to be seen after the instruction at `unit`, where its bytecode does not tell that.
    using Place = std::pair<int, int>;  // unit, slot
    const std::vector<Place>& identitySeen() const { return identitySeen_; }
    // False when that was known.
    bool noteIdentitySeen(Place place);

   private:
    Bytecode bytecode_;
    std::vector<Site> sites_;  // none before one is asked for: of most code only the bytecode is
    size_t units_;
    std::vector<Place> identitySeen_;
};

// Are instances equal to themselves only, as far as the class says? And hashed accordingly?
bool comparesByIdentity(PyTypeObject* cls);
bool isKeyedByIdentity(PyTypeObject* cls);

// True for an int object whose value needs more than 64 bits.
bool isBigInt(PyObject* object);

}  // namespace kiln
