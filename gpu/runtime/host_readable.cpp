// Whether the host can read an address.
#include "gpu/runtime/host_readable.h"

#include <sys/uio.h>
#include <unistd.h>

namespace kiln::gpu {

bool isHostReadable(uintptr_t address) {
    char byte = 0;
    iovec local = {&byte, 1};
    iovec remote = {reinterpret_cast<void*>(address), 1};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == 1;
}

}  // namespace kiln::gpu
