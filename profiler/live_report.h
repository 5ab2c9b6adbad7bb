// The report while the program runs, for the last second: to who asks from another process (kiln -m kiln top), and in the program's
// own terminal (KILN_REPORT=live).
#pragma once

namespace kiln {

// Has requests from outside served from now on. Costs nothing until one comes: then the run is measured until nobody has asked for
// as long as the request says. GIL held, main interpreter. Once.
void serveLiveReports();
// Prints the table on stderr every second, too: in place on a terminal, else one after the other. Before serveLiveReports().
void printLiveReports();
// In a forked child, whose parent goes on printing.
void stopPrintingInChild();

}  // namespace kiln
