// A snapshot as one line of text.
#include "jit/ir/text.h"

namespace kiln::ir {

namespace {

void appendSource(std::string& text, const SlotSource& source);

void appendValue(std::string& text, ValueId value) {
    text += 'v';
    text += std::to_string(value);
}

void appendComposite(std::string& text, const SlotSource& source) {
    for (const CompositeKind& composite : kCompositeKinds) {
        text += composite.kind == source.kind ? composite.name : "";
    }
    text += '(';
    for (size_t i = 0; i < source.parts.size(); ++i) {
        text += i == 0 ? "" : ", ";
        appendSource(text, source.parts[i]);
    }
    if (source.identity != 0) {
        text += source.parts.empty() ? "as " : " as ";
        text += std::to_string(source.identity);
    }
    if (source.constant != kNoId) {
        text += source.parts.empty() && source.identity == 0 ? "class " : " class ";
        text += std::to_string(source.constant);
    }
    if (source.unit != 0) {
        text += source.parts.empty() ? "at " : " at ";
        text += std::to_string(source.unit);
    }
    const char* of = source.parts.empty() && source.unit == 0 ? "of " : " of ";
    if (source.value != kNoId) {
        text += of;
        appendValue(text, source.value);
        of = " of ";
    }
    if (source.home) {
        text += of;
        text += "home";
    }
    text += ')';
}

void appendSource(std::string& text, const SlotSource& source) {
    text += source.owned ? "own " : "";
    switch (source.kind) {
    case SlotKind::kHome: text += "home"; break;
    case SlotKind::kNull: text += "null"; break;
    case SlotKind::kValue: appendValue(text, source.value); break;
    case SlotKind::kConstant:
        text += "const ";
        text += std::to_string(source.constant);
        break;
    case SlotKind::kScalar:
    case SlotKind::kView:
    case SlotKind::kComplex:
    case SlotKind::kTuple:
    case SlotKind::kSlice:
    case SlotKind::kMethod:
    case SlotKind::kInstance:
    case SlotKind::kList:
    case SlotKind::kKeywords:
    case SlotKind::kRange:
    case SlotKind::kRangeIterator:
    case SlotKind::kListIterator:
    case SlotKind::kEnumerate:
    case SlotKind::kNumber:
    case SlotKind::kAny:
    case SlotKind::kGenerator:
    case SlotKind::kZip: appendComposite(text, source); break;
    }
}

void appendFrame(std::string& text, const FrameSnapshot& frame) {
    text += " frame ";
    text += std::to_string(frame.code);
    if (frame.function.kind != SlotKind::kHome) {
        text += " function ";
        appendSource(text, frame.function);
    }
    if (frame.exhausted != kNoId) {
        text += " exhausted ";
        text += std::to_string(frame.exhausted);
    }
    if (frame.consumer != Consumer::kLoop) {
        text += " into ";
        text += kConsumerNames[static_cast<int>(frame.consumer)];
    }
    if (frame.use != ResultUse::k_value) {
        text += " use ";
        text += kResultUseNames[static_cast<int>(frame.use)];
    }
    if (frame.detail != kNoId) {
        text += " detail ";
        text += std::to_string(frame.detail);
    }
    text += " @unit ";
    text += std::to_string(frame.unit);
    text += " [";
    for (size_t i = 0; i < frame.slots.size(); ++i) {
        text += i == 0 ? "" : ", ";
        appendSource(text, frame.slots[i]);
    }
    text += ']';
}

}  // namespace

void appendSnapshot(std::string& text, const Region& region, const Snapshot& snapshot) {
    text += "reason=";
    text += std::to_string(snapshot.reason);
    if (snapshot.place != 0) {
        text += " place=";
        text += std::to_string(snapshot.place);
    }
    text += snapshot.raises ? " raises" : "";
    text += snapshot.failure == Failure::kPasses ? " passes" : "";
    if (snapshot.failure == Failure::kDiscarded) {
        text += " discards ";
        text += std::to_string(snapshot.discarded);
    }
    text += ':';
    for (const FrameSnapshot& frame : region.framesOf(snapshot)) {
        appendFrame(text, frame);
    }
    if (!snapshot.names.empty()) {
        text += " names {";
        for (size_t i = 0; i < snapshot.names.size(); ++i) {
            text += i == 0 ? "" : ", ";
            text += std::to_string(snapshot.names[i].name);
            text += ": ";
            appendSource(text, snapshot.names[i].source);
        }
        text += '}';
    }
}

}  // namespace kiln::ir
