// A snapshot's line.
#include "jit/ir/line_parser.h"
#include "jit/ir/text.h"

namespace kiln::ir {

bool LineParser::readSnapshot(Snapshot& snapshot) {
    if (!expect("reason") || !expect("=") || !readIndex(snapshot.reason)) {
        return false;
    }
    if (take("place") && !(expect("=") && readIndex(snapshot.place))) {
        return false;
    }
    snapshot.raises = take("raises");
    if (!expect(":")) {
        return false;
    }
    while (take("frame")) {
        if (!readFrame(snapshot.frames.emplace_back())) {
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
        (take("unsupported") && !readIndex(frame.unsupported)) || (take("exhausted") && !readIndex(frame.exhausted)) ||
        (take("into") && !readConsumer(frame.consumer))) {
        return false;
    }
    frame.constructs = take("constructs");
    return expect("@") && expect("unit") && readIndex(frame.unit) &&
           readList("[", "]", [&] { return readSource(frame.slots.emplace_back()); });
}

bool LineParser::readConsumer(Consumer& consumer) {
    for (size_t index = 0; index < std::size(kConsumerNames); index++) {
        if (take(kConsumerNames[index])) {
            consumer = static_cast<Consumer>(index);
            return true;
        }
    }
    return expect(kConsumerNames[0]);
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
