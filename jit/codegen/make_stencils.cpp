// Build tool: make_stencils FILE writes the stencils of all ops and pieces as a C++ table.
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/MC/TargetRegistry.h>
#include <llvm/Object/ELFObjectFile.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/LEB128.h>
#include <llvm/Support/TargetSelect.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <vector>

#include "interp/cpython/layout_fields.h"
#include "jit/codegen/optimizer.h"
#include "jit/codegen/stencil_lowering.h"

namespace kiln {
namespace {

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "make_stencils: %s\n", what.c_str());
    std::exit(1);
}

template <typename T>
T orFail(llvm::Expected<T> expected) {
    if (!expected) {
        fail(llvm::toString(expected.takeError()));
    }
    return std::move(*expected);
}

std::string stencilName(int index) {
    return "kiln_stencil_" + std::to_string(index);
}

// The functions of all stencils, as one module.
class StencilModule {
   public:
    // `spareWords`: of the stack, by name.
    StencilModule(llvm::LLVMContext& context, const std::map<std::string, int>& spareWords)
        : module_("stencils", context), environment_(makeHoleEnvironment()), spareWords_(spareWords) {
        module_.setOverrideStackAlignment(8);  // the stack is as calls want it wherever a stencil begins: stencil_entries.cpp
        static_assert(sizeof environment_.fields == sizeof(KilnLayout));
        std::copy_n(reinterpret_cast<const int64_t*>(kiln_layout()), std::size(environment_.fields), environment_.fields);
        environment_.valuesOffset = KILN_VALUES_WORD;
    }

    void make() {
        for (int op = 0; op < ir::kOpCount; op++) {
            for (int variant = 0; variant < variantCount(static_cast<ir::Op>(op)); variant++) {
                makeOp(static_cast<ir::Op>(op), variant);
            }
        }
        makePieces();
    }
    llvm::Module& module() { return module_; }

   private:
    int spareWordsOf(const std::string& name) const {
        auto found = spareWords_.find(name);
        return found != spareWords_.end() ? found->second : 0;
    }

    void makeOp(ir::Op op, int variant) {
        RootForm root;
        ir::Region region = regionOfVariant(op, variant, root);
        if (!isSensible(region)) {
            return;
        }
        CodegenRequest request = makeHoleRequest(region, root);
        std::string name = stencilName(stencilIndex(op, variant));
        StencilLowering(environment_, request, root, module_, spareWordsOf(name)).makeOp(name);
    }

    // Values have a type, elements that of the op, and the functions of libm the operands that the op has.
    static bool isSensible(const ir::Region& region) {
        const ir::Instruction& in = region.blocks[0].instructions[0];
        bool isMath = in.op == ir::Op::k_math_unary || in.op == ir::Op::k_math_binary;
        if (isMath && kMathArities[in.immediate] != static_cast<int>(in.operands.size())) {
            return false;
        }
        bool isInt = in.op == ir::Op::k_element_int || in.op == ir::Op::k_store_element_int || in.op == ir::Op::k_guard_fits ||
                     in.op == ir::Op::k_int_narrow;
        bool ofFloat = in.op == ir::Op::k_element_float || in.op == ir::Op::k_store_element_float;
        if ((isInt || ofFloat) && isFloat(static_cast<Element>(in.immediate)) != ofFloat) {
            return false;
        }
        for (ir::ValueId operand : in.operands) {
            if (region.valueTypes[static_cast<size_t>(operand)] == ir::Type::kNone) {
                return false;
            }
        }
        bool needsResult = ir::info(in.op).result == '*';
        return !needsResult || in.type != ir::Type::kNone;
    }

    void makePieces() {
        constexpr int kVariants[] = {
#define KILN_PIECE(name, variants, meaning) variants,
#include "jit/quick/pieces.def"
#undef KILN_PIECE
        };
        for (int piece = 0; piece < static_cast<int>(Piece::kCount); piece++) {
            for (int variant = 0; variant < kVariants[piece]; variant++) {
                makePiece(static_cast<Piece>(piece), variant);
            }
        }
    }

    void makePiece(Piece piece, int variant) {
        bool hasType = piece == Piece::k_argument || piece == Piece::k_box;
        if (hasType && static_cast<ir::Type>(variant) == ir::Type::kNone) {
            return;
        }
        RootForm root = piece == Piece::k_begin ? RootForm::of(variant) : RootForm{};
        ir::Region region;
        region.isFunction = root.isFunction;
        region.returnType = hasType ? static_cast<ir::Type>(variant) : ir::Type::kNone;
        region.snapshots.emplace_back();
        CodegenRequest request = makeHoleRequest(region, root);
        std::string name = stencilName(stencilIndex(piece, variant));
        StencilLowering(environment_, request, root, module_, spareWordsOf(name)).makePiece(piece, variant, name);
    }

    llvm::Module module_;
    CodegenEnvironment environment_;
    const std::map<std::string, int>& spareWords_;
};

std::unique_ptr<llvm::TargetMachine> makeMachine() {
    // Arguments on the stack are stored, not pushed: so the stack pointer is the same at all calls of a function.
    const char* arguments[] = {"make_stencils", "-no-x86-call-frame-opt"};
    llvm::cl::ParseCommandLineOptions(static_cast<int>(std::size(arguments)), arguments);
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    llvm::InitializeNativeTargetAsmParser();
    std::string error;
    const char* triple = "x86_64-unknown-linux-gnu";
    const llvm::Target* target = llvm::TargetRegistry::lookupTarget(triple, error);
    if (target == nullptr) {
        fail(error);
    }
    llvm::TargetOptions options;
    options.AllowFPOpFusion = llvm::FPOpFusion::Strict;
    options.FunctionSections = true;
    options.EmitStackSizeSection = true;
    return std::unique_ptr<llvm::TargetMachine>(target->createTargetMachine(
        triple, "x86-64", "+sse4.1", options, llvm::Reloc::Static, llvm::CodeModel::Small, llvm::CodeGenOptLevel::Default));
}

llvm::SmallString<0> compile(llvm::Module& module, llvm::TargetMachine& machine) {
    module.setTargetTriple(machine.getTargetTriple().str());
    module.setDataLayout(machine.createDataLayout());
    auto simplify = [](llvm::PassBuilder& passes, llvm::Module& lowered, llvm::ModuleAnalysisManager& analyses) {
        llvm::ModulePassManager few;
        llvm::cantFail(passes.parsePassPipeline(few, "function(sroa,early-cse<memssa>,instcombine<no-verify-fixpoint>,simplifycfg)"));
        few.run(lowered, analyses);
    };
    std::string error;
    if (!optimizeStencils(module, machine, simplify, std::getenv("KILN_DUMP") != nullptr, error)) {
        fail(error);
    }
    llvm::SmallString<0> object;
    llvm::raw_svector_ostream stream(object);
    llvm::legacy::PassManager passes;
    if (machine.addPassesToEmitFile(passes, stream, nullptr, llvm::CodeGenFileType::ObjectFile)) {
        fail("no object files for this machine");
    }
    passes.run(module);
    return object;
}

struct MadeStencil {
    std::string code;
    std::vector<Hole> holes;
};

// Reads the stencils out of the object file.
class ObjectReader {
   public:
    explicit ObjectReader(const llvm::SmallString<0>& object)
        : file_(orFail(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "stencils")))), stencils_(static_cast<size_t>(stencilCount())) {
        for (int hole = 0; hole < static_cast<int>(HoleKind::kCount); hole++) {
            holes_[holeName(static_cast<HoleKind>(hole))] = hole;
        }
        for (int function = 0; function < static_cast<int>(RuntimeFunction::kCount); function++) {
            holes_[holeName(static_cast<RuntimeFunction>(function))] = static_cast<int>(HoleKind::kCount) + function;
        }
        for (int index = 0; index < stencilCount(); index++) {
            indices_[stencilName(index)] = index;
        }
    }

    const std::vector<MadeStencil>& read() {
        std::map<uint64_t, int> ofSection;
        for (const llvm::object::SymbolRef& symbol : file_->symbols()) {
            auto found = indices_.find(orFail(symbol.getName()).str());
            if (found != indices_.end()) {
                auto section = orFail(symbol.getSection());
                ofSection[section->getIndex()] = found->second;
                stencils_[static_cast<size_t>(found->second)].code = orFail(section->getContents()).str();
            }
        }
        for (const llvm::object::SectionRef& section : file_->sections()) {
            auto target = orFail(section.getRelocatedSection());
            auto found = target == file_->section_end() ? ofSection.end() : ofSection.find(target->getIndex());
            if (found != ofSection.end()) {
                for (const llvm::object::RelocationRef& relocation : section.relocations()) {
                    addHole(stencils_[static_cast<size_t>(found->second)], relocation);
                }
            }
        }
        return stencils_;
    }

   private:
    void addHole(MadeStencil& stencil, const llvm::object::RelocationRef& relocation) {
        Hole hole{.at = static_cast<uint16_t>(relocation.getOffset()), .kind = 0, .form = formOf(relocation.getType()), .addend = 0};
        int64_t addend = orFail(llvm::object::ELFRelocationRef(relocation).getAddend());
        auto symbol = relocation.getSymbol();
        auto known = holes_.find(orFail(symbol->getName()).str());
        if (known != holes_.end()) {
            hole.kind = static_cast<uint8_t>(known->second);
        } else {
            hole.kind = static_cast<uint8_t>(HoleKind::k_self);
            int64_t behind = hole.form == HoleForm::kRelative32 ? -4 : 0;  // relative to the instruction's end
            addend = addConstant(stencil, *symbol, addend - behind) + behind;
        }
        hole.addend = static_cast<int32_t>(addend);
        if ((hole.form == HoleForm::kAbsolute64) != isLargeHole(hole.kind)) {
            fail("a hole of another size: " + orFail(symbol->getName()).str());
        }
        stencil.holes.push_back(hole);
    }

    static HoleForm formOf(uint64_t type) {
        switch (type) {
            case llvm::ELF::R_X86_64_PC32: case llvm::ELF::R_X86_64_PLT32: return HoleForm::kRelative32;
            case llvm::ELF::R_X86_64_32: case llvm::ELF::R_X86_64_32S: return HoleForm::kAbsolute32;
            case llvm::ELF::R_X86_64_64: return HoleForm::kAbsolute64;
            default: fail("a relocation of type " + std::to_string(type));
        }
    }

    // What lies in the object's constants goes behind the code. Its offset there.
    int64_t addConstant(MadeStencil& stencil, const llvm::object::SymbolRef& symbol, int64_t offset) {
        constexpr size_t kUnit = 16;
        auto section = orFail(symbol.getSection());
        if (section == file_->section_end() || section->isText()) {
            fail("a stencil needs " + orFail(symbol.getName()).str());
        }
        llvm::StringRef contents = orFail(section->getContents());
        auto from = static_cast<size_t>(static_cast<int64_t>(orFail(symbol.getAddress())) + offset);
        stencil.code.resize((stencil.code.size() + kUnit - 1) & ~(kUnit - 1));
        size_t place = stencil.code.size();
        stencil.code += contents.substr(from, kUnit).str();
        return static_cast<int64_t>(place);
    }

    std::unique_ptr<llvm::object::ObjectFile> file_;
    std::vector<MadeStencil> stencils_;
    std::map<std::string, int> holes_;
    std::map<std::string, int> indices_;
};

bool bringsConstants(const MadeStencil& made) {
    return std::any_of(made.holes.begin(), made.holes.end(), [](const Hole& hole) { return static_cast<HoleKind>(hole.kind) == HoleKind::k_self; });
}

// Its last instruction is a jump to `next`.
bool goesOn(const MadeStencil& made) {
    constexpr size_t kJump = 5;
    for (const Hole& hole : made.holes) {
        bool isLast = hole.at + 4u == made.code.size() && hole.form == HoleForm::kRelative32;
        if (isLast && static_cast<HoleKind>(hole.kind) == HoleKind::k_next && made.code.size() >= kJump) {
            return static_cast<unsigned char>(made.code[made.code.size() - kJump]) == 0xE9;
        }
    }
    return false;
}

void write(const std::vector<MadeStencil>& stencils, FILE* file) {
    size_t code = 0;
    size_t holes = 0;
    std::fprintf(file, "// Made by make_stencils.\nconst Stencil kStencils[] = {\n");
    for (const MadeStencil& made : stencils) {
        std::fprintf(file, "{%zu,%zu,%zu,%zu,%s,%s},\n", code, holes, made.code.size(), made.holes.size(), goesOn(made) ? "true" : "false",
                     bringsConstants(made) ? "true" : "false");
        code += made.code.size();
        holes += made.holes.size();
    }
    std::fprintf(file, "};\nconst Hole kStencilHoles[] = {\n");
    for (const MadeStencil& made : stencils) {
        for (const Hole& hole : made.holes) {
            std::fprintf(file, "{%d,%d,static_cast<HoleForm>(%d),%d},\n", hole.at, hole.kind, static_cast<int>(hole.form), hole.addend);
        }
    }
    std::fprintf(file, "};\nconst unsigned char kStencilCode[] = {\n");
    for (const MadeStencil& made : stencils) {
        for (char byte : made.code) {
            std::fprintf(file, "%d,", static_cast<unsigned char>(byte));
        }
        std::fprintf(file, "\n");
    }
    std::fprintf(file, "0};\n");
}

llvm::SmallString<0> makeObject(llvm::TargetMachine& machine, const std::map<std::string, int>& spareWords) {
    llvm::LLVMContext context;
    StencilModule stencils(context, spareWords);
    stencils.module().setDataLayout(machine.createDataLayout());
    stencils.make();
    return compile(stencils.module(), machine);
}

// Of the function in whose section the relocation's symbol lies.
std::string functionOf(const llvm::object::RelocationRef& relocation) {
    llvm::StringRef section = orFail(orFail(relocation.getSymbol()->getSection())->getName());
    section.consume_front(".text.");
    return section.str();
}

// Stencils that call with the stack a word away from a multiple of 16. Sections .stack_sizes have for each function its address,
// which is a relocation, and the bytes that it takes, as a ULEB128.
std::vector<std::string> oddStacksIn(const llvm::SmallString<0>& object) {
    constexpr size_t kAddress = 8;
    constexpr uint64_t kAlignment = 16;
    auto file = orFail(llvm::object::ObjectFile::createObjectFile(llvm::MemoryBufferRef(object, "stencils")));
    std::vector<std::string> odd;
    for (const llvm::object::SectionRef& relocations : file->sections()) {
        auto section = orFail(relocations.getRelocatedSection());
        if (section == file->section_end() || orFail(section->getName()) != ".stack_sizes") {
            continue;
        }
        llvm::StringRef contents = orFail(section->getContents());
        for (const llvm::object::RelocationRef& relocation : relocations.relocations()) {
            if (llvm::decodeULEB128(contents.bytes_begin() + relocation.getOffset() + kAddress) % kAlignment != 0) {
                odd.push_back(functionOf(relocation));
            }
        }
    }
    return odd;
}

// With a spare word a function may keep other things on the stack, so that it takes a second one.
llvm::SmallString<0> makeWithEvenStacks(llvm::TargetMachine& machine) {
    constexpr int kMostSpareWords = 8;
    std::map<std::string, int> spareWords;
    while (true) {
        llvm::SmallString<0> object = makeObject(machine, spareWords);
        std::vector<std::string> odd = oddStacksIn(object);
        if (odd.empty()) {
            return object;
        }
        for (const std::string& name : odd) {
            if (++spareWords[name] > kMostSpareWords) {
                fail(name + " always takes an odd number of words of the stack");
            }
        }
    }
}

}  // namespace
}  // namespace kiln

int main(int count, char** arguments) {
    FILE* file = count == 2 ? std::fopen(arguments[1], "w") : nullptr;
    if (file == nullptr) {
        kiln::fail("usage: make_stencils FILE");
    }
    auto machine = kiln::makeMachine();
    kiln::write(kiln::ObjectReader(kiln::makeWithEvenStacks(*machine)).read(), file);
    return std::fclose(file) == 0 ? 0 : 1;
}
