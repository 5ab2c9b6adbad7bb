// Operations on the bits of integers, and those among the threads of a warp.
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {
Value callBits(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    const Type* given = call[0].type;
    if (given->isFloat() || given->isBool()) {
        return build.fail(call.node, call.name() + " works on integers, and this is " + describe(call[0]));
    }
    bool isReverse = call.payload<BitOp>() == BitOp::kReverse;
    bool isNarrow = given->bits <= 32 || (isReverse && given->isSigned());  // numba reverses 32 bits of an int64
    Value wide = convert(build, call[0], intType(isNarrow ? 32 : 64, false));
    return build.emit(Op::kBits, isReverse ? wide.type : int32Type(), {build.use(wide)}, call.payload<uint32_t>());
}

Value callActivemask(FunctionBuilder& build, Call&) {
    return build.emit(Op::kWarp, uint32Type(), {}, static_cast<uint32_t>(WarpOp::kActiveMask));
}

// The lanes below this one.
Value callLanemask(FunctionBuilder& build, Call&) {
    Value one = Value::constant(uint32Type(), 1);
    Value lane = convert(build, build.emit(Op::kLane, int32Type(), {}), uint32Type());
    return arithmetic(build, Op::kSubtract, arithmetic(build, Op::kShiftLeft, one, lane), one);
}

Value callSyncwarp(FunctionBuilder& build, Call& call) {
    if (requireScalars(build, call)) {
        Value mask = call.has(0) ? convert(build, call[0], uint32Type()) : Value::constant(uint32Type(), 0xffffffff);
        build.emitRaw(Op::kWarp, nullptr, {build.use(mask)}, static_cast<uint32_t>(WarpOp::kSync));
    }
    return Value::none();
}

// Values of less than 32 bits go as an int32.
Value callShuffle(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    ValueId mask = build.use(convert(build, call[0], uint32Type()));
    const Type* given = call[1].type;
    const Type* type = given->bits >= 32 ? given : given->isFloat() ? floatType(32) : int32Type();
    ValueId value = build.use(convert(build, call[1], type));
    ValueId lane = build.use(convert(build, call[2], int32Type()));
    Value result = build.emit(Op::kWarp, type, {mask, value, lane}, call.payload<uint32_t>());
    return given->isFloat() ? convert(build, result, given) : result;
}

Value callVote(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    if (!call[0].type->isInteger()) {
        return build.fail(call.node, "Mask type must be an integer. Got " + describe(call[0]));
    }
    if (!call[1].type->isInteger() && !call[1].type->isBool()) {
        return build.fail(call.node, "Predicate must be an integer or boolean. Got " + describe(call[1]));
    }
    ValueId mask = build.use(convert(build, call[0], uint32Type()));
    ValueId predicate = build.use(truth(build, call[1], call.node));
    const Type* type = call.payload<WarpOp>() == WarpOp::kBallot ? uint32Type() : scalarType(Scalar::kBool);
    return build.emit(Op::kWarp, type, {mask, predicate}, call.payload<uint32_t>());
}

// Values are compared by their bits: floats too, of which nans are equal and the two zeros are not.
Value callMatch(FunctionBuilder& build, Call& call) {
    if (!requireScalars(build, call)) {
        return {};
    }
    ValueId mask = build.use(convert(build, call[0], uint32Type()));
    const Type* given = call[1].type;
    Value value = given->bits < 32 && !given->isFloat() ? convert(build, call[1], int32Type()) : call[1];
    if (given == floatType(16)) {
        value = convert(build, value, floatType(32));
        given = value.type;
    }
    if (given->isFloat()) {
        value = build.emit(Op::kBitcast, intType(given->bits, true), {build.use(value)});
    }
    Value matches = build.emit(Op::kWarp, uint32Type(), {mask, build.use(value)}, call.payload<uint32_t>());
    return call.payload<WarpOp>() == WarpOp::kMatchAny ? matches
                                                       : Value::tuple({matches, truth(build, matches, call.node)});
}

}  // namespace kiln::gpu
