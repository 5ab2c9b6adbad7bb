// The syntax tree of one function: what Python's ast says, as C++ objects, so that passes over it need no Python calls.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "interp/py_ref.h"

namespace kiln::gpu {

enum class NodeKind : uint8_t {
#define KILN_NODE(id, text, fields) k##id,
#include "gpu/frontend/syntax.def"
#undef KILN_NODE
    kOther  // operators, and what kernels cannot have: `text` is the class's name
};

struct Node {
    NodeKind kind = NodeKind::kOther;
    std::string text;
    Ref<> constant;  // of Constant and MatchSingleton; of FormattedValue the number of its conversion
    int line = 0;
    int column = 0;  // in bytes, as ast counts
    int endLine = 0;
    int endColumn = 0;
    std::vector<std::vector<std::unique_ptr<Node>>> fields;  // in the order of syntax.def

    const std::vector<std::unique_ptr<Node>>& list(size_t field) const { return fields[field]; }
    // The node of a field that holds one; nullptr when it is absent.
    const Node* child(size_t field) const { return fields[field].empty() ? nullptr : fields[field].front().get(); }
};

// Where a function was written. Immutable, shared by what was compiled from it.
struct FunctionSource {
    std::string file;
    std::vector<std::string> lines;  // of the whole file
    std::shared_ptr<const Node> function;  // FunctionDef or Lambda
};

// The source of a Python function: the definition that its attribute _kiln_definition holds as a node of ast, or its text. Needs the GIL; runs Python. On failure nullptr, with the reason in `error`.
std::shared_ptr<const FunctionSource> readFunction(PyObject* function, std::string& error);

}  // namespace kiln::gpu
