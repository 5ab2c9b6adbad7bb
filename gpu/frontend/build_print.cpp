// print in kernels.
#include <algorithm>

#include "gpu/frontend/build_attribute.h"
#include "gpu/frontend/build_brain.h"
#include "gpu/frontend/build_call.h"
#include "gpu/frontend/build_text.h"
#include "gpu/frontend/intrinsics.h"
#include "gpu/frontend/object_text.h"

namespace kiln::gpu {
namespace {

// What one print writes: texts, and numbers when the kernel runs.
class Printed {
public:
    explicit Printed(FunctionBuilder& build) : build_(build) {}

    void addText(const std::string& text) { parts_.push_back({text, false}); }

    // False for what cannot be shown.
    bool add(const Value& value) {
        if (value.isScalar()) {
            return addNumber(value, "");
        }
        if (value.kind == ValueKind::kJoined) {
            return std::all_of(value.items.begin(), value.items.end(),
                               [this](const Value& item) { return addPart(item); });
        }
        if (value.kind == ValueKind::kTuple) {
            return addTuple(value.items);
        }
        if (isGeometry(value)) {
            return addTuple(
                {geometryPart(build_, value, 0), geometryPart(build_, value, 1), geometryPart(build_, value, 2)});
        }
        Ref<> known = value.isNone() ? Ref<>() : value.isMember() ? constantObject(value) : constantText(value);
        Ref<> shown = Ref<>::steal(known ? PyObject_Str(known.get()) : nullptr);
        PyErr_Clear();
        addText(value.isNone() ? "None" : textOrEmpty(shown.get()));
        return value.isNone() || shown;
    }

    void emit() {
        auto& prints = build_.function().prints;
        build_.emitRaw(Op::kPrint, nullptr, operands_, static_cast<uint32_t>(prints.size()));
        prints.push_back(parts_);
    }

private:
    bool addNumber(const Value& value, const std::string& format) {
        bool isShown = !value.type->isComplex() && !value.type->isTime();
        if (isShown) {
            parts_.push_back({format, true});
            operands_.push_back(build_.use(widened(build_, value)));
        }
        return isShown;
    }

    // Of an f-string: a text, or a value and its format.
    bool addPart(const Value& item) {
        bool isFormatted = item.kind == ValueKind::kTuple && !item.items[1].text.empty();
        return isFormatted ? addNumber(item.items[0], item.items[1].text)
                           : add(item.kind == ValueKind::kTuple ? item.items[0] : item);
    }

    bool addTuple(const std::vector<Value>& items) {
        bool isShown = true;
        addText("(");
        for (size_t i = 0; isShown && i < items.size(); i++) {
            addText(i > 0 ? ", " : "");
            isShown = add(items[i]);
        }
        addText(items.size() == 1 ? ",)" : ")");
        return isShown;
    }

    FunctionBuilder& build_;
    std::vector<PrintPart> parts_;
    std::vector<ValueId> operands_;
};

}  // namespace

// The parts are separated by spaces and end with a newline.
Value callPrint(FunctionBuilder& build, Call& call) {
    if (build.module().isLoop) {
        return build.fail(call.node, "print goes to Python's sys.stdout, in order", "UnsupportedError");
    }
    std::string separator = " ";
    std::string end = "\n";
    for (const auto& [name, value] : call.options) {
        if ((name != "sep" && name != "end") || (value.kind != ValueKind::kText && !value.isNone())) {
            return build.fail(call.node,
                              "print in kernels takes sep and end, which are constant strings, and no " + name,
                              "UnsupportedError");
        }
        (name == "sep" ? separator : end) = value.isNone() ? (name == "sep" ? " " : "\n") : value.text;
    }
    Printed printed(build);
    for (size_t i = 0; i < call.size(); i++) {
        printed.addText(i > 0 ? separator : "");
        if (!printed.add(call[i])) {
            return build.fail(call.node, "print cannot show " + describe(call[i]));
        }
    }
    printed.addText(end);
    printed.emit();
    return Value::none();
}

}  // namespace kiln::gpu
