// Dates and durations of NumPy's.
#include <array>

#include "gpu/ir/type.h"

namespace kiln::gpu {
namespace {

struct Unit {
    const char* name;
    int64_t next;  // how many of the next one it is; 0 where that varies
};

constexpr Unit kUnits[] = {{"Y", 12},    {"M", 0},     {"W", 7},     {"D", 24},    {"h", 60},    {"m", 60}, {"s", 1000},
                           {"ms", 1000}, {"us", 1000}, {"ns", 1000}, {"ps", 1000}, {"fs", 1000}, {"as", 0}};
constexpr int kUnitCount = static_cast<int>(std::size(kUnits));
constexpr int kGeneric = kUnitCount;  // the unit of those that have none: that of whatever they meet

using Table = std::array<Type, 2 * (kUnitCount + 1)>;

const Table& times() {
    static const Table kTimes = [] {
        Table table;
        for (size_t i = 0; i < table.size(); i++) {
            bool isDate = i % 2 == 0;
            int unit = static_cast<int>(i / 2);
            Type& type = table[i];
            type.kind = isDate ? Kind::kDate : Kind::kDuration;
            type.scalar = Scalar::kInt64;
            type.bits = 64;
            type.alignment = 8;
            type.name = isDate ? "datetime64" : "timedelta64";
            type.name += unit == kGeneric ? "" : "[" + std::string(kUnits[unit].name) + "]";
            type.unit = unit;
        }
        return table;
    }();
    return kTimes;
}

const Type* timeType(Kind kind, int unit) {
    return &times()[static_cast<size_t>(2 * unit + (kind == Kind::kDate ? 0 : 1))];
}

}  // namespace

const Type* timeNamed(std::string_view name) {
    for (const Type& type : times()) {
        if (type.name == name) {
            return &type;
        }
    }
    return nullptr;
}

const Type* durationOf(const Type* time) {
    return timeType(Kind::kDuration, time->unit);
}

const Type* dateOf(const Type* time) {
    return timeType(Kind::kDate, time->unit);
}

int64_t unitsOf(const Type* coarse, const Type* fine) {
    if (coarse->unit == kGeneric || coarse->unit == fine->unit) {
        return 1;
    }
    int64_t count = coarse->unit < fine->unit && fine->unit != kGeneric ? 1 : 0;
    for (int unit = coarse->unit; count != 0 && unit < fine->unit; unit++) {
        if (__builtin_mul_overflow(count, kUnits[unit].next, &count)) {
            return 0;
        }
    }
    return count;
}

const Type* commonTime(const Type* left, const Type* right) {
    if (left->kind != right->kind) {
        return nullptr;
    }
    return unitsOf(left, right) != 0 ? right : unitsOf(right, left) != 0 ? left : nullptr;
}

}  // namespace kiln::gpu
