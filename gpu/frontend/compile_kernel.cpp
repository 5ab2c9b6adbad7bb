// The front end's entry.
#include "gpu/frontend/compile_kernel.h"

#include <algorithm>

#include "gpu/frontend/build_function.h"
#include "gpu/ir/passes.h"

namespace kiln::gpu {

bool Binding::holds() const {
    PyObject* now = PyCell_Check(holder.get()) ? PyCell_GET(holder.get()) : PyDict_GetItemWithError(holder.get(), name.get());
    PyErr_Clear();
    return now == value.get();
}

bool stillHolds(const std::vector<Binding>& bindings) {
    return std::all_of(bindings.begin(), bindings.end(), [](const Binding& binding) { return binding.holds(); });
}

FrontendResult compileFrontend(PyObject* function, const std::vector<Value>& arguments, const FrontendOptions& options) {
    FrontendResult result;
    std::string error;
    std::shared_ptr<const FunctionSource> source = readFunction(function, error);
    if (source == nullptr) {
        result.error = {true, "UnsupportedError", error};
        return result;
    }
    auto module = std::make_unique<Module>();
    module->functions.push_back(std::make_unique<Function>());
    ModuleBuilder shared;
    shared.module = module.get();
    shared.debug = options.debug;
    shared.checksDivision = options.checksDivision;
    shared.checksBounds = options.checksBounds;
    shared.isLoop = options.isLoop;
    FunctionBuilder builder(shared, 0, function, source);
    Function& kernel = *module->functions.front();
    kernel.name = shared.uniqueName(source->function->text.empty() ? "lambda" : source->function->text, 0);
    if (options.isDevice) {
        std::string types;
        for (const Value& argument : arguments) {
            types += describe(argument) + ";";
        }
        shared.callees.push_back({function, types, 0, Value::none(), false, false});
    }
    if (!buildFunction(builder, !options.isDevice, arguments)) {
        result.error = shared.error;
        return result;
    }
    if (options.checksAccesses) {
        noteAccesses(*module);
    }
    std::string wrong = simplify(*module);
    if (!wrong.empty()) {
        result.error = {true, "LoweringError", wrong + "\n  in kernel " + kernel.pythonName + ", " + kernel.file + ":" + std::to_string(kernel.line)};
        return result;
    }
    std::string broken = verify(*module);
    if (!broken.empty()) {
        result.error = {true, "InternalError", "kiln built broken kernel IR: " + broken + "\n" + print(*module)};
        return result;
    }
    result.returned = builder.returns().result;
    result.exceptions = std::move(shared.exceptions);
    result.kept = std::move(shared.kept);
    result.watchers = std::move(shared.watchers);
    result.bindings = std::move(shared.bindings);
    result.module = std::move(module);
    return result;
}

}  // namespace kiln::gpu
