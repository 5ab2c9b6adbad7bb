// Attributes and methods: a module's are constants, list.append is native, others are CPython's.
#include <opcode.h>

#include "jit/build/region_builder.h"

namespace kiln {
namespace {

// The method descriptor of list.append; immortal as its class is.
PyObject* appendMethod() {
    static PyObject* method = PyObject_GetAttrString(reinterpret_cast<PyObject*>(&PyList_Type), "append");
    return method;
}

}  // namespace

// Methods: list.append natively, others opaquely.
bool RegionBuilder::loadAttribute(const BytecodeInstruction& in) {
    PyObject* name = PyTuple_GET_ITEM(state_.frame().code->co_names, in.opcode == LOAD_ATTR ? in.oparg >> 1 : in.oparg);
    if (in.opcode == STORE_ATTR) {
        opaqueAttributeStore(in, name);
        return true;
    }
    bool method = in.oparg & 1;
    AbstractValue receiver = top();
    if (receiver.kind == Kind::kConstant && PyModule_CheckExact(receiver.constant)) {
        return loadModuleAttribute(in, receiver.constant, name, method);
    }
    if (method && receiver.kind == Kind::kObject && receiver.cls == &PyList_Type &&
        PyUnicode_CompareWithASCIIString(name, "append") == 0) {
        // [method, self], as the interpreter's own LOAD_ATTR leaves them.
        AbstractValue list = pop();
        push(AbstractValue::constantObject(appendMethod()));
        push(list);
        state_.frame().unit = in.next;
        return true;
    }
    opaqueAttributeLoad(in, name, method);
    return true;
}

// A module's attribute is a constant behind the watcher of the module's dict.
bool RegionBuilder::loadModuleAttribute(const BytecodeInstruction& in, PyObject* module, PyObject* name, bool method) {
    PyObject* dict = PyModule_GetDict(module);
    PyObject* value = PyDict_GetItemWithError(dict, name);
    if (value == nullptr || !environment_.isStableName(dict, name)) {
        PyErr_Clear();
        opaqueAttributeLoad(in, name, method);
        return true;
    }
    result_.dependencies.push_back({dict, name});
    result_.keptAlive.push_back(Ref<>::borrow(value));
    release(pop());
    if (method) {
        push(AbstractValue::null());
    }
    push(constantValue(value));
    state_.frame().unit = in.next;
    return true;
}

bool RegionBuilder::callMethod(const BytecodeInstruction& in, int arguments) {
    bool appends = top(arguments + 1).constant == appendMethod() && top(arguments).cls == &PyList_Type;
    if (!appends || arguments != 1 || keywordNames_ != nullptr || top(1).kind != Kind::kObject) {
        return false;
    }
    Id object = boxEntry(0);
    ir::SnapshotId raise = snapshot(before_, ExitReason::k_exception, true);
    emitExitingAt(ir::Op::k_list_append, {top(1).value, object}, raise);
    finishCall(in, 3, AbstractValue::none());
    return true;
}

}  // namespace kiln
