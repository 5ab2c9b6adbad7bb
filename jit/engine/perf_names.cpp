// Places in machine code are known by the exits next to them: each exit has its line.
#include "jit/engine/perf_names.h"

#include "interp/config.h"
#include "interp/python_text.h"
#include "jit/engine/jitdump.h"
#include "jit/engine/perf_map.h"

namespace kiln {
namespace {

JitdumpFunction withLines(const CompiledRegion& region, const CodeSymbol& symbol) {
    JitdumpFunction function = {symbol.name, symbol.address, symbol.size, {}};
    for (const CodePlace& place : symbol.places) {
        const ExitPlace& source = region.place(place.snapshot);
        int line = PyCode_Addr2Line(source.code, source.unit * 2);
        std::string file = textOf(source.code->co_filename);
        std::vector<JitdumpLine>& lines = function.lines;
        if (line > 0 && (lines.empty() || lines.back().line != line || lines.back().file != file)) {
            lines.push_back({place.offset, line, file});
        }
    }
    if (!function.lines.empty()) {
        function.lines.front().offset = 0;
    }
    return function;
}

}  // namespace

void tellPerf(const CompiledRegion& region, const std::vector<CodeSymbol>& symbols) {
    if (!config().jitdump) {
        addToPerfMap(symbols);
        return;
    }
    for (const CodeSymbol& symbol : symbols) {
        addToJitdump(withLines(region, symbol));
    }
}

}  // namespace kiln
