#include "jit/engine/assumptions.h"

#include "interp/python_text.h"
#include "jit/runtime/compiled_region.h"
#include "profiler/observed_classes.h"

namespace kiln {
namespace {

// The names in code are interned; a program may write to its globals() by any equal string.
bool isSameName(PyObject* a, PyObject* b) {
    return a == b || (PyUnicode_Check(b) && PyUnicode_Compare(a, b) == 0);
}

template <typename Users, typename Key>
size_t removeFrom(Users& users, const Key& key, CompiledRegion& region) {
    auto found = users.find(key);
    size_t removed = found != users.end() ? std::erase(found->second, &region) : 0;
    if (removed != 0 && found->second.empty()) {
        users.erase(found);
    }
    return removed;
}

}  // namespace

void Assumptions::setWatchers(int dicts, int types) {
    dictWatcher_ = dicts;
    typeWatcher_ = types;
}

Assumptions::Dict& Assumptions::watchedDict(PyObject* dict, const Root& root) {
    auto [found, added] = dicts_.try_emplace(dict);
    if (added && PyDict_Watch(dictWatcher_, dict) != 0) {
        PyErr_Clear();
    }
    if (found->second.roots.insert(&root).second) {
        needs_[&root].dicts.insert(dict);
    }
    return found->second;
}

Assumptions::Class& Assumptions::watchedClass(PyTypeObject* cls, const Root& root) {
    ObservedClasses::instance().remember(cls);  // which tells of its death
    auto [found, added] = classes_.try_emplace(cls);
    if (added && isProgramClass(cls) && PyType_Watch(typeWatcher_, reinterpret_cast<PyObject*>(cls)) != 0) {
        PyErr_Clear();
    }
    if (found->second.roots.insert(&root).second) {
        needs_[&root].classes.insert(cls);
    }
    return found->second;
}

void Assumptions::add(CompiledRegion& region, const Root& root) {
    for (const NameDependency& dependency : region.dependencies) {
        Name& name = watchedDict(dependency.dict, root).names[dependency.key];
        name.key = Ref<>::borrow(dependency.key);
        name.regions.push_back(&region);
    }
    for (PyTypeObject* cls : region.classes) {
        watchedClass(cls, root).regions.push_back(&region);
    }
    for (PyFunctionObject* function : region.functions) {
        functionMarks_.mark(function);
        byFunction_[function].push_back(&region);
    }
    for (PyCodeObject* code : region.codes) {
        byCode_[code].push_back(&region);
    }
}

void Assumptions::remove(CompiledRegion& region) {
    for (const NameDependency& dependency : region.dependencies) {
        auto dict = dicts_.find(dependency.dict);
        auto name = dict != dicts_.end() ? dict->second.names.find(dependency.key) : std::map<PyObject*, Name>::iterator();
        if (dict != dicts_.end() && name != dict->second.names.end()) {
            std::erase(name->second.regions, &region);
        }
    }
    for (PyTypeObject* cls : region.classes) {
        auto found = classes_.find(cls);
        if (found != classes_.end()) {
            std::erase(found->second.regions, &region);
        }
    }
    for (PyFunctionObject* function : region.functions) {
        for (size_t removed = removeFrom(byFunction_, function, region); removed > 0; removed--) {
            functionMarks_.unmark(function);
        }
    }
    for (PyCodeObject* code : region.codes) {
        removeFrom(byCode_, code, region);
    }
}

// Not with its last valid region: another may be compiled that needs the same, and what is known of its changes.
void Assumptions::forget(const Root& root) {
    auto needs = needs_.find(&root);
    if (needs == needs_.end()) {
        return;
    }
    for (PyObject* dict : needs->second.dicts) {
        auto found = dicts_.find(dict);
        if (found != dicts_.end() && found->second.roots.erase(&root) != 0 && found->second.roots.empty()) {
            dicts_.erase(found);
            PyDict_Unwatch(dictWatcher_, dict);
        }
    }
    for (PyTypeObject* cls : needs->second.classes) {
        auto found = classes_.find(cls);
        if (found != classes_.end() && found->second.roots.erase(&root) != 0 && found->second.roots.empty()) {
            classes_.erase(found);
            if (!isProgramClass(cls)) {
                continue;  // it cannot change, but instances of it may become another's
            }
            PyType_Unwatch(typeWatcher_, reinterpret_cast<PyObject*>(cls));
        }
    }
    needs_.erase(needs);
}

bool Assumptions::isStable(PyObject* dict, PyObject* key) const {
    constexpr int kMostChanges = 2;
    auto found = dicts_.find(dict);
    if (found == dicts_.end()) {
        return true;
    }
    auto name = found->second.names.find(key);
    return name == found->second.names.end() || name->second.changes < kMostChanges;
}

std::vector<CompiledRegion*> Assumptions::nameChanged(PyDict_WatchEvent event, PyObject* dict, PyObject* key) {
    std::vector<CompiledRegion*> affected;
    auto found = dicts_.find(dict);
    if (found == dicts_.end()) {
        return affected;
    }
    auto change = [&](Name& name) {
        name.changes++;
        affected.insert(affected.end(), name.regions.begin(), name.regions.end());
    };
    std::map<PyObject*, Name>& names = found->second.names;
    bool whole = event == PyDict_EVENT_CLEARED || event == PyDict_EVENT_CLONED || event == PyDict_EVENT_DEALLOCATED;
    if (!whole && isInternedOnce(key)) {
        if (auto name = names.find(key); name != names.end()) {
            change(name->second);
        }
    } else {
        for (auto& [known, name] : names) {
            if (whole || !PyUnicode_CheckExact(key) || isSameName(known, key)) {
                change(name);
            }
        }
    }
    if (event == PyDict_EVENT_DEALLOCATED) {
        dicts_.erase(found);
    }
    return affected;
}

std::vector<CompiledRegion*> Assumptions::ofClass(PyTypeObject* cls) const {
    auto found = classes_.find(cls);
    return found != classes_.end() ? found->second.regions : std::vector<CompiledRegion*>();
}

}  // namespace kiln
