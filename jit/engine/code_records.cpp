#include "jit/engine/code_records.h"

#include <utility>

#include "interp/config.h"
#include "jit/engine/code_shape.h"

namespace kiln {
namespace {

constexpr uint32_t kUntilWanted = 1000;  // calls from C of a function that does little

}  // namespace

bool CodeRecords::start(freefunc freed) {
    extraIndex_ = PyUnstable_Eval_RequestCodeExtraIndex(freed);
    return extraIndex_ >= 0;
}

void CodeRecords::stop() {
    stopped_ = true;
    for (CodeRecord* record : all_) {
        record->forgetProfile();
    }
    // A code object that has a record calls the extra data's free function of every tool when it dies, and at the program's
    // end that function may be gone: so these code objects stay. They hold constants only.
    for (CodeRecord* record : all_) {
        Py_INCREF(reinterpret_cast<PyObject*>(record->code));
    }
}

CodeRecord* CodeRecords::find(PyCodeObject* code) const {
    if (const KilnCodeEntry* entry = kiln_code_entry(code)) {
        return static_cast<CodeRecord*>(entry->record);
    }
    void* record = nullptr;
    if (someLackEntries_ && PyUnstable_Code_GetExtra(reinterpret_cast<PyObject*>(code), extraIndex_, &record) != 0) {
        PyErr_Clear();
    }
    return static_cast<CodeRecord*>(static_cast<KilnCodeRecord*>(record));
}

CodeRecord& CodeRecords::of(PyCodeObject* code) {
    if (CodeRecord* known = find(code)) {
        return *known;
    }
    auto* object = reinterpret_cast<PyObject*>(code);
    auto* record = new CodeRecord(code);
    record->doesLittle = doesLittle(code);
    record->events = countingEvents(*record);
    bool isKept = PyUnstable_Code_SetExtra(object, extraIndex_, static_cast<KilnCodeRecord*>(record)) == 0;
    KilnCodeEntry* entry = isKept ? kiln_take_code_entry(code, record) : nullptr;
    record->entry = entry != nullptr ? entry : record->entry;
    someLackEntries_ = someLackEntries_ || entry == nullptr;
    record->entry->calls_from_c_left = gainsWhenCalledFromC(*record) ? kUntilWanted : KILN_NEVER;
    if (!isKept || (kiln_monitor_events(code) != record->events && kiln_monitor_set(code, record->events) != 0)) {
        PyErr_Clear();
    }
    all_.insert(record);
    return *record;
}

void CodeRecords::destroy(CodeRecord* record) {
    all_.erase(record);
    toRearm_.erase(record);
    if (record->entry->code != nullptr) {
        kiln_give_code_entry_back(record->entry);
    }
    delete record;
}

PyObject* CodeRecords::quiet(CodeRecord& record) {
    if (config().reports) {
        return Py_NewRef(Py_None);  // the report counts everything
    }
    record.quieted = true;
    return Py_NewRef(kiln_monitor_disable());
}

void CodeRecords::rearmLater(CodeRecord& record) {
    if (record.quieted && !stopped_) {
        toRearm_.insert(&record);
        requestAttention_();
    }
}

// Only a change of events makes CPython fire at quieted locations again.
void CodeRecords::rearm(CodeRecord& record) {
    record.quieted = false;
    uint32_t events = record.events | (record.armed ? KILN_EVENT_INSTRUCTION : 0);
    if (stopped_ || kiln_monitor_set(record.code, 0) != 0 || kiln_monitor_set(record.code, events) != 0) {
        PyErr_Clear();
    }
}

void CodeRecords::rearmAll() {
    for (CodeRecord* record : std::exchange(toRearm_, {})) {
        rearm(*record);
    }
}

}  // namespace kiln
