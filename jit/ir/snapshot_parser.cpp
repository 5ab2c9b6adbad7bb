// A snapshot's line.
#include "jit/ir/line_parser.h"
#include "jit/ir/text.h"

namespace kiln::ir {

bool LineParser::readSnapshot(Region& region) {
    Snapshot& snapshot = region.snapshots.emplace_back();
    if (!expect("reason") || !expect("=") || !readIndex(snapshot.reason)) {
        return false;
    }
    if (take("place") && !(expect("=") && readIndex(snapshot.place))) {
        return false;
    }
    snapshot.raises = take("raises");
    snapshot.failure = take("passes") ? Failure::kPasses : take("discards") ? Failure::kDiscarded : Failure::kSeen;
    if (snapshot.failure == Failure::kDiscarded && !readIndex(snapshot.discarded)) {
        return false;
    }
    if (!expect(":")) {
        return false;
    }
    while (take("frame")) {
        snapshot.frames.push_back(region.newFrame({}));
        if (!readFrame(region.frames.back())) {
            return false;
        }
    }
    if (take("names") && !readList("{", "}", [&] { return readName(snapshot.names.emplace_back()); })) {
        return false;
    }
    return expectEnd();
}

bool LineParser::readFrame(FrameSnapshot& frame) {
    if (!readIndex(frame.code) || (take("function") && !readSource(frame.function)) ||
        (take("exhausted") && !readIndex(frame.exhausted)) || (take("into") && !readOneOf(kConsumerNames, frame.consumer)) ||
        (take("use") && !readOneOf(kResultUseNames, frame.use)) || (take("detail") && !readIndex(frame.detail))) {
        return false;
    }
    return expect("@") && expect("unit") && readIndex(frame.unit) &&
           readList("[", "]", [&] { return readSource(frame.slots.emplace_back()); });
}

template <typename Enum, size_t count>
bool LineParser::readOneOf(const char* const (&names)[count], Enum& value) {
    for (size_t index = 0; index < count; index++) {
        if (take(names[index])) {
            value = static_cast<Enum>(index);
            return true;
        }
    }
    return expect(names[0]);
}

bool LineParser::readName(NameSource& name) {
    return readIndex(name.name) && expect(":") && readSource(name.source);
}

bool LineParser::readSource(SlotSource& source) {
    source.owned = take("own");
    if (take("home")) {
        source.kind = SlotKind::kHome;
        return true;
    }
    if (take("null")) {
        source.kind = SlotKind::kNull;
        return true;
    }
    if (take("const")) {
        source.kind = SlotKind::kConstant;
        return readIndex(source.constant);
    }
    for (const CompositeKind& composite : kCompositeKinds) {
        if (take(composite.name)) {
            source.kind = composite.kind;
            return readComposite(source);
        }
    }
    source.kind = SlotKind::kValue;
    return peek().starts_with("v") ? readValue(source.value) : failExpected("a slot source");
}

bool LineParser::readComposite(SlotSource& source) {
    if (!expect("(")) {
        return false;
    }
    if (peek() != ")" && peek() != "of" && peek() != "as" && peek() != "class" && peek() != "at") {
        do {
            if (!readSource(source.parts.emplace_back())) {
                return false;
            }
        } while (take(","));
    }
    if (take("as") && !readIndex(source.identity)) {
        return false;
    }
    if (take("class") && !readIndex(source.constant)) {
        return false;
    }
    if (take("at") && !readIndex(source.unit)) {
        return false;
    }
    while (take("of")) {
        if (take("home")) {
            source.home = true;
        } else if (!readValue(source.value)) {
            return false;
        }
    }
    return expect(")");
}

}  // namespace kiln::ir
