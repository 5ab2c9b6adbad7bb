// Arithmetic of ranges.
#include "gpu/ir/range.h"

#include <algorithm>
#include <bit>

namespace kiln::gpu {
namespace {

using Wide = __int128;

// Python's //, for a divisor that is not 0.
Wide floorOf(Wide a, Wide b) {
    Wide quotient = a / b;
    return quotient - (a % b != 0 && (a < 0) != (b < 0) ? 1 : 0);
}

// What the type makes of a result that may lie outside of it: 64 bits are said not to overflow, fewer wrap.
Range held(Wide low, Wide high, const Type* type, bool isSure) {
    Range all = rangeOf(type);
    if (low >= all.low && high <= all.high) {
        return {static_cast<int64_t>(low), static_cast<int64_t>(high), isSure};
    }
    if (type->bits < 64) {
        return all;
    }
    auto clamp = [&](Wide value) { return static_cast<int64_t>(std::clamp<Wide>(value, all.low, all.high)); };
    return {clamp(low), clamp(high), false};
}

template <typename Compute>
Range corners(const Range& a, const Range& b, const Type* type, bool isSure, Compute compute) {
    Wide values[] = {compute(a.low, b.low), compute(a.low, b.high), compute(a.high, b.low), compute(a.high, b.high)};
    return held(*std::min_element(values, values + 4), *std::max_element(values, values + 4), type, isSure);
}

// What overflowed may be anything, and // and >> make a small number of it.
Range settled(const Range& range, const Type* type) {
    return range.isSure ? range : rangeOf(type);
}

Range quotient(const Type* type, const Range& dividend, const Range& b) {
    Range a = settled(dividend, type);
    bool isSure = a.isSure && b.isSure;
    if (b.low >= 0) {  // by 0: 0
        Range divisor = {std::max<int64_t>(b.low, 1), std::max<int64_t>(b.high, 1), true};
        Range known = corners(a, divisor, type, isSure, [](Wide x, Wide y) { return floorOf(x, y); });
        return b.low > 0 ? known : unite(known, {0, 0, true});
    }
    Wide most = std::max(-Wide(a.low), Wide(a.high));
    return held(-most, most, type, isSure);
}

// As sure as the divisor: the dividend may be anything.
Range remainder(const Range& a, const Range& b) {
    if (b.low < 0) {
        return {std::min<int64_t>(b.low + 1, 0), std::max<int64_t>(b.high - (b.high > 0), 0), b.isSure};
    }
    int64_t most = std::max<int64_t>(b.high - 1, 0);
    bool isSmall = a.low >= 0 && a.isSure;
    return {0, isSmall ? std::min(most, a.high) : most, b.isSure};
}

Range conjunction(const Type* type, const Range& a, const Range& b) {
    if (type->isBool()) {
        return {a.low & b.low, a.high & b.high, true};
    }
    if (a.low < 0 && b.low < 0) {
        return rangeOf(type);
    }
    if (a.low >= 0 && b.low >= 0) {
        const Range& less = a.high < b.high ? a : b;
        return {0, less.high, less.isSure};
    }
    const Range& mask = a.low >= 0 ? a : b;
    return {0, mask.high, mask.isSure};
}

Range disjunction(Op op, const Type* type, const Range& a, const Range& b, bool isSure) {
    if (type->isBool()) {
        return op == Op::kOr ? Range{a.low | b.low, a.high | b.high, true} : rangeOf(type);
    }
    if (a.low < 0 || b.low < 0) {
        return rangeOf(type);
    }
    uint64_t most = static_cast<uint64_t>(std::max(a.high, b.high));
    return {0, static_cast<int64_t>(std::bit_ceil(most + 1) - 1), isSure};
}

Range shifted(Op op, const Type* type, const Range& given, const Range& b) {
    Range a = op == Op::kShiftRight ? settled(given, type) : given;
    bool isSure = a.isSure && b.isSure;
    if (b.low < 0 || b.high > 62) {
        bool isRight = op == Op::kShiftRight && a.low >= 0;
        return isRight ? Range{0, a.high, a.isSure} : rangeOf(type);
    }
    if (op == Op::kShiftLeft) {
        return corners(a, b, type, isSure, [](Wide x, Wide y) { return x * (Wide(1) << static_cast<int>(y)); });
    }
    return corners(a, b, type, isSure, [](Wide x, Wide y) { return x >> static_cast<int>(y); });
}

// index + size if index < 0.
Range wrapped(const Type* type, const Range& index, const Range& size, bool isSure) {
    if (index.low >= 0) {
        return index;
    }
    Range fromEnd = held(Wide(index.low) + size.low, std::min<Wide>(index.high, -1) + size.high, type, isSure);
    return index.high < 0 ? fromEnd : unite(fromEnd, {0, index.high, isSure});
}

}  // namespace

Range rangeOf(const Type* type) {
    if (type->isBool()) {
        return {0, 1, true};
    }
    if (type->bits == 64) {
        return type->isSigned() ? Range{} : Range{0, INT64_MAX, false};
    }
    int64_t count = int64_t(1) << type->bits;
    return type->isSigned() ? Range{-(count / 2), count / 2 - 1, true} : Range{0, count - 1, true};
}

Range unite(const Range& a, const Range& b) {
    return {std::min(a.low, b.low), std::max(a.high, b.high), a.isSure && b.isSure};
}

Range narrowTo(const Range& a, int64_t least, int64_t most) {
    Range both = {std::max(a.low, least), std::min(a.high, most), a.isSure};
    return both.low <= both.high ? both : a;
}

Range rangeOfResult(Op op, const Type* type, const Range& a, const Range& b) {
    bool isSure = a.isSure && b.isSure;
    switch (op) {
    case Op::kAdd: return held(Wide(a.low) + b.low, Wide(a.high) + b.high, type, isSure);
    case Op::kSubtract: return held(Wide(a.low) - b.high, Wide(a.high) - b.low, type, isSure);
    case Op::kMultiply: return corners(a, b, type, isSure, [](Wide x, Wide y) { return x * y; });
    case Op::kFloorDivide: return quotient(type, a, b);
    case Op::kModulo: return remainder(a, b);
    case Op::kAnd: return conjunction(type, a, b);
    case Op::kOr:
    case Op::kXor: return disjunction(op, type, a, b, isSure);
    case Op::kShiftLeft:
    case Op::kShiftRight: return shifted(op, type, a, b);
    case Op::kMinimum: return {std::min(a.low, b.low), std::min(a.high, b.high), isSure};
    case Op::kMaximum: return {std::max(a.low, b.low), std::max(a.high, b.high), isSure};
    case Op::kWrapIndex: return wrapped(type, a, b, isSure);
    case Op::kNegate: return held(-Wide(a.high), -Wide(a.low), type, a.isSure);
    case Op::kInvert: return held(-Wide(a.high) - 1, -Wide(a.low) - 1, type, a.isSure);
    case Op::kAbsolute:
        return held(a.low >= 0 ? a.low : a.high <= 0 ? -Wide(a.high) : 0, std::max(-Wide(a.low), Wide(a.high)), type, a.isSure);
    case Op::kNot: return {1 - a.high, 1 - a.low, true};
    default: return rangeOf(type);
    }
}

Range rangeOfConversion(const Range& from, const Type* to) {
    if (to->isBool()) {
        bool isZero = from.isOne() && from.low == 0;
        bool isNotZero = from.isSure && (from.low > 0 || from.high < 0);
        return isNotZero ? Range{1, 1, true} : isZero ? Range{0, 0, true} : rangeOf(to);
    }
    Range all = rangeOf(to);
    return from.low >= all.low && from.high <= all.high ? from : all;
}

Range rangeOfComparison(Op op, const Range& a, const Range& b) {
    bool isSure = a.isSure && b.isSure;
    auto either = [&](bool always, bool never) {
        return isSure && always ? Range{1, 1, true} : isSure && never ? Range{0, 0, true} : Range{0, 1, true};
    };
    bool apart = a.high < b.low || b.high < a.low;
    switch (op) {
    case Op::kEqual: return either(a.isOne() && a == b, apart);
    case Op::kNotEqual: return either(apart, a.isOne() && a == b);
    case Op::kLess: return either(a.high < b.low, a.low >= b.high);
    case Op::kLessEqual: return either(a.high <= b.low, a.low > b.high);
    case Op::kGreater: return either(a.low > b.high, a.high <= b.low);
    case Op::kGreaterEqual: return either(a.low >= b.high, a.high < b.low);
    default: return {0, 1, true};
    }
}

}  // namespace kiln::gpu
