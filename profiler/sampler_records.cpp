// Time by function, line and stack.
#include "profiler/sampler_records.h"

#include <algorithm>
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

int lineOf(const SampledFrame& frame) {
    int line = frame.line > 0 ? frame.line : PyCode_Addr2Line(frame.code, frame.unit * 2);
    return line > 0 ? line : frame.code->co_firstlineno;
}

}  // namespace

SamplerRecords::CodeRecord& SamplerRecords::recordOf(PyCodeObject* code) {
    auto [known, isNew] = byCode_.try_emplace(code);
    if (isNew) {
        StackFunction function = {utf8(code->co_filename), code->co_firstlineno, utf8(code->co_qualname)};
        std::unique_ptr<Record>& record = records_[function];
        if (record == nullptr) {
            record = std::make_unique<Record>();
            record->function.code.qualifiedName = function.name;
            record->function.code.file = function.file;
            record->function.code.firstLine = function.firstLine;
            record->id = tree_.addFunction(function);
        }
        known->second.record = record.get();
    }
    return known->second;
}

SamplerRecords::Step SamplerRecords::stepTo(const SampledFrame& frame) {
    CodeRecord& code = recordOf(frame.code);
    uint64_t place =
        static_cast<uint64_t>(frame.line > 0 ? frame.line : frame.unit + 1) << 1 | (frame.line > 0 ? 1 : 0);
    auto [known, isNew] = code.frames.try_emplace(place * kTierCount + static_cast<uint64_t>(frame.tier));
    if (isNew) {
        int line = lineOf(frame);
        known->second = {line, tree_.addFrame({code.record->id, line, frame.tier})};
    }
    return {frame, code.record, known->second};
}

// Brings path_ to the stack. What it shares with the last one, from the outermost frame on, stays as it is.
void SamplerRecords::walk(const std::vector<SampledFrame>& stack) {
    size_t depth = stack.size();
    size_t shared = 0;
    while (shared < std::min(path_.size(), depth) && path_[shared].frame == stack[depth - 1 - shared]) {
        shared++;
    }
    path_.resize(shared);
    placed_ = std::min(placed_, shared);
    for (size_t i = shared; i < depth; i++) {
        path_.push_back(stepTo(stack[depth - 1 - i]));
    }
}

int32_t SamplerRecords::foldedBelow(int32_t parent) {
    if (folded_ == StackTree::kNone) {
        folded_ = tree_.addFrame({tree_.addFunction({"", 0, "(more frames)"}), 0, ReportTier::kInterpreted});
    }
    return tree_.child(parent, folded_);
}

// The node of path_'s last step.
int32_t SamplerRecords::topNode() {
    size_t depth = path_.size();
    bool folds = depth > kMostDepth;
    size_t end = folds ? kMostDepth / 2 : depth;
    for (placed_ = std::min(placed_, end); placed_ < end; placed_++) {
        int32_t parent = placed_ == 0 ? -1 : path_[placed_ - 1].node;
        path_[placed_].node = tree_.child(parent, path_[placed_].is.frame);
    }
    int32_t node = path_[end - 1].node;
    if (folds) {
        node = foldedBelow(node);
        for (size_t i = depth - kMostDepth / 2; i < depth; i++) {
            node = tree_.child(node, path_[i].is.frame);
        }
    }
    return node;
}

void SamplerRecords::attribute(const std::vector<SampledFrame>& stack, double at, double seconds, int ticks) {
    auto samples = static_cast<uint64_t>(ticks);
    samples_ += samples;
    stamp_++;
    walk(stack);
    const Step& top = path_.back();
    ReportTier tier = top.frame.tier;
    ReportLine& place = top.record->lines[top.is.line];
    place.line = top.is.line;
    place.samples += samples;
    place.self[tier] += seconds;
    top.record->function.samples += samples;
    top.record->function.self[tier] += seconds;
    tree_.add(topNode(), samples, seconds);
    timeline_.addSample(at, tier, seconds);
    for (const Step& step : path_) {
        if (step.record->stamp != stamp_) {
            step.record->stamp = stamp_;
            step.record->function.cumulativeSeconds += seconds;
        }
    }
}

void SamplerRecords::forget(PyCodeObject* code) {
    if (byCode_.erase(code) != 0) {
        path_.clear();
        placed_ = 0;
    }
}

void SamplerRecords::restart(double start) {
    *this = SamplerRecords();
    timeline_ = Timeline(start);
}

void SamplerRecords::addTo(Report& report) const {
    Report sampled;
    sampled.samples = samples_;
    sampled.stacks = tree_;
    sampled.timeline = timeline_;
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
