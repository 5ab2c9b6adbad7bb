// Lowers one region to an LLVM function. The files lower_*.cpp hold the ops by family.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "interp/numpy_elements.h"
#include "jit/codegen/code_places.h"
#include "jit/codegen_interface.h"

namespace kiln {

// TBAA classes: accesses of different classes never overlap.
enum class Memory { kRefcount, kClass, kSize, kListItems, kItem, kFloat, kLong, kIterator, kFrame, kCell, kValues, kKeys, kArray, kElement, kOther, kCount };

class Lowering {
   public:
    Lowering(const CodegenEnvironment& environment, const CodegenRequest& request, llvm::Module& module);
    virtual ~Lowering() = default;
    // Adds the region's functions to the module: `entryName`, and for a function root `entryName + ".boxed"`. Empty, or why the
    // region has no lowering; the module is unfinished then.
    std::string run(const std::string& entryName);

    // Whether what was lowered runs loops in strips, which LLVM is to vectorise.
    bool hasStrips() const { return exactRounds_ != nullptr || failure_ != nullptr; }

   protected:
    using Value = llvm::Value;

    // What a stencil has in other places: jit/codegen/stencil_lowering.h.
    virtual Value* value(ir::ValueId id);
    virtual void define(const ir::Instruction& in, Value* result) { values_[in.result] = result; }
    virtual Value* pointerConstant(const void* address);
    virtual Value* number(const ir::Instruction& in);
    virtual Value* nativePair(ir::ValueId status);
    virtual void defineNativePair(const ir::Instruction& in, Value* pair);
    virtual llvm::BasicBlock* exitBlock(ir::SnapshotId snapshot);
    virtual void returnPair(Value* pair) { builder_.CreateRet(pair); }
    virtual Value* frameCount(const ir::Instruction& in);
    virtual Value* negative(Value* number);
    virtual Value* frameBytes() { return builder_.getInt64(static_cast<uint64_t>(request_.frameBytes)); }
    virtual Value* activationWords() { return builder_.getInt64(request_.activationWords); }
    virtual Value* activationRoom();
    virtual Value* nativeFrame() { return nullptr; }  // nullptr: values have no slots
    virtual Value* argumentRoom(size_t) { return arguments_; }

    // region_to_llvm.cpp
    void createFunction(const std::string& name);
    void prologue();
    void lowerBlock(ir::BlockId block);
    void lower(const ir::Instruction& in);
    using Requirement = std::function<void(Value*)>;
    Value* unboxArgument(Value* argument, ir::Type type, Value* slot, const Requirement& require);
    void emitBoxedEntry(const std::string& name);
    void returnBoxed(Value* result, llvm::Function* boxed);
    llvm::Type* typeOf(ir::Type type);
    Value* object(const ir::Instruction& in);
    llvm::CallInst* call(const void* address, llvm::Type* result, llvm::ArrayRef<Value*> arguments);
    llvm::CallInst* callRuntime(RuntimeFunction function, llvm::Type* result, llvm::ArrayRef<Value*> arguments);
    // `aside` is `plain` for where a loop seldom goes; quick code, whose values lie in memory, calls the plain one.
    virtual llvm::CallInst* callAside(RuntimeFunction plain, RuntimeFunction aside, llvm::Type* result, llvm::ArrayRef<Value*> arguments);
    Value* toWord(Value* value);
    Value* fromWord(Value* word, ir::Type type);
    llvm::Instruction* tag(llvm::Instruction* access, Memory memory);
    Value* fieldPointer(Value* object, Field field);
    Value* load(llvm::Type* type, Value* object, Field field, Memory memory);
    void store(Value* stored, Value* object, Field field, Memory memory);
    static Memory memoryOf(Field field);

    // lower_exits.cpp
    struct ExitWords;
    struct ExitTarget;
    void lowerExits();
    void lowerExits(llvm::ArrayRef<ExitWords> exits, const ExitTarget& target);
    static bool isStoredAt(const ExitTarget& target, size_t place);
    void storeExitWords(llvm::ArrayRef<ir::ValueId> words, const ExitTarget& target);
    ExitTarget exitTail();

    // lower_guards.cpp
    void exitWhen(Value* condition, ir::SnapshotId snapshot);
    void exitWhenFailed(Value* condition, ir::SnapshotId snapshot);
    void exitUnless(Value* condition, ir::SnapshotId snapshot);
    bool lowerGuard(const ir::Instruction& in);
    Value* unboxInt(Value* object, ir::SnapshotId snapshot);
    Value* loadClass(Value* object);
    void assumeReadable(Value* list);
    Value* regionIsValid();
    Value* evalBreaker();
    Value* betterCodeIsThere();

    // lower_strips.cpp
    bool lowerStrip(const ir::Instruction& in);
    void defer(Value* failed);
    Value* extreme(bool isLargest, Value* left, Value* right);
    Value* failurePlace();
    Value* exactRoundsPlace();
    Value* variable(llvm::Type* type, const char* name);
    Value* deferredInt(ir::Op op, Value* left, Value* right);

    // lower_branches.cpp
    enum class Odds { kEven, kLikely, kUnlikely };
    using Choice = std::function<Value*()>;
    llvm::MDNode* weightsOf(Odds odds);
    using Body = std::function<void()>;
    void either(Value* condition, const Body& whenTrue, const Body& whenFalse, Odds odds = Odds::kEven);
    void when(Value* condition, const Body& body, Odds odds = Odds::kEven);
    // The value that the side taken gives.
    Value* choose(Value* condition, const Choice& whenTrue, const Choice& whenFalse, Odds odds = Odds::kEven);

    // lower_activation.cpp
    bool hasFrame() const;
    void createActivation();
    Value* activationField(size_t offset);
    Value* contextField(size_t offset);
    bool lowerActivation(const ir::Instruction& in);
    void pushOwnFrame();
    void guardUnheld(const ir::Instruction& in);
    void popOwnFrame();

    // lower_shadow_frames.cpp
    void createShadowFrames();
    Value* notLinked();
    Value* currentFramePlace();
    void storeSeen(Value* stored, Value* place);
    void storePosition(Value* frame, const ir::FrameSnapshot& source, bool waits);
    Value* callersFrame(Value* real);
    void linkFrames(const ir::Instruction& in);
    void unlinkFrames();

    // the op families: true when the op is theirs
    bool lowerConstant(const ir::Instruction& in);
    bool lowerInt(const ir::Instruction& in);
    bool lowerIntDivision(const ir::Instruction& in);
    bool lowerShift(const ir::Instruction& in);
    bool lowerCompare(const ir::Instruction& in);
    bool lowerFloat(const ir::Instruction& in);
    bool lowerMath(const ir::Instruction& in);
    Value* hidden(Value* number);
    Value* fallible(RuntimeFunction function, llvm::Type* type, std::vector<Value*> arguments, ir::SnapshotId exit);
    Value* power(const ir::Instruction& in);
    Value* easyPower(const ir::Instruction& in);
    bool lowerConversion(const ir::Instruction& in);
    bool lowerMemory(const ir::Instruction& in);
    bool lowerReference(const ir::Instruction& in);
    bool lowerText(const ir::Instruction& in);
    bool lowerListStore(const ir::Instruction& in);
    void storeFloat(const ir::Instruction& in, Value* old, Value* place, llvm::MDNode* access);
    // lower_attributes.cpp
    bool lowerAttribute(const ir::Instruction& in);
    void storeAttribute(const ir::Instruction& in);
    void noteAttribute(const ir::Instruction& in);
    Value* attributePlace(const ir::Instruction& in);
    llvm::MDNode* attributeAccess(int64_t offset);
    // lower_arrays.cpp
    bool lowerArray(const ir::Instruction& in);
    void guardArray(const ir::Instruction& in);
    Value* emptyArrayHead();
    void callNumPyLoop(const ir::Instruction& in, Value* left, Value* right);
    Value* mayRaiseFlag(Value* result, Underflow underflow);
    Value* failsStrip(const ir::Instruction& in);
    static bool leavesOverflow(const ir::Instruction& in);
    Value* stripFailed();
    Value* hasOverflowed(Value* failed);
    void guardNoFlag(const ir::Instruction& in);
    Value* loadHead(llvm::Type* type, Value* array, int offset);
    Value* dimensionWord(const ir::Instruction& in, int offset);
    Value* arrayLends(Value* array);
    Value* elementPlace(const ir::Instruction& in);
    Value* loadElement(const ir::Instruction& in, Element element);
    void storeElement(const ir::Instruction& in, Element element);
    Value* fits(Value* number, Element element);
    Value* misfits(Value* number, Element element);
    Value* computedIn(Value* number, Element element);
    Value* signedMisfits(bool isSum, Value* left, Value* right);
    void guardFits(const ir::Instruction& in);
    llvm::Type* typeOf(Element element);
    bool lowerCall(const ir::Instruction& in);
    void lowerOpaque(const ir::Instruction& in);
    void lowerNativeCall(const ir::Instruction& in);
    void lowerNativeResult(const ir::Instruction& in);
    Value* nativeBox(Value* status, Value* pair);
    Value* boxNumber(Value* number);
    Value* isCountedBox(Value* box);
    Value* countedBox(Value* box);
    Value* ensureBox(Value* box, Value* number);
    bool lowerControl(const ir::Instruction& in, const ir::Block& block);
    void addIncoming(const ir::Target& target);
    void lowerBranch(Value* condition, const ir::Target& whenTrue, const ir::Target& whenFalse);
    Value* countOf(Value* object);
    Value* isMortal(Value* count);
    void incref(Value* object);
    enum class End { kObject, kNumber, kSeldom };
    void decref(Value* object, End end);
    void deallocate(Value* object, End end);
    void decrefHeld(Value* object);
    void guardExchange(const ir::Instruction& in);
    void guardRelease(const ir::Instruction& in);
    void exitIfEnds(Value* object, ir::SnapshotId snapshot);
    void exitIfCodeRuns(llvm::ArrayRef<Value*> references, ir::SnapshotId snapshot);
    Value* storeArguments(const ir::Operands& operands);
    llvm::CallInst* pure(llvm::CallInst* call);

    const CodegenEnvironment& environment_;
    const CodegenRequest& request_;
    const ir::Region& region_;
    llvm::Module& module_;
    llvm::LLVMContext& context_;
    llvm::IRBuilder<> builder_;
    std::unique_ptr<CodePlaces> places_;  // where they are asked for
    llvm::Function* function_ = nullptr;
    Value* contextArgument_ = nullptr;
    Value* frame_ = nullptr;
    Value* rootFunction_ = nullptr; // of a function root: the function object it runs for
    Value* activation_ = nullptr;   // of a region that waits for callees
    Value* previousActivation_ = nullptr;
    Value* shadowFrames_ = nullptr; // of a region with hidden loops
    Value* realTop_ = nullptr;      // while shadow frames are linked, the thread's innermost real frame
    Value* exitBuffer_ = nullptr;
    Value* arguments_ = nullptr;    // words passed to helpers
    Value* scratch_ = nullptr;      // one word, for results by pointer
    Value* emptyArrayHead_ = nullptr;
    Value* failure_ = nullptr;      // of a region with strips: a deferred guard has failed, and
    Value* exactRounds_ = nullptr;  // how many rounds are to be exact
    std::string error_;
    bool isCold_ = false;           // the block at hand
    std::vector<Value*> values_;
    std::vector<llvm::BasicBlock*> blocks_;
    std::vector<llvm::BasicBlock*> exitBlocks_;
    std::vector<Value*> hidden_;    // numbers that LLVM does not know: by their place among kSignChanges
    std::vector<llvm::MDNode*> tbaa_;
    std::map<int64_t, llvm::MDNode*> attributeAccesses_;
    std::vector<Value*> nativeStructs_;  // by the status value of a call_native
    llvm::StructType* resultType_ = nullptr;
    llvm::Type* i64_;
    llvm::Type* i32_;
    llvm::Type* i1_;
    llvm::Type* f64_;
    llvm::PointerType* pointer_;
};

}  // namespace kiln
