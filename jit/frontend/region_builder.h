// Builds a region: interprets bytecode over abstract states, along the paths that were observed, and emits IR.
//
// A block is made for each (place, classes of the live values): where two paths meet with equal keys they share a block,
// where they differ the code is specialised again. A path never observed becomes a side exit.
//
// The class is the core: where the building stands, what is emitted, and how a region is left. What is built is free functions
// over it, a file for each family: opcodes.def says which one builds an opcode, callees.def a call, class_operations.def the
// operations of a class.
#pragma once

#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>

#include "jit/frontend/attempt_knowledge.h"
#include "jit/frontend/build_request.h"
#include "jit/frontend/called_function.h"
#include "jit/frontend/identity_liveness.h"
#include "jit/frontend/local_liveness.h"
#include "jit/ir/tables.h"

namespace kiln {

using Id = ir::ValueId;

// A reference; `any`: the box of an entry of kind kAny, which may be none; `slot`: what the frame's memory holds there, or nothing.
struct GivenUp {
    Id object;
    bool any;
    int slot = -1;
};

// What is known of this attempt.
struct AttemptProgress {
    bool restart = false;
    bool isDoomed = false;             // it is made to the end only to learn what else the next must know
    bool reliesOnNoFrame = false;      // AttemptKnowledge::needsFrame, and
    bool reliesOnQuietReturn = false;  // dropsAtReturn, were taken for false
};

// The blocks made, and the states that they begin with.
struct BlockTable {
    std::unordered_map<StateKey, ir::BlockId, StateKey::Hash> byKey;
    std::unordered_map<StateKey, std::vector<ir::BlockId>, StateKey::Hash> versions;  // of a place
    std::unordered_map<ir::BlockId, StateKey> liveKeys;                               // equal where versions differ in dead locals only; see liveKey()
    std::unordered_map<StateKey, int, StateKey::Hash> splits;  // how often a place was built for one more class
    std::vector<AbstractState> states;                                   // by block
    std::vector<ir::BlockId> pending;
};

// (dict, key) to the index among the region's names.
using NameIndices = std::map<std::pair<PyObject*, PyObject*>, int>;

// See release_references.cpp.
struct ReleaseState {
    std::vector<GivenUp> givenUp;         // references that the instruction being built gives up at its end
    ir::BlockId startBlock = ir::kNoId;   // where startHere() was last
    size_t startIndex = 0;
    bool isWaiting = false;               // between suspend and resume
};

// See number_identity.cpp.
struct IdentityState {
    std::map<std::pair<PyCodeObject*, bool>, std::unique_ptr<IdentityLiveness>>
        liveness;  // by code, and is its result seen
    std::set<std::pair<PyCodeObject*, bool>> livenessPending;
    std::vector<std::pair<PyCodeObject*, CodeProfile::Place>> forgotten;  // where numbers' objects were forgotten
    bool regrets = false;  // an object was asked for that had been forgotten
    int count = 0;                                                        // of virtual objects
};

// See dead_locals.cpp.
struct DeadLocalState {
    std::map<std::pair<PyCodeObject*, bool>, std::unique_ptr<LocalLiveness>>
        liveness;        // by code, and is it the root loop's
    bool joins = false;  // dead locals were found to differ where they were not expected to
};

class RegionBuilder {
   public:
    RegionBuilder(const BuildRequest& request, BuildEnvironment& environment);
    // Needs the GIL; runs no Python code.
    BuildResult build();

    // ---- where the building stands
    const BuildRequest& request() const { return request_; }
    BuildEnvironment& environment() { return environment_; }
    AttemptKnowledge& knowledge() { return knowledge_; }
    AttemptProgress& progress() { return progress_; }
    BuildResult& result() { return result_; }
    AbstractState& state() { return state_; }
    // The state before the instruction being built, and before the KW_NAMES that it goes with.
    AbstractState& before() { return before_; }
    // The code unit of the instruction being built.
    int unit() const { return unit_; }
    ir::BlockId block() const { return block_; }
    // False once the current block has its end.
    bool isOpen() const { return open_; }
    // Of the KW_NAMES in front of a CALL; else nullptr.
    PyObject*& keywordNames() { return keywordNames_; }
    // The root's; nullptr for a function.
    const BytecodeLoop*& loop() { return loop_; }
    BlockTable& blocks() { return blocks_; }
    NameIndices& nameIndices() { return nameIndices_; }
    ReleaseState& releases() { return releases_; }
    IdentityState& identities() { return identities_; }
    DeadLocalState& deadLocals() { return deadLocals_; }
    // What generators of the region run, for AbstractValue::callee.
    std::deque<Callee>& generatorCallees() { return generatorCallees_; }
    bool isRootFrame() const { return state_.frames.size() == 1; }
    const Bytecode& bytecode() { return bytecodeOf(state_.frame().code); }
    const Bytecode& bytecodeOf(PyCodeObject* code) { return environment_.profileOf(code).bytecode(); }
    // What was seen at the instruction, which belongs to the innermost frame.
    Site& siteOf(const BytecodeInstruction& in);
    const BuildLimits& limits() const;

    // ---- ends of an attempt
    void refuse(Refusal refusal, const std::string& detail);
    void restart() { progress_.restart = true; }
    void doom() { progress_.isDoomed = true; }
    bool stopped() const { return progress_.restart || result_.refusal != Refusal::kNone; }
    void tooLarge();

    // ---- the operand stack
    AbstractValue pop();
    void push(AbstractValue value);
    AbstractValue& top(int below = 0) { return state_.frame().top(below); }

    // ---- emission (emit.cpp)
    Id emit(ir::Op op, std::initializer_list<Id> operands, int64_t immediate = 0, ir::Type type = ir::Type::kNone);
    Id emitList(ir::Op op, ir::Operands operands, int64_t immediate = 0, ir::Type type = ir::Type::kNone);
    Id emitExiting(ir::Op op, std::initializer_list<Id> operands, ExitReason reason, int64_t immediate = 0);
    Id emitExitingAt(ir::Op op, ir::Operands operands, ir::SnapshotId snapshot, int64_t immediate = 0,
                     ir::Type type = ir::Type::kNone);
    Id classIs(Id object, PyTypeObject* cls);
    void guardClass(Id object, PyTypeObject* cls, ExitReason reason);
    Id constInt(int64_t value);
    Id constFloat(double value);
    Id constObject(PyObject* object);
    // The value of an int that is a constant of the region.
    std::optional<int64_t> knownInt(Id value) const;
    void keepAlive(PyObject* constant);
    int objectIndex(const void* object, const std::string& name);
    int codeIndex(PyCodeObject* code);
    void endBlock(ir::Op op, ir::Operands operands, std::vector<ir::Target> targets, ir::SnapshotId snapshot = -1);

    // ---- exits (emit.cpp)
    ir::SnapshotId snapshot(const AbstractState& state, ExitReason reason, bool raises = false);
    ir::SnapshotId snapshotBefore(ExitReason reason) { return snapshot(before_, reason); }
    ir::SnapshotId snapshotHere(ExitReason reason) { return snapshot(state_, reason); }
    // The interpreter's own reaction to an exception of the instruction.
    ir::SnapshotId raising();
    void sideExit(ExitReason reason);  // from the state before the instruction
    void exitHere(ExitReason reason);  // from the state now

    // ---- blocks (emit.cpp)
    ir::BlockId newBlock();
    void enterBlock(ir::BlockId block);
    // Ends the block: on to the innermost frame's unit.
    void goTo(int unit);
    // Ends the block. Where `condition` is `when`, `aside` goes on, in a block of its own; from then on the builder is where
    // it is not, with the state as it was.
    void branchAside(Id condition, bool when, const std::function<void()>& aside);

   private:
    bool attempt();
    void clear();
    void processBlock(ir::BlockId block);
    void keepBefore(const BytecodeInstruction& in);
    void notePlace();
    void step(const BytecodeInstruction& instruction);
    ExitReason reasonOf(const ir::Snapshot& snapshot, ExitPlace& place, bool raises);
    ir::SnapshotId recentSnapshot(const ir::Snapshot& wanted, const ExitPlace& place) const;
    ir::SlotSource slotSource(const AbstractValue& value);
    ir::SlotSource numberSource(const AbstractValue& number);
    ir::FrameId savedFrame(const AbstractState& state, size_t index);
    ir::FrameSnapshot frameSource(const AbstractFrame& frame, bool isInlined, bool repeats);
    ir::FrameId newFrame(ir::FrameSnapshot source);
    ir::BlockId blockFor(const AbstractState& state);
    ir::Target targetForState();

    const BuildRequest& request_;
    BuildEnvironment& environment_;
    AttemptKnowledge knowledge_;
    AttemptProgress progress_;
    BuildResult result_;
    AbstractState state_;
    AbstractState before_;
    int unit_ = 0;
    int32_t place_ = ir::kNoId;  // of the instruction being built, in result_.places
    ir::BlockId block_ = ir::kNoId;
    bool open_ = false;
    PyObject* keywordNames_ = nullptr;
    const BytecodeLoop* loop_ = nullptr;
    int emitted_ = 0;
    int lessons_ = 0, joinLessons_ = 0;  // attempts for these reasons
    BlockTable blocks_;
    NameIndices nameIndices_;
    ReleaseState releases_;
    IdentityState identities_;
    DeadLocalState deadLocals_;
    std::deque<Callee> generatorCallees_;
    std::map<const void*, int> objectIndices_;
    std::map<Id, int64_t> constantInts_;
    std::map<PyCodeObject*, int> codeIndices_;
    std::vector<int> frameValues_;  // by ir::FrameId: how many values it names
};

}  // namespace kiln
