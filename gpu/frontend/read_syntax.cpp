// From a function object to its syntax tree: finds the source text, has CPython parse it, picks the function.
#include <cstring>
#include <string_view>

#include "gpu/frontend/source_text.h"
#include "gpu/frontend/syntax.h"

namespace kiln::gpu {
namespace {

struct NodeClass {
    const char* name;
    const char* text;
    const char* fields;
};

const NodeClass kClasses[] = {
#define KILN_NODE(id, text, fields) {#id, text, fields},
#include "gpu/frontend/syntax.def"
#undef KILN_NODE
};

constexpr int kOnlyAst = 0x400;  // ast.PyCF_ONLY_AST

std::string textOf(PyObject* value) {
    const char* text = value != nullptr && PyUnicode_Check(value) ? PyUnicode_AsUTF8(value) : nullptr;
    PyErr_Clear();
    return text != nullptr ? text : "";
}

Ref<> attribute(PyObject* object, const char* name) {
    Ref<> value = Ref<>::steal(PyObject_GetAttrString(object, name));
    PyErr_Clear();
    return value;
}

int number(PyObject* object, const char* name) {
    Ref<> value = attribute(object, name);
    return value && PyLong_Check(value.get()) ? static_cast<int>(PyLong_AsLong(value.get())) : 0;
}

std::unique_ptr<Node> convert(PyObject* tree);

std::vector<std::unique_ptr<Node>> convertField(PyObject* tree, std::string_view name) {
    std::vector<std::unique_ptr<Node>> nodes;
    Ref<> value = attribute(tree, std::string(name).c_str());
    if (!value || value.get() == Py_None) {
        return nodes;
    }
    if (!PyList_Check(value.get())) {
        nodes.push_back(convert(value.get()));
        return nodes;
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(value.get()); i++) {
        nodes.push_back(convert(PyList_GET_ITEM(value.get(), i)));
    }
    return nodes;
}

std::unique_ptr<Node> convert(PyObject* tree) {
    auto node = std::make_unique<Node>();
    node->text = Py_TYPE(tree)->tp_name;
    node->text.erase(0, node->text.rfind('.') + 1);
    node->line = number(tree, "lineno");
    node->column = number(tree, "col_offset");
    node->endLine = number(tree, "end_lineno");
    node->endColumn = number(tree, "end_col_offset");
    for (size_t i = 0; i < std::size(kClasses); i++) {
        if (node->text != kClasses[i].name) {
            continue;
        }
        node->kind = static_cast<NodeKind>(i);
        node->text = *kClasses[i].text != '\0' ? textOf(attribute(tree, kClasses[i].text).get()) : "";
        if (node->kind == NodeKind::kConstant) {
            node->constant = attribute(tree, "value");
        }
        std::string_view fields = kClasses[i].fields;
        while (!fields.empty()) {
            std::string_view field = fields.substr(0, fields.find(' '));
            fields.remove_prefix(std::min(fields.size(), field.size() + 1));
            node->fields.push_back(convertField(tree, field));
        }
        break;
    }
    return node;
}

// The line where a definition begins: its first decorator's, as in co_firstlineno.
int firstLine(PyObject* tree) {
    Ref<> decorators = attribute(tree, "decorator_list");
    if (decorators && PyList_Check(decorators.get()) && PyList_GET_SIZE(decorators.get()) > 0) {
        return number(PyList_GET_ITEM(decorators.get(), 0), "lineno");
    }
    return number(tree, "lineno");
}

bool isFunction(PyObject* tree, const std::string& name) {
    std::string_view type = Py_TYPE(tree)->tp_name;
    if (name == "<lambda>") {
        return type == "ast.Lambda" || type == "_ast.Lambda" || type == "Lambda";
    }
    return (type == "ast.FunctionDef" || type == "_ast.FunctionDef" || type == "FunctionDef") &&
           textOf(attribute(tree, "name").get()) == name;
}

// What tells lambdas of one line apart: where the expression begins.
struct Wanted {
    std::string name;
    int line = 0;
    int bodyLine = 0;
    int bodyColumn = -1;
};

// The expression begins with what is the first of all instructions in the text; those at column 0 without a width have no place.
Wanted wantedOf(PyCodeObject* code) {
    Wanted wanted = {textOf(code->co_name), code->co_firstlineno, 0, -1};
    constexpr int kUnitBytes = 2;
    for (int at = 0; at < Py_SIZE(code) * kUnitBytes; at += kUnitBytes) {
        int line = 0;
        int column = 0;
        int endLine = 0;
        int endColumn = 0;
        bool known = PyCode_Addr2Location(code, at, &line, &column, &endLine, &endColumn) != 0 && endColumn > 0;
        bool before = line < wanted.bodyLine || (line == wanted.bodyLine && column < wanted.bodyColumn);
        if (known && (wanted.bodyColumn < 0 || before)) {
            wanted.bodyLine = line;
            wanted.bodyColumn = column;
        }
    }
    return wanted;
}

bool isWanted(PyObject* tree, const Wanted& wanted) {
    if (!isFunction(tree, wanted.name) || firstLine(tree) != wanted.line) {
        return false;
    }
    Ref<> body = wanted.name == "<lambda>" && wanted.bodyColumn >= 0 ? attribute(tree, "body") : Ref<>();
    return !body || (number(body.get(), "lineno") == wanted.bodyLine && number(body.get(), "col_offset") == wanted.bodyColumn);
}

// Depth first over every node: definitions may be anywhere.
Ref<> find(PyObject* tree, const Wanted& wanted) {
    if (PyList_Check(tree)) {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(tree); i++) {
            Ref<> found = find(PyList_GET_ITEM(tree, i), wanted);
            if (found) {
                return found;
            }
        }
        return {};
    }
    Ref<> fields = attribute(tree, "_fields");
    if (!fields || !PyTuple_Check(fields.get())) {
        return {};
    }
    if (isWanted(tree, wanted)) {
        return Ref<>::borrow(tree);
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fields.get()); i++) {
        Ref<> value = Ref<>::steal(PyObject_GetAttr(tree, PyTuple_GET_ITEM(fields.get(), i)));
        PyErr_Clear();
        Ref<> found = value ? find(value.get(), wanted) : Ref<>();
        if (found) {
            return found;
        }
    }
    return {};
}

Ref<> parse(const std::string& text, const std::string& file) {
    PyCompilerFlags flags = {kOnlyAst, PY_MINOR_VERSION};
    Ref<> tree = Ref<>::steal(Py_CompileStringExFlags(text.c_str(), file.c_str(), Py_file_input, &flags, -1));
    PyErr_Clear();
    return tree;
}

std::vector<std::string> splitLines(const std::string& text) {
    std::vector<std::string> lines;
    size_t begin = 0;
    while (begin < text.size()) {
        size_t end = std::min(text.find('\n', begin), text.size());
        lines.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return lines;
}

}  // namespace

std::shared_ptr<const FunctionSource> readFunction(PyObject* function, std::string& error) {
    auto source = std::make_shared<FunctionSource>();
    PyCodeObject* code = reinterpret_cast<PyCodeObject*>(PyFunction_GET_CODE(function));
    source->file = textOf(code->co_filename);
    Wanted wanted = wantedOf(code);
    for (const std::string& text : sourceTexts(function)) {
        Ref<> tree = parse(text, source->file);
        Ref<> found = tree ? find(tree.get(), wanted) : Ref<>();
        if (found) {
            source->lines = splitLines(text);
            source->function = convert(found.get());
            return source;
        }
    }
    error = "the source of " + wanted.name + " was not found: " + source->file + " does not define it at line " +
            std::to_string(code->co_firstlineno);
    return nullptr;
}

}  // namespace kiln::gpu
