// Loops over the elements of arrays, and views of them.
#include "gpu/frontend/build_arrays.h"
#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_faults.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_place.h"
#include "gpu/frontend/build_view.h"

namespace kiln::gpu {
namespace {

// A loop of the kernel's; `body` gets the number of the pass.
void forRange(FunctionBuilder& build, const Value& count, const std::function<void(const Value&)>& body) {
    Instruction loop = build.control(Op::kFor);
    loop.index = build.slotFor("index_" + std::to_string(build.function().variables.size()), int64Type());
    loop.operands.push_back(build.use(Value::integer(0)));
    loop.operands.push_back(build.use(count));
    loop.operands.push_back(build.use(Value::integer(1)));
    loop.blocks.push_back(build.inBlock([&] { body(build.emit(Op::kGet, int64Type(), {}, loop.index)); }));
    build.insert(std::move(loop));
}

}  // namespace

void forElements(FunctionBuilder& build, const Value& array,
                 const std::function<void(const std::vector<Value>&)>& body) {
    std::vector<Value> indices;
    std::function<void()> descend = [&] {
        int axis = static_cast<int>(indices.size());
        if (axis == array.type->ndim) {
            body(indices);
            return;
        }
        forRange(build, dimensionOf(build, array, axis), [&](const Value& index) {
            indices.push_back(index);
            descend();
            indices.pop_back();
        });
    };
    descend();
}

Value loadAt(FunctionBuilder& build, const Value& array, const std::vector<Value>& indices) {
    std::vector<ValueId> operands = {build.use(array)};
    for (const Value& index : indices) {
        operands.push_back(build.use(index));
    }
    return loadElement(build, array, operands);
}

void storeAt(FunctionBuilder& build, const Value& array, const std::vector<Value>& indices, const Value& value) {
    std::vector<ValueId> operands = {build.use(array)};
    for (const Value& index : indices) {
        operands.push_back(build.use(index));
    }
    storeElement(build, build.statement(), array, std::move(operands), value);
}

uint32_t accumulator(FunctionBuilder& build, const Value& first) {
    uint32_t slot = build.slotFor("result_" + std::to_string(build.function().variables.size()), first.type);
    build.emitRaw(Op::kSet, nullptr, {build.use(first)}, slot);
    return slot;
}

Value getVariable(FunctionBuilder& build, uint32_t slot) {
    return build.emit(Op::kGet, build.function().variables[slot].type, {}, slot);
}

void setVariable(FunctionBuilder& build, uint32_t slot, const Value& value) {
    build.emitRaw(Op::kSet, nullptr, {build.use(convert(build, value, build.function().variables[slot].type))}, slot);
}

bool assignElements(FunctionBuilder& build, const Node& node, const Value& target, const Value& value) {
    bool fits = value.isScalar() || value.isRecord() || (value.isArray() && value.type->ndim <= target.type->ndim);
    if (!fits || target.type->readonly) {
        build.fail(node, target.type->readonly ? "this array is read-only"
                                               : describe(value) + " cannot be assigned to " + describe(target));
        return false;
    }
    forElements(build, target, [&](const std::vector<Value>& at) {
        if (!value.isArray()) {
            storeAt(build, target, at, value);
        } else {
            storeAt(build, target, at, loadAt(build, value, {at.end() - value.type->ndim, at.end()}));
        }
    });
    return !build.failed();
}

}  // namespace kiln::gpu
