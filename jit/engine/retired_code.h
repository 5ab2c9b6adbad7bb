// What compiled code on some stack may still use: kept until every stay in compiled code that began before has ended, also one on a
// stack that a greenlet has put aside.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "interp/py_ref.h"
#include "jit/runtime/compiled_region.h"

namespace kiln {

class RetiredCode {
   public:
    // A region that was thrown away.
    void add(std::unique_ptr<CompiledRegion> region);
    // The entry of a root that is gone.
    void add(std::unique_ptr<NativeFunction> native);
    // Of a function that was given other code.
    void add(Ref<> code);
    // Quick code of LLVM's that was replaced.
    void addMachineCode(void* handle);

    bool empty() const { return kept_.empty(); }
    // Gives up what nobody can use any more, and that the compile thread does not read. Returns the handles of its machine code, for
    // the compiler to discard. May run finalisers, of which tools see the calls.
    std::vector<void*> release();
    // The program's end: gives up the objects that nobody can use any more. Code stays.
    void releaseObjects();
    // Their machine code stays for ever.
    void forgetMachineCode();

   private:
    struct Kept {
        uint64_t stay = 0;
        std::unique_ptr<CompiledRegion> region = {};
        std::unique_ptr<NativeFunction> native = {};
        Ref<> code = {};
        void* machineCode = nullptr;
    };

    std::deque<Kept> kept_;  // oldest first
};

}  // namespace kiln
