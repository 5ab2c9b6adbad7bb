// Time by code object and line.
#include "profiler/sampler_records.h"

#include <cstdio>

namespace kiln {
namespace {

void appendUtf8(std::string& out, Py_UCS4 point) {
    if (point < 0x80) {
        out += static_cast<char>(point);
        return;
    }
    if (point >= 0xd800 && point < 0xe000) {  // stands for a byte of a file name that is no UTF-8
        char escape[8];
        std::snprintf(escape, sizeof escape, "\\u%04x", static_cast<unsigned>(point));
        out += escape;
        return;
    }
    int trailing = point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
    static constexpr unsigned kLead[] = {0, 0xc0, 0xe0, 0xf0};
    out += static_cast<char>(kLead[trailing] | point >> (6 * trailing));
    while (trailing-- > 0) {
        out += static_cast<char>(0x80 | ((point >> (6 * trailing)) & 0x3f));
    }
}

// Only reads the text: PyUnicode_AsUTF8() would want the GIL.
std::string utf8(PyObject* text) {
    std::string result;
    for (Py_ssize_t i = 0; i < PyUnicode_GET_LENGTH(text); i++) {
        appendUtf8(result, PyUnicode_READ_CHAR(text, i));
    }
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
                               ReportTier tier) {
    uint64_t samples = static_cast<uint64_t>(ticks);
    samples_ += samples;
    stamp_++;
    Record& top = recordOf(chain[0]);
    ReportLine& place = top.lines[line];
    place.line = line;
    place.samples += samples;
    top.function.samples += samples;
    place.self[tier] += seconds;
    top.function.self[tier] += seconds;
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
