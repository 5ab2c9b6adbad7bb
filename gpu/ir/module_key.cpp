// What the code of a module depends on, as one text: each number and text in it ends where it says.
#include "gpu/ir/module_key.h"

#include <map>

namespace kiln::gpu {
namespace {

class KeyWriter {
public:
    std::string run(const Module& module) {
        add(module.functions.size());
        for (const auto& function : module.functions) {
            add(*function);
        }
        add(module.faults.size());
        add(module.accesses.size());
        add(module.reorders);
        add(module.areApart);
        return std::move(out_);
    }

private:
    template <typename Number>
    void add(Number number) requires std::is_arithmetic_v<Number> || std::is_enum_v<Number> {
        out_ += std::to_string(static_cast<int64_t>(number));
        out_ += ' ';
    }
    void add(const std::string& text) {
        add(text.size());
        out_ += text;
    }
    template <typename Item>
    void add(const std::vector<Item>& list) {
        add(list.size());
        for (const auto& item : list) {
            add(item);
        }
    }

    // A type is written where it comes first; from then on it is its number.
    void add(const Type* type) {
        if (type == nullptr) {
            add(-1);
            return;
        }
        auto [found, isNew] = types_.try_emplace(type, types_.size());
        add(found->second);
        if (!isNew) {
            return;
        }
        add(type->kind);
        add(type->bits);
        add(type->element);
        add(type->ndim);
        add(type->layout);
        add(type->space);
        add(type->readonly);
        add(type->fields);
        add(type->alignment);
        add(type->unit);
    }
    void add(const Field& field) {
        add(field.type);
        add(field.shape);
        add(field.offset);
    }

    void add(const Block& block) {
        add(block.code.size());
        for (const Instruction& instruction : block.code) {
            add(instruction);
        }
    }
    void add(const Instruction& instruction) {
        add(instruction.op);
        add(instruction.result);
        add(instruction.type);
        add(instruction.operands);
        add(instruction.bits);
        add(instruction.index);
        add(instruction.access);
        add(instruction.isPlain);
        add(instruction.blocks.size());
        for (const auto& nested : instruction.blocks) {
            add(*nested);
        }
    }

    void add(const Variable& variable) { add(variable.type); }
    void add(const StaticArray& array) {
        add(array.type);
        add(array.shape);
        add(array.alignment);
        add(array.bytes);
    }
    void add(const GlobalArray& array) {
        add(array.type);
        add(array.address);
        add(array.shape);
        add(array.strides);
    }
    void add(const PrintPart& part) {
        add(part.text);
        add(part.isOperand);
    }
    void add(const FillBound& bound) {
        add(bound.dimension);
        add(bound.parameter);
        add(bound.size);
    }
    void add(const Fill& fill) {
        add(fill.axes);
        add(fill.bounds);
    }
    void add(const std::vector<bool>& flags) {
        add(flags.size());
        for (bool flag : flags) {
            add(flag);
        }
    }

    void add(const Function& function) {
        add(function.externalName);
        add(function.givesByPointer);
        add(function.waitsForGrid);
        add(function.isKernel);
        add(function.isCalled);
        add(function.parameters);
        add(function.results);
        add(function.variables);
        add(function.values);
        add(function.arrays);
        add(function.constants);
        add(function.globals);
        add(function.prints);
        add(function.body);
        add(function.reads);
        add(function.writes);
        add(function.fills);
    }

    std::string out_;
    std::map<const Type*, size_t> types_;
};

}  // namespace

std::string keyOf(const Module& module) {
    return KeyWriter().run(module);
}

}  // namespace kiln::gpu
