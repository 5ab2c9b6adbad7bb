// Which locals compiled code may still read, by the names of the instructions that CPython compiles a function to.
#include "jit/frontend/local_liveness.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "tests/mechanism/embedded_python.h"

namespace kiln {
namespace {

class Liveness {
   public:
    // Of the function `f` that the source defines; `inLoop`: only of its first loop.
    explicit Liveness(const char* source, bool inLoop = false) : names_(mechanism::runModule(source)), code_(mechanism::codeNamed(names_, "f")) {
        bytecode_ = std::make_unique<Bytecode>(code_);
        const std::vector<BytecodeInstruction>& all = bytecode_->instructions();
        int first = inLoop ? bytecode_->loops().front().header : 0;
        liveness_ = std::make_unique<LocalLiveness>(code_, *bytecode_, first, inLoop ? bytecode_->loops().front().end : all.back().next);
    }

    // The live locals at `unit`, in the order of their slots, blank-separated.
    std::string at(int unit) const {
        std::string live;
        for (int local = 0; local < code_->co_nlocalsplus; local++) {
            if (liveness_->at(unit, local)) {
                live += (live.empty() ? "" : " ") + std::string(PyUnicode_AsUTF8(PyTuple_GET_ITEM(code_->co_localsplusnames, local)));
            }
        }
        return live;
    }
    std::string atStart() const { return at(bytecode_->entryUnit()); }
    std::string atLoop(size_t loop = 0) const { return at(bytecode_->loops()[loop].header); }
    std::string atUnitOf(const char* instruction, int nth = 0) const { return at(mechanism::unitOf(reinterpret_cast<PyObject*>(code_), instruction, nth)); }

   private:
    mechanism::Ref names_;
    PyCodeObject* code_;
    std::unique_ptr<Bytecode> bytecode_;
    std::unique_ptr<LocalLiveness> liveness_;
};

TEST(LocalLiveness, StoredBeforeItIsRead) {
    Liveness liveness("def f(a, b):\n    b = a\n    return b\n");
    EXPECT_EQ(liveness.atStart(), "a");
    EXPECT_EQ(liveness.atUnitOf("RETURN_VALUE"), "");
}

TEST(LocalLiveness, ReadOnSomePath) {
    Liveness liveness("def f(a, b, c):\n    if a:\n        b = 1\n    c = 2\n    return b + c\n");
    EXPECT_EQ(liveness.atStart(), "a b");
}

TEST(LocalLiveness, LoopTargetsAreDeadAtTheHeader) {
    Liveness liveness("def f(n, t):\n    s = 0\n    for i in range(n):\n        t = i * 2\n        s += t\n    return s\n");
    EXPECT_EQ(liveness.atLoop(), "s");
}

TEST(LocalLiveness, BackEdgesCarry) {
    Liveness liveness("def f(n, x, y):\n    for i in range(n):\n        y = x\n        x = i\n        print(y)\n");
    EXPECT_EQ(liveness.atLoop(), "x");
}

TEST(LocalLiveness, WhatIsReadBehindTheLoopIsTheInterpreters) {
    const char* source = "def f(n, last):\n    for i in range(n):\n        last = i\n    return last\n";
    EXPECT_EQ(Liveness(source).atLoop(), "last");
    Liveness liveness(source, true);
    EXPECT_EQ(liveness.atLoop(), "");
    EXPECT_EQ(liveness.atUnitOf("RETURN_VALUE"), "");
}

TEST(LocalLiveness, DeletingAndClearingAreReads) {
    EXPECT_EQ(Liveness("def f(a):\n    del a\n    a = 1\n").atStart(), "a");
    EXPECT_EQ(Liveness("def f(a):\n    [a for a in ()]\n    a = 1\n").atStart(), "a");
    EXPECT_EQ(Liveness("def f(a):\n    a = 1\n    [a for a in ()]\n").atStart(), "");
}

TEST(LocalLiveness, WhatMayBeUnboundIsRead) {
    EXPECT_EQ(Liveness("def f(a, b):\n    if a:\n        del b\n    a = 1\n    return b\n").atUnitOf("LOAD_FAST_CHECK"), "b");
}

TEST(LocalLiveness, HandlersReadToo) {
    Liveness liveness("def f(a, b):\n    try:\n        b = a()\n    except E:\n        return b\n    return 1\n");
    EXPECT_EQ(liveness.atStart(), "a b");
}

TEST(LocalLiveness, FinallyIsReadOnTheWayOut) {
    Liveness liveness("def f(a, b):\n    try:\n        a()\n    finally:\n        a(b)\n");
    EXPECT_EQ(liveness.atStart(), "a b");
}

TEST(LocalLiveness, CellsAndFreeVariablesAreAlwaysLive) {
    Liveness liveness("def g(free):\n    def f(cell, a):\n        cell = a = 1\n        return lambda: cell + free\n    return f\nf = g(1)\n");
    EXPECT_EQ(liveness.atStart(), "cell free");
}

TEST(LocalLiveness, NothingIsKnownOutside) {
    Liveness liveness("def f(a):\n    try:\n        a = 1\n    except E:\n        a = 2\n");
    EXPECT_EQ(liveness.atUnitOf("PUSH_EXC_INFO"), "");
    EXPECT_EQ(liveness.at(100000), "a");
}

}  // namespace
}  // namespace kiln
