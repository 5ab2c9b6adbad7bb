// The records of all code objects that were counted, and which events are on for each.
#pragma once

#include <set>

#include "jit/engine/code_record.h"

namespace kiln {

// Little code that C code would start an interpreter for.
bool gainsWhenCalledFromC(const CodeRecord& record);
// The events of code that is neither recorded nor given up: none that could never lead to a compilation.
uint32_t countingEvents(const CodeRecord& record);

class CodeRecords {
   public:
    // `requestAttention`: rearmAll() is to be called soon, where Python objects can be touched.
    explicit CodeRecords(bool (*requestAttention)()) : requestAttention_(requestAttention) {}
    // `freed` gets a record, as KilnCodeRecord, when its code object is freed. False when CPython has no place for records.
    bool start(freefunc freed);
    // The program ends: objects that records hold are given up, and no events come any more.
    void stop();

    const std::set<CodeRecord*>& all() const { return all_; }
    // nullptr when there is none.
    CodeRecord* find(PyCodeObject* code) const;
    CodeRecord& of(PyCodeObject* code);
    // The code object is being freed.
    void destroy(CodeRecord* record);

    // What an event's callback returns to have no more of it; the code's events can be switched on again.
    PyObject* quiet(CodeRecord& record);
    // May be called where no Python object can be touched.
    void rearmLater(CodeRecord& record);
    void rearm(CodeRecord& record);
    void rearmAll();

   private:
    bool (*requestAttention_)();
    bool stopped_ = false;
    Py_ssize_t extraIndex_ = -1;
    bool someLackEntries_ = false;  // then the extra data leads to them
    std::set<CodeRecord*> all_;
    std::set<CodeRecord*> toRearm_;
};

}  // namespace kiln
