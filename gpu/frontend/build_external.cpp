// Calls of functions that other languages define, and that are linked to the kernel on a GPU.
#include "gpu/frontend/build_external.h"
#include "gpu/frontend/build_conversion.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/linked_code.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {
namespace {

// A type by its name; * before it: a pointer to elements of it, which is an array of unknown length. nullptr for another one.
const Type* externalType(PyObject* name) {
    std::string text = textOrEmpty(name);
    bool isPointer = !text.empty() && text[0] == '*';
    const Type* type = scalarNamed(std::string_view(text).substr(isPointer ? 1 : 0));
    return isPointer && type != nullptr ? arrayType(type, 1, Layout::kC) : type;
}

// The function that stands for one of declare_device(), whose `description` is (name, convention, result or None, (parameters), code,
// whether it waits for all blocks).
bool declareExternal(FunctionBuilder& build, const Node& node, PyObject* description, uint32_t& index) {
    const char* name = nullptr;
    const char* convention = nullptr;
    PyObject* result = nullptr;
    PyObject* parameters = nullptr;
    PyObject* code = nullptr;
    int waitsForGrid = 0;
    Module& module = *build.module().module;
    auto made = std::make_unique<Function>();
    if (!PyArg_ParseTuple(description, "ssOO!Op", &name, &convention, &result, &PyTuple_Type, &parameters, &code, &waitsForGrid) ||
        !readLinkedCode(code, module.links, build.module().watchers)) {
        build.fail(node, takeMessage());
        return false;
    }
    made->externalName = name;
    made->waitsForGrid = waitsForGrid != 0;
    made->givesByPointer = convention == std::string_view("numba");
    made->pythonName = name;
    if (result != Py_None) {
        made->results.push_back(externalType(result));
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(parameters); i++) {
        made->parameters.push_back(externalType(PyTuple_GET_ITEM(parameters, i)));
        made->parameterNames.push_back("argument_" + std::to_string(i));
    }
    index = static_cast<uint32_t>(module.functions.size());
    made->name = build.module().uniqueName("call_" + made->externalName, index);
    for (uint32_t i = 0; i < module.functions.size(); i++) {
        const Function& known = *module.functions[i];
        if (known.externalName == made->externalName && known.parameters == made->parameters &&
            known.results == made->results) {
            index = i;
            return true;
        }
    }
    module.functions.push_back(std::move(made));
    return true;
}

}  // namespace

void addWatcher(PyObject* watcher, std::vector<Ref<>>& out) {
    for (const Ref<>& known : out) {
        if (known.get() == watcher) {
            return;
        }
    }
    out.push_back(Ref<>::borrow(watcher));
}

bool readLinkedCode(PyObject* list, std::vector<LinkedCode>& out, std::vector<Ref<>>& watchers) {
    for (Py_ssize_t i = 0; PyTuple_Check(list) && i < PyTuple_GET_SIZE(list); i++) {
        const char* kind = nullptr;
        const char* name = nullptr;
        PyObject* bytes = nullptr;
        PyObject* watcher = nullptr;
        if (!PyArg_ParseTuple(PyTuple_GET_ITEM(list, i), "ssSO", &kind, &name, &bytes, &watcher)) {
            return false;
        }
        bool isWatched = watcher != Py_None;
        if (isWatched) {
            addWatcher(watcher, watchers);
        }
        addLinkedCode({kind, name, std::string(PyBytes_AS_STRING(bytes), static_cast<size_t>(PyBytes_GET_SIZE(bytes))), isWatched}, out);
    }
    return true;
}

void addLinkedCode(LinkedCode code, std::vector<LinkedCode>& out) {
    for (LinkedCode& known : out) {
        if (known.kind == code.kind && known.bytes == code.bytes) {
            known.isWatched = known.isWatched || code.isWatched;
            return;
        }
    }
    out.push_back(std::move(code));
}

Value callExternal(FunctionBuilder& build, const Node& node, PyObject* description,
                   const std::vector<Value>& arguments) {
    uint32_t index = 0;
    if (!declareExternal(build, node, description, index)) {
        return {};
    }
    const Function& target = *build.module().module->functions[index];
    std::vector<const Type*> wanted = target.parameters;
    const Type* result = target.results.empty() ? nullptr : target.results[0];
    if (arguments.size() != wanted.size() || !node.list(2).empty()) {
        return build.fail(node, target.externalName + " takes " + std::to_string(wanted.size()) + " arguments");
    }
    std::vector<ValueId> operands;
    for (size_t i = 0; i < wanted.size(); i++) {
        const Value& given = arguments[i];
        bool isArray = wanted[i]->isArray();
        bool fits =
            isArray ? given.isArray() && given.type->element == wanted[i]->element && given.type->layout == Layout::kC
                    : given.isScalar() && (wanted[i]->isComplex() || !given.type->isComplex());
        if (!fits) {
            std::string kind =
                isArray ? "a pointer into a contiguous array of " + wanted[i]->element->name : wanted[i]->name;
            return build.fail(node, target.externalName + " takes " + kind + " there, and this is " + describe(given));
        }
        operands.push_back(
            build.use(isArray ? reshaped(build, node, given, {Value::integer(-1)}) : convert(build, given, wanted[i])));
    }
    if (result == nullptr) {
        build.emitRaw(Op::kCall, nullptr, operands, index);
        return Value::none();
    }
    return build.emit(Op::kCall, result, operands, index);
}

// cffi's from_buffer(): the array, which is then passed as a pointer.
Value callFromBuffer(FunctionBuilder& build, Call& call) {
    bool isWhole = call[0].isArray() && call[0].type->layout == Layout::kC;
    return isWhole ? call[0]
                   : build.fail(call.node, "from_buffer takes a contiguous array, and this is " + describe(call[0]));
}

}  // namespace kiln::gpu
