// Region text to a region: header, tables, blocks and snapshots, line by line. The grammar stands in printer.cpp.
#include "jit/ir/line_parser.h"
#include "jit/ir/text.h"

namespace kiln::ir {

namespace {

class RegionParser {
public:
    explicit RegionParser(Region& region) : region_(region) {}

    bool run(std::string_view text, std::string& error) {
        int number = 0;
        while (!text.empty()) {
            const size_t length = text.find('\n');
            const std::string_view line = text.substr(0, length);
            text.remove_prefix(length == std::string_view::npos ? text.size() : length + 1);
            ++number;
            if (std::string problem; !readLine(line, problem)) {
                error = numbered("line ", number) + ": " + problem;
                return false;
            }
        }
        if (!hasHeader_) {
            error = numbered("line ", number) + ": no region";
        }
        return hasHeader_;
    }

private:
    bool readLine(std::string_view line, std::string& problem) {
        std::vector<Token> tokens;
        if (!splitLine(line, tokens, problem)) {
            return false;
        }
        LineParser parser(std::move(tokens), region_);
        if (parser.atEnd() || dispatch(parser)) {
            return true;
        }
        problem = parser.error();
        return false;
    }

    bool dispatch(LineParser& line) {
        if (!hasHeader_) {
            hasHeader_ = line.expect("region") && readHeader(line);
            return hasHeader_;
        }
        if (line.take("object")) {
            region_.objects.push_back(nullptr);
            return readEntry(line, region_.objectNames);
        }
        if (line.take("code")) {
            region_.codes.push_back(nullptr);
            return readEntry(line, region_.codeNames);
        }
        if (line.take("name")) {
            region_.nameDicts.push_back(nullptr);
            region_.nameKeys.push_back(nullptr);
            return readEntry(line, region_.names);
        }
        if (line.take("snapshot")) {
            return expectNumber(line, region_.snapshots.size()) && line.readSnapshot(region_);
        }
        if (line.peek().starts_with("block")) {
            return readBlockHeader(line);
        }
        return readBlockInstruction(line);
    }

    bool readBlockInstruction(LineParser& line) {
        if (region_.blocks.empty()) {
            return line.fail("instruction outside of a block");
        }
        Block& block = region_.blocks.back();
        if (!block.instructions.empty() && info(block.instructions.back().op).effect == Effect::kEnd) {
            return line.fail("instruction behind the end of its block");
        }
        return line.readInstruction(block);
    }

    bool readHeader(LineParser& line) {
        if (!line.readString(region_.name)) {
            return false;
        }
        region_.isFunction = line.take("function");
        if (!region_.isFunction && !line.expect("loop")) {
            return false;
        }
        if (line.take("(") && !line.take(")")) {
            do {
                if (!line.readType(region_.argumentTypes.emplace_back())) {
                    return false;
                }
            } while (line.take(","));
            if (!line.expect(")")) {
                return false;
            }
        }
        return (!line.take("->") || line.readType(region_.returnType)) && line.expectEnd();
    }

    // The number of a line in a sequence must be the next one.
    bool expectNumber(LineParser& line, size_t next) {
        int32_t index = 0;
        return line.readIndex(index) &&
               (index == static_cast<int64_t>(next) ||
                line.fail(numbered("number ", index) + numbered(" where ", next) + " comes next"));
    }

    bool readEntry(LineParser& line, std::vector<std::string>& entries) {
        return expectNumber(line, entries.size()) && line.readString(entries.emplace_back()) && line.expectEnd();
    }

    bool readBlockHeader(LineParser& line) {
        BlockId id = kNoId;
        if (!line.readNumbered("block", id)) {
            return false;
        }
        if (static_cast<size_t>(id) != region_.blocks.size()) {
            return line.fail(numbered("block", id) + numbered(" where block", region_.blocks.size()) + " comes next");
        }
        Block& block = region_.blocks.emplace_back();
        if (!line.expect("(")) {
            return false;
        }
        if (!line.take(")")) {
            do {
                Type type = Type::kNone;
                if (!line.readTypedValue(block.parameters.emplace_back(), type)) {
                    return false;
                }
            } while (line.take(","));
            if (!line.expect(")")) {
                return false;
            }
        }
        block.cold = line.take("cold");
        return line.expect(":") && line.expectEnd();
    }

    Region& region_;
    bool hasHeader_ = false;
};

}  // namespace

bool parse(const std::string& text, Region& region, std::string& error) {
    region = {};
    return RegionParser(region).run(text, error);
}

}  // namespace kiln::ir
