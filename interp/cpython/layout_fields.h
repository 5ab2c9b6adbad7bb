/* Offsets in CPython's structures, without a header of CPython's. */
#pragma once

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Byte offsets that emitted code uses. One row per field in layout.def. */
typedef struct {
#define KILN_LAYOUT(name, type, field) int64_t name;
#include "interp/cpython/layout.def"
#undef KILN_LAYOUT
} KilnLayout;
const KilnLayout* kiln_layout(void);

/* Bytes from an object to the word that is the address of its attributes' values less one, or, when even, its dict or NULL. */
enum { KILN_VALUES_WORD = -3 * (int)sizeof(void*) };

#ifdef __cplusplus
}
#endif
