/* Number conversions that CPython keeps to itself. */
#define Py_BUILD_CORE
#include "interp/cpython/cpython_shim.h"

#include <internal/pycore_dtoa.h>
#include <stdio.h>

bool kiln_round_decimal(double x, int digits, double* rounded) {
    enum { kToDigitsAfterPoint = 3, kMostText = 400 };
    int point = 0;
    int negative = 0;
    char* end = NULL;
    char* text = _Py_dg_dtoa(x, kToDigitsAfterPoint, digits, &point, &negative, &end);
    if (text == NULL) {
        return false;
    }
    char decimal[2 * kMostText];
    int written = snprintf(decimal, sizeof decimal, "%s0%se%d", negative ? "-" : "", text, point - (int)(end - text));
    _Py_dg_freedtoa(text);
    if (written < 0 || written >= (int)sizeof decimal) {
        return false;
    }
    *rounded = _Py_dg_strtod(decimal, NULL);
    return true;
}
