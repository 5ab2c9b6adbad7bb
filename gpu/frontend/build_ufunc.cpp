// NumPy's functions of numbers, called with arrays: element by element, into an array that is given.
#include <algorithm>
#include <string_view>

#include "gpu/frontend/build_arrays.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_complex.h"
#include "gpu/frontend/build_expression.h"
#include "gpu/frontend/build_operators.h"
#include "gpu/frontend/build_ufunc.h"
#include "gpu/frontend/build_view.h"
#include "gpu/frontend/intrinsics.h"

namespace kiln::gpu {

// Rows of NumPy's whose parameters are numbers.
bool isElementwise(const Intrinsic& row, const std::vector<Value>& given) {
    std::string_view name = row.name;
    bool isUfunc = name.substr(0, 6) == "numpy." && std::string_view(row.parameters).find('/') != std::string_view::npos;
    return isUfunc && std::any_of(given.begin(), given.end(), [](const Value& value) { return value.isArray(); });
}

// The result is the last argument, or out=. Shorter arrays are repeated, as are those of one element in a dimension.
Value callElementwise(FunctionBuilder& build, const Node& node, const Intrinsic& row, const Value& callee, std::vector<Value> given) {
    std::string_view parameters = row.parameters;
    auto count = static_cast<size_t>(std::count(parameters.begin(), parameters.end(), ','));  // one in front of the /
    const Node* named = keywordOf(node, "out");
    Value out = named != nullptr            ? buildExpression(build, *named)
                : given.size() == count + 1 ? given.back()
                                            : Value::none();
    given.resize(std::min(given.size(), count));
    if (build.failed() || !out.isArray() || given.size() != count || node.list(2).size() > (named != nullptr ? 1 : 0)) {
        return build.fail(node, std::string(row.name) + " of arrays needs an array for its results, as its last argument or out=, in kernels",
                    "UnsupportedError");
    }
    Value zero = Value::integer(0);
    forElements(build, out, [&](const std::vector<Value>& at) {
        Call call = {node, row, callee, {}, {}};
        for (const Value& argument : given) {
            if (!argument.isArray()) {
                call.arguments.push_back(argument);
                continue;
            }
            int ndim = argument.type->ndim;
            std::vector<Value> place;
            for (int axis = 0; axis < ndim && ndim <= out.type->ndim; axis++) {
                Value isOne = compared(build, Op::kEqual, dimensionOf(build, argument, axis), Value::integer(1));
                place.push_back(select(build, isOne, zero, at[at.size() - static_cast<size_t>(ndim - axis)]));
            }
            call.arguments.push_back(ndim <= out.type->ndim
                                         ? loadAt(build, argument, place)
                                         : build.fail(node, "an array has more dimensions than the results"));
        }
        Value value = build.failed() ? Value() : callHandler(build, call);
        if (!build.failed()) {
            storeAt(build, out, at, value);
        }
    });
    return build.failed() ? Value() : out;
}

}  // namespace kiln::gpu
