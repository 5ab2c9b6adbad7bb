/* Where the running executable is. C, for the wheel's own small program has no C++. */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* The running executable with all links resolved; "" when nothing tells. The first call comes before the program changes its
   folder or starts a thread. */
const char* kiln_executable_path(void);

#ifdef __cplusplus
}
#endif
