// Operations on the bits of integers, and those among the threads of a warp.
#include "gpu/frontend/function_builder.h"

namespace kiln::gpu {
namespace {

const Type* int32() { return scalarType(Scalar::kInt32); }
const Type* uint32() { return scalarType(Scalar::kUInt32); }

}  // namespace

Value FunctionBuilder::callBits(const Node& node, std::vector<Value>& arguments) {
    if (!expect(node, arguments, 1, 1) || !scalars(node, arguments)) {
        return {};
    }
    static const std::map<std::string, BitOp> kOps = {{"cuda.popc", BitOp::kCount}, {"cuda.brev", BitOp::kReverse},
                                                      {"cuda.clz", BitOp::kLeadingZeros}, {"cuda.ffs", BitOp::kFirstSet}};
    BitOp op = kOps.at(callee_);
    const Type* given = arguments[0].type;
    if (given->isFloat() || given->isBool()) {
        return fail(node, callee_ + " works on integers, and this is " + describe(arguments[0]));
    }
    Value wide = convert(arguments[0], intType(given->bits <= 32 ? 32 : 64, false));
    return emit(Op::kBits, op == BitOp::kReverse ? wide.type : int32(), {use(wide)}, static_cast<uint32_t>(op));
}

Value FunctionBuilder::callWarp(const Node& node, std::vector<Value>& arguments) {
    static const std::map<std::string, WarpOp> kOps = {
        {"syncwarp", WarpOp::kSync}, {"shfl_sync", WarpOp::kShuffle}, {"shfl_up_sync", WarpOp::kShuffleUp},
        {"shfl_down_sync", WarpOp::kShuffleDown}, {"shfl_xor_sync", WarpOp::kShuffleXor}, {"all_sync", WarpOp::kAll},
        {"any_sync", WarpOp::kAny}, {"eq_sync", WarpOp::kEqual}, {"ballot_sync", WarpOp::kBallot},
        {"match_any_sync", WarpOp::kMatchAny}, {"match_all_sync", WarpOp::kMatchAll}, {"activemask", WarpOp::kActiveMask}};
    std::string name = callee_.substr(callee_.rfind('.') + 1);
    if (name == "lanemask_lt") {
        Value one = Value::constant(uint32(), 1);
        Value lane = convert(emit(Op::kLane, int32(), {}), uint32());
        Value bit = arithmetic(Op::kShiftLeft, one, lane);
        return arithmetic(Op::kSubtract, bit, one);
    }
    WarpOp op = kOps.at(name);
    auto index = static_cast<uint32_t>(op);
    if (!scalars(node, arguments)) {
        return {};
    }
    if (op == WarpOp::kActiveMask) {
        return expect(node, arguments, 0, 0) ? emit(Op::kWarp, uint32(), {}, index) : Value();
    }
    if (op == WarpOp::kSync) {
        Value mask = arguments.empty() ? Value::constant(uint32(), 0xffffffff) : convert(arguments[0], uint32());
        if (expect(node, arguments, 0, 1)) {
            emitRaw(Op::kWarp, nullptr, {use(mask)}, index);
        }
        return Value::none();
    }
    bool isShuffle = op >= WarpOp::kShuffle && op <= WarpOp::kShuffleXor;
    bool isMatch = op == WarpOp::kMatchAny || op == WarpOp::kMatchAll;
    if (!expect(node, arguments, isShuffle ? 3 : 2, isShuffle ? 3 : 2)) {
        return {};
    }
    ValueId mask = use(convert(arguments[0], uint32()));
    if (isShuffle) {
        const Type* type = arguments[1].type->bits < 32 ? int32() : arguments[1].type;
        ValueId value = use(convert(arguments[1], type));
        return emit(Op::kWarp, type, {mask, value, use(convert(arguments[2], int32()))}, index);
    }
    if (isMatch) {
        Value matches = emit(Op::kWarp, uint32(), {mask, use(arguments[1])}, index);
        if (op == WarpOp::kMatchAny) {
            return matches;
        }
        return Value::tuple({matches, truth(matches, node)});
    }
    ValueId predicate = use(truth(arguments[1], node));
    return emit(Op::kWarp, op == WarpOp::kBallot ? uint32() : scalarType(Scalar::kBool), {mask, predicate}, index);
}

}  // namespace kiln::gpu
