// The interface is described in "JIT Compilation Interface" of gdb's manual; what it reads is an ELF object with a symbol for the
// code, and DWARF call frame information.
#include "jit/quick/debugger_entry.h"

#include <elf.h>

#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>

// Names and layout are gdb's. The compiler's shared object has a list of its own.
extern "C" {
struct KilnJitCodeEntry {
    KilnJitCodeEntry* next;
    KilnJitCodeEntry* previous;
    const unsigned char* object;
    uint64_t size;
};

struct KilnJitDescriptor {
    uint32_t version;
    uint32_t action;  // 1: registered, 2: unregistered
    KilnJitCodeEntry* relevant;
    KilnJitCodeEntry* first;
};

// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier)
__attribute__((used, visibility("hidden"))) KilnJitDescriptor __jit_debug_descriptor = {1, 0, nullptr, nullptr};

// gdb has a breakpoint here.
__attribute__((used, noinline, visibility("hidden"))) void __jit_debug_register_code() {
    __asm__ volatile("" ::: "memory");
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
}

namespace kiln {
namespace {

using Bytes = std::vector<unsigned char>;

template <typename T>
void append(Bytes& bytes, const T& value) {
    const auto* first = reinterpret_cast<const unsigned char*>(&value);
    bytes.insert(bytes.end(), first, first + sizeof(T));
}

// A length, and what follows, filled up to a multiple of eight bytes; DW_CFA_nop is 0.
void appendSized(Bytes& bytes, Bytes content) {
    while ((content.size() + sizeof(uint32_t)) % 8 != 0) {
        content.push_back(0);
    }
    append(bytes, static_cast<uint32_t>(content.size()));
    bytes.insert(bytes.end(), content.begin(), content.end());
}

// DWARF's numbers of registers, and the instructions used here.
constexpr unsigned char kRbx = 3, kRbp = 6, kRsp = 7, kR12 = 12, kR13 = 13, kR14 = 14, kR15 = 15, kReturnAddress = 16;
constexpr unsigned char kAdvance = 0x40, kOffset = 0x80, kDefineCfa = 0x0c, kDefineCfaRegister = 0x0d, kDefineCfaOffset = 0x0e;

// What every entry begins with: push rbp; mov rbp, rsp; push r15, r14, r13, r12, rbx. From then on rbp stays.
Bytes prologueRules() {
    Bytes rules = {kAdvance | 1, kDefineCfaOffset, 16, kOffset | kRbp, 2, kAdvance | 3, kDefineCfaRegister, kRbp};
    unsigned char place = 3;
    for (unsigned char pushed : std::array<unsigned char, 5>{kR15, kR14, kR13, kR12, kRbx}) {
        auto length = static_cast<unsigned char>(pushed == kRbx ? 1 : 2);
        rules.insert(rules.end(), {static_cast<unsigned char>(kAdvance | length), static_cast<unsigned char>(kOffset | pushed), place++});
    }
    return rules;
}

// .eh_frame: for each entry the code up to the next.
Bytes unwindingRules(uint64_t start, size_t size, const std::vector<size_t>& entries) {
    constexpr unsigned char kVersion = 1;
    constexpr unsigned char kDataAlignment = 0x78;  // -8
    Bytes section;
    Bytes common;
    append(common, uint32_t{0});
    common.insert(common.end(), {kVersion, 0, 1, kDataAlignment, kReturnAddress, kDefineCfa, kRsp, 8, kOffset | kReturnAddress, 1});
    appendSized(section, common);
    for (size_t index = 0; index < entries.size(); index++) {
        size_t end = index + 1 < entries.size() ? entries[index + 1] : size;
        Bytes rules;
        append(rules, static_cast<uint32_t>(section.size() + sizeof(uint32_t)));  // back to the common part
        append(rules, start + entries[index]);
        append(rules, static_cast<uint64_t>(end - entries[index]));
        Bytes prologue = prologueRules();
        rules.insert(rules.end(), prologue.begin(), prologue.end());
        appendSized(section, rules);
    }
    append(section, uint32_t{0});
    return section;
}

constexpr std::string_view kNames("\0.text\0.eh_frame\0.symtab\0.strtab\0.shstrtab\0", 44);

struct Section {
    uint32_t name;  // where it is in kNames
    uint32_t type;
    uint64_t flags;
    uint64_t address;
    Bytes content;
    uint64_t entrySize = 0;
    uint32_t link = 0;
    uint32_t information = 0;
    uint64_t size = 0;  // of one without content
};

Bytes writeObject(const std::vector<Section>& sections) {
    Bytes object(sizeof(Elf64_Ehdr));
    std::vector<Elf64_Shdr> headers;
    for (const Section& section : sections) {
        object.resize((object.size() + 7) / 8 * 8);
        uint64_t size = section.size != 0 ? section.size : section.content.size();
        headers.push_back({section.name, section.type, section.flags, section.address, object.size(), size, section.link,
                           section.information, 8, section.entrySize});
        object.insert(object.end(), section.content.begin(), section.content.end());
    }
    object.resize((object.size() + 7) / 8 * 8);
    Elf64_Ehdr header = {};
    std::memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_type = ET_REL;
    header.e_machine = EM_X86_64;
    header.e_version = EV_CURRENT;
    header.e_shoff = object.size();
    header.e_ehsize = sizeof(Elf64_Ehdr);
    header.e_shentsize = sizeof(Elf64_Shdr);
    header.e_shnum = static_cast<Elf64_Half>(headers.size());
    header.e_shstrndx = static_cast<Elf64_Half>(headers.size() - 1);
    std::memcpy(object.data(), &header, sizeof(header));
    for (const Elf64_Shdr& entry : headers) {
        append(object, entry);
    }
    return object;
}

Bytes objectOf(const std::string& name, uint64_t start, size_t size, const std::vector<size_t>& entries) {
    enum { kNone, kText, kUnwinding, kSymbols, kStrings };
    auto nameOf = [](std::string_view section) { return static_cast<uint32_t>(kNames.find(section)); };
    Bytes symbols(sizeof(Elf64_Sym));
    append(symbols, Elf64_Sym{1, ELF64_ST_INFO(STB_GLOBAL, STT_FUNC), STV_DEFAULT, kText, 0, size});
    Bytes strings = {0};
    strings.insert(strings.end(), name.begin(), name.end());
    strings.push_back(0);
    return writeObject({
        {0, SHT_NULL, 0, 0, {}},
        {.name = nameOf(".text"), .type = SHT_NOBITS, .flags = SHF_ALLOC | SHF_EXECINSTR, .address = start, .size = size},
        {.name = nameOf(".eh_frame"), .type = SHT_PROGBITS, .flags = SHF_ALLOC, .content = unwindingRules(start, size, entries)},
        {.name = nameOf(".symtab"), .type = SHT_SYMTAB, .content = symbols, .entrySize = sizeof(Elf64_Sym), .link = kStrings, .information = 1},
        {.name = nameOf(".strtab"), .type = SHT_STRTAB, .content = strings},
        {.name = nameOf(".shstrtab"), .type = SHT_STRTAB, .content = Bytes(kNames.begin(), kNames.end())},
    });
}

}  // namespace

struct DebuggerEntry::Registration {
    Bytes object;
    KilnJitCodeEntry entry;
};

DebuggerEntry::DebuggerEntry(const std::string& name, const void* start, size_t size, const std::vector<size_t>& entries)
    : registration_(std::make_unique<Registration>()) {
    registration_->object = objectOf(name, reinterpret_cast<uintptr_t>(start), size, entries);
    KilnJitCodeEntry* entry = &registration_->entry;
    *entry = {__jit_debug_descriptor.first, nullptr, registration_->object.data(), registration_->object.size()};
    if (entry->next != nullptr) {
        entry->next->previous = entry;
    }
    __jit_debug_descriptor.first = __jit_debug_descriptor.relevant = entry;
    __jit_debug_descriptor.action = 1;
    __jit_debug_register_code();
}

DebuggerEntry::~DebuggerEntry() {
    KilnJitCodeEntry* entry = &registration_->entry;
    (entry->previous != nullptr ? entry->previous->next : __jit_debug_descriptor.first) = entry->next;
    if (entry->next != nullptr) {
        entry->next->previous = entry->previous;
    }
    __jit_debug_descriptor.relevant = entry;
    __jit_debug_descriptor.action = 2;
    __jit_debug_register_code();
}

}  // namespace kiln
