// From the syntax tree of a function and its argument types to typed IR, in one walk: a name has the type of what was last
// assigned to it, and where paths meet, numba's unification of both. A loop is built again when its end shows that a type
// at its head was assumed too narrow.
#pragma once

#include <functional>
#include <set>

#include "gpu/frontend/compile_kernel.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/syntax.h"
#include "gpu/frontend/typing_rules.h"
#include "gpu/frontend/value.h"

namespace kiln::gpu {

class FunctionBuilder;

// What the functions of one kernel share. Needs the GIL throughout.
struct ModuleBuilder {
    Module* module = nullptr;
    CompileError error;
    struct Callee {
        const void* function;   // a Python function, or the node of a nested one
        std::string arguments;  // what this form of it was built for
        uint32_t index;
        Value result;  // types only: of a function that is being built, what is known so far
        bool finished;
        bool hasResult;
        bool isAssumed = false;  // the result, of a function that is built again
        bool isAsked = false;    // by a call in itself,
        std::string told = "";   // which was told this result; empty: none was known
    };
    std::vector<Callee> callees;
    std::vector<Ref<>> kept;  // objects whose addresses identify callees
    int depth = 0;
    bool hasUnknown = false;  // a call of a function in itself whose result is not known yet: the function is built again
    bool debug = false;
    bool checksDivision = false;
    bool checksBounds = false;
    bool isLoop = false;
    ValueId scratch = kNoValue;  // of a loop: the array that was made last
    // Whether a value is, or has, memory that the next iteration uses again, and is not the array that was made last.
    bool isUsedAgain(const Value& value) const;
    std::vector<Exception> exceptions;  // by row of Module::faults
    std::vector<Binding> bindings;      // of a loop

    // That the code being built takes what a name means for constant.
    void note(PyObject* holder, PyObject* name, PyObject* value);

    // The type that a function still being built returns, as far as it is known: for recursion.
    void noteResult(uint32_t index, const Value& result);
};

// One end of a path: the block that ends here, and the names as they are there.
struct Edge {
    Block* block;
    State state;
};

// What is assigned to or read, with all that its expression computes computed: evaluated once, however often it is used.
struct Place {
    const Node* node = nullptr;
    bool isItem = false;  // base[index]
    Value base;
    Value index;
    std::vector<ValueId> element;  // the array and its indices, when they name one element
    std::vector<Value> parts;      // else those of a view
    const Type* unaligned = nullptr;  // of a scalar field, whose bytes `base` is
};

// What a device function is compiled from.
struct Callable {
    const void* identity;
    PyObject* function;  // whose globals and closure it sees
    std::shared_ptr<const FunctionSource> source;
    std::vector<std::string> captured;  // names of the first arguments
};

class FunctionBuilder {
public:
    FunctionBuilder(ModuleBuilder& module, PyObject* object, std::shared_ptr<const FunctionSource> source);
    // Builds the body for arguments of these types, behind what is captured by these names. `index` is the function's place in
    // the module.
    bool build(uint32_t index, bool isKernel, const std::vector<Value>& arguments, const std::vector<std::string>& captured = {});
    const Value& result() const { return result_; }
    // An identifier of C that no function of the module has yet, made of a Python name.
    std::string uniqueName(const std::string& name, uint32_t index);

    // function_builder.cpp: emission and errors
    Value fail(const Node& node, const std::string& message, const char* errorClass = "TypingError");
    Value failUnsupported(const Node& node, const char* what);
    bool failed() const { return module_.error.isSet; }
    ValueId emitRaw(Op op, const Type* type, std::vector<ValueId> operands, uint32_t index = 0, int64_t bits = 0);
    Value emit(Op op, const Type* type, std::vector<ValueId> operands, uint32_t index = 0, int64_t bits = 0);
    Instruction& append(Instruction instruction);
    ValueId use(const Value& value);
    Value convert(const Value& value, const Type* type);
    Value truth(const Value& value, const Node& node);
    Function& function() { return *module_.module->functions[index_]; }
    bool declareParameters(const std::vector<std::string>& captured, std::vector<Value> arguments);
    Value declareParameter(const std::string& name, const Value& argument);
    uint32_t slotFor(const std::string& name, const Type* type);

    // state.cpp: names, and where paths meet
    Value read(const std::string& name, const Value& binding, const Node& node);
    Value bind(const std::string& name, const Value& value);
    void assignName(const std::string& name, const Value& value, const Node& node);
    Value join(const std::string& name, const Value& first, const Value& second);
    State joinStates(const std::vector<Edge>& edges);
    void moveInto(const Edge& edge, const State& joined);
    void moveValue(const std::string& name, const Value& from, const Value& to);
    void meet(std::vector<Edge>& edges);

    // build_statement.cpp
    void buildBody(const std::vector<std::unique_ptr<Node>>& statements);
    void buildStatement(const Node& node);
    void buildAugmented(const Node& node);
    void buildIf(const Node& node);
    void buildReturn(const Node& node);
    void addReturn(const Node& node, const Value& value);
    void finishReturns();
    void buildExpressionStatement(const Node& node);
    void jump(Op op);

    // build_faults.cpp
    void buildRaise(const Node& node);
    void buildAssert(const Node& node);
    static Ref<> constantObject(const Value& value);
    bool exceptionOf(const Node& node, Exception& out);
    void emitRaise(const Node& node, Exception exception, const std::vector<ValueId>& operands);
    void raiseIf(const Value& condition, const Node& node, const Exception& exception,
                 const std::vector<ValueId>& operands);
    void checkDivisor(const Node& node, const Value& divisor, const char* message);
    void checkIndex(const Node& node, const Value& array, int axis, const Value& index, const Value& position);

    // build_loop.cpp
    struct Loop {
        std::vector<Edge> breaks;
        std::vector<Edge> continues;
        std::map<std::string, const Node*> undefined;  // names read before their assignment in the loop
    };
    struct LoopParts {
        const Node* node = nullptr;
        Op op = Op::kWhile;
        std::vector<ValueId> operands;  // of for
        uint32_t counter = 0;           // of for: the variable
        std::function<Value()> condition;
        std::function<void()> prologue;
        const std::vector<std::unique_ptr<Node>>* body = nullptr;
        const std::vector<std::unique_ptr<Node>>* orelse = nullptr;
    };
    void buildWhile(const Node& node);
    void buildFor(const Node& node);
    void buildCountedFor(const Node& node, const Value& range, const std::function<Value(const Value&)>* itemOf);
    void buildUnrolledFor(const Node& node, const Value& tuple);
    void buildLoop(const LoopParts& parts);
    void finishLoop(const LoopParts& parts, Instruction instruction, Loop& loop, State normal, const State& header,
                    bool endless);
    void finishWithFlag(const LoopParts& parts, Loop& loop, uint32_t flag);
    void noteUndefined(const Loop& loop, const State& header);
    bool widenHeader(State& header, const std::vector<Edge>& edges);
    Value itemAt(const Node& node, const Value& iterable, const Value& position);
    Value lengthOf(const Value& iterable);
    Value rangeLength(const Value& range);

    // build_expression.cpp
    Value buildExpression(const Node& node);
    Value valueOfObject(Ref<> object, const Node& node);
    Value valueOfNumber(PyObject* thing, const Node& node);
    Value numpyScalar(PyObject* object);
    Value constantArray(PyObject* object, const Node& node);
    Value liveArray(PyObject* object, const Node& node);
    Value globalArray(PyObject* object, PyObject* interface, bool isForeign, const Node& node);
    Value buildName(const Node& node);
    Value buildGlobal(const Node& node);
    static bool isGeometry(const Value& value);
    Value geometryPart(const Value& value, uint32_t axis);
    Value buildAttribute(const Node& node);
    Value attribute(const Node& node, const Value& base, const std::string& name);
    Value registeredAttribute(const Node& node, const Value& base, const std::string& name);
    static int fieldOfTuple(const Value& tuple, const std::string& name);
    Value objectAttribute(const Node& node, const Value& base, const std::string& name);
    Value arrayAttribute(const Value& array, const std::string& name, const Node& node);
    Value shapeOf(const Value& array);
    Value buildTuple(const Node& node);
    Value buildBoolOp(const Node& node, size_t first);
    Value buildIfExp(const Node& node);
    Value choose(const Value& condition, const Node& node, const std::function<Value()>& then,
                 const std::function<Value()>& otherwise);
    static bool isHarmless(const Block& block);
    Value selectHarmless(Instruction& choice, Value* values);

    // build_float_parts.cpp
    Value compared(Op op, const Value& left, const Value& right);

    // build_brain.cpp
    Value widened(const Value& value);
    Value convertBrain(const Value& value, const Type* type);

    // build_times.cpp
    Value timeBits(const Value& time);
    Value timeOf(const Value& bits, const Type* type);
    Value convertTime(const Value& value, const Type* type);
    Value makeTime(const Node& node, const Type* type, const std::vector<Value>& arguments);
    Value timeBinary(const Node& node, Op op, const Value& left, const Value& right);
    Value timeCompare(const Node& node, Op op, const Value& left, const Value& right);
    Value timeUnary(const Node& node, UnaryOperator op, const Value& operand);
    Value isNotATime(const Value& time);

    // build_complex.cpp
    Value makeComplex(const Value& real, const Value& imaginary, const Type* type);
    Value toComplex(const Value& value, const Type* type);
    Value realPart(const Value& value);
    Value imaginaryPart(const Value& value);
    Value select(const Value& condition, const Value& then, const Value& otherwise);
    Value complexDivide(const Value& left, const Value& right);
    Value complexPower(const Value& base, const Value& exponent);
    Value complexBinary(Op op, const Value& left, const Value& right);
    Value negated(const Value& value);
    Value conjugate(const Value& value);
    Value magnitude(const Value& value);

    // build_array_methods.cpp
    void forRange(const Value& count, const std::function<void(const Value&)>& body);
    void forElements(const Value& array, const std::function<void(const std::vector<Value>&)>& body);
    Value loadAt(const Value& array, const std::vector<Value>& indices);
    void storeAt(const Value& array, const std::vector<Value>& indices, const Value& value);
    uint32_t accumulator(const Value& first);
    Value get(uint32_t slot);
    void set(uint32_t slot, const Value& value);
    Value partsOf(const Value& array, bool imaginary);
    Value reshaped(const Node& node, const Value& array, const std::vector<Value>& sizes);
    bool mayFill(const Node& node, const Value& target, const Value& value);
    void forElementsOf(const Node& node, const Value& target, const Value& value,
                       const std::function<void(const std::vector<Value>&, const Value&)>& body);
    bool assignElements(const Node& node, const Value& target, const Value& value);
    void augmentElements(const Node& node, const Value& target, const Value& value);

    // build_operators.cpp
    static Ref<> literal(const Node& node);
    Value buildBinary(const Node& node, const std::string& op, const Value& left, const Value& right);
    Value binary(const Node& node, Op op, const Value& left, const Value& right);
    Value buildPower(const Node& node, const Value& left, const Value& right);
    Value buildUnary(const Node& node);
    Value unary(const Node& node, UnaryOperator op, const Value& operand);
    Value buildCompare(const Node& node);
    Value compare(const Node& node, Op op, const Value& left, const Value& right);
    Value compareBySyntax(const Node& node, const std::string& op, const Value& left, const Value& right);
    Value compareTuples(const Node& node, Op op, const Value& left, const Value& right);
    Value contains(const Node& node, const Value& item, const Value& container);
    Value arithmetic(Op op, const Value& left, const Value& right);
    Value minimumOrMaximum(const Node& node, Op op, const Value& left, const Value& right);

    // build_place.cpp
    Place placeOf(const Node& target);
    Place placeIn(const Node& node, const Value& base, const Value& index);
    Value item(const Node& node, const Value& base, const Value& index);
    void resolveIndex(Place& place);
    Value load(const Place& place);
    void store(const Place& place, const Value& value);
    void storeElements(const Place& place, const Value& value);
    void assign(const Node& target, const Value& value);
    void assignSequence(const Node& target, const Value& value);

    void storeElement(const Node& node, const Value& array, std::vector<ValueId> operands, const Value& value);
    Value loadElement(const Value& array, const std::vector<ValueId>& operands);

    // build_records.cpp
    static const Field* findField(const Type* record, const Value& key);
    Value viewOfField(const Value& base, const Field& field);
    Place fieldPlace(const Node& node, const Value& record, const Field& field);
    Value loadUnaligned(const Value& bytes, const Type* type);
    void storeUnaligned(const Value& bytes, const Type* type, const Value& value);
    void copyRecord(const Node& node, const Value& to, const Value& from);

    // build_index.cpp
    static bool isOfOneType(const Value& tuple);
    Value sliceTuple(const Node& node, const Value& tuple, const Value& slice);
    Value subscriptTuple(const Node& node, const Value& tuple, const Value& index);
    bool indices(const Node& node, const Value& array, const Value& index, std::vector<Value>& out);
    bool elementIndices(const Node& node, const Value& array, const Value& index, std::vector<ValueId>& out);
    Value wrapped(const Node& node, const Value& array, int axis, const Value& index);
    Value view(const Node& node, const Value& array, const std::vector<Value>& indices);
    Value slicePart(const Value& part, const Value& size, const Value& absent, const Value& least, const Value& most);
    Value dimension(const Value& array, int axis);
    Value stride(const Value& array, int axis);
    Value withLayout(const Value& array, const Type* type);
    Value transposed(const Value& array);
    Value makeView(const Value& array, const Type* type, const std::vector<Value>& starts, const std::vector<Value>& shape,
                   const std::vector<Value>& strides, int64_t offset = 0);

    // build_call.cpp
    Value buildCall(const Node& node);
    Value failCall(const Node& function, PyObject* object);
    Value callValue(const Node& node, const Value& callee, std::vector<Value>& arguments);
    Value callMethod(const Node& node, const Value& self);
    Value callObject(const Node& node, const Value& callee, std::vector<Value>& arguments);
    bool completeArguments(const Node& node, PyObject* target, std::vector<Value>& arguments);
    Value callClass(const Node& node, const Value& callee, std::vector<Value>& arguments);

    // build_device_call.cpp
    Value callDevice(const Node& node, PyObject* target, const std::vector<Value>& arguments);
    Value callFunction(const Node& node, const Callable& target, const std::vector<Value>& arguments);
    Value callFunctionWith(const Node& node, const Callable& target, const std::vector<Value>& arguments, bool keepsConstants);
    bool buildCallee(const Node& node, const Callable& target, std::shared_ptr<const FunctionSource> source, size_t position,
                     const std::vector<Value>& types);
    Value callRecursive(const Node& node, ModuleBuilder::Callee& callee, const std::vector<Value>& arguments);
    Value emitCall(const Node& node, const ModuleBuilder::Callee& callee, const std::vector<Value>& arguments);
    static void forgetValue(Value& value, bool keepsConstants);

    // build_closure.cpp
    Value closureOf(const Node& definition);
    void refreshClosure(Value& closure);
    Value callClosure(const Node& node, Value closure, std::vector<Value> arguments);

    // build_external.cpp
    bool declareExternal(const Node& node, PyObject* description, uint32_t& index);
    Value callExternal(const Node& node, PyObject* description, const std::vector<Value>& arguments);

    // build_overload.cpp
    Ref<> overloadOf(const Value& callee, const std::vector<Value>& arguments);
    Value callTarget(const Node& node, PyObject* callee, PyObject* target, std::vector<Value>& arguments);
    static bool isStructure(const Value& value);
    Value registeredOperator(const Node& node, const char* name, const std::vector<Value>& operands);
    Ref<> memberOf(const Value& self, const std::string& name, const std::vector<Value>* arguments);
    Value cast(const Node& node, const Type* type, std::vector<Value>& arguments);
    bool collectArguments(const Node& node, std::vector<Value>& arguments);
    bool bindArguments(Call& call, std::vector<Value> given);
    Value callIntrinsic(const Node& node, const Intrinsic& row, const Value& callee, std::vector<Value> given);
    Value handle(Call& call);
    bool scalars(const Call& call);
    const Node* keyword(const Node& node, const char* name);

    // build_math.cpp
    Value mathCall(MathFunction function, const std::vector<Value>& arguments);

    // Runs `build` into a new block. Returns it; the insertion point is back where it was.
    std::unique_ptr<Block> inBlock(const std::function<void()>& build);

    ModuleBuilder& module() { return module_; }

private:
    ModuleBuilder& module_;
    PyObject* object_;  // the Python function
    std::shared_ptr<const FunctionSource> source_;
    uint32_t index_ = 0;
    Block* block_ = nullptr;
    State state_;
    bool dead_ = false;  // nothing can get here
    int line_ = 0;
    const Node* statement_ = nullptr;  // for errors that no expression is at hand for
    std::vector<Loop*> loops_;
    std::set<std::string> locals_;
    std::map<std::pair<std::string, const Type*>, uint32_t> slots_;
    std::set<std::string> slotNames_;
    struct Returned {
        Block* block;  // ends in the return
        Value value;
    };
    std::vector<Returned> returns_;
    Value result_;
    bool hasResult_ = false;
};

}  // namespace kiln::gpu
