// What a user could do to make a kernel faster.
#include "gpu/runtime/kernel_advice.h"

#include "gpu/ir/find_slow_code.h"

namespace kiln::gpu {
namespace {

constexpr int kWarp = 32;
constexpr double kLittle = 0.25;  // of the threads that a multiprocessor could have

std::string number(int64_t value) {
    return std::to_string(value);
}

std::string counted(int64_t count, const char* what) {
    return number(count) + " " + what + (count == 1 ? "" : "s");
}

std::string atLine(const SlowPlace& place) {
    return "line " + number(place.line) + (place.count > 1 ? " and " + counted(place.count - 1, "more place") : "");
}

// The first dimension of a block along which there are several threads: those of a warp are neighbours along it.
int neighboursAxis(const LaunchShape& shape) {
    return shape.block[0] > 1 ? 0 : shape.block[1] > 1 ? 1 : shape.block[2] > 1 ? 2 : 0;
}

void adviseShape(const LaunchCounters& counters, Backend& where, int device, std::vector<Advice>& out) {
    int64_t processors = where.device(device).multiprocessors;
    if (counters.mostBlocks < processors) {
        const char* unit = where.isHost() ? "core" : "multiprocessor";
        out.push_back({"K001", "launches of " + counted(counters.mostBlocks, "block") + " on " + counted(processors, unit) +
                                   ": more and smaller blocks would use them all"});
    }
    if (counters.oddLaunches * 2 > counters.launches) {
        int64_t threads = counters.oddShape.threads();
        int64_t warps = (threads + kWarp - 1) / kWarp;
        out.push_back({"K002", "blocks of " + counted(threads, "thread") + " take " + counted(warps, "warp") + " of " + number(kWarp) +
                                   ": a multiple of " + number(kWarp) + " leaves none idle"});
    }
    if (counters.copiedLaunches > 1) {
        out.push_back({"K003", "host arrays are copied at " + number(static_cast<int64_t>(counters.copiedLaunches)) + " of " +
                                   number(static_cast<int64_t>(counters.launches)) + " launches: cuda.to_device() copies them once"});
    }
}

void adviseCode(const Module& module, const LaunchShape& shape, std::vector<Advice>& out) {
    SlowPlace doubles = findDoubles(module);
    if (doubles.count > 0) {
        out.push_back({"K004", "its arrays have no float64, its arithmetic has (" + atLine(doubles) +
                                   "): np.float32(0.5), and arguments so"});
    }
    SlowPlace strided = findStrided(module, neighboursAxis(shape));
    if (strided.count > 0) {
        static constexpr const char* kAxes[] = {"x", "y", "z"};
        out.push_back({"K005", "neighbouring threads are far apart in '" + strided.name + "' (" + atLine(strided) +
                                   "): let its last index follow threadIdx." + kAxes[neighboursAxis(shape)]});
    }
}

void adviseResources(const Module& module, const CompiledForm& compiled, std::vector<Advice>& out) {
    constexpr int kMostThreads = 39;  // of a multiprocessor; an attribute of devices
    Backend& where = *compiled.backend;
    DeviceScope scope(where, compiled.device);
    CompiledKernel& kernel = *compiled.kernel;
    int64_t spilled = where.attribute(kernel, "local") - localBytes(module);
    if (spilled > 0) {
        out.push_back({"K006", counted(spilled, "byte") + " of each thread's registers are spilled to memory: " +
                                   "keep fewer values at a time, allow more registers"});
    }
    const LaunchShape& shape = compiled.counters.lastShape;
    int64_t most = where.deviceAttribute(compiled.device, kMostThreads);
    int64_t processors = where.device(compiled.device).multiprocessors;
    if (most <= 0 || processors <= 0) {
        return;
    }
    int64_t blocks = where.mostCooperativeBlocks(kernel, shape.threads(), shape.dynamicBytes) / processors;
    auto share = static_cast<double>(blocks * shape.threads()) / static_cast<double>(most);
    if (share < kLittle) {
        out.push_back({"K007", counted(blocks * shape.threads(), "thread") + " of " + number(most) + " run at a time, with " +
                                   counted(where.attribute(kernel, "registers"), "register") + " each and " +
                                   number(where.attribute(kernel, "shared") + shape.dynamicBytes) + " shared bytes a block"});
    }
}

}  // namespace

std::vector<Advice> adviceFor(const Specialisation& form, const CompiledForm& compiled) {
    std::vector<Advice> advice;
    adviseShape(compiled.counters, *compiled.backend, compiled.device, advice);
    adviseCode(*form.module, compiled.counters.lastShape, advice);
    if (!compiled.backend->isHost()) {
        adviseResources(*form.module, compiled, advice);
    }
    return advice;
}

}  // namespace kiln::gpu
