// Accesses that are checked: what emitted code tells of them, and the failure that a launch ends with.
#include <cstring>

#include "gpu/runtime/cpu_launch.h"
#include "gpu/runtime/faults.h"

namespace kiln::gpu {
namespace {

constexpr int kAxes = 3;  // of a thread's place come first, then of its block

int32_t numberIn(const int32_t* index, const int32_t* sizes) {
    return index[0] + sizes[0] * (index[1] + sizes[1] * index[2]);
}

void indexOf(int64_t number, const int32_t* sizes, int32_t* index) {
    for (int axis = 0; axis < 3; axis++) {
        index[axis] = static_cast<int32_t>(axis < 2 ? number % sizes[axis] : number);
        number /= sizes[axis];
    }
}

std::string describeElement(const Access& access, const int64_t* indices) {
    std::string text = "element [";
    for (int i = 0; i < access.indices; i++) {
        text += (i > 0 ? ", " : "") + std::to_string(indices[i]);
    }
    return text + "] of " + access.array;
}

const char* verbOf(AccessKind kind) {
    return kind == AccessKind::kRead ? "read" : kind == AccessKind::kWrite ? "written" : "updated atomically";
}

}  // namespace

struct CpuLaunch::Checks {
    static void beginBlock(int64_t block, const uint8_t* shared, int64_t sharedBytes) {
        exit->checks->begin(block, exit->launch->shape_.threads(), reinterpret_cast<uint64_t>(shared), sharedBytes);
    }

    static void access(int64_t row, int64_t kind, const uint8_t* address, int64_t bytes, const int64_t* indices,
                       const void* value, const int32_t* place) {
        MemoryAccess access;
        access.address = reinterpret_cast<uint64_t>(address);
        access.bytes = bytes;
        access.kind = static_cast<AccessKind>(kind);
        access.keepsBytes = value != nullptr && std::memcmp(address, value, static_cast<size_t>(bytes)) == 0;
        access.row = static_cast<uint32_t>(row);
        if (isFault(access, indices, place)) {
            std::longjmp(exit->place, 1);
        }
    }

    // A function of its own: nothing that must be destroyed is left when emitted code is.
    static bool isFault(const MemoryAccess& access, const int64_t* indices, const int32_t* place) {
        std::optional<AccessFault> fault = exit->checks->access(access, threadAt(place));
        if (!fault || (fault->mayBeRace && exit->unwritten)) {
            return false;
        }
        Failure failure = exit->launch->describeFault(*fault, indices, place);
        if (fault->mayBeRace) {
            exit->unwritten = failure;
        } else {
            exit->launch->fail(failure);
        }
        return !fault->mayBeRace;
    }

    // Where the block's threads have come together, no other thread can have been the one that was to write.
    static void settle() {
        if (exit->unwritten) {
            exit->launch->fail(exit->unwritten);
            std::longjmp(exit->place, 1);
        }
    }

    static void atomicDone(const uint8_t* address, const int32_t* place) {
        exit->checks->atomicDone(reinterpret_cast<uint64_t>(address), threadAt(place));
    }
    static void undefine(const uint8_t* address, int64_t bytes) {
        exit->checks->undefine(reinterpret_cast<uint64_t>(address), bytes);
    }
    static void fence(const int32_t* place) { exit->checks->order().passFence(threadAt(place)); }
    static void blockBarrier() {
        settle();
        exit->checks->order().passBarrier();
    }
    static void gridBarrier() {
        settle();
        exit->checks->order().passGridBarrier();
    }
    static void warp(const uint8_t* active, const uint32_t* masks) { exit->checks->order().passWarps(active, masks); }

    static int32_t threadAt(const int32_t* place) { return numberIn(place, exit->launch->shape_.block); }
};

void CpuLaunch::connectChecks(CpuChecks& checks) {
    checks.beginBlock = Checks::beginBlock;
    checks.endBlock = Checks::settle;
    checks.access = Checks::access;
    checks.atomicDone = Checks::atomicDone;
    checks.undefine = Checks::undefine;
    checks.fence = Checks::fence;
    checks.blockBarrier = Checks::blockBarrier;
    checks.gridBarrier = Checks::gridBarrier;
    checks.warp = Checks::warp;
}

Failure CpuLaunch::describeFault(const AccessFault& fault, const int64_t* indices, const int32_t* place) const {
    const Access& here = module_.accesses[fault.access.row];
    std::string text =
        "In " + describePlace(here.function, here.file, here.line) + ", " + describeThread(place, place + kAxes) + ": ";
    std::string element = describeElement(here, indices);
    if (!fault.isRace) {
        return {"UninitializedMemoryError",
                text + element + " is " + verbOf(fault.access.kind) + ", and nothing has written it"};
    }
    const Access& there = module_.accesses[fault.other.row];
    const Moment& moment = fault.other.moment;
    int32_t thread[kAxes];
    int32_t block[kAxes];
    indexOf(moment.thread, shape_.block, thread);
    indexOf(moment.block, shape_.grid, block);
    std::string name = there.array != here.array ? " as one of " + there.array : "";
    return {"DataRaceError", text + "race on " + element + ", which is " + verbOf(fault.access.kind) + " here and " +
                                 verbOf(fault.other.kind) + name + " in " +
                                 describePlace(there.function, there.file, there.line) + ", " +
                                 describeThread(thread, block) + ", with no barrier between"};
}

void CpuLaunch::fail(const Failure& failure) {
    {
        std::lock_guard<std::mutex> lock(faultMutex_);
        accessFault_ = accessFault_ ? accessFault_ : failure;
    }
    end();
}

}  // namespace kiln::gpu
