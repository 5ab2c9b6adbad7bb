// Stacks as arrays of numbers: there may be thousands.
#include "profiler/report_json_stacks.h"

#include <map>

namespace kiln {
namespace {

JsonValue row(std::initializer_list<int64_t> numbers) {
    JsonValue array = JsonValue::array();
    for (int64_t number : numbers) {
        array.append(JsonValue::integer(number));
    }
    return array;
}

JsonValue tierText(ReportTier tier) {
    return JsonValue::text(std::string(kTierNames[static_cast<size_t>(tier)]));
}

JsonValue laneToJson(const EventLane& lane, double start) {
    JsonValue events = JsonValue::array();
    for (const TimelineEvent& event : lane.events()) {
        events.append(JsonValue::object()
                          .set("start_s", JsonValue::number(event.start - start))
                          .set("seconds", JsonValue::number(event.seconds))
                          .set("tier", tierText(event.tier))
                          .set("name", JsonValue::text(event.name)));
    }
    return JsonValue::object()
        .set("events", events)
        .set("dropped", JsonValue::integer(static_cast<int64_t>(lane.dropped())));
}

EventLane laneFrom(const JsonValue& value, double start) {
    EventLane lane;
    for (const JsonValue& event : value["events"].items()) {
        lane.add({event["start_s"].asNumber() + start, event["seconds"].asNumber(), event["name"].asText(),
                  tierNamed(event["tier"].asText())});
    }
    lane.setDropped(lane.dropped() + static_cast<uint64_t>(value["dropped"].asInteger()));
    return lane;
}

const JsonValue& itemOf(const JsonValue& array, size_t index) {
    static const JsonValue none;
    return index < array.items().size() ? array.items()[index] : none;
}

}  // namespace

JsonValue stacksToJson(const Report& report) {
    std::map<StackFunction, int64_t> indexes;
    for (size_t i = 0; i < report.functions.size(); i++) {
        const CodeStatistics& code = report.functions[i].code;
        indexes[{code.file, code.firstLine, code.qualifiedName}] = static_cast<int64_t>(i);
    }
    const StackTree& tree = report.stacks;
    JsonValue frames = JsonValue::array();
    for (const StackFrame& frame : tree.frames()) {
        auto known = indexes.find(tree.functions()[frame.function]);
        frames.append(row({known != indexes.end() ? known->second : -1, frame.line}).append(tierText(frame.tier)));
    }
    JsonValue nodes = JsonValue::array();
    for (const StackNode& node : tree.nodes()) {
        nodes.append(
            row({node.parent, node.frame, static_cast<int64_t>(node.samples)}).append(JsonValue::number(node.seconds)));
    }
    return JsonValue::object().set("frames", frames).set("nodes", nodes);
}

StackTree stacksFromJson(const JsonValue& value, const Report& report) {
    StackTree tree;
    std::vector<uint32_t> frames;
    for (const JsonValue& frame : value["frames"].items()) {
        StackFunction function = {"", 0, "(more frames)"};
        auto index = static_cast<size_t>(itemOf(frame, 0).asInteger());
        if (index < report.functions.size()) {
            const CodeStatistics& code = report.functions[index].code;
            function = {code.file, code.firstLine, code.qualifiedName};
        }
        ReportTier tier = tierNamed(itemOf(frame, 2).asText());
        frames.push_back(
            tree.addFrame({tree.addFunction(function), static_cast<int>(itemOf(frame, 1).asInteger()), tier}));
    }
    std::vector<int32_t> nodes;
    for (const JsonValue& node : value["nodes"].items()) {
        auto parent = static_cast<size_t>(itemOf(node, 0).asInteger());
        auto frame = static_cast<size_t>(itemOf(node, 1).asInteger());
        int32_t above = parent < nodes.size() ? nodes[parent] : -1;
        nodes.push_back(tree.child(above, frame < frames.size() ? frames[frame] : StackTree::kNone));
        tree.add(nodes.back(), static_cast<uint64_t>(itemOf(node, 2).asInteger()), itemOf(node, 3).asNumber());
    }
    return tree;
}

JsonValue timelineToJson(const Timeline& timeline) {
    JsonValue tiers = JsonValue::array();
    for (size_t tier = 0; tier < kTierCount; tier++) {
        tiers.append(tierText(static_cast<ReportTier>(tier)));
    }
    JsonValue steps = JsonValue::array();
    for (const Timeline::Step& step : timeline.steps()) {
        JsonValue seconds = JsonValue::array();
        for (double part : step) {
            seconds.append(JsonValue::number(part));
        }
        steps.append(seconds);
    }
    JsonValue json = JsonValue::object()
                         .set("start_s", JsonValue::number(timeline.start()))
                         .set("step_s", JsonValue::number(timeline.stepSeconds()))
                         .set("tiers", tiers)
                         .set("steps", steps);
    for (size_t lane = 0; lane < kLaneCount; lane++) {
        json.set(kLaneNames[lane], laneToJson(timeline.lane(static_cast<TimelineLane>(lane)), timeline.start()));
    }
    return json;
}

Timeline timelineFromJson(const JsonValue& value) {
    double start = value["start_s"].asNumber();
    double step = value["step_s"].asNumber();
    Timeline timeline(start, step > 0 ? step : 1);
    double at = start + step / 2;
    for (const JsonValue& seconds : value["steps"].items()) {
        for (size_t tier = 0; tier < seconds.items().size(); tier++) {
            timeline.addPart(at, tierNamed(itemOf(value["tiers"], tier).asText()), seconds.items()[tier].asNumber());
        }
        at += step;
    }
    for (size_t lane = 0; lane < kLaneCount; lane++) {
        timeline.lane(static_cast<TimelineLane>(lane)) = laneFrom(value[kLaneNames[lane]], start);
    }
    return timeline;
}

}  // namespace kiln
