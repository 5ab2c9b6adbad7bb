// What the module _kiln offers about reports.
#pragma once

namespace kiln {

// Adds render_report() to _kiln, and the sections of the report that this folder fills in. Before the first import of it.
void addReportFunctions();

}  // namespace kiln
