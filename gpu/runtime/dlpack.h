// The parts of DLPack's ABI, version 0, that are needed: how libraries hand each other arrays, in capsules named "dltensor".
#pragma once

#include <cstdint>

namespace kiln::gpu {

enum DlDevice { kDlCpu = 1, kDlCuda = 2, kDlCudaHost = 3, kDlCudaManaged = 13 };
enum DlKind { kDlInt = 0, kDlUInt = 1, kDlFloat = 2, kDlComplex = 5, kDlBool = 6 };

struct DlTensor {
    void* data;
    int32_t deviceType;
    int32_t deviceId;
    int32_t ndim;
    uint8_t kind;
    uint8_t bits;
    uint16_t lanes;
    int64_t* shape;
    int64_t* strides;  // in elements; null for layout C
    uint64_t offset;   // in bytes
};

struct DlManagedTensor {
    DlTensor tensor;
    void* context;
    void (*deleter)(DlManagedTensor*);
};

}  // namespace kiln::gpu
