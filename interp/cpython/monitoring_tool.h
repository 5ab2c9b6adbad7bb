/* For this folder: which of CPython's monitoring tools is kiln's. */
#pragma once

#include <internal/pycore_instruments.h>

#include <stdbool.h>

enum { KILN_TOOL = PY_MONITORING_OPTIMIZER_ID };

/* Another tool may have a callback by now; it stays so. Until then events are kiln's alone. */
extern bool kiln_others_may_listen;
