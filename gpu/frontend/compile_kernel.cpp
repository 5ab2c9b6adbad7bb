// The front end's entry.
#include "gpu/frontend/compile_kernel.h"

#include "gpu/frontend/function_builder.h"
#include "gpu/ir/passes.h"

namespace kiln::gpu {

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
    shared.checksBounds = options.checksAccesses;
    FunctionBuilder builder(shared, function, source);
    Function& kernel = *module->functions.front();
    kernel.name = builder.uniqueName(source->function->text.empty() ? "lambda" : source->function->text, 0);
    if (options.isDevice) {
        std::string types;
        for (const Value& argument : arguments) {
            types += describe(argument) + ";";
        }
        shared.callees.push_back({function, types, 0, Value::none(), false, false});
    }
    if (!builder.build(0, !options.isDevice, arguments)) {
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
    result.returned = builder.result();
    result.exceptions = std::move(shared.exceptions);
    result.kept = std::move(shared.kept);
    result.module = std::move(module);
    return result;
}

}  // namespace kiln::gpu
