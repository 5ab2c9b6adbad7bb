// _kiln's functions for measurements of the program's own.
#pragma once

namespace kiln {

// Adds begin_measurement(), take_measurement() and end_measurement(). Before the first import of _kiln.
void addMeasurementFunctions();

}  // namespace kiln
