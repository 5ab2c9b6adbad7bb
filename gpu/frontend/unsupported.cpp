// Errors about what kernels cannot contain, with what to write instead.
#include "gpu/frontend/unsupported.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {
namespace {

const char* nodeName(const Node& node) {
    static constexpr const char* kNames[] = {
#define KILN_NODE(id, text, fields) #id,
#include "gpu/frontend/syntax.def"
#undef KILN_NODE
    };
    return node.kind == NodeKind::kOther ? node.text.c_str() : kNames[static_cast<int>(node.kind)];
}

// What to do instead of a construct, by the name of its node.
const std::map<std::string, const char*>& constructs() {
    static const std::map<std::string, const char*> kAdvice = {
        {"ListComp", "write a loop, and keep values in cuda.local.array"},
        {"GeneratorExp", "write a loop"},
        {"Dict", "keep values in arrays or tuples"},
        {"Set", "keep values in arrays or tuples"},
        {"List", "write a tuple, or keep values in cuda.local.array"},
        {"Try", "test what would raise before it does"},
        {"With", "there are no context managers on a device"},
        {"Import", "import above the kernel"},
        {"ImportFrom", "import above the kernel"},
        {"Yield", "write results into an array argument"},
        {"YieldFrom", "write results into an array argument"},
    };
    return kAdvice;
}

// What to do instead of a call, by module and name, or by module alone.
const std::map<std::string, const char*>& calls() {
    static const char* const kArray = "kernels get arrays as arguments, and make small ones by cuda.shared.array and cuda.local.array";
    static const std::map<std::string, const char*> kAdvice = {
        {"numpy.array", kArray}, {"numpy.asarray", kArray}, {"numpy.zeros", kArray}, {"numpy.empty", kArray},
        {"numpy.ones", kArray}, {"numpy.full", kArray}, {"numpy.zeros_like", kArray}, {"numpy.empty_like", kArray},
        {"numpy.ones_like", kArray}, {"numpy.arange", kArray}, {"numpy.linspace", kArray}, {"builtins.list", kArray},
        {"builtins.sorted", "sort in a loop"},
        {"random", "numba.cuda.random has generators for kernels"}, {"numpy.random", "numba.cuda.random has generators for kernels"},
    };
    return kAdvice;
}

std::string dotted(const Node& node) {
    if (node.kind == NodeKind::kAttribute) {
        std::string base = dotted(*node.child(0));
        return base.empty() ? "" : base + "." + node.text;
    }
    return node.kind == NodeKind::kName ? node.text : "";
}

// The module of a function, a bound method's object's module among them.
std::string moduleOf(PyObject* object) {
    Ref<> self = Ref<>::steal(PyCFunction_Check(object) || PyMethod_Check(object) ? PyObject_GetAttrString(object, "__self__") : nullptr);
    bool isBound = self && self.get() != Py_None && !PyModule_Check(self.get());
    std::string module = textAttribute(isBound ? reinterpret_cast<PyObject*>(Py_TYPE(self.get())) : object, "__module__");
    return module.rfind("numpy.random", 0) == 0 ? "numpy.random" : module;
}

}  // namespace

std::string takeMessage() {
    Ref<> error = Ref<>::steal(PyErr_GetRaisedException());
    Ref<> text = Ref<>::steal(error ? PyObject_Str(error.get()) : nullptr);
    std::string message = textOrEmpty(text.get());
    return !message.empty() ? message : "an exception without a message";
}

Value failUnsupported(FunctionBuilder& build, const Node& node, const char* what) {
    std::string name = nodeName(node);
    auto advice = constructs().find(name);
    return build.fail(node,
                      std::string("kernels cannot contain this ") + what + " (" + name + ")" +
                          (advice != constructs().end() ? std::string("; ") + advice->second : ""),
                      "UnsupportedError");
}

Value failCall(FunctionBuilder& build, const Node& function, PyObject* object) {
    std::string shown = dotted(function);
    std::string name = intrinsicName(object);
    auto advice = calls().find(name);
    advice = advice == calls().end() ? calls().find(moduleOf(object)) : advice;
    std::string text = advice != calls().end() ? std::string("; ") + advice->second : "";
    if (PyFunction_Check(object) && text.empty()) {
        text = "; decorate it with @cuda.jit(device=True)";
    }
    return build.fail(function, (shown.empty() ? "this" : "'" + shown + "'") + " cannot be called in a kernel" + text);
}

}  // namespace kiln::gpu
