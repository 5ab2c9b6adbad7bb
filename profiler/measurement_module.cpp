// Measurements by number, since Python code may forget one.
#include "profiler/measurement_module.h"

#include <Python.h>

#include <map>

#include "interp/config.h"
#include "interp/embedded_module.h"
#include "profiler/measurement.h"
#include "profiler/report_environment.h"
#include "profiler/report_json.h"

namespace kiln {
namespace {

std::map<long, Measurement>& measurements() {
    static std::map<long, Measurement>& all = *new std::map<long, Measurement>;
    return all;
}

PyObject* beginMeasurement(PyObject*, PyObject*) {
    static long last = 0;
    if (!config().enabled) {
        PyErr_SetString(PyExc_RuntimeError, "kiln measures nothing under KILN=0");
        return nullptr;
    }
    if (!measurements()[++last].begin()) {
        measurements()[last].end();
        measurements().erase(last);
        PyErr_SetString(PyExc_RuntimeError, "the sampler cannot be started");
        return nullptr;
    }
    return PyLong_FromLong(last);
}

PyObject* take(PyObject* argument, bool isLast) {
    long number = PyLong_AsLong(argument);
    if (number == -1 && PyErr_Occurred()) {
        return nullptr;
    }
    auto found = measurements().find(number);
    if (found == measurements().end() || !found->second.isUnderWay()) {
        PyErr_SetString(PyExc_RuntimeError, "no such measurement is under way in this process");
        return nullptr;
    }
    Report report = found->second.take(true, false);
    report.environment = describeEnvironment();
    if (isLast) {
        found->second.end();
        measurements().erase(found);
    }
    std::string text = reportToJson(report);
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "replace");
}

PyObject* takeMeasurement(PyObject*, PyObject* argument) {
    return take(argument, false);
}

PyObject* endMeasurement(PyObject*, PyObject* argument) {
    return take(argument, true);
}

PyMethodDef methods[] = {
    {"begin_measurement", beginMeasurement, METH_NOARGS,
     "begin_measurement() -> the number of a measurement that begins"},
    {"take_measurement", takeMeasurement, METH_O,
     "take_measurement(number) -> what happened since its begin or the last call, as a report's JSON text"},
    {"end_measurement", endMeasurement, METH_O, "end_measurement(number) -> the same, and ends it"},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

void addMeasurementFunctions() {
    addEmbeddedFunctions(methods);
}

}  // namespace kiln
