// What valid regions rely on, by what tells of its change or death: names of dicts, functions, code objects, classes.
#pragma once

#include <Python.h>

#include <map>
#include <set>
#include <unordered_map>
#include <vector>

#include "interp/py_ref.h"
#include "interp/support/address_marks.h"

namespace kiln {

class CompiledRegion;
struct Root;

// All is borrowed, and forgotten when it dies. Needs the GIL; runs no Python code.
class Assumptions {
   public:
    // From PyDict_AddWatcher and PyType_AddWatcher.
    void setWatchers(int dicts, int types);
    // A region of `root` is valid until remove().
    void add(CompiledRegion& region, const Root& root);
    void remove(CompiledRegion& region);
    // The root dies, or gets no more regions: watchers that no other root's regions have needed go.
    void forget(const Root& root);
    // False for a name that keeps changing.
    bool isStable(PyObject* dict, PyObject* key) const;

    // The regions that rely on what changes now, or goes away.
    std::vector<CompiledRegion*> nameChanged(PyDict_WatchEvent event, PyObject* dict, PyObject* key);
    std::vector<CompiledRegion*> ofFunction(PyFunctionObject* function) const {
        return functionMarks_.mayHave(function) ? find(byFunction_, function) : std::vector<CompiledRegion*>();
    }
    std::vector<CompiledRegion*> ofCode(PyCodeObject* code) const { return find(byCode_, code); }
    std::vector<CompiledRegion*> ofClass(PyTypeObject* cls) const;
    void classDied(PyTypeObject* cls) { classes_.erase(cls); }

   private:
    struct Name {
        Ref<> key;  // a string
        int changes = 0;
        std::vector<CompiledRegion*> regions;
    };
    struct Dict {
        std::map<PyObject*, Name> names;
        std::set<const Root*> roots;
    };
    struct Class {
        std::vector<CompiledRegion*> regions;
        std::set<const Root*> roots;
    };
    // What a root's regions have needed a watcher for, dead or alive.
    struct Needs {
        std::set<PyObject*> dicts;
        std::set<PyTypeObject*> classes;
    };
    template <typename Key>
    using Users = std::unordered_map<Key, std::vector<CompiledRegion*>>;

    template <typename Key>
    static std::vector<CompiledRegion*> find(const Users<Key>& users, Key key) {
        auto found = users.find(key);
        return found != users.end() ? found->second : std::vector<CompiledRegion*>();
    }
    Dict& watchedDict(PyObject* dict, const Root& root);
    Class& watchedClass(PyTypeObject* cls, const Root& root);

    int dictWatcher_ = -1;
    int typeWatcher_ = -1;
    std::unordered_map<PyObject*, Dict> dicts_;
    std::unordered_map<PyTypeObject*, Class> classes_;
    Users<PyFunctionObject*> byFunction_;
    AddressMarks functionMarks_;
    Users<PyCodeObject*> byCode_;
    std::map<const Root*, Needs> needs_;
};

}  // namespace kiln
