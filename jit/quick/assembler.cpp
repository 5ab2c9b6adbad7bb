// Copies the stencils of a region's ops one behind the other and fills their holes.
//
// Xu and Kjolstad, Copy-and-Patch Compilation, OOPSLA 2021.
#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <limits>

#include "jit/quick/frame_layout.h"
#include "jit/quick/stencil_table.h"

namespace kiln {
namespace {

constexpr int kFollowing = -1;  // where an item goes on: at the next one
constexpr int kWord = 8;
constexpr int kNop = 0x90;

// One copy of a stencil.
struct Item {
    const Stencil* stencil = nullptr;
    const ir::Instruction* in = nullptr;  // of an op's
    int32_t number = 0;                   // of a piece's, as the two that follow
    int32_t operand = 0;
    int32_t result = 0;
    int next = kFollowing;                // labels
    int other = kFollowing;
    int exit = kFollowing;
    uint32_t position = 0;
    uint32_t size = 0;
};

class Assembler {
   public:
    Assembler(const CodegenEnvironment& environment, const CodegenRequest& request)
        : environment_(environment), request_(request), region_(*request.region), layout_(layOutNativeFrame(request)),
          readers_(static_cast<size_t>(layout_.size / kWord), 0), blockLabels_(region_.blocks.size()),
          exitLabels_(region_.snapshots.size(), kFollowing) {
        root_ = {.isFunction = region_.isFunction, .hasFrame = request.needsFrame, .hasActivation = request.activationWords != 0};
        for (int& label : blockLabels_) {
            label = newLabel();
        }
        leave_ = newLabel();
    }

    std::unique_ptr<QuickCode> assemble() {
        listEntry();
        for (size_t block = 0; block < region_.blocks.size() && fits_; block++) {
            listBlock(block);
        }
        for (size_t edge = 0; edge < edges_.size() && fits_; edge++) {
            place(edges_[edge].label);
            listEdge(*edges_[edge].target, region_.blocks.size());
        }
        if (region_.isFunction && fits_) {
            listBoxedEntry();
        }
        listExits();
        return fits_ ? copy() : nullptr;
    }

   private:
    struct Edge {
        int label;
        const ir::Target* target;
    };

    int newLabel() {
        labels_.push_back(0);
        return static_cast<int>(labels_.size()) - 1;
    }
    void place(int label) { labels_[static_cast<size_t>(label)] = items_.size(); }
    int32_t slotOf(ir::ValueId value) const { return layout_.slots[static_cast<size_t>(value)]; }

    Item& add(int index) {
        const Stencil& stencil = stencilAt(index);
        fits_ = fits_ && stencil.size != 0;
        return items_.emplace_back(Item{.stencil = &stencil});
    }
    Item& add(Piece piece, int variant = 0) { return add(stencilIndex(piece, variant)); }
    void go(int label) { add(Piece::k_go).next = label; }

    void listEntry() {
        if (!region_.isFunction) {
            add(Piece::k_enter_loop);
        } else {
            int signature = signatureOfEntry();
            if (signature < 0) {
                fits_ = false;
                return;
            }
            add(Piece::k_enter_native, signature);
            for (size_t index = 0; index < region_.argumentTypes.size(); index++) {
                if (region_.argumentTypes[index] == ir::Type::kBool) {
                    add(Piece::k_raw_bool).operand = parameterSlot(index);
                }
            }
            begin_ = newLabel();
            place(begin_);
        }
        add(Piece::k_begin, root_.variant());
    }

    int signatureOfEntry() const {
        const std::vector<ir::Type>& types = region_.argumentTypes;
        Signature signature{.count = static_cast<int>(types.size())};
        for (size_t index = 0; index < types.size(); index++) {
            signature.floats |= types[index] == ir::Type::kFloat ? 1u << std::min<size_t>(index, kMostMixed) : 0u;
        }
        return signatureVariant(signature);
    }

    static int32_t parameterSlot(size_t index) { return (kFirstValueWord + static_cast<int32_t>(index)) * kWord; }

    void listBoxedEntry() {
        boxed_ = newLabel();
        place(boxed_);
        int box = newLabel();
        add(Piece::k_enter_boxed).other = box;
        int refused = newLabel();
        size_t parameters = region_.argumentTypes.size() - region_.boxedParameters.size();
        for (size_t index = 0; index < region_.argumentTypes.size(); index++) {
            size_t source = index < parameters ? index : static_cast<size_t>(region_.boxedParameters[index - parameters]);
            Item& item = add(Piece::k_argument, static_cast<int>(region_.argumentTypes[index]));
            item.number = static_cast<int32_t>(source) * kWord;
            item.result = parameterSlot(index);
            item.exit = refused;
        }
        go(begin_);
        place(refused);
        add(Piece::k_refuse);
        place(box);
        add(Piece::k_box, static_cast<int>(region_.returnType));
    }

    void listBlock(size_t block) {
        place(blockLabels_[block]);
        const ir::Block& source = region_.blocks[block];
        for (const ir::Instruction& in : source.instructions) {
            switch (in.op) {
                case ir::Op::k_jump: listEdge(source.targets[0], block + 1); break;
                case ir::Op::k_branch: listBranch(in, source, block); break;
                case ir::Op::k_exit: go(exitLabel(in.snapshot)); break;
                default: listOp(in); break;
            }
        }
    }

    void listOp(const ir::Instruction& in) {
        if ((in.op == ir::Op::k_link_frames && hasRealFramesOnly(in)) || (in.op == ir::Op::k_guard_unheld && !root_.hasActivation)) {
            return;
        }
        int variant = variantOf(region_, in, root_);
        if (variant < 0 || variant >= variantCount(in.op) || !isNumberSmall(in)) {
            fits_ = false;
            return;
        }
        Item& item = add(stencilIndex(in.op, variant));
        item.in = &in;
        if (in.snapshot != ir::kNoId) {
            item.exit = exitLabel(in.snapshot);
        }
    }

    bool hasRealFramesOnly(const ir::Instruction& in) const {
        return region_.snapshots[static_cast<size_t>(in.snapshot)].frames.size() == 1 && hasRealRoot();
    }
    bool hasRealRoot() const { return !root_.isFunction || root_.hasFrame; }

    static bool isNumberSmall(const ir::Instruction& in) {
        bool isWide = in.op == ir::Op::k_const_int || in.op == ir::Op::k_const_float;
        return isWide || (in.immediate >= 0 && in.immediate <= std::numeric_limits<int32_t>::max());
    }

    int exitLabel(ir::SnapshotId snapshot) {
        int& label = exitLabels_[static_cast<size_t>(snapshot)];
        label = label == kFollowing ? newLabel() : label;
        return label;
    }

    // Straight on where the condition holds; the other side's moves, if any, lie aside.
    void listBranch(const ir::Instruction& in, const ir::Block& source, size_t block) {
        const ir::Target& other = source.targets[1];
        Item& item = add(stencilIndex(ir::Op::k_branch, 0));
        item.in = &in;
        if (other.arguments.empty()) {
            item.other = blockLabels_[static_cast<size_t>(other.block)];
        } else {
            item.other = newLabel();
            edges_.push_back({items_.back().other, &other});
        }
        listEdge(source.targets[0], block + 1);
    }

    void listEdge(const ir::Target& target, size_t following) {
        listMoves(target);
        if (static_cast<size_t>(target.block) != following) {
            go(blockLabels_[static_cast<size_t>(target.block)]);
        }
    }

    void move(int32_t from, int32_t to) {
        Item& item = add(Piece::k_move);
        item.operand = from;
        item.result = to;
    }

    // All at once: a slot is overwritten when nothing reads it any more; a circle goes by way of the spare word.
    void listMoves(const ir::Target& target) {
        const std::vector<ir::ValueId>& parameters = region_.blocks[static_cast<size_t>(target.block)].parameters;
        std::vector<std::pair<int32_t, int32_t>> moves;
        auto readersOf = [&](int32_t slot) -> int& { return readers_[static_cast<size_t>(slot / kWord)]; };
        for (size_t index = 0; index < parameters.size(); index++) {
            int32_t from = slotOf(target.arguments[index]);
            if (from != slotOf(parameters[index])) {
                moves.emplace_back(from, slotOf(parameters[index]));
                readersOf(from)++;
            }
        }
        while (!moves.empty()) {
            size_t before = moves.size();
            for (size_t index = 0; index < moves.size();) {
                auto [from, to] = moves[index];
                if (readersOf(to) != 0) {
                    index++;
                    continue;
                }
                move(from, to);
                readersOf(from)--;
                moves[index] = moves.back();
                moves.pop_back();
            }
            if (moves.size() == before) {
                move(moves.back().first, layout_.spare);
                readersOf(moves.back().first)--;
                readersOf(layout_.spare)++;
                moves.back().first = layout_.spare;
            }
        }
    }

    void listExits() {
        for (size_t snapshot = 0; snapshot < exitLabels_.size(); snapshot++) {
            if (exitLabels_[snapshot] != kFollowing) {
                place(exitLabels_[snapshot]);
                add(Piece::k_exit).number = static_cast<int32_t>(snapshot);
            }
        }
        place(leave_);
        add(Piece::k_leave);
    }

    // What needs no jump to the next item leaves it out. Between aligned items are instructions that do nothing.
    size_t layOut() {
        constexpr uint32_t kJump = 5;
        constexpr uint32_t kUnit = 16;
        uint32_t position = 0;
        for (Item& item : items_) {
            bool goesOn = item.stencil->goesOn && item.next == kFollowing;
            item.size = item.stencil->size - (goesOn ? kJump : 0u);
            position = item.stencil->isAligned ? (position + kUnit - 1) / kUnit * kUnit : position;
            item.position = position;
            position += item.size;
        }
        return position;
    }

    std::unique_ptr<QuickCode> copy() {
        size_t size = layOut();
        void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_32BIT, -1, 0);
        if (memory == MAP_FAILED) {
            return nullptr;
        }
        auto code = std::make_unique<QuickCode>(memory, size);
        memory_ = static_cast<unsigned char*>(memory);
        std::memset(memory_, kNop, size);
        for (size_t index = 0; index < items_.size(); index++) {
            std::memcpy(memory_ + items_[index].position, codeOf(*items_[index].stencil), items_[index].size);
            fillHoles(index);
        }
        if (!fits_ || mprotect(memory, size, PROT_READ | PROT_EXEC) != 0) {
            return nullptr;
        }
        if (environment_.dumpAssembly) {
            print();
        }
        code->entry = memory;
        code->boxedEntry = region_.isFunction ? memory_ + positionOf(boxed_) : nullptr;
        code->layout = std::move(layout_);
        if (environment_.codePlaces) {
            code->places = places();
        }
        return code;
    }

    std::vector<CodePlace> places() const {
        std::vector<CodePlace> places;
        for (const Item& item : items_) {
            if (item.in != nullptr && item.in->snapshot != ir::kNoId) {
                places.push_back({item.position, item.in->snapshot});
            }
        }
        return places;
    }

    // The bytes of each stencil, for a disassembler.
    void print() const {
        std::fprintf(stderr, "; quick code of %s at %p\n", region_.name.c_str(), static_cast<const void*>(memory_));
        for (const Item& item : items_) {
            std::fprintf(stderr, "%5u %-18s", item.position, item.in != nullptr ? ir::info(item.in->op).name : "-");
            for (uint32_t byte = 0; byte < item.size; byte++) {
                std::fprintf(stderr, " %02x", memory_[item.position + byte]);
            }
            std::fprintf(stderr, "\n");
        }
    }

    uint32_t positionOf(int label) const { return items_[labels_[static_cast<size_t>(label)]].position; }

    void fillHoles(size_t index) {
        const Item& item = items_[index];
        const Hole* holes = holesOf(*item.stencil);
        for (int hole = 0; hole < item.stencil->holeCount; hole++) {
            if (holes[hole].at >= item.size) {
                continue;  // of the jump that was left out
            }
            unsigned char* place = memory_ + item.position + holes[hole].at;
            int64_t value = valueOf(index, holes[hole].kind) + holes[hole].addend;
            if (holes[hole].form == HoleForm::kRelative32) {
                value -= static_cast<int64_t>(reinterpret_cast<uintptr_t>(place));
            }
            fits_ = fits_ && (holes[hole].form == HoleForm::kAbsolute64 || value == static_cast<int32_t>(value));
            std::memcpy(place, &value, holes[hole].form == HoleForm::kAbsolute64 ? 8 : 4);
        }
    }

    int64_t addressAt(uint32_t position) const { return static_cast<int64_t>(reinterpret_cast<uintptr_t>(memory_ + position)); }
    int64_t addressOf(int label, size_t index) const {
        return addressAt(label == kFollowing ? items_[index + 1].position : positionOf(label));
    }
    static int64_t wordOf(const void* address) { return static_cast<int64_t>(reinterpret_cast<uintptr_t>(address)); }

    int64_t valueOf(size_t index, int kind) const {
        const Item& item = items_[index];
        if (kind >= static_cast<int>(HoleKind::kCount)) {
            return wordOf(environment_.runtime[kind - static_cast<int>(HoleKind::kCount)]);
        }
        switch (static_cast<HoleKind>(kind)) {
            case HoleKind::k_next: return addressOf(item.next, index);
            case HoleKind::k_other: return addressOf(item.other, index);
            case HoleKind::k_exit: return addressOf(item.exit, index);
            case HoleKind::k_leave: return addressOf(leave_, index);
            case HoleKind::k_self: return addressAt(item.position);
            case HoleKind::k_native_frame_size: return layout_.size;
            case HoleKind::k_frame_size: return request_.frameBytes;
            case HoleKind::k_activation_words: return static_cast<int64_t>(request_.activationWords);
            case HoleKind::k_activation: return layout_.activation;
            case HoleKind::k_owner: return wordOf(request_.owner);
            case HoleKind::k_valid_flag: return wordOf(request_.validFlag);
            case HoleKind::k_budget: return wordOf(request_.budget);
            case HoleKind::k_eval_breaker: return wordOf(environment_.evalBreaker);
            case HoleKind::k_object_true: return wordOf(environment_.objectTrue);
            case HoleKind::k_object_false: return wordOf(environment_.objectFalse);
            case HoleKind::k_float_class: return wordOf(environment_.floatClass);
            case HoleKind::k_long_class: return wordOf(environment_.longClass);
            case HoleKind::k_bool_class: return wordOf(environment_.boolClass);
            default: return item.in != nullptr ? valueOfOp(*item.in, static_cast<HoleKind>(kind)) : valueOfPiece(item, static_cast<HoleKind>(kind));
        }
    }

    static int64_t valueOfPiece(const Item& item, HoleKind kind) {
        return kind == HoleKind::k_number ? item.number : kind == HoleKind::k_result ? item.result : item.operand;
    }

    bool isSelf(const ir::Instruction& in) const {
        return ir::isNativeCall(in.op) && region_.objects[static_cast<size_t>(in.immediate)] == request_.self;
    }

    int64_t valueOfOp(const ir::Instruction& in, HoleKind kind) const {
        auto immediate = static_cast<size_t>(in.immediate);
        switch (kind) {
            case HoleKind::k_result: return slotOf(in.result);
            case HoleKind::k_companion: return slotOf(ir::isNativeCall(in.op) ? in.result : in.operands[0]) + kWord;
            case HoleKind::k_number: return in.op == ir::Op::k_link_frames ? in.snapshot : in.immediate;
            case HoleKind::k_wide_number: return in.immediate;
            case HoleKind::k_frames:
                return in.snapshot == ir::kNoId ? 1 : static_cast<int64_t>(region_.snapshots[static_cast<size_t>(in.snapshot)].frames.size());
            case HoleKind::k_object: return wordOf(isSelf(in) ? request_.entry : region_.objects[immediate]);
            case HoleKind::k_helper: return wordOf(environment_.helpers[immediate]);
            case HoleKind::k_math: return wordOf(environment_.math[immediate]);
            case HoleKind::k_counter: return wordOf(request_.counters + immediate);
            case HoleKind::k_call_site: return wordOf(request_.callSites + in.snapshot);
            default: return slotOf(in.operands[static_cast<size_t>(kind) - static_cast<size_t>(HoleKind::k_operand0)]);
        }
    }

    const CodegenEnvironment& environment_;
    const CodegenRequest& request_;
    const ir::Region& region_;
    NativeFrameLayout layout_;
    RootForm root_;
    std::vector<Item> items_;
    std::vector<size_t> labels_;   // the item that stands there
    std::vector<int> readers_;     // by word of the native frame, while moves are listed
    std::vector<int> blockLabels_;
    std::vector<int> exitLabels_;
    std::vector<Edge> edges_;
    int leave_ = 0;
    int begin_ = 0;
    int boxed_ = 0;
    bool fits_ = true;
    unsigned char* memory_ = nullptr;
};

}  // namespace

QuickCode::~QuickCode() {
    debuggerEntry_.reset();
    munmap(memory_, size_);
}

void QuickCode::nameForDebugger(const std::string& name) {
    std::vector<size_t> entries = {0};
    if (boxedEntry != nullptr) {
        entries.push_back(static_cast<size_t>(static_cast<const char*>(boxedEntry) - static_cast<const char*>(memory_)));
    }
    debuggerEntry_ = std::make_unique<DebuggerEntry>(name, memory_, size_, entries);
}

std::unique_ptr<QuickCode> assembleQuickCode(const CodegenEnvironment& environment, const CodegenRequest& request) {
    return Assembler(environment, request).assemble();
}

}  // namespace kiln
