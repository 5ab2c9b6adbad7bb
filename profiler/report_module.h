// What the module _kiln offers about reports.
#pragma once

namespace kiln {

// Adds render_report() to _kiln. Before the first import of it.
void addReportFunctions();

}  // namespace kiln
