#include "jit/runtime/generator_consumers.h"

#include <cmath>

#include "interp/py_ref.h"

namespace kiln {
namespace {

// As sum() of CPython 3.12: ints while they fit a C long, then floats with Neumaier's compensation, then whatever `+` gives.
class Sum {
   public:
    Sum(PyObject* total, PyObject* compensation) : total_(Ref<>::borrow(total)), mode_(PyFloat_CheckExact(total) ? kFloats : kInts) {
        int_ = mode_ == kInts ? PyLong_AsLong(total) : 0;
        float_ = mode_ == kFloats ? PyFloat_AS_DOUBLE(total) : 0;
        lost_ = compensation != nullptr ? PyFloat_AS_DOUBLE(compensation) : 0;
    }

    // False with an exception.
    bool add(PyObject* item) {
        if ((mode_ == kInts && addInt(item)) || (mode_ == kFloats && addFloat(item))) {
            return true;
        }
        bool wasInts = mode_ == kInts;
        total_ = result();
        total_ = total_ ? Ref<>::steal(PyNumber_Add(total_.get(), item)) : Ref<>();
        if (!total_) {
            return false;
        }
        mode_ = wasInts && PyFloat_CheckExact(total_.get()) ? kFloats : kObjects;
        float_ = mode_ == kFloats ? PyFloat_AS_DOUBLE(total_.get()) : 0;
        lost_ = 0;
        return true;
    }

    Ref<> result() {
        switch (mode_) {
            case kInts: return Ref<>::steal(PyLong_FromLong(int_));
            case kFloats: return Ref<>::steal(PyFloat_FromDouble(lost_ != 0 && std::isfinite(lost_) ? float_ + lost_ : float_));
            default: return total_;
        }
    }

   private:
    enum Mode { kInts, kFloats, kObjects };

    bool addInt(PyObject* item) {
        int overflow = 0;
        bool isInt = PyLong_CheckExact(item) || PyBool_Check(item);
        long value = isInt ? PyLong_AsLongAndOverflow(item, &overflow) : 0;
        long sum = 0;
        bool added = isInt && overflow == 0 && !__builtin_add_overflow(int_, value, &sum);
        int_ = added ? sum : int_;
        return added;
    }

    bool addFloat(PyObject* item) {
        if (PyFloat_CheckExact(item)) {
            double value = PyFloat_AS_DOUBLE(item);
            double sum = float_ + value;
            lost_ += std::fabs(float_) >= std::fabs(value) ? (float_ - sum) + value : (value - sum) + float_;
            float_ = sum;
            return true;
        }
        int overflow = 0;
        long value = PyLong_Check(item) ? PyLong_AsLongAndOverflow(item, &overflow) : 0;
        float_ += PyLong_Check(item) && overflow == 0 ? static_cast<double>(value) : 0;
        return PyLong_Check(item) && overflow == 0;
    }

    Ref<> total_;
    Mode mode_;
    long int_;
    double float_;
    double lost_;
};

// Calls take(item) for the item and all that follow, until it is not true. False when it was not.
template <typename Take>
bool forEachItem(PyObject* generator, PyObject* item, const Take& take) {
    Ref<> next = Ref<>::borrow(item);
    while (next) {
        if (!take(next.get())) {
            return false;
        }
        next = Ref<>::steal(PyIter_Next(generator));
    }
    return true;
}

Ref<> sum(PyObject* total, PyObject* compensation, PyObject* generator, PyObject* item) {
    Sum all(total, compensation);
    bool added = forEachItem(generator, item, [&](PyObject* next) { return all.add(next); });
    return added && !PyErr_Occurred() ? all.result() : Ref<>();
}

// any() when `ends` is 1, all() when it is 0.
Ref<> test(int ends, PyObject* generator, PyObject* item) {
    int truth = 0;
    bool toTheEnd = forEachItem(generator, item, [&](PyObject* next) { return (truth = PyObject_IsTrue(next)) == 1 - ends; });
    bool failed = toTheEnd ? PyErr_Occurred() != nullptr : truth < 0;
    return failed ? Ref<>() : Ref<>::borrow(toTheEnd == (ends == 1) ? Py_False : Py_True);
}

// max() and min(): `operation` is Py_GT or Py_LT.
Ref<> pick(int operation, PyObject* first, PyObject* generator, PyObject* item) {
    Ref<> best = Ref<>::borrow(first);
    bool done = forEachItem(generator, item, [&](PyObject* next) {
        int better = best ? PyObject_RichCompareBool(next, best.get(), operation) : 1;
        best = better > 0 ? Ref<>::borrow(next) : best;
        return better >= 0;
    });
    if (done && !PyErr_Occurred() && !best) {
        PyErr_Format(PyExc_ValueError, "%s() iterable argument is empty", operation == Py_GT ? "max" : "min");
    }
    return done && !PyErr_Occurred() ? best : Ref<>();
}

Ref<> set(PyObject* list, PyObject* generator, PyObject* item) {
    Ref<> all = Ref<>::steal(PySet_New(list));
    bool added = all && forEachItem(generator, item, [&](PyObject* next) { return PySet_Add(all.get(), next) == 0; });
    return added && !PyErr_Occurred() ? all : Ref<>();
}

bool gather(PyObject* list, PyObject* generator, PyObject* item) {
    bool added = forEachItem(generator, item, [&](PyObject* next) { return PyList_Append(list, next) == 0; });
    return added && !PyErr_Occurred();
}

}  // namespace

PyObject* finishConsumer(Consumer consumer, PyObject* first, PyObject* second, PyObject* generator, PyObject* item) {
    switch (consumer) {
        case Consumer::k_sum: return sum(first, second, generator, item).release();
        case Consumer::k_any: return test(1, generator, item).release();
        case Consumer::k_all: return test(0, generator, item).release();
        case Consumer::k_max: return pick(Py_GT, first, generator, item).release();
        case Consumer::k_min: return pick(Py_LT, first, generator, item).release();
        case Consumer::k_set: return set(first, generator, item).release();
        case Consumer::k_join: return gather(first, generator, item) ? PyUnicode_Join(second, first) : nullptr;
        case Consumer::k_tuple: return gather(first, generator, item) ? PyList_AsTuple(first) : nullptr;
        case Consumer::k_sorted:
            return gather(first, generator, item) && PyList_Sort(first) == 0 ? Py_NewRef(first) : nullptr;
        default: return gather(first, generator, item) ? Py_NewRef(first) : nullptr;
    }
}

}  // namespace kiln
