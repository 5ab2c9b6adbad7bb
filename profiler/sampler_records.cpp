// Time by code object and line.
#include "profiler/sampler_records.h"

namespace kiln {
namespace {

std::string utf8(PyObject* text) {
    Py_ssize_t size = 0;
    if (const char* bytes = PyUnicode_AsUTF8AndSize(text, &size)) {
        return std::string(bytes, static_cast<size_t>(size));
    }
    // A file name with bytes that are no UTF-8. Show them as \udcXX.
    PyErr_Clear();
    PyObject* encoded = PyUnicode_AsEncodedString(text, "utf-8", "backslashreplace");
    if (encoded == nullptr) {
        PyErr_Clear();
        return "?";
    }
    std::string result(PyBytes_AS_STRING(encoded), static_cast<size_t>(PyBytes_GET_SIZE(encoded)));
    Py_DECREF(encoded);
    return result;
}

}  // namespace

SamplerRecords::Record& SamplerRecords::recordOf(PyCodeObject* code) {
    auto [known, isNew] = byCode_.emplace(code, nullptr);
    if (isNew) {
        CodeStatistics statistics;
        statistics.qualifiedName = utf8(code->co_qualname);
        statistics.file = utf8(code->co_filename);
        statistics.firstLine = code->co_firstlineno;
        std::unique_ptr<Record>& record = records_[{statistics.file, statistics.firstLine, statistics.qualifiedName}];
        if (record == nullptr) {
            record = std::make_unique<Record>();
            record->function.code = std::move(statistics);
        }
        known->second = record.get();
    }
    return *known->second;
}

void SamplerRecords::attribute(const std::vector<PyCodeObject*>& chain, int line, double seconds, int ticks,
                               bool native) {
    uint64_t samples = static_cast<uint64_t>(ticks);
    samples_ += samples;
    stamp_++;
    Record& top = recordOf(chain[0]);
    ReportLine& place = top.lines[line];
    place.line = line;
    place.samples += samples;
    top.function.samples += samples;
    (native ? place.nativeSeconds : place.interpretedSeconds) += seconds;
    (native ? top.function.nativeSeconds : top.function.interpretedSeconds) += seconds;
    const PyCodeObject* last = nullptr;
    for (PyCodeObject* code : chain) {
        if (code == last) {
            continue;
        }
        last = code;
        Record& record = recordOf(code);
        if (record.stamp != stamp_) {
            record.stamp = stamp_;
            record.function.cumulativeSeconds += seconds;
        }
    }
}

void SamplerRecords::clear() {
    byCode_.clear();
    records_.clear();
    samples_ = 0;
}

void SamplerRecords::addTo(Report& report) const {
    Report sampled;
    sampled.samples = samples_;
    for (const auto& [key, record] : records_) {
        ReportFunction function = record->function;
        for (const auto& [number, line] : record->lines) {
            function.lines.push_back(line);
        }
        sampled.functions.push_back(std::move(function));
    }
    mergeReport(report, sampled);
}

}  // namespace kiln
