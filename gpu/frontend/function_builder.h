// A function of the kernel IR in the making: where instructions go, what names mean there, and errors. What syntax becomes is
// built by free functions, a file a family (build_*.h): from the syntax tree of a function and its argument types to typed
// IR, in one walk. A name has the type of what was last assigned to it, and where paths meet, numba's unification of both.
#pragma once

#include <functional>
#include <set>

#include "gpu/frontend/module_builder.h"
#include "gpu/frontend/syntax.h"

namespace kiln::gpu {

// One end of a path: the block that ends here, and the names as they are there.
struct Edge {
    Block* block;
    State state;
};

// The paths that leave a loop which is being built, and those back to its head.
struct OpenLoop {
    std::vector<Edge> breaks;
    std::vector<Edge> continues;
    bool isRepeated = true;                        // not one over a tuple, whose passes are built one after another
    std::map<std::string, const Node*> undefined;  // names read before their assignment in the loop
};

// What a function returns.
struct Returns {
    struct Path {
        Block* block;  // ends in the return
        Value value;
    };
    std::vector<Path> paths;
    Value result;  // the type of all
};

// The class of errors about names that stand for nothing.
inline constexpr const char* kUndefinedName = "UndefinedNameError";

class FunctionBuilder {
public:
    // `index`: the function's place in the module. `object`: the Python function that `source` was read from.
    FunctionBuilder(ModuleBuilder& module, uint32_t index, PyObject* object,
                    std::shared_ptr<const FunctionSource> source);

    ModuleBuilder& module() { return module_; }
    Function& function() { return *module_.module->functions[index_]; }
    uint32_t index() const { return index_; }
    PyObject* object() const { return object_; }
    const FunctionSource& source() const { return *source_; }

    // Errors. The first one counts; building goes on to its end with poison, which this returns.
    Value fail(const Node& node, const std::string& message, const char* errorClass = "TypingError");
    bool failed() const { return module_.error.isSet; }

    // Emission, at the end of the current block. A type of nullptr: no result.
    ValueId emitRaw(Op op, const Type* type, std::vector<ValueId> operands, uint32_t index = 0, int64_t bits = 0);
    Value emit(Op op, const Type* type, std::vector<ValueId> operands, uint32_t index = 0, int64_t bits = 0);
    // With the current line; insert() leaves the instruction the line it has.
    Instruction& append(Instruction instruction);
    void insert(Instruction instruction);
    // The IR value of a scalar or array. After an error: some value, so that building can go on to its end.
    ValueId use(const Value& value);
    // An instruction of this line that blocks are added to before it is inserted.
    Instruction control(Op op, std::vector<ValueId> operands = {}) const;

    // Runs `build` with another block as the current one, which is a new one for inBlock.
    void within(Block& block, const std::function<void()>& build);
    std::unique_ptr<Block> inBlock(const std::function<void()>& build);
    // Runs `build` in front of the jump that ends a block; it gets nullptr where none does.
    void beforeJump(Block& block, const std::function<void(Instruction*)>& build);

    // The statement that is built now: its line is that of the code, and errors that no expression is at hand for are its.
    void start(const Node& statement);
    const Node& statement() const { return *statement_; }
    int line() const { return line_; }

    // What names mean here, and this place as the end of a path. Nothing can get to code that is dead.
    State& names() { return names_; }
    bool isLocal(const std::string& name) const { return locals_.count(name) > 0; }
    Edge here() const { return {block_, names_}; }
    // Whether this place is in a statement that may be skipped: in a branch, and not in a part of an expression that chooses.
    bool isBranch() const { return block_ != &module_.module->functions[index_]->body && choices_ == 0; }
    // How many expressions that choose a value are being built around this place.
    int& choices() { return choices_; }
    bool isDead() const { return isDead_; }
    void setDead(bool isDead) { isDead_ = isDead; }
    // The variable of a name and type.
    uint32_t slotFor(const std::string& name, const Type* type);
    // A parameter of the IR's function; no variable gets its name.
    Value addParameter(const std::string& name, const Type* type);

    std::vector<OpenLoop*>& loops() { return loops_; }
    // The innermost one around this place whose later passes may find assigned what this one does not; nullptr if there is none.
    OpenLoop* repeatedLoop() const;
    // The names that the outermost loop which is being built reads, and that neither it nor what is before it assigns.
    std::set<std::string>& unassigned() { return unassigned_; }
    Returns& returns() { return returns_; }

private:
    ModuleBuilder& module_;
    uint32_t index_;
    PyObject* object_;
    std::shared_ptr<const FunctionSource> source_;
    Block* block_;
    State names_;
    bool isDead_ = false;
    int choices_ = 0;
    int line_ = 0;
    const Node* statement_;
    std::vector<OpenLoop*> loops_;
    std::set<std::string> unassigned_;
    Returns returns_;
    std::set<std::string> locals_;
    std::map<std::pair<std::string, const Type*>, uint32_t> slots_;
    std::set<std::string> slotNames_;
};

}  // namespace kiln::gpu
