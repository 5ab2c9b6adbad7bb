#include "gpu/ir/range_facts.h"

#include <algorithm>

#include "gpu/ir/block_limits.h"

namespace kiln::gpu {

Range rangeOfPlace(const Instruction& instruction, const LaunchLimits& limits) {
    bool isFirst = instruction.index == 0;
    int64_t threads = instruction.index <= 2 ? kMostAlongAxis[instruction.index] : kMostBlockThreads;
    int64_t blocks = isFirst ? limits.blocks : 65535;
    switch (instruction.op) {
    case Op::kThreadIndex: return {0, threads - 1, true};
    case Op::kBlockDim: return {1, threads, true};
    case Op::kBlockIndex: return {0, blocks - 1, true};
    case Op::kGridDim: return {1, blocks, true};
    case Op::kLane: return {0, 31, true};
    default: return rangeOf(instruction.type);
    }
}

Range rangeOfCounter(const Range& start, const Range& stop, const Range& step) {
    int64_t last = stop.high - (stop.high != INT64_MIN);
    int64_t first = stop.low + (stop.low != INT64_MAX);
    bool isSure = start.isSure && stop.isSure && step.isSure;
    if (step.low > 0) {
        return {start.low, std::max(start.low, last), isSure};
    }
    if (step.high < 0) {
        return {std::min(start.high, first), start.high, isSure};
    }
    return {std::min(start.low, first), std::max(start.high, last), isSure};
}

Range rangeOfChoice(const Instruction& select, const std::vector<const Instruction*>& definitions, const std::vector<Range>& values) {
    const Instruction& condition = *definitions[select.operands[0]];
    const Instruction& moved = *definitions[select.operands[1]];
    const Range& all = values[select.operands[2]];
    bool isBelow = condition.op == Op::kLess && moved.op == Op::kAdd;
    bool isAbove = condition.op == Op::kGreaterEqual && moved.op == Op::kSubtract;
    bool isMoved = (isBelow || isAbove) && definitions[condition.operands[1]]->type == select.type && condition.operands[0] == select.operands[2] && moved.operands[0] == select.operands[2] && all.isSure;
    const Range& limit = isMoved ? values[condition.operands[1]] : all;
    const Range& distance = isMoved ? values[moved.operands[1]] : all;
    if (!isMoved || !limit.isSure || !distance.isSure || (isAbove && condition.operands[1] != moved.operands[1]) || limit.low == INT64_MIN) {
        return unite(values[select.operands[1]], all);
    }
    if (isAbove) {
        Range rest = {std::min(all.low, limit.high - 1), std::min(all.high, limit.high - 1), true};
        Range above = rangeOfResult(Op::kSubtract, select.type, all, limit);
        return all.high < limit.low ? all : unite({0, std::max<int64_t>(above.high, 0), above.isSure}, rest);
    }
    Range rest = {std::max(all.low, limit.low), std::max(all.high, limit.low), true};
    Range below = {all.low, std::min(all.high, limit.high - 1), true};
    return all.low >= limit.high ? all : unite(rangeOfResult(Op::kAdd, select.type, below, distance), rest);
}

bool isPlainOperation(const Instruction& instruction, const std::vector<Range>& values) {
    bool isWide = instruction.type->isSigned() && instruction.type->bits == 64 && !instruction.operands.empty();
    const Range& first = isWide ? values[instruction.operands[0]] : Range();
    const Range& second = isWide && instruction.operands.size() > 1 ? values[instruction.operands[1]] : first;
    if (!isWide || !first.isSure || !second.isSure) {
        return false;
    }
    switch (instruction.op) {
    case Op::kFloorDivide:
    case Op::kModulo: return first.low >= 0 && second.low > 0;
    case Op::kAdd:
    case Op::kSubtract:
    case Op::kMultiply:
    case Op::kNegate: return values[instruction.result].isSure;
    case Op::kShiftLeft: return values[instruction.result].isSure && second.fits(0, 62);
    default: return false;
    }
}

bool fitsInt32(const Instruction& instruction, const std::vector<Range>& values) {
    auto fits = [&](ValueId value) { return values[value].isSure && values[value].fits(INT32_MIN, INT32_MAX); };
    return fits(instruction.result) && std::all_of(instruction.operands.begin(), instruction.operands.end(), fits);
}

NearRemainder nearRemainder(const Range& dividend, const Range& divisor, int64_t more) {
    bool isNear =
        divisor.isSure && divisor.low > 0 && dividend.isSure && dividend.low >= -divisor.low && more < divisor.low;
    return {isNear, dividend.low < 0, more >= 0};
}

}  // namespace kiln::gpu
