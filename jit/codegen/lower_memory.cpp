// Loads and stores in CPython's objects, and reference counts.
#include "jit/codegen/lowering.h"

namespace kiln {

Memory Lowering::memoryOf(Field field) {
    switch (field) {
        case Field::k_ob_refcnt: return Memory::kRefcount;
        case Field::k_ob_type: return Memory::kClass;
        case Field::k_ob_size: return Memory::kSize;
        case Field::k_list_items: return Memory::kListItems;
        case Field::k_float_value: case Field::k_complex_real: case Field::k_complex_imag: return Memory::kFloat;
        case Field::k_long_tag: case Field::k_long_digit: return Memory::kLong;
        case Field::k_cell_value: return Memory::kCell;
        case Field::k_range_iter_start: case Field::k_range_iter_step: case Field::k_range_iter_length:
        case Field::k_list_iter_index: case Field::k_list_iter_list: case Field::k_enumerate_index:
        case Field::k_enumerate_iterator: case Field::k_enumerate_long_index: case Field::k_zip_iterators:
        case Field::k_zip_strict:
            return Memory::kIterator;
        default: return Memory::kOther;
    }
}

llvm::Value* Lowering::fieldPointer(Value* object, Field field) {
    return builder_.CreateConstInBoundsGEP1_64(builder_.getInt8Ty(), object, static_cast<uint64_t>(environment_.fields[static_cast<int>(field)]));
}

llvm::Value* Lowering::load(llvm::Type* type, Value* object, Field field, Memory memory) {
    return tag(builder_.CreateLoad(type, fieldPointer(object, field)), memory);
}

void Lowering::store(Value* stored, Value* object, Field field, Memory memory) {
    tag(builder_.CreateStore(stored, fieldPointer(object, field)), memory);
}

// Counts are read and written as a whole: a processor that reads more than it has just written waits for the write to reach the cache, and
// what was taken is given up soon. (Py_INCREF() writes the lower half.)
llvm::Value* Lowering::countOf(Value* object) {
    return load(i64_, object, Field::k_ob_refcnt, Memory::kRefcount);
}

// Immortal objects keep their count: its low 32 bits are negative.
llvm::Value* Lowering::isMortal(Value* count) {
    return builder_.CreateICmpSGE(builder_.CreateTrunc(count, i32_), builder_.getInt32(0));
}

void Lowering::incref(Value* object) {
    Value* count = countOf(object);
    when(isMortal(count), [&] { store(builder_.CreateAdd(count, builder_.getInt64(1)), object, Field::k_ob_refcnt, Memory::kRefcount); });
}

void Lowering::decref(Value* object, End end) {
    Value* count = countOf(object);
    when(isMortal(count), [&] {
        Value* less = builder_.CreateSub(count, builder_.getInt64(1));
        store(less, object, Field::k_ob_refcnt, Memory::kRefcount);
        when(builder_.CreateICmpEQ(less, builder_.getInt64(0)), [&] { deallocate(object, end); }, end == End::kSeldom ? Odds::kUnlikely : Odds::kEven);
    });
}

void Lowering::deallocate(Value* object, End end) {
    llvm::Type* nothing = builder_.getVoidTy();
    switch (end) {
        case End::kObject: callRuntime(RuntimeFunction::k_deallocate, nothing, {object}); break;
        case End::kSeldom: tag(callAside(RuntimeFunction::k_deallocate, RuntimeFunction::k_deallocate_aside, nothing, {object}), Memory::kRefcount); break;
        case End::kNumber:
            callRuntime(RuntimeFunction::k_deallocate_number, nothing, {object})->setMemoryEffects(llvm::MemoryEffects::inaccessibleOrArgMemOnly());
            break;
    }
}

void Lowering::decrefHeld(Value* object) {
    Value* count = countOf(object);
    when(isMortal(count), [&] { store(builder_.CreateSub(count, builder_.getInt64(1)), object, Field::k_ob_refcnt, Memory::kRefcount); });
}

// The box of a number is a reference.
llvm::Value* Lowering::isCountedBox(Value* box) {
    return builder_.CreateNot(builder_.CreateTrunc(builder_.CreatePtrToInt(box, i64_), i1_));
}

void Lowering::exitIfCodeRuns(llvm::ArrayRef<Value*> references, ir::SnapshotId snapshot) {
    unsigned index = 0;
    Value* room = argumentRoom(references.size());
    for (Value* reference : references) {
        builder_.CreateStore(reference, builder_.CreateConstGEP1_32(i64_, room, index++));
    }
    llvm::CallInst* runs = callAside(RuntimeFunction::k_may_run_code, RuntimeFunction::k_may_run_code_aside, i64_,
                                     {room, builder_.getInt64(references.size())});
    tag(runs, Memory::kRefcount);
    exitWhen(builder_.CreateICmpNE(runs, builder_.getInt64(0)), snapshot);
}

// None of the references can be the last one of its object, or the runtime looks at what would end.
void Lowering::guardRelease(const ir::Instruction& in) {
    if (in.operands.empty()) {
        return;
    }
    std::vector<Value*> references;
    Value* most = builder_.getInt64(in.operands.size());
    Value* maybeLast = builder_.getFalse();
    for (ir::ValueId operand : in.operands) {
        references.push_back(value(operand));
        maybeLast = builder_.CreateOr(maybeLast, builder_.CreateICmpULE(countOf(value(operand)), most));  // immortal objects are far above
    }
    when(maybeLast, [&] { exitIfCodeRuns(references, in.snapshot); }, Odds::kUnlikely);
}

// The same of one object.
void Lowering::exitIfEnds(Value* object, ir::SnapshotId snapshot) {
    Value* isLast = builder_.CreateICmpEQ(countOf(object), builder_.getInt64(1));
    when(isLast, [&] { exitIfCodeRuns({object}, snapshot); }, Odds::kUnlikely);
}

void Lowering::guardExchange(const ir::Instruction& in) {
    if (in.operands.empty()) {
        return;  // a stencil that nobody uses
    }
    llvm::SmallVector<Value*> references;
    for (ir::ValueId operand : in.operands) {
        references.push_back(value(operand));
    }
    Value* isItself = builder_.getFalse();
    if (references.size() > ir::kExchangedContainer) {
        Value* container = references[ir::kExchangedContainer];
        exitWhen(builder_.CreateICmpEQ(countOf(container), builder_.getInt64(1)), in.snapshot);
        isItself = builder_.CreateICmpEQ(references[0], container);
    }
    when(builder_.CreateIsNotNull(references[0]), [&] {
        Value* isLast = builder_.CreateOr(isItself, builder_.CreateICmpEQ(countOf(references[0]), builder_.getInt64(1)));
        when(isLast, [&] { exitIfCodeRuns(references, in.snapshot); }, Odds::kUnlikely);
    });
}

bool Lowering::lowerReference(const ir::Instruction& in) {
    auto operand = [&](int index) { return value(in.operands[index]); };
    switch (in.op) {
        case ir::Op::k_incref: incref(operand(0)); return true;
        case ir::Op::k_decref: case ir::Op::k_decref_lender: case ir::Op::k_decref_unpacked: case ir::Op::k_drop: decref(operand(0), End::kObject); return true;
        case ir::Op::k_decref_number: decref(operand(0), End::kNumber); return true;
        case ir::Op::k_incref_box: when(isCountedBox(operand(0)), [&] { incref(operand(0)); }, Odds::kUnlikely); return true;
        case ir::Op::k_decref_box: when(isCountedBox(operand(0)), [&] { decref(operand(0), End::kNumber); }, Odds::kUnlikely); return true;
        case ir::Op::k_decref_held: decrefHeld(operand(0)); return true;
        case ir::Op::k_xdecref: when(builder_.CreateIsNotNull(operand(0)), [&] { decref(operand(0), End::kSeldom); }); return true;
        case ir::Op::k_guard_quiet: guardRelease(in); return true;
        case ir::Op::k_guard_displaced: when(builder_.CreateIsNotNull(operand(0)), [&] { guardRelease(in); }); return true;
        case ir::Op::k_guard_exchange: guardExchange(in); return true;
        case ir::Op::k_cell_store: {
            Value* old = load(pointer_, operand(0), Field::k_cell_value, Memory::kCell);
            incref(operand(1));
            store(operand(1), operand(0), Field::k_cell_value, Memory::kCell);
            when(builder_.CreateIsNotNull(old), [&] { decref(old, End::kObject); });
            return true;
        }
        default: return false;
    }
}

bool Lowering::lowerMemory(const ir::Instruction& in) {
    auto operand = [&](int index) { return value(in.operands[index]); };
    auto field = static_cast<Field>(in.immediate);
    switch (in.op) {
        case ir::Op::k_load_slot: case ir::Op::k_take_slot: {
            Value* place = builder_.CreateInBoundsGEP(pointer_, fieldPointer(frame_, Field::k_frame_slots), number(in));
            define(in, tag(builder_.CreateLoad(pointer_, place), Memory::kFrame));
            if (in.op == ir::Op::k_take_slot) {
                tag(builder_.CreateStore(llvm::ConstantPointerNull::get(pointer_), place), Memory::kFrame);
            }
            return true;
        }
        case ir::Op::k_load_field: define(in, load(i64_, operand(0), field, memoryOf(field))); return true;
        case ir::Op::k_load_reference: define(in, load(pointer_, operand(0), field, memoryOf(field))); return true;
        case ir::Op::k_list_item: case ir::Op::k_item_at: {
            Value* items = in.op == ir::Op::k_item_at ? builder_.CreateIntToPtr(operand(0), pointer_)
                                                      : load(pointer_, operand(0), Field::k_list_items, Memory::kListItems);
            llvm::LoadInst* item = builder_.CreateLoad(pointer_, builder_.CreateInBoundsGEP(pointer_, items, operand(1)));
            item->setMetadata(llvm::LLVMContext::MD_nonnull, llvm::MDNode::get(context_, {}));
            define(in, tag(item, Memory::kItem));
            return true;
        }
        case ir::Op::k_tuple_item: {
            Value* items = fieldPointer(operand(0), Field::k_tuple_items);
            define(in, tag(builder_.CreateLoad(pointer_, builder_.CreateInBoundsGEP(pointer_, items, operand(1))), Memory::kItem));
            return true;
        }
        case ir::Op::k_set_position: {
            Value* code = load(pointer_, frame_, Field::k_frame_code, Memory::kFrame);
            Value* first = fieldPointer(code, Field::k_code_units);
            Value* unit = builder_.CreateInBoundsGEP(builder_.getInt16Ty(), first, number(in));
            store(unit, frame_, Field::k_frame_prev_instr, Memory::kFrame);
            return true;
        }
        case ir::Op::k_count: {
            Value* place = pointerConstant(request_.counters + in.immediate);
            Value* more = builder_.CreateAdd(tag(builder_.CreateLoad(i64_, place), Memory::kOther), builder_.getInt64(1));
            tag(builder_.CreateStore(more, place), Memory::kOther);
            return true;
        }
        case ir::Op::k_at_place: {
            constexpr bool kVolatile = true;  // another thread reads it at any time
            tag(builder_.CreateStore(number(in), contextField(offsetof(NativeContext, place)), kVolatile), Memory::kOther);
            return true;
        }
        default: return false;
    }
}

bool Lowering::lowerListStore(const ir::Instruction& in) {
    if (in.op != ir::Op::k_list_store && in.op != ir::Op::k_list_store_float) {
        return false;
    }
    Value* items = load(pointer_, value(in.operands[0]), Field::k_list_items, Memory::kListItems);
    Value* place = builder_.CreateInBoundsGEP(pointer_, items, value(in.operands[1]));
    Value* old = tag(builder_.CreateLoad(pointer_, place), Memory::kItem);
    if (in.op == ir::Op::k_list_store) {
        tag(builder_.CreateStore(value(in.operands[2]), place), Memory::kItem);
        decref(old, End::kSeldom);
        return true;
    }
    storeFloat(in, old, place, tbaa_[static_cast<int>(Memory::kItem)]);
    return true;
}

// A float that only this place holds can be overwritten in place: nobody can tell it from a new one.
void Lowering::storeFloat(const ir::Instruction& in, Value* old, Value* place, llvm::MDNode* access) {
    Value* number = value(in.operands.back());
    Value* isFloat = builder_.CreateICmpEQ(loadClass(old), pointerConstant(environment_.floatClass));
    Value* alone = builder_.CreateICmpEQ(countOf(old), builder_.getInt64(1));
    auto reuse = [&] {
        store(number, old, Field::k_float_value, Memory::kFloat);
    };
    auto fresh = [&] {
        exitIfEnds(old, in.snapshot);
        llvm::CallInst* box = callAside(RuntimeFunction::k_box_float, RuntimeFunction::k_box_float_aside, pointer_, {number});
        box->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
        builder_.CreateStore(box, place)->setMetadata(llvm::LLVMContext::MD_tbaa, access);
        decref(old, End::kSeldom);
    };
    either(builder_.CreateAnd(isFloat, alone), reuse, fresh, Odds::kLikely);
}

}  // namespace kiln
