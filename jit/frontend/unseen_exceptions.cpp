#include "jit/frontend/unseen_exceptions.h"

#include <opcode.h>

#include <algorithm>

#include "jit/frontend/attribute_access.h"
#include "jit/frontend/build_load_store.h"

namespace kiln {
namespace {

// The classes that the clause names, by global names that stay as they are. Empty: it does not.
std::vector<PyObject*> namedClasses(RegionBuilder& b, HandlerReader& reader) {
    std::vector<PyObject*> classes;
    const AbstractFrame& frame = b.state().frame();
    for (bool more = true; more;) {
        const BytecodeInstruction* global = reader.take(LOAD_GLOBAL);
        const BytecodeInstruction* name =
            global == nullptr && b.request().locals == frame.globals ? reader.take(LOAD_NAME) : nullptr;
        more = global != nullptr || name != nullptr;
        if (more) {
            PyObject* key = PyTuple_GET_ITEM(frame.code->co_names, global != nullptr ? global->oparg >> 1 : name->oparg);
            classes.push_back(constantName(b, frame.globals, key));
        }
    }
    const BytecodeInstruction* tuple = reader.take(BUILD_TUPLE);
    bool isWhole = classes.size() == (tuple != nullptr ? static_cast<size_t>(tuple->oparg) : 1);
    return isWhole && std::ranges::all_of(classes, isExceptionClass) ? classes : std::vector<PyObject*>();
}

// Instances of every class seen here keep the attribute themselves, and none of their classes has a say in it.
bool isPlainAttribute(RegionBuilder& b, const BytecodeInstruction& in, int index, bool stored) {
    PyObject* name = PyTuple_GET_ITEM(b.state().frame().code->co_names, index);
    const ClassSet& classes = b.siteOf(in).receivers;
    bool plain = classes.size() > 0 && !classes.others();
    for (int at = 0; plain && at < classes.size(); at++) {
        std::vector<PyTypeObject*> reliedOn;
        AttributeAccess access = classes[at] == nullptr ? AttributeAccess{}
                                 : stored               ? findStoredAttribute(classes[at], name, reliedOn)
                                                        : findAttribute(classes[at], name, reliedOn);
        plain = access.kind == AttributeKind::kValue || access.kind == AttributeKind::kOwn || access.kind == AttributeKind::kMember;
    }
    return plain;
}

bool isOfNumbers(const Site& site) {
    auto isNumber = [](PyTypeObject* cls) { return cls == &PyLong_Type || cls == &PyFloat_Type || cls == &PyBool_Type; };
    return isNumber(site.receivers.only()) && isNumber(site.rights.only());
}

// Runs no code of the program's, as far as it was seen: what cannot look at the exception that is being handled.
bool isBlind(RegionBuilder& b, const BytecodeInstruction& in) {
    const Site& site = b.siteOf(in);
    if (site.runsFinalisers) {
        return false;
    }
    switch (in.opcode) {
        case NOP:
        case COPY:
        case SWAP:
        case LOAD_CONST:
        case LOAD_FAST:
        case STORE_FAST: return true;
        case LOAD_ATTR: return (in.oparg & 1) == 0 && isPlainAttribute(b, in, in.oparg >> 1, false);
        case STORE_ATTR: return isPlainAttribute(b, in, in.oparg, true);
        case BINARY_OP: return isOfNumbers(site);
        default: return false;
    }
}

}  // namespace

bool isExceptionClass(PyObject* object) {
    return object != nullptr && PyExceptionClass_Check(object);
}

DroppingClause droppingClause(RegionBuilder& b, const ExceptionHandler& handler) {
    HandlerReader reader(b.bytecode(), handler.target);
    if (handler.keepsPlace || reader.take(PUSH_EXC_INFO) == nullptr) {
        return {};
    }
    DroppingClause clause{namedClasses(b, reader)};
    bool isWhole = clause.drops();
    for (int opcode : {CHECK_EXC_MATCH, POP_JUMP_IF_FALSE, POP_TOP}) {
        isWhole = isWhole && reader.take(opcode) != nullptr;
    }
    clause.body = reader.unit();
    while (isWhole && reader.next() != nullptr && isBlind(b, *reader.next())) {
        reader.skip();
    }
    bool hasBody = reader.unit() != clause.body;
    isWhole = isWhole && reader.take(POP_EXCEPT) != nullptr && reader.unit() >= 0 &&
              b.environment().profileOf(b.state().frame().code).reached(reader.unit());
    clause.end = reader.unit();
    clause.body = hasBody ? clause.body : clause.end;
    return isWhole ? clause : DroppingClause{};
}

}  // namespace kiln
