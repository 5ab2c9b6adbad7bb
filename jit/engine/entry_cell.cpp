#include "jit/engine/entry_cell.h"

#include <sys/mman.h>

#include <vector>

#include "interp/cpython/cpython_shim.h"

namespace kiln {
namespace {

constexpr size_t kMostCells = 1 << 16;

// A cell's number stands in functions, and the first is of those that have none. Pages that nobody touches cost addresses only.
EntryCell none;
EntryCell* cells = &none;
size_t used = 1;
std::vector<EntryCell*>& freeCells = *new std::vector<EntryCell*>;

bool reserveCells() {
    void* memory = mmap(nullptr, kMostCells * sizeof(EntryCell), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    cells = static_cast<EntryCell*>(memory);
    new (&cells[0]) EntryCell;
    return true;
}

}  // namespace

void EntryCellReturn::operator()(EntryCell* cell) const {
    *cell = {};
    freeCells.push_back(cell);
}

EntryCellRef takeEntryCell() {
    if (!freeCells.empty()) {
        EntryCell* cell = freeCells.back();
        freeCells.pop_back();
        return EntryCellRef(cell);
    }
    if (used == kMostCells || (cells == &none && !reserveCells())) {
        return nullptr;
    }
    return EntryCellRef(new (&cells[used++]) EntryCell);
}

void enterByCell(PyFunctionObject* function, const EntryCell* cell) {
    kiln_function_enter_by(function, kilnVectorcall, cell != nullptr ? static_cast<uint32_t>(cell - cells) : 0);
}

void enterByInterpreter(PyFunctionObject* function) {
    kiln_function_enter_by(function, nullptr, 0);
}

bool isEnteredByCell(PyFunctionObject* function) {
    return kiln_function_enters_by(function, kilnVectorcall);
}

EntryCell& cellOf(PyFunctionObject* function) {
    return cells[kiln_function_entry(function)];
}

}  // namespace kiln
