// From kernel IR to LLVM IR: shared by the files of this folder.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Module.h>

#include <functional>
#include <map>

#include "gpu/cpu/barrier_plan.h"
#include "gpu/cpu/access_kind.h"
#include "gpu/cpu/codegen_interface.h"
#include "gpu/cpu/thread_ranges.h"
#include "gpu/ir/loop_bounds.h"

namespace kiln::gpu {

// A scalar (one part; a bool is an i1), or an array: address, shape, and strides in layout A.
using Parts = std::vector<llvm::Value*>;

// What device functions get beside their arguments: 3 thread indices, 3 block indices, 3 block and 3 grid dimensions.
inline constexpr int kGeometryWords = 12;

inline constexpr const char* kEntryName = "kiln.kernel";

class ModuleLowering {
   public:
       ModuleLowering(const gpu::Module& module, llvm::Module& target, const int32_t* block);
       // Lowers all. The entry is called kEntryName.
       void run(CpuImage& image);

       llvm::Function* functionOf(uint32_t index) const { return functions_[index]; }
       llvm::Type* scalarType(const Type* type, bool inMemory) const;
       void addTypes(const Type* type, std::vector<llvm::Type*>& out) const;
       llvm::Type* resultType(const Function& function) const;
       // Where a static shared array lies in the block's memory.
       int64_t sharedOffset(const Function& function, uint32_t array);
       const gpu::Module& source() const { return source_; }
       LoopBounds& bounds() { return bounds_; }
       // The dimensions of a block, where they are known; else nullptr.
       const int32_t* block() const { return block_; }
       llvm::Module& target() const { return target_; }
       int64_t sharedBytes() const { return sharedBytes_; }
       // Some device function has local arrays.
       bool hasLocalArrays() const;

   private:
    void declare(uint32_t index);
    // Tells LLVM of the arrays that the kernel passes to a function, if each lies in an argument of its own: see Module::areApart.
    void tellApart();

    const gpu::Module& source_;
    llvm::Module& target_;
    const int32_t* block_;
    LoopBounds bounds_;
    std::vector<llvm::Function*> functions_;
    std::map<std::pair<const Function*, uint32_t>, int64_t> sharedOffsets_;
    int64_t sharedBytes_ = 0;
};

class FunctionLowering {
   public:
    FunctionLowering(ModuleLowering& module, const Function& function, llvm::Function* target);
    void runDevice();
    // Returns the bytes that each thread needs in the scratch memory.
    int64_t runKernel();

   private:
    struct Mask {
        llvm::Value* address;  // of a byte for each thread
    };
    struct RegionLoop {
        llvm::BasicBlock* exit;
        llvm::BasicBlock* next;
        size_t masksInLoop;  // masks of threads that are in the loop, and below
        size_t masksInPass;  // and in this pass over it
        bool divergent;
    };
    struct ThreadLoop {
        llvm::BasicBlock* exit;
        llvm::BasicBlock* next;
    };

    // lower_kernel.cpp: the block's control flow around the loops over threads
    static BarrierPlan planOf(const ModuleLowering& module, const Function& function);
    static int64_t lanesOf(const ModuleLowering& module, const Function& function, const BarrierPlan& plan);
    void prepareKernel();
    void lowerRegion(const Block& block);
    void flushSegment(std::vector<const Instruction*>& segment);
    void forEachGroup(const std::function<void()>& body);
    void forEachThread(const std::function<void()>& body, bool masked);
    void lowerTest(const ThreadRange& range);
    void forThreadsOf(const ThreadRange& range, const std::function<void()>& body);
    void forThreads(llvm::Value* first, llvm::Value* end, const std::function<void()>& body, bool masked);
    void lowerThread(llvm::MDNode* group, const std::function<void()>& body, bool masked);
    void markParallel(llvm::Instruction* back, llvm::MDNode* group, bool hasMasks);
    void keepRolled(llvm::Instruction* back);
    void lowerRegionOp(const Instruction& instruction);
    void lowerMaskedIf(const Instruction& instruction);
    void lowerByFullGroups(const Instruction& instruction);
    void lowerRegionWhile(const Instruction& instruction);
    void lowerRegionFor(const Instruction& instruction);
    void lowerDivergentFor(const Instruction& instruction);
    void lowerCommonPasses(const Instruction& instruction, llvm::Value* common, int64_t passOffset);
    llvm::Value* commonPasses(int64_t totalOffset);
    void lowerRegionJump(const Instruction& instruction);
    void lowerBarrierReduce(const Instruction& instruction);
    void lowerWarp(const Instruction& instruction);
    // lower_masks.cpp
    Mask newMask();
    void copyMask(const Mask& from, const Mask& to);
    void narrowMask(const Mask& mask, ValueId condition, bool wanted, const Mask& result);
    llvm::Value* anyIn(const Mask& mask);
    llvm::Value* allIn(const Mask& mask);
    llvm::Value* joinMask(const Mask& mask, uint8_t first, const std::function<llvm::Value*(llvm::Value*, llvm::Value*)>& join);
    llvm::Value* maskAt(const Mask& mask);
    void clearMasks(size_t from);
    void loopWithMasks(const Instruction& loop, const std::function<void(const Mask&)>& condition,
                       const std::function<void()>& step, const Block& body);

    // lower_control.cpp: control flow inside one thread, and of a block whose threads agree
    enum class Level { kThread, kRegion };
    void lowerAt(Level level, const Block& block);
    void lowerLoopBody(Level level, const Block& body, llvm::BasicBlock* exit, llvm::BasicBlock* next);
    void lowerBlock(const Block& block);
    void lower(const Instruction& instruction);
    void lowerIf(const Instruction& instruction, Level level);
    void lowerIfOf(ValueId condition, const Instruction& instruction, Level level);
    void lowerReturn(const Instruction& instruction);
    void lowerCall(const Instruction& instruction);
    void lowerPrint(const Instruction& instruction);
    void lowerRaise(const Instruction& instruction);
    llvm::BasicBlock* newBlock(const char* name);
    void branchTo(llvm::BasicBlock* block);

    // lower_loops.cpp
    void lowerWhile(const Instruction& instruction, Level level);
    void lowerFor(const Instruction& instruction);
    using LoopBody = std::function<void(llvm::Value* pass, llvm::BasicBlock* exit, llvm::BasicBlock* next)>;
    void countedLoop(llvm::Value* passes, int64_t between, const LoopBody& body);
    void passesFrom(llvm::Value* first, llvm::Value* end, llvm::BasicBlock* done, llvm::BasicBlock* exit, const LoopBody& body);
    int64_t passesBetweenPolls(const Instruction& loop);
    llvm::Value* counterIn(const Instruction& loop, llvm::Value* pass);
    llvm::Value* counterAgain(const Instruction& loop, llvm::Value* pass);
    llvm::Value* passesOf(const Instruction& loop);
    llvm::Value* tripCount(llvm::Value* start, llvm::Value* stop, llvm::Value* step, bool isSigned);
    void poll();
    void pollAtEntry();

    // lower_checks.cpp: calls that tell the runtime what threads do, where a module's accesses are checked
    bool checksAccesses() const { return !module_.source().accesses.empty(); }
    void checkAccess(const Instruction& instruction, int64_t kind, llvm::Value* address, llvm::Value* value);
    void noteBlock(llvm::Value* block);
    void noteBlockEnd();
    void noteAtomic(const Instruction& instruction, llvm::Value* address);
    void noteUndefined(const Instruction& instruction);
    void noteFence();
    void noteBarrier(const Instruction& instruction);
    void noteWarp(const Instruction& instruction, llvm::Value* active, llvm::Value* masks);
    llvm::Value* placeOfThread();

    // lower_storage.cpp: values and variables
    const Parts& parts(ValueId value);
    llvm::Value* scalar(ValueId value) { return parts(value)[0]; }
    void define(const Instruction& instruction, Parts parts);
    Parts loadVariable(uint32_t variable);
    void storeVariable(uint32_t variable, const Parts& parts);
    void storeBetweenSegments(uint32_t variable, llvm::Value* value);
    llvm::Value* slotAddress(int64_t offset, int64_t size);
    int64_t reserve(int64_t bytes);
    int64_t sizeOf(llvm::Type* type);
    int64_t slotBytes(const std::vector<llvm::Type*>& types);
    std::vector<llvm::Type*> partTypes(const Type* type, bool inMemory);
    llvm::Value* toMemory(llvm::Value* value, const Type* type);
    llvm::Value* fromMemory(llvm::Value* value, const Type* type);
    void enterSegment(const std::vector<const Instruction*>& segment);
    void leaveSegment(const std::vector<const Instruction*>& segment);
    std::vector<llvm::Value*> stackSlots(uint32_t variable);
    std::vector<llvm::Value*> threadSlots(uint32_t variable);
    llvm::Instruction* inParallel(llvm::Instruction* access);
    bool isPrivate(const Type* array) const;

    // lower_values.cpp, lower_arithmetic.cpp, lower_arrays.cpp
    Parts compute(const Instruction& instruction);
    Parts callResult(const Instruction& instruction);
    llvm::Value* madeComplex(const Instruction& instruction);
    llvm::Value* constant(const Instruction& instruction);
    llvm::Value* geometry(const Instruction& instruction);
    llvm::Value* binary(const Instruction& instruction);
    llvm::Value* integerBinary(const Instruction& instruction, llvm::Value* left, llvm::Value* right);
    llvm::Value* floatBinary(Op op, const Type* type, llvm::Value* left, llvm::Value* right);
    llvm::Value* integerDivide(bool modulo, bool isSigned, llvm::Value* left, llvm::Value* right);
    llvm::Value* floatDivide(bool modulo, llvm::Value* left, llvm::Value* right);
    llvm::Value* integerPower(const Type* type, llvm::Value* base, llvm::Value* exponent);
    llvm::Value* comparison(const Instruction& instruction);
    llvm::Value* mixedComparison(Op op, llvm::Value* left, llvm::Value* right, bool leftSigned);
    llvm::Value* unary(const Instruction& instruction);
    llvm::Value* convert(llvm::Value* value, const Type* from, const Type* to);
    llvm::Value* halved(llvm::Value* value, const Type* from, llvm::Type* half);
    llvm::Value* math(const Instruction& instruction);
    llvm::Value* bits(const Instruction& instruction);
    llvm::Value* stride(const Parts& array, const Type* type, int axis);
    llvm::Value* elementAddress(const Instruction& instruction);
    Parts view(const Instruction& instruction);
    Parts madeArray(const Instruction& instruction);
    Parts globalArray(const Instruction& instruction);
    llvm::Value* atomic(const Instruction& instruction);
    llvm::Value* atomicAt(const Instruction& instruction, llvm::Value* address);
    llvm::Value* atomicLoop(const Instruction& instruction, llvm::Value* address);
    // One of runtimeSymbols().
    llvm::Value* callRuntime(const char* name, llvm::Type* result, const std::vector<llvm::Value*>& arguments);
    llvm::Value* int64(int64_t value);
    llvm::Value* index64(ValueId value);

    ModuleLowering& module_;
    const Function& function_;
    llvm::Function* target_;
    llvm::LLVMContext& context_;
    llvm::IRBuilder<> builder_;
    BarrierPlan plan_;
    bool isSplit_;  // a block's threads run by groups along x; else all together
    int64_t lanes_;  // of a group
    bool makesVectors_;       // of the threads of a group, which go through loops together
    bool isVector_ = false;   // what is lowered now becomes one
    bool isRow_ = false;      // what is lowered now is straight code of the threads along x
    bool isScalar_ = false;   // what is lowered now is done once or twice, and gains nothing from vectors
    bool isPartial_ = false;  // in a loop that not all threads of the group take part in
    std::vector<Parts> values_;
    std::map<ValueId, Parts> callResults_;  // of calls with several results: the parts of all
    std::vector<uint32_t> valueSegment_;  // the segment in which values_ was set; 0: once for the block
    uint32_t segment_ = 0;                // 0: outside of the loops over threads
    uint32_t segments_ = 0;
    std::vector<std::vector<llvm::Value*>> variableSlots_;
    std::vector<int64_t> variableOffsets_;
    std::vector<int64_t> valueOffsets_;
    std::vector<int64_t> localOffsets_;
    int64_t threadBytes_ = 0;
    llvm::MDNode* accessGroup_ = nullptr;  // of the loop over threads that is being made
    llvm::Value* group_ = nullptr;         // the first thread of a group along x
    llvm::Value* threads_ = nullptr;     // of a block
    llvm::Value* thread_ = nullptr;      // the current one's number
    llvm::Value* geometry_[kGeometryWords] = {};
    llvm::Value* geometryPointer_ = nullptr;  // of device functions
    llvm::Value* shared_ = nullptr;
    llvm::Value* dynamicBytes_ = nullptr;
    llvm::Value* threadMemory_ = nullptr;
    llvm::BasicBlock* threadEnd_ = nullptr;
    bool localsEscape_ = false;  // a local array becomes one of another space, or is passed on
    std::vector<Mask> masks_;
    const Instruction* common_ = nullptr;  // the loop of whose passes one is lowered that all threads take
    llvm::Value* commonPass_ = nullptr;    // its number
    std::vector<RegionLoop> regionLoops_;
    std::vector<ThreadLoop> threadLoops_;
};

}  // namespace kiln::gpu
