// Warp operations and print, for kernels on the CPU.
#include "gpu/cpu/warp_operations.h"

#include <cstdio>
#include <cstring>
#include <vector>

#include "gpu/ir/kernel_ir.h"

namespace kiln::gpu {
namespace {

constexpr int64_t kLanes = 32;

// One warp's part of the arrays.
struct Warp {
    int64_t lanes;
    uint32_t active;
    const uint32_t* mask;
    const uint8_t* value;
    int64_t valueBytes;
    const int32_t* argument;
    uint8_t* result;

    uint64_t valueOf(int64_t lane) const {
        uint64_t bits = 0;
        std::memcpy(&bits, value + lane * valueBytes, static_cast<size_t>(valueBytes));
        return bits;
    }
};

// The lane whose value a shuffle gives; the own one where there is no such lane.
int64_t sourceLane(WarpOp op, const Warp& warp, int64_t lane) {
    int64_t argument = warp.argument[lane];
    int64_t source = lane;
    switch (op) {
    case WarpOp::kShuffle: source = argument & (kLanes - 1); break;
    case WarpOp::kShuffleUp: source = lane - argument; break;
    case WarpOp::kShuffleDown: source = lane + argument; break;
    default: source = lane ^ argument; break;
    }
    return source < 0 || source >= warp.lanes ? lane : source;
}

void shuffle(WarpOp op, const Warp& warp) {
    std::vector<uint8_t> values(warp.value, warp.value + warp.lanes * warp.valueBytes);
    for (int64_t lane = 0; lane < warp.lanes; lane++) {
        if ((warp.active >> lane & 1) != 0) {
            std::memcpy(warp.result + lane * warp.valueBytes, values.data() + sourceLane(op, warp, lane) * warp.valueBytes,
                        static_cast<size_t>(warp.valueBytes));
        }
    }
}

// The lanes of `among` for which the value is true, or equal to `wanted`.
uint32_t lanesWith(const Warp& warp, uint32_t among, const uint64_t* wanted) {
    uint32_t found = 0;
    for (int64_t lane = 0; lane < warp.lanes; lane++) {
        bool has = wanted != nullptr ? warp.valueOf(lane) == *wanted : warp.valueOf(lane) != 0;
        found |= (has && (among >> lane & 1) != 0) ? uint32_t(1) << lane : 0;
    }
    return found;
}

void vote(WarpOp op, const Warp& warp) {
    for (int64_t lane = 0; lane < warp.lanes; lane++) {
        if ((warp.active >> lane & 1) == 0) {
            continue;
        }
        uint32_t among = warp.active & (op == WarpOp::kActiveMask ? ~0u : warp.mask[lane]);
        uint64_t mine = op == WarpOp::kActiveMask ? 0 : warp.valueOf(lane);
        uint32_t yes = op == WarpOp::kActiveMask ? among : lanesWith(warp, among, nullptr);
        uint32_t word = 0;
        switch (op) {
        case WarpOp::kAll: word = yes == among; break;
        case WarpOp::kAny: word = yes != 0; break;
        case WarpOp::kEqual: word = yes == among || yes == 0; break;
        case WarpOp::kBallot: word = yes; break;
        case WarpOp::kMatchAny: word = lanesWith(warp, among, &mine); break;
        case WarpOp::kMatchAll: word = lanesWith(warp, among, &mine) == among ? among : 0; break;
        default: word = among; break;
        }
        bool isBool = op == WarpOp::kAll || op == WarpOp::kAny || op == WarpOp::kEqual;
        isBool ? (void)(warp.result[lane] = static_cast<uint8_t>(word)) : (void)std::memcpy(warp.result + lane * 4, &word, 4);
    }
}

}  // namespace

void runWarpOperation(int64_t op, int64_t threads, const uint8_t* active, const uint32_t* mask, const void* value,
                      int64_t valueBytes, const int32_t* argument, void* result) {
    auto kind = static_cast<WarpOp>(op);
    if (kind == WarpOp::kSync) {
        return;
    }
    bool isShuffle = kind >= WarpOp::kShuffle && kind <= WarpOp::kShuffleXor;
    bool isBool = kind == WarpOp::kAll || kind == WarpOp::kAny || kind == WarpOp::kEqual;
    int64_t resultBytes = isShuffle ? valueBytes : isBool ? 1 : 4;
    for (int64_t first = 0; first < threads; first += kLanes) {
        Warp warp = {std::min(kLanes, threads - first), 0, mask + first, static_cast<const uint8_t*>(value) + first * valueBytes,
                     valueBytes, argument + first, static_cast<uint8_t*>(result) + first * resultBytes};
        for (int64_t lane = 0; lane < warp.lanes; lane++) {
            warp.active |= (active == nullptr || active[first + lane] != 0) ? uint32_t(1) << lane : 0;
        }
        isShuffle ? shuffle(kind, warp) : vote(kind, warp);
    }
}

// One thread's print may mix with another's, as on the GPU; sys.stdout is flushed before and after a launch that prints.
void printFromKernel(int64_t kind, const char* text, int64_t bits) {
    double number;
    std::memcpy(&number, &bits, sizeof number);
    switch (kind) {
    case 0: std::fputs(text, stdout); break;
    case 1: std::printf(text != nullptr ? text : "%lld", static_cast<long long>(bits)); break;
    case 2: std::printf(text != nullptr ? text : "%llu", static_cast<unsigned long long>(bits)); break;
    case 3: std::printf(text != nullptr ? text : "%f", number); break;
    default: std::fputs(bits != 0 ? "True" : "False", stdout); break;
    }
}

}  // namespace kiln::gpu
