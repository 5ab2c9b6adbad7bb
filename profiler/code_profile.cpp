#include "profiler/code_profile.h"

#include <algorithm>

#include "profiler/observed_callees.h"
#include "profiler/observed_classes.h"

namespace kiln {

void ClassSet::add(PyTypeObject* cls) {
    if (has(cls)) {
        return;
    }
    if (count_ == kMost) {
        others_ = true;
        return;
    }
    program_[count_] = isProgramClass(cls);
    if (program_[count_]) {
        ObservedClasses::instance().remember(cls);
    }
    classes_[count_++] = cls;
}

void ClassSet::addBuiltin(PyTypeObject* cls, bool asObject) {
    if (!isProgramClass(cls)) {
        add(cls);
    } else if (asObject) {
        add(&PyBaseObject_Type);
    } else {
        others_ = true;
    }
}

ClassSet ClassSet::programs() const {
    ClassSet programs;
    programs.others_ = others_;
    for (int index = 0; index < count_; index++) {
        if (program_[index]) {
            programs.program_[programs.count_] = true;
            programs.classes_[programs.count_++] = classes_[index];
        }
    }
    return programs;
}

PyTypeObject* ClassSet::operator[](int index) const {
    return !program_[index] || ObservedClasses::instance().alive(classes_[index]) ? classes_[index] : nullptr;
}

bool ClassSet::has(PyTypeObject* cls) const {
    for (int index = 0; index < count_; index++) {
        if (classes_[index] == cls) {
            return true;
        }
    }
    return false;
}

void ArraySet::add(const ArrayLayout* layout) {
    if (layout == nullptr) {
        varies_ = true;
    } else if (!layout_.isKnown()) {
        layout_ = *layout;
    } else {
        varies_ = varies_ || layout->element != layout_.element || layout->dimensions != layout_.dimensions;
        layout_.contiguous = layout_.contiguous && layout->contiguous;
        layout_.writable = layout_.writable && layout->writable;
    }
}

CodeProfile::CodeProfile(PyCodeObject* code) : bytecode_(code), units_(static_cast<size_t>(Py_SIZE(code)) + 1) {}

Site& CodeProfile::site(int unit) {
    if (sites_.empty()) {
        sites_ = std::vector<Site>(units_);
    }
    return sites_[unit];
}

const Site& CodeProfile::site(int unit) const {
    static const Site kUnseen;
    return sites_.empty() ? kUnseen : sites_[unit];
}

void CodeProfile::outdateClasses(int begin, int end) {
    for (int unit = begin; unit < end && !sites_.empty(); unit++) {
        sites_[static_cast<size_t>(unit)].isOutdated = true;
    }
}

bool CodeProfile::noteIdentitySeen(Place place) {
    if (std::find(identitySeen_.begin(), identitySeen_.end(), place) != identitySeen_.end()) {
        return false;
    }
    identitySeen_.push_back(place);
    return true;
}

void Site::rememberCallee(PyObject* object) {
    if (PyFunction_Check(object)) {
        ObservedCallees::instance().remember(reinterpret_cast<PyFunctionObject*>(object));
        callee = object;
        return;
    }
    bool builtin = PyCFunction_CheckExact(object) &&
                   (PyCFunction_GET_SELF(object) == nullptr || PyModule_Check(PyCFunction_GET_SELF(object)));
    bool method = Py_IS_TYPE(object, &PyMethodDescr_Type);
    bool staticClass = PyType_Check(object) && !isProgramClass(reinterpret_cast<PyTypeObject*>(object));
    if (builtin || method || staticClass) {
        heldCallee = Ref<>::borrow(object);
        callee = object;
    }
}

void Site::renew() {
    if (std::exchange(isOutdated, false)) {
        results = receivers = seconds = rights = {};
    }
}

PyObject* Site::observedCallee() const {
    bool alive = callee == heldCallee.get() || ObservedCallees::instance().alive(callee);
    return callee != nullptr && alive ? callee : nullptr;
}

void CodeSet::add(PyCodeObject* code, Py_ssize_t defaults) {
    auto index = static_cast<int>(std::find(codes_, codes_ + count_, code) - codes_);
    if (code == nullptr || index == kMost) {
        (code == nullptr ? others_ : overflows_) = true;
        return;
    }
    ObservedCallees::instance().rememberCode(code);
    if (index == count_) {
        codes_[count_] = code;
        defaults_[count_++] = defaults;
    }
}

PyCodeObject* CodeSet::operator[](int index) const {
    return ObservedCallees::instance().alive(codes_[index]) ? codes_[index] : nullptr;
}

bool comparesByIdentity(PyTypeObject* cls) {
    return cls->tp_richcompare == PyBaseObject_Type.tp_richcompare;
}

bool isKeyedByIdentity(PyTypeObject* cls) {
    return comparesByIdentity(cls) && cls->tp_hash == PyBaseObject_Type.tp_hash;
}

bool isBigInt(PyObject* object) {
    if (!PyLong_CheckExact(object)) {
        return false;
    }
    int overflow = 0;
    PyLong_AsLongLongAndOverflow(object, &overflow);
    return overflow != 0;
}

}  // namespace kiln
