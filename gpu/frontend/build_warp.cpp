// Operations on the bits of integers, and those among the threads of a warp.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

const Type* int32() {
    return scalarType(Scalar::kInt32);
}
const Type* uint32() {
    return scalarType(Scalar::kUInt32);
}

}  // namespace

Value callBits(FunctionBuilder& build, Call& call) {
    if (!build.scalars(call)) {
        return {};
    }
    const Type* given = call[0].type;
    if (given->isFloat() || given->isBool()) {
        return build.fail(call.node, call.name() + " works on integers, and this is " + describe(call[0]));
    }
    Value wide = build.convert(call[0], intType(given->bits <= 32 ? 32 : 64, false));
    bool isReverse = call.payload<BitOp>() == BitOp::kReverse;
    return build.emit(Op::kBits, isReverse ? wide.type : int32(), {build.use(wide)}, call.payload<uint32_t>());
}

Value callActivemask(FunctionBuilder& build, Call&) {
    return build.emit(Op::kWarp, uint32(), {}, static_cast<uint32_t>(WarpOp::kActiveMask));
}

// The lanes below this one.
Value callLanemask(FunctionBuilder& build, Call&) {
    Value one = Value::constant(uint32(), 1);
    Value lane = build.convert(build.emit(Op::kLane, int32(), {}), uint32());
    return build.arithmetic(Op::kSubtract, build.arithmetic(Op::kShiftLeft, one, lane), one);
}

Value callSyncwarp(FunctionBuilder& build, Call& call) {
    if (build.scalars(call)) {
        Value mask = call.has(0) ? build.convert(call[0], uint32()) : Value::constant(uint32(), 0xffffffff);
        build.emitRaw(Op::kWarp, nullptr, {build.use(mask)}, static_cast<uint32_t>(WarpOp::kSync));
    }
    return Value::none();
}

// Values of less than 32 bits go as an int32.
Value callShuffle(FunctionBuilder& build, Call& call) {
    if (!build.scalars(call)) {
        return {};
    }
    ValueId mask = build.use(build.convert(call[0], uint32()));
    const Type* given = call[1].type;
    const Type* type = given->bits >= 32 ? given : given->isFloat() ? floatType(32) : int32();
    ValueId value = build.use(build.convert(call[1], type));
    ValueId lane = build.use(build.convert(call[2], int32()));
    Value result = build.emit(Op::kWarp, type, {mask, value, lane}, call.payload<uint32_t>());
    return given->isFloat() ? build.convert(result, given) : result;
}

Value callVote(FunctionBuilder& build, Call& call) {
    if (!build.scalars(call)) {
        return {};
    }
    ValueId mask = build.use(build.convert(call[0], uint32()));
    ValueId predicate = build.use(build.truth(call[1], call.node));
    const Type* type = call.payload<WarpOp>() == WarpOp::kBallot ? uint32() : scalarType(Scalar::kBool);
    return build.emit(Op::kWarp, type, {mask, predicate}, call.payload<uint32_t>());
}

// Values are compared by their bits: floats too, of which nans are equal and the two zeros are not.
Value callMatch(FunctionBuilder& build, Call& call) {
    if (!build.scalars(call)) {
        return {};
    }
    ValueId mask = build.use(build.convert(call[0], uint32()));
    const Type* given = call[1].type;
    Value value = given->bits < 32 && !given->isFloat() ? build.convert(call[1], int32()) : call[1];
    if (given == floatType(16)) {
        value = build.convert(value, floatType(32));
        given = value.type;
    }
    if (given->isFloat()) {
        value = build.emit(Op::kBitcast, intType(given->bits, true), {build.use(value)});
    }
    Value matches = build.emit(Op::kWarp, uint32(), {mask, build.use(value)}, call.payload<uint32_t>());
    return call.payload<WarpOp>() == WarpOp::kMatchAny ? matches
                                                       : Value::tuple({matches, build.truth(matches, call.node)});
}

}  // namespace kiln::gpu
