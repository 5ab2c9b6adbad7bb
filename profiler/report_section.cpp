// Parts of the report that other folders fill in.
#include "profiler/report_section.h"

#include <algorithm>

namespace kiln {
namespace {

std::vector<const ReportSection*>& registered() {
    static std::vector<const ReportSection*>& sections = *new std::vector<const ReportSection*>;
    return sections;
}

}  // namespace

void addReportSection(const ReportSection* section) {
    registered().push_back(section);
}

const std::vector<const ReportSection*>& reportSections() {
    return registered();
}

std::vector<JsonValue> emptySections() {
    return std::vector<JsonValue>(registered().size(), JsonValue::array());
}

std::vector<JsonValue> collectSections() {
    std::vector<JsonValue> rows;
    for (const ReportSection* section : registered()) {
        rows.push_back(section->collect());
    }
    return rows;
}

void mergeSections(std::vector<JsonValue>& rows, const std::vector<JsonValue>& other) {
    rows.resize(registered().size(), JsonValue::array());
    for (size_t i = 0; i < std::min(rows.size(), other.size()); i++) {
        registered()[i]->merge(rows[i], other[i]);
    }
}

}  // namespace kiln
