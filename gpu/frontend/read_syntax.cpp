// From a function object to its syntax tree: finds the source text, has CPython parse it, makes C++ nodes of the function.
#include <cstring>
#include <string_view>

#include "gpu/frontend/find_definition.h"
#include "gpu/frontend/object_text.h"
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

std::unique_ptr<Node> convert(PyObject* tree);

std::vector<std::unique_ptr<Node>> convertField(PyObject* tree, std::string_view name) {
    std::vector<std::unique_ptr<Node>> nodes;
    Ref<> value = attributeOf(tree, std::string(name).c_str());
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
    if (PyUnicode_Check(tree)) {  // a name in a list of names
        node->text = textOrEmpty(tree);
        return node;
    }
    node->text = Py_TYPE(tree)->tp_name;
    node->text.erase(0, node->text.rfind('.') + 1);
    node->line = numberOf(tree, "lineno");
    node->column = numberOf(tree, "col_offset");
    node->endLine = numberOf(tree, "end_lineno");
    node->endColumn = numberOf(tree, "end_col_offset");
    for (size_t i = 0; i < std::size(kClasses); i++) {
        if (node->text != kClasses[i].name) {
            continue;
        }
        node->kind = static_cast<NodeKind>(i);
        node->text = *kClasses[i].text != '\0' ? textAttribute(tree, kClasses[i].text) : "";
        if (node->kind == NodeKind::kConstant || node->kind == NodeKind::kMatchSingleton) {
            node->constant = attributeOf(tree, "value");
        } else if (node->kind == NodeKind::kFormattedValue) {
            node->constant = attributeOf(tree, "conversion");
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
    source->file = textOrEmpty(code->co_filename);
    if (Ref<> given = attributeOf(function, "_kiln_definition")) {
        std::vector<std::string> texts = sourceTexts(function, false);
        source->lines = splitLines(texts.empty() ? "" : texts.front());
        source->function = convert(given.get());
        return source;
    }
    for (bool anew : {false, true}) {
        for (const std::string& text : sourceTexts(function, anew)) {
            Ref<> found = findDefinition(code, text, true);
            if (found) {
                source->lines = splitLines(text);
                source->function = convert(found.get());
                return source;
            }
        }
    }
    error = "the source of " + textOrEmpty(code->co_name) + " cannot be had: no text of " + source->file +
            " that is known compiles to its code (line " + std::to_string(code->co_firstlineno) +
            "); kernels are read from source, so that neither the file nor the function's __code__ may have been changed since";
    return nullptr;
}

}  // namespace kiln::gpu
