/* For this folder: which of CPython's monitoring tools is kiln's. */
#pragma once

#include <internal/pycore_instruments.h>

enum { KILN_TOOL = PY_MONITORING_OPTIMIZER_ID };
