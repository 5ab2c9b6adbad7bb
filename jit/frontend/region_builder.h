// Builds a region: interprets bytecode over abstract states, along the paths that were observed, and emits IR.
//
// A block is made for each (place, classes of the live values): where two paths meet with equal keys they share a block,
// where they differ the code is specialised again. A path never observed becomes a side exit. The files build_*.cpp hold
// the instructions by family; this one drives.
#pragma once

#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "jit/frontend/attribute_access.h"
#include "jit/frontend/attempt_knowledge.h"
#include "jit/frontend/build_request.h"
#include "jit/frontend/called_function.h"
#include "jit/frontend/identity_liveness.h"
#include "jit/frontend/local_liveness.h"
#include "jit/ir/tables.h"

namespace kiln {

struct BuiltinCall;

class RegionBuilder {
   public:
    RegionBuilder(const BuildRequest& request, BuildEnvironment& environment);
    // Needs the GIL; runs no Python code.
    BuildResult build();

   private:
    using Id = ir::ValueId;

    // ---- driver (region_builder.cpp)
    bool attempt();
    void startLoop();
    void startFunction();
    void enterBoxes(ir::BlockId entry);
    AbstractValue enterSlot(int slot, const AbstractValue& expected);
    void takeSlot(int slot, AbstractValue& value, bool seen);
    void enterObject(Id object, AbstractValue& value);
    void guardUnshared(Id object);
    void enterRangeIterator(Id object, AbstractValue& value);
    void enterEnumerate(Id object, AbstractValue& value);
    void enterZip(Id object, AbstractValue& value);
    void enterListIterator(Id object, AbstractValue& value);
    void prepareNames();
    void processBlock(ir::BlockId block);
    void keepBefore(const BytecodeInstruction& in);
    void step(const BytecodeInstruction& instruction);
    bool dispatch(const BytecodeInstruction& instruction);
    void refuse(Refusal refusal, const std::string& detail);
    void restart() { restart_ = true; }
    void doom() { isDoomed_ = true; }
    const BuildLimits& limits() const;
    void tooLarge();
    bool isRootFrame() const { return state_.frames.size() == 1; }
    bool stopped() const { return restart_ || result_.refusal != Refusal::kNone; }
    const Bytecode& bytecode() { return bytecodeOf(state_.frame().code); }
    const Bytecode& bytecodeOf(PyCodeObject* code) { return environment_.profileOf(code).bytecode(); }
    static ir::Type typeOfKind(Kind kind);
    Site& siteOf(const BytecodeInstruction& in);

    // ---- emission (emit.cpp)
    Id emit(ir::Op op, std::initializer_list<Id> operands, int64_t immediate = 0, ir::Type type = ir::Type::kNone);
    Id emitList(ir::Op op, std::vector<Id> operands, int64_t immediate = 0, ir::Type type = ir::Type::kNone);
    Id emitExiting(ir::Op op, std::initializer_list<Id> operands, ExitReason reason, int64_t immediate = 0);
    Id emitExitingAt(ir::Op op, std::vector<Id> operands, ir::SnapshotId snapshot, int64_t immediate = 0,
                     ir::Type type = ir::Type::kNone);
    Id classIs(Id object, PyTypeObject* cls);
    void guardClass(Id object, PyTypeObject* cls, ExitReason reason);
    Id constInt(int64_t value);
    Id constFloat(double value);
    Id constObject(PyObject* object);
    void keepAlive(PyObject* constant);
    int objectIndex(const void* object, const std::string& name);
    int codeIndex(PyCodeObject* code);
    void endBlock(ir::Op op, std::vector<Id> operands, std::vector<ir::Target> targets, ir::SnapshotId snapshot = -1);
    // Ends the block. Where `condition` is `when`, `aside` goes on, in a block of its own; from then on the builder is where
    // it is not, with the state as it was.
    void branchAside(Id condition, bool when, const std::function<void()>& aside);
    ir::SnapshotId snapshot(const AbstractState& state, ExitReason reason, bool raises = false);
    ExitReason reasonOf(const ir::Snapshot& snapshot, ExitPlace& place, bool raises);
    ir::SnapshotId recentSnapshot(const ir::Snapshot& wanted, const ExitPlace& place) const;
    ir::SnapshotId before(ExitReason reason) { return snapshot(before_, reason); }
    ir::SnapshotId raising();
    ir::SnapshotId here(ExitReason reason) { return snapshot(state_, reason); }
    ir::SlotSource slotSource(const AbstractValue& value);
    ir::SlotSource numberSource(const AbstractValue& number);
    void sideExit(ExitReason reason);        // from the state before the instruction
    void exitHere(ExitReason reason);        // from the state now
    void goTo(int unit);                     // ends the block: on to the innermost frame's unit
    ir::BlockId blockFor(AbstractState state);
    ir::Target targetFor(AbstractState state);
    void ownAliases(AbstractState& state);

    // ---- locals that are not read any more (dead_locals.cpp)
    void enterDead(int slot, AbstractValue& entry);
    void takeDead(int slot, AbstractValue& entry);
    bool isDead(const AbstractState& state, size_t frame, size_t local);
    std::vector<AbstractValue*> deadEntries(AbstractState& state);
    std::string liveKey(AbstractState& state);
    AbstractValue asAny(const AbstractValue& value, bool counted);
    void joinDeadLocals(AbstractState& state);
    void applyLessons(const std::string& key, const std::vector<AbstractValue*>& entries);
    void learnAny(bool isHeader, const std::string& key, size_t index, bool counted);

    // ---- versions of a place (merge_states.cpp)
    bool mergeVersions(AbstractState& state);
    void generalize(AbstractState& state, const AbstractState& other);
    void boxItems(AbstractState& state, const AbstractValue& tuple);
    Id crossingObject(const AbstractValue& number);

    // ---- values (values.cpp)
    AbstractValue pop();
    void push(AbstractValue value);
    AbstractValue& top(int below = 0) { return state_.frame().top(below); }
    static bool transferOwnership(AbstractState& state, Id value);
    AbstractValue virtualObject(Kind kind, std::vector<AbstractValue> parts);
    void realize(AbstractState& state, AbstractValue value);
    Id materializeVirtual(const AbstractValue& value);
    void own(AbstractValue& entry);          // gives it references of its own
    void ownTop() { own(top()); }
    // Native operations know it; every other class is just an object.
    static bool isNativeClass(PyTypeObject* cls);
    // How many entries of the state are this virtual object.
    int sharers(const AbstractValue& value) const;
    AbstractValue copyOf(const AbstractValue& value);
    // Turns the entry `below` the top into an owned object entry, in `before_` as well, and gives its reference.
    Id boxEntry(int below);
    Id boxNumber(int below);
    void boxTop(int count, std::vector<Id>& operands);  // the topmost likewise, appended in the order of their pushing
    Id boxed(const AbstractValue& value, bool& fresh);
    Id materializeTuple(const AbstractValue& value);
    Id asInt(const AbstractValue& value);
    Id asFloat(const AbstractValue& value);
    // Pushes an object result, refined to the classes observed at this instruction; continues at `next`.
    void pushResult(Id value, bool owned, PyTypeObject* cls, const BytecodeInstruction& in, int next);
    void refineTop(const Site& site, int next);
    void refineTop(const Site& site, const std::function<void()>& onward);
    void becomeClass(PyTypeObject* cls, bool bigInt);
    void keepIdentity(AbstractValue number, const AbstractValue& object);
    ir::BlockId newBlock();
    void enterBlock(ir::BlockId block);
    Id truth(const AbstractValue& value);    // bool value; kNoId when it must go through CPython

    // ---- references that an instruction gives up (build_release.cpp)
    // The entry is gone from the state. What it holds is given up at the instruction's end, by giveUp(); while a callee runs,
    // at once.
    void release(AbstractValue value);
    void releaseTop(int count);              // pops and releases so many entries, as CPython in the order of their pushing
    void releaseHeld(AbstractValue value);   // the same of what somebody else holds now
    void releaseHome(int slot);
    static bool endsAfterStore(const AbstractValue& object);
    // A reference; `any`: the box of an entry of kind kAny, which may be none.
    struct GivenUp {
        Id object;
        bool any;
    };
    void letGo(Id object, bool any = false);
    void giveUp();
    void insertAtStart(ir::Instruction instruction);
    Id emitAtStart(ir::Op op, Id operand, int64_t immediate = 0);
    std::vector<Id> knownAtStart(const std::vector<GivenUp>& references);
    void giveUpOneAny(Id box);
    Id referenceIn(const GivenUp& given);
    void askAtStart(const std::vector<Id>& objects);
    bool givesUpToCallees();
    void giveUpToCallees(const std::vector<GivenUp>& references);
    // Leaves before the instruction where its store would end an object whose end may run Python code.
    void guardDisplaced(Id object) { emitExiting(ir::Op::k_guard_displaced, {object}, ExitReason::k_release); }
    // Nothing of the instruction has taken effect so far: `before_` holds here.
    void startHere();
    // What is released inside is given up while the activation waits, where any Python code may run: see suspend().
    void asCallee(int next, const std::function<void()>& body);

    // ---- which object a number is (build_identity.cpp)
    const IdentityLiveness& livenessOf(PyCodeObject* code, bool resultSeen);
    bool isSeen(const AbstractFrame& frame, size_t slot);
    bool isResultSeen(const BytecodeInstruction& in, int popped);
    // The parameters of a native function that come with their objects: of these types, borrowed or NULL.
    std::vector<int> boxedParameters(PyCodeObject* code, const std::vector<ir::Type>& types);
    void forget(AbstractValue& number, int place);
    void forgetUnseen(AbstractFrame& frame);
    void regret(const AbstractValue& number);
    static bool identify(AbstractState& state, const AbstractValue& number, Id object, bool held, int& spare);
    Id objectOf(AbstractValue& number);
    Id takeReference(AbstractValue value);
    Id takeBox(AbstractValue number);
    Id boxFor(const AbstractValue& number);
    Id constantBox(const AbstractValue& number);
    bool hasOtherName(const AbstractValue& number) const;
    bool isBareFloat(const AbstractValue& value);
    AbstractValue sameNumber(const AbstractValue& number);
    AbstractValue asInteger(const AbstractValue& value);
    void carryNumbers();
    void carry(AbstractValue& number);

    // ---- operations that run no Python code (build_leaf.cpp)
    void leafOperation(const BytecodeInstruction& in, Helper helper, std::vector<Id> operands, int popped,
                       PyTypeObject* cls = nullptr);
    void buildLeaf(const BytecodeInstruction& in, Helper helper, int items, PyTypeObject* cls);
    bool callLeaf(const BytecodeInstruction& in, PyObject* callee, int arguments);

    // ---- operations on values of exact built-in classes (build_plain.cpp)
    void knowBuiltin(const BytecodeInstruction& in, int below, const ClassSet& seen);
    bool isBuiltin(int below, const ClassSet& seen);
    bool guardNoNamespace(int below);
    void guardOtherDict(Id object);
    Id askPlain(Helper helper, std::vector<Id> operands);
    Id makePlain(Helper helper, std::vector<Id> operands);
    void changePlain(Helper helper, std::vector<Id> operands);
    bool plainSubscript(const BytecodeInstruction& in);
    void dictItem(const BytecodeInstruction& in);
    bool plainStoreSubscript(const BytecodeInstruction& in);
    bool plainDelete(const BytecodeInstruction& in);
    bool plainSlice(const BytecodeInstruction& in);
    bool plainContains(const BytecodeInstruction& in);
    bool plainCompare(const BytecodeInstruction& in, int operation);
    Id builtinLength(const AbstractValue& value);
    bool plainBinary(const BytecodeInstruction& in);

    // ---- built-in containers and strings made of values (build_plain_containers.cpp)
    bool plainBuild(const BytecodeInstruction& in);
    bool plainExtend(const BytecodeInstruction& in);
    bool plainAdd(const BytecodeInstruction& in);
    bool plainMake(const BytecodeInstruction& in, Helper helper, int items, PyTypeObject* cls, int step);
    bool plainFormat(const BytecodeInstruction& in);
    bool plainJoin(const BytecodeInstruction& in);

    // ---- iterators of dicts, sets and strings (build_plain_iteration.cpp)
    bool plainIterator(const BytecodeInstruction& in);
    bool plainForIter(const BytecodeInstruction& in);
    void iterateTable(const BytecodeInstruction& in, PyTypeObject* cls);
    void iterateText(const BytecodeInstruction& in);

    // ---- calls by the table of built-in functions (build_builtin_calls.cpp)
    bool callByTable(const BytecodeInstruction& in, PyObject* callee, int arguments);
    bool suitsLetter(char letter, int below, const ClassSet* seen);
    void releaseArguments(const BuiltinCall& called, int entries, int arguments, bool keepsSelf);

    // ---- opaque operations (build_opaque.cpp)
    // kCallable: an object that a CALL follows for, with NULL below it.
    enum class OpaqueResult { kObject, kCallable, kBool, kNone };
    Id beforeOpaque(const std::string& operation, int cacheUnits = 0);
    bool needsRealFrame(int position);
    void afterOpaque(Id versionBefore, bool called = false);
    Id namesVersion();
    ir::SnapshotId namesUnchangedExit();
    void noteOpaque(const std::string& operation);
    // Records the state that others may look at while the instruction runs, which continues at `next`.
    void suspend(int next);
    // The operation, and then its operands, the topmost `popped` entries, are given up.
    Id emitOpaque(ir::Op op, std::vector<Id> operands, ir::SnapshotId raise, Helper helper, int popped, Id version);
    void opaqueInstruction(const BytecodeInstruction& in, Helper helper, int operandCount, OpaqueResult kind,
                           const std::string& name, std::initializer_list<int64_t> numbers = {});
    void finishOpaque(const BytecodeInstruction& in, Helper helper, std::vector<Id> operands, int popped, OpaqueResult kind,
                      Id version);
    void pushOpaque(const BytecodeInstruction& in, Id value, OpaqueResult kind, Id version, bool called = false);
    void opaqueCall(const BytecodeInstruction& in, int arguments);
    void opaqueAttributeLoad(const BytecodeInstruction& in, PyObject* name, bool method);
    bool superAttribute(const BytecodeInstruction& in);
    bool superMethod(const BytecodeInstruction& in, PyObject* name);
    void opaqueAdd(const BytecodeInstruction& in, Helper helper, int below, int items);
    void opaqueAttributeStore(const BytecodeInstruction& in, PyObject* name);
    void opaquePythonCall(const BytecodeInstruction& in, std::vector<Id> operands, int popped, Id version);
    void opaqueTruth();
    void flushNames();
    void writeName(const AbstractName& name);

    // ---- exceptions handled in the region (build_exceptions.cpp)
    enum class Failure { kLeaves, kIsHandled, kUnwinds };
    Failure failureHere();
    const ExceptionHandler* handlerHere();
    bool oftenRaises(const BytecodeInstruction& in) { return siteOf(in).generic && handlerHere() != nullptr; }
    Id emitFailing(ir::Op op, std::vector<Id> operands, ir::SnapshotId raise, int64_t immediate, ir::Type type = ir::Type::kNone);
    void handleFailure(ir::Op op, Id result, int popped, Id version);
    void unwindRoot();
    void dropDownTo(int depth);
    void enterHandler(const ExceptionHandler& handler);
    std::vector<PyObject*> classesDiscarded(const ExceptionHandler& handler, int& end);
    void discardUnseen(const ExceptionHandler& handler);
    bool raiseStatement(const BytecodeInstruction& in);
    bool raiseAgain(const BytecodeInstruction& in);
    void unwindAgain(Id exception);
    // ---- `with` (build_with.cpp)
    bool enterWith(const BytecodeInstruction& in);
    bool leaveWithException(const BytecodeInstruction& in);
    // ---- arguments of calls with * and ** (build_spread_calls.cpp)
    bool mergeDicts(const BytecodeInstruction& in);
    bool listToTuple(const BytecodeInstruction& in);
    bool pushHandled(const BytecodeInstruction& in);
    bool matchException(const BytecodeInstruction& in);
    bool popHandled(const BytecodeInstruction& in);
    // ---- instructions by family (build_*.cpp): true when the frame was moved on or the block ended
    bool stackShuffle(const BytecodeInstruction& in);
    AbstractValue constantValue(PyObject* object);
    AbstractValue heldConstant(AbstractValue constant);
    AbstractValue asObject(const AbstractValue& constant);
    void settle(int below);
    bool loadStore(const BytecodeInstruction& in);
    void storeFast(const BytecodeInstruction& in);
    bool loadGlobal(const BytecodeInstruction& in);
    bool namespaceName(const BytecodeInstruction& in);
    bool storeName(PyObject* dict, PyObject* key);
    void leaveToDict(AbstractValue& value, bool atEnd);
    bool loadNamed(PyObject* dict, PyObject* key, const BytecodeInstruction& in);
    PyObject* constantName(PyObject* dict, PyObject* key);
    AbstractName* findName(PyObject* dict, PyObject* key);
    int nameIndex(PyObject* dict, PyObject* key);
    bool cells(const BytecodeInstruction& in);
    bool binaryOp(const BytecodeInstruction& in);
    AbstractValue* appendedLocal(const BytecodeInstruction& in);
    bool becomeString(AbstractValue& entry);
    bool appendToLocal(const BytecodeInstruction& in);
    bool intArithmetic(int operation, const AbstractValue& a, const AbstractValue& b, AbstractValue& result);
    bool floatArithmetic(int operation, const AbstractValue& a, const AbstractValue& b, AbstractValue& result);
    bool unaryOp(const BytecodeInstruction& in);
    bool truthThroughHelper(const BytecodeInstruction& in, bool negate);
    bool compareOp(const BytecodeInstruction& in);
    bool compareNumbers(int operation, const AbstractValue& a, const AbstractValue& b, AbstractValue& result);
    bool isOp(const BytecodeInstruction& in);
    bool containsOp(const BytecodeInstruction& in);
    void branchTo(Id condition, int whenTrue, int whenFalse);
    bool conditionalJump(const BytecodeInstruction& in);
    bool jumpBackward(const BytecodeInstruction& in);
    bool jumpForward(const BytecodeInstruction& in);
    bool returnFrom(const BytecodeInstruction& in);
    void returnFromRoot();
    void endWith(Id result, Id box = ir::kNoId);
    void boxTopOwned();
    void dropFrameSlots();
    void dropAll();
    void takeConstantSequence(int below);
    bool subscript(const BytecodeInstruction& in);
    bool virtualItem(const BytecodeInstruction& in);
    void buildTuple(int size);
    bool storeSubscript(const BytecodeInstruction& in);
    Id normalizedIndex(Id index, Id length);
    bool build(const BytecodeInstruction& in);
    void buildConstKeyMap(const BytecodeInstruction& in);
    bool listAppend(const BytecodeInstruction& in, int below);
    void knowSequence(const ClassSet& classes);
    bool unpackSequence(const BytecodeInstruction& in);
    bool opaqueUnpack(const BytecodeInstruction& in);
    void pushItems(Id sequence, int count, bool list);
    bool getIter(const BytecodeInstruction& in);
    AbstractValue virtualIterator(const AbstractValue& value);
    bool forIter(const BytecodeInstruction& in);
    bool opaqueForIter(const BytecodeInstruction& in);
    // "Has next" of an iterator; then, on the path that has one, advance() moves it and gives the item.
    Id iteratorHasNext(AbstractValue& iterator);
    AbstractValue advance(AbstractValue& iterator);
    void finishIteration(const BytecodeInstruction& in, AbstractValue item);
    bool isVirtualIterator(const AbstractValue& value) const;

    // ---- calls (build_call.cpp)
    bool call(const BytecodeInstruction& in);
    bool callConstant(const BytecodeInstruction& in, PyObject* callee, int arguments);
    bool guardCallee(int arguments, const Site& site);
    void finishCall(const BytecodeInstruction& in, int popped, AbstractValue result);
    bool keywordsArePositional(PyObject* callee, int arguments) const;
    static bool isPlainFunction(const PyCodeObject* code);
    // The call takes `popped` entries off the stack, of which the last `arguments` are the callee's.
    bool callPython(const BytecodeInstruction& in, const AbstractValue& callee, int arguments, int popped);
    bool callByCode(const BytecodeInstruction& in, int arguments);
    Id functionValue(const CalledFunction& called);
    bool callMethod(const BytecodeInstruction& in, int arguments);
    bool instantiate(const BytecodeInstruction& in, PyTypeObject* cls, int arguments);
    bool shouldInline(const Callee& callee);
    static bool takesOnly(PyCodeObject* code, int count);
    bool rebinds(PyCodeObject* code, int parameter);
    bool endsArgument(PyCodeObject* code, const std::vector<AbstractValue>& bound);
    void inlineCall(const BytecodeInstruction& in, const CalledFunction& called, std::vector<AbstractValue> bound, int popped,
                    const CallRole& role = {});
    bool nativeCall(const BytecodeInstruction& in, const CalledFunction& called, std::vector<AbstractValue>& bound, int popped);
    std::vector<ir::Type> nativeArguments(PyCodeObject* code, const std::vector<AbstractValue>& bound, std::vector<int>& boxes, std::vector<Id>& operands);
    const void* otherEntry(const Callee& callee, const std::vector<ir::Type>& types, const std::vector<int>& boxes, ir::Type& returnType);
    void takeNativeNumber(Id status, ir::Type returnType);
    AbstractState leaveToCallee(int popped);
    void giveArgument(AbstractValue& argument, Id object, int popped, AbstractState& raised);
    static Kind kindOfType(ir::Type type);
    std::vector<ir::Type> selfTypes();
    static ir::Type observedType(const Site& site);
    ir::Type selfReturnType(const Site& site);
    // ---- arguments of Python functions (build_binding.cpp)
    bool bindArguments(const CalledFunction& called, int arguments, std::vector<AbstractValue>& bound);
    PyObject* defaultOf(const CalledFunction& called, int parameter);
    static int parameterIndex(PyCodeObject* code, PyObject* name);
    // ---- cells and functions made (build_cells.cpp)
    void enterCells(Id function);
    bool makeFunction(const BytecodeInstruction& in);
    // ---- builtins: which one is called (build_builtins.cpp)
    bool callBuiltin(const BytecodeInstruction& in, PyObject* callee, int arguments);
    bool callClass(const BytecodeInstruction& in, PyObject* callee, int arguments);
    Id fallibleInt(Helper helper, std::vector<Id> operands, ExitReason reason);
    Id fallibleFloat(Helper helper, std::vector<Id> operands, ExitReason reason);
    // ---- of numbers and characters (build_number_builtins.cpp)
    bool callAbs(const BytecodeInstruction& in, int arguments);
    bool callChr(const BytecodeInstruction& in, int arguments);
    bool callDivmod(const BytecodeInstruction& in, int arguments);
    bool callIsinstance(const BytecodeInstruction& in, int arguments);
    bool callMax(const BytecodeInstruction& in, int arguments);
    bool callMin(const BytecodeInstruction& in, int arguments);
    bool callExtreme(const BytecodeInstruction& in, int arguments, bool minimum);
    void chooseExtreme(const BytecodeInstruction& in, AbstractValue best, int arguments, int seen, bool minimum);
    bool callOrd(const BytecodeInstruction& in, int arguments);
    bool callPow(const BytecodeInstruction& in, int arguments);
    bool callRound(const BytecodeInstruction& in, int arguments);
    bool convertNumber(const BytecodeInstruction& in, PyTypeObject* cls);
    // ---- of the math module (build_math.cpp)
    bool callMath(const BytecodeInstruction& in, PyObject* callee, const char* name, int arguments);
    bool libmCall(const char* name, int arguments, AbstractValue& result);
    bool mathTest(const char* name, int arguments, AbstractValue& result);
    bool mathRounding(const BytecodeInstruction& in, const char* name, int arguments, AbstractValue& result);
    bool mathCall(const BytecodeInstruction& in, PyObject* callee, int arguments, AbstractValue& result);
    // ---- of sequences (build_sequence_builtins.cpp)
    bool callLen(const BytecodeInstruction& in, int arguments);
    Id rangeLength(const AbstractValue& range);
    bool callSum(const BytecodeInstruction& in, int arguments);
    bool callRange(const BytecodeInstruction& in, int arguments);
    bool callEnumerate(const BytecodeInstruction& in, int arguments);
    bool callZip(const BytecodeInstruction& in, int arguments);
    bool isIterable(const AbstractValue& value) const;
    void dropMoved(int count);
    // ---- operators of the program's classes (build_operators.cpp)
    bool isOperatorMethod(PyFunctionObject* function);
    bool operatorCall(const BytecodeInstruction& in);
    bool subscriptCall(const BytecodeInstruction& in);
    bool guardImplemented();
    // ---- attributes and methods (build_attributes.cpp)
    bool attribute(const BytecodeInstruction& in);
    bool knowReceiver(const BytecodeInstruction& in) { return knowClass(in, 0, siteOf(in).receivers); }
    void splitOnClass(Id object, PyTypeObject* cls);
    bool knowClass(const BytecodeInstruction& in, int below, const ClassSet& classes);
    void markClass(Id object, PyTypeObject* cls);
    void dependOn(PyTypeObject* cls);
    void dependOnAttribute(PyTypeObject* cls, PyObject* name);
    Id attributeBase(Id object, const AttributeAccess& access);
    Id guardValues(Id object);
    void guardNotHidden(const BytecodeInstruction& in, Id object, PyObject* name, const AttributeAccess& access);
    Id askInstance(ir::Op op, std::initializer_list<Id> operands, Helper helper);
    void loadOwnAttribute(const BytecodeInstruction& in, PyObject* name, bool method);
    void storeOwnAttribute(const BytecodeInstruction& in, PyObject* name);
    bool loadAttribute(const BytecodeInstruction& in, PyObject* name, bool method);
    void loadInstanceAttribute(const BytecodeInstruction& in, const AttributeAccess& access, bool method);
    void loadMethod(const BytecodeInstruction& in, PyObject* name, const AttributeAccess& access);
    void pushMethod(const BytecodeInstruction& in, PyObject* method);
    bool callProperty(const BytecodeInstruction& in, PyObject* name, PyObject* getter);
    bool storeAttribute(const BytecodeInstruction& in, PyObject* name);
    bool loadConstantAttribute(const BytecodeInstruction& in, PyObject* name, bool method);
    void pushConstantAttribute(const BytecodeInstruction& in, PyObject* value, bool method, bool isHeld);
    bool loadStaticMethod(const BytecodeInstruction& in, PyObject* name);
    bool callAppend(const BytecodeInstruction& in, int arguments);

    const BuildRequest& request_;
    BuildEnvironment& environment_;
    AttemptKnowledge knowledge_;
    bool restart_ = false;
    bool reliesOnNoFrame_ = false;      // knowledge_.needsFrame, and
    bool reliesOnQuietReturn_ = false;  // dropsAtReturn, were taken for false
    bool isDoomed_ = false;  // this attempt is made to the end only to learn what else the next must know
    BuildResult result_;
    AbstractState state_;    // now
    AbstractState before_;   // before the instruction being built, and before the KW_NAMES that it goes with
    int unit_ = 0;           // of the instruction being built
    ir::BlockId block_ = ir::kNoId;
    bool open_ = false;      // the current block has no end yet
    std::vector<GivenUp> givenUp_;     // references that the instruction being built gives up at its end
    ir::BlockId startBlock_ = ir::kNoId;  // where startHere() was last
    size_t startIndex_ = 0;
    bool isWaiting_ = false;           // between suspend and resume
    PyObject* keywordNames_ = nullptr;
    std::vector<AbstractName> pendingNames_;
    int loopEnd_ = 0;
    int emitted_ = 0;
    int identities_ = 0;
    std::map<std::pair<PyCodeObject*, bool>, std::unique_ptr<IdentityLiveness>> liveness_;  // by code, and is its result seen
    std::set<std::pair<PyCodeObject*, bool>> livenessPending_;
    std::map<std::pair<PyCodeObject*, bool>, std::unique_ptr<LocalLiveness>> localLiveness_;  // by code, and is it the root loop's
    std::vector<std::pair<PyCodeObject*, CodeProfile::Place>> forgotten_;  // where numbers' objects were forgotten
    bool regrets_ = false;   // an object was asked for that had been forgotten
    bool joins_ = false;     // dead locals were found to differ where they were not expected to
    int lessons_ = 0, joinLessons_ = 0;  // attempts for these reasons
    std::unordered_map<std::string, ir::BlockId> blocks_;
    std::unordered_map<std::string, std::vector<ir::BlockId>> versions_;
    std::unordered_map<std::string, std::vector<ir::BlockId>> alike_;  // those that differ in dead locals only
    std::unordered_map<std::string, int> splits_;       // how often a place was built for one more class
    std::vector<AbstractState> blockStates_;  // by block
    std::vector<ir::BlockId> pending_;
    std::map<const void*, int> objectIndices_;
    std::map<Id, int64_t> constantInts_;      // values known while building
    std::map<PyCodeObject*, int> codeIndices_;
    std::map<std::pair<PyObject*, PyObject*>, int> nameIndices_;
};

}  // namespace kiln
