// Parts of the report that other folders fill in, such as kernels: each is one member of the JSON and one piece of the table.
#pragma once

#include <string>
#include <vector>

#include "profiler/report_value.h"

namespace kiln {

// The rows of a section are a JSON array of objects, empty when there is nothing to tell.
struct ReportSection {
    const char* name;  // the member of the JSON
    // This process's rows. At the interpreter's end or in another place with the GIL; never without it.
    JsonValue (*collect)();
    // Adds the rows of another process to `rows`. Without Python.
    void (*merge)(JsonValue& rows, const JsonValue& other);
    // What the table shows after the functions: lines, or "". Without Python.
    std::string (*render)(const JsonValue& rows);
    // In a forked child: what the parent did is not to be told again.
    void (*restart)();
};

// `section` must live for ever. Before the program starts.
void addReportSection(const ReportSection* section);
const std::vector<const ReportSection*>& reportSections();

// The rows of all sections, in the order of reportSections(); rows that nothing filled in are empty arrays.
std::vector<JsonValue> emptySections();
std::vector<JsonValue> collectSections();
void mergeSections(std::vector<JsonValue>& rows, const std::vector<JsonValue>& other);

}  // namespace kiln
