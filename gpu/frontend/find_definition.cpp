// Which definition of a text a code object was compiled from: the text is compiled again, and the code objects compared. The
// definition's own lines come first: of a long file the rest need not be read.
#include "gpu/frontend/find_definition.h"

#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

#include "gpu/frontend/definition_text.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {
namespace {

constexpr int kOnlyAst = 0x400;  // ast.PyCF_ONLY_AST
constexpr int kLevels[] = {0, 1, 2};  // of optimisation

// While it lives, compiling warns of nothing: whoever compiled the text first was told.
class QuietWarnings {
   public:
    QuietWarnings() : module_(Ref<>::steal(PyImport_ImportModule("warnings"))) {
        if (module_) {
            filters_ = attributeOf(module_.get(), "filters");
            Ref<> quiet = Ref<>::steal(Py_BuildValue("[(sOOOi)]", "ignore", Py_None, PyExc_Warning, Py_None, 0));
            set(quiet);
        }
        PyErr_Clear();
    }
    ~QuietWarnings() { set(filters_); }
    QuietWarnings(const QuietWarnings&) = delete;
    QuietWarnings& operator=(const QuietWarnings&) = delete;

   private:
    void set(const Ref<>& filters) {
        if (filters_ && filters && PyObject_SetAttrString(module_.get(), "filters", filters.get()) != 0) {
            PyErr_Clear();
        }
    }

    Ref<> module_;
    Ref<> filters_;
};

// How the code was compiled: with the same __future__ imports, which exec() inherits.
struct Compilation {
    PyCodeObject* code;
    int level;

    int flags() const { return (code->co_flags & PyCF_MASK) | PyCF_IGNORE_COOKIE | PyCF_SOURCE_IS_UTF8; }
    Ref<> ofText(const std::string& text, int more = 0) const {
        PyCompilerFlags given = {flags() | more, PY_MINOR_VERSION};
        Ref<> made = Ref<>::steal(Py_CompileStringObject(text.c_str(), code->co_filename, Py_file_input, &given, level));
        PyErr_Clear();
        return made;
    }
    Ref<> ofTree(PyObject* tree) const {
        Ref<> builtins = Ref<>::steal(PyImport_ImportModule("builtins"));
        Ref<> made = builtins ? Ref<>::steal(PyObject_CallMethod(builtins.get(), "compile", "OOsiii", tree, code->co_filename, "exec",
                                                                 code->co_flags & PyCF_MASK, 1, level))
                              : Ref<>();
        PyErr_Clear();
        return made;
    }
};

// Whether the code is among those that this one contains.
bool contains(const Ref<>& outer, PyCodeObject* code) {
    if (!outer || !PyCode_Check(outer.get())) {
        return false;
    }
    PyObject* constants = reinterpret_cast<PyCodeObject*>(outer.get())->co_consts;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(constants); i++) {
        Ref<> constant = Ref<>::borrow(PyTuple_GET_ITEM(constants, i));
        if (!PyCode_Check(constant.get())) {
            continue;
        }
        int equal = PyObject_RichCompareBool(constant.get(), reinterpret_cast<PyObject*>(code), Py_EQ);
        PyErr_Clear();
        if (equal == 1 || contains(constant, code)) {
            return true;
        }
    }
    return false;
}

// The line where a definition begins: its first decorator's, as in co_firstlineno.
int firstLine(PyObject* tree) {
    Ref<> decorators = attributeOf(tree, "decorator_list");
    if (decorators && PyList_Check(decorators.get()) && PyList_GET_SIZE(decorators.get()) > 0) {
        return numberOf(PyList_GET_ITEM(decorators.get(), 0), "lineno");
    }
    return numberOf(tree, "lineno");
}

bool mayDefine(PyObject* tree, PyCodeObject* code) {
    std::string_view type = Py_TYPE(tree)->tp_name;
    type.remove_prefix(type.rfind('.') + 1);
    std::string name = textOrEmpty(code->co_name);
    bool isNamed = type == "Lambda" ? name == "<lambda>" : type == "FunctionDef" && textAttribute(tree, "name") == name;
    return isNamed && firstLine(tree) == code->co_firstlineno;
}

// Those with the name and line of the code, outer ones first. Definitions may be anywhere.
void collect(PyObject* tree, PyCodeObject* code, std::vector<Ref<>>& found) {
    if (PyList_Check(tree)) {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(tree); i++) {
            collect(PyList_GET_ITEM(tree, i), code, found);
        }
        return;
    }
    Ref<> fields = attributeOf(tree, "_fields");
    if (!fields || !PyTuple_Check(fields.get())) {
        return;
    }
    if (mayDefine(tree, code)) {
        found.push_back(Ref<>::borrow(tree));
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fields.get()); i++) {
        Ref<> value = Ref<>::steal(PyObject_GetAttr(tree, PyTuple_GET_ITEM(fields.get(), i)));
        PyErr_Clear();
        if (value) {
            collect(value.get(), code, found);
        }
    }
}

// Whether the code is gone when this lambda has another body.
bool isNeeded(PyObject* lambda, PyObject* tree, const Compilation& compilation) {
    Ref<> ast = Ref<>::steal(PyImport_ImportModule("ast"));
    Ref<> body = attributeOf(lambda, "body");
    Ref<> other = ast ? Ref<>::steal(PyObject_CallMethod(ast.get(), "Constant", "s", "a body that no lambda has")) : Ref<>();
    Ref<> placed = other && body ? Ref<>::steal(PyObject_CallMethod(ast.get(), "copy_location", "OO", other.get(), body.get())) : Ref<>();
    if (!placed || PyObject_SetAttrString(lambda, "body", placed.get()) != 0) {
        PyErr_Clear();
        return false;
    }
    bool gone = !contains(compilation.ofTree(tree), compilation.code);
    PyObject_SetAttrString(lambda, "body", body.get());
    PyErr_Clear();
    return gone;
}

// Of several lambdas on the line: the innermost that the code is not made without. Where each would do, they are alike.
Ref<> choose(const std::vector<Ref<>>& candidates, PyObject* tree, const Compilation& compilation) {
    Ref<> chosen = candidates.back();
    for (const Ref<>& candidate : candidates) {
        if (candidates.size() > 1 && isNeeded(candidate.get(), tree, compilation)) {
            chosen = candidate;
        }
    }
    return chosen;
}

// A text as it was parsed and compiled.
struct Reading {
    std::string text;
    Ref<> file;
    int flags = 0;
    Ref<> tree;
    Ref<> codes[std::size(kLevels)];

    bool isOf(const std::string& other, PyCodeObject* code) const {
        return file && text == other && flags == Compilation{code, 0}.flags() && PyUnicode_Compare(file.get(), code->co_filename) == 0;
    }
    void begin(const std::string& other, PyCodeObject* code) {
        text = other;
        file = Ref<>::borrow(code->co_filename);
        flags = Compilation{code, 0}.flags();
        tree = Compilation{code, 0}.ofText(text, kOnlyAst);
        for (Ref<>& made : codes) {
            made = Ref<>();
        }
    }
};

// The kernels of a file are read one after another: the last text is kept, unless it is large.
Reading& lastReading() {
    static auto* last = new Reading;  // for ever: no reference is given back at exit
    return *last;
}

Ref<> findIn(Reading& reading, PyCodeObject* code) {
    std::vector<Ref<>> candidates;
    if (reading.tree) {
        collect(reading.tree.get(), code, candidates);
    }
    for (size_t i = 0; i < std::size(kLevels) && !candidates.empty(); i++) {
        Compilation compilation = {code, kLevels[i]};
        if (!reading.codes[i]) {
            reading.codes[i] = compilation.ofText(reading.text);
        }
        if (contains(reading.codes[i], code)) {
            return choose(candidates, reading.tree.get(), compilation);
        }
    }
    return {};
}

// By its lines alone. Several lambdas may be on a line.
Ref<> findAlone(const std::string& text, PyCodeObject* code) {
    std::string part = textOrEmpty(code->co_name) == "<lambda>" ? "" : definitionText(text, code);
    if (part.empty()) {
        return {};
    }
    Reading reading;
    reading.begin(part, code);
    return findIn(reading, code);
}

}  // namespace

Ref<> attributeOf(PyObject* object, const char* name) {
    Ref<> value = Ref<>::steal(PyObject_GetAttrString(object, name));
    PyErr_Clear();
    return value;
}

int numberOf(PyObject* node, const char* name) {
    Ref<> value = attributeOf(node, name);
    return value && PyLong_Check(value.get()) ? static_cast<int>(PyLong_AsLong(value.get())) : 0;
}

Ref<> findDefinition(PyCodeObject* code, const std::string& text, bool isOnlyRead) {
    constexpr size_t kMostKept = 256 << 10;
    QuietWarnings quiet;
    if (Ref<> alone = findAlone(text, code)) {
        return alone;
    }
    bool isKept = isOnlyRead && text.size() <= kMostKept;
    Reading reading = isKept ? lastReading() : Reading();  // a copy: what Python runs meanwhile may read another text
    if (!reading.isOf(text, code)) {
        reading.begin(text, code);
    }
    Ref<> found = findIn(reading, code);
    if (isKept) {
        lastReading() = std::move(reading);
    }
    return found;
}

}  // namespace kiln::gpu
