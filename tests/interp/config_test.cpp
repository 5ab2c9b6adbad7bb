// The knobs: what values they take, where a value comes from, and what is said about the others.
#include "interp/config.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string_view>

#include "interp/config_check.h"
#include "interp/support/log.h"

namespace kiln {
namespace {

const Knob& knobOf(std::string_view variable) {
    for (const Knob& knob : knobs()) {
        if (variable == knob.variable) {
            return knob;
        }
    }
    ADD_FAILURE() << "no knob " << variable;
    return knobs()[0];
}

KnobOrigin originOf(std::string_view variable) {
    return knobOrigin(static_cast<size_t>(&knobOf(variable) - knobs().data()));
}

// Each test starts from an environment without knobs, in a process that has read them before.
class ConfigTest : public testing::Test {
protected:
    void SetUp() override {
        for (const Knob& knob : knobs()) {
            unsetenv(knob.variable);
        }
    }

    // What loadConfig() says on stderr; whether the process may run is as stated.
    static std::string load(bool ignoreEnvironment = false, bool mayRun = true) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(loadConfig(ignoreEnvironment), mayRun);
        return testing::internal::GetCapturedStderr();
    }
};

TEST_F(ConfigTest, DefaultsAreValid) {
    EXPECT_EQ(load(), "");
    for (const Knob& knob : knobs()) {
        EXPECT_TRUE(*knob.defaultText == '\0' || isValidValue(knob, knob.defaultText)) << knob.variable;
        EXPECT_EQ(config().*knob.text, knob.defaultText) << knob.variable;
    }
    EXPECT_TRUE(config().enabled && config().jitOn && !config().jitAlways);
}

TEST_F(ConfigTest, EachKindHasItsValues) {
    EXPECT_TRUE(isValidValue(knobOf("KILN_JIT"), "always"));
    EXPECT_FALSE(isValidValue(knobOf("KILN_JIT"), "alway"));
    EXPECT_FALSE(isValidValue(knobOf("KILN_JIT"), ""));
    EXPECT_TRUE(isValidValue(knobOf("KILN_PERF"), "0"));
    EXPECT_FALSE(isValidValue(knobOf("KILN_PERF"), "2"));
    EXPECT_TRUE(isValidValue(knobOf("KILN_THRESHOLD"), "1000"));
    EXPECT_FALSE(isValidValue(knobOf("KILN_THRESHOLD"), "-1"));
    EXPECT_FALSE(isValidValue(knobOf("KILN_THRESHOLD"), "1e3"));
    EXPECT_FALSE(isValidValue(knobOf("KILN_THRESHOLD"), "99999999999999999999"));
    EXPECT_TRUE(isValidValue(knobOf("KILN_STRESS"), "gc,deopt"));
    EXPECT_FALSE(isValidValue(knobOf("KILN_STRESS"), "gc,deop"));
    EXPECT_TRUE(isValidValue(knobOf("KILN_CACHE_DIR"), "anything"));
    for (const char* value : {"0", "1", "out.json", "/a/b.json"}) {
        EXPECT_TRUE(isValidValue(knobOf("KILN_REPORT"), value)) << value;
    }
    for (const char* value : {"2", "out.txt", ".json", "/a/.json", "FILE.jso", ""}) {
        EXPECT_FALSE(isValidValue(knobOf("KILN_REPORT"), value)) << value;
    }
}

// One form of words for every kind: the knob, its value, and what it accepts.
TEST_F(ConfigTest, EveryKindSaysWhatItAccepts) {
    for (const Knob& knob : knobs()) {
        if (knob.kind == KnobKind::kText) {
            continue;
        }
        setenv(knob.variable, "no,such,value", 1);
        bool isOutput = knob.kind == KnobKind::kOutput;
        std::string said = load(false, !isOutput);
        unsetenv(knob.variable);
        std::string begin = std::string("kiln: ") + (isOutput ? "error: " : "warning: ") + knob.variable +
                            "=no,such,value is not understood: expected ";
        EXPECT_TRUE(said.starts_with(begin)) << said;
        EXPECT_NE(said.find(knob.unit), std::string::npos) << said;
        EXPECT_EQ(config().*knob.text, knob.defaultText) << knob.variable;
        EXPECT_EQ(originOf(knob.variable), KnobOrigin::kDefault) << knob.variable;
    }
}

TEST_F(ConfigTest, AReportIsAskedForByAllButZero) {
    EXPECT_EQ(load(), "");
    EXPECT_FALSE(config().reports);
    setenv("KILN_REPORT", "0", 1);
    EXPECT_EQ(load(), "");
    EXPECT_FALSE(config().reports);
    setenv("KILN_REPORT", "out.json", 1);
    EXPECT_EQ(load(), "");
    EXPECT_TRUE(config().reports);
    setenv("KILN", "0", 1);
    EXPECT_EQ(load(), "");
    EXPECT_FALSE(config().reports);
    unsetenv("KILN");
}

TEST_F(ConfigTest, LogChannelsAreThoseOfTheKnob) {
    std::string_view unit = knobOf("KILN_LOG").unit;
    EXPECT_EQ(enableLogChannels(std::string(unit).c_str()), nullptr);
    for (const char* channel : {"compile", "deopt", "record", "invalidate", "offload"}) {
        EXPECT_TRUE(isValidValue(knobOf("KILN_LOG"), channel)) << channel;
    }
}

TEST_F(ConfigTest, MalformedValueKeepsTheDefault) {
    setenv("KILN_JIT", "fast", 1);
    setenv("KILN_THRESHOLD", "many", 1);
    std::string said = load();
    EXPECT_EQ(config().jitText, "on");
    EXPECT_EQ(config().threshold, 0);
    EXPECT_NE(said.find("KILN_JIT=fast is not understood: expected one of off|on|always"), std::string::npos) << said;
    EXPECT_NE(said.find("KILN_THRESHOLD=many"), std::string::npos) << said;
}

TEST_F(ConfigTest, UnknownVariableNamesTheNearest) {
    setenv("KILN_TRESHOLD", "5", 1);
    std::string said = load();
    unsetenv("KILN_TRESHOLD");
    EXPECT_NE(said.find("KILN_TRESHOLD is not a knob of kiln's; did you mean KILN_THRESHOLD?"), std::string::npos)
        << said;
    EXPECT_EQ(nearestKnob("KILN_SOMETHING_ELSE"), nullptr);
}

TEST_F(ConfigTest, KilnOffTurnsAllOffAndSaysNothing) {
    setenv("KILN", "0", 1);
    setenv("KILN_JIT", "wrong", 1);
    EXPECT_EQ(load(), "");
    EXPECT_FALSE(config().enabled || config().jitOn);
}

TEST_F(ConfigTest, StressImpliesAlways) {
    setenv("KILN_STRESS", "deopt", 1);
    EXPECT_EQ(load(), "");
    EXPECT_TRUE(config().jitAlways && config().stressDeopt && !config().stressGc);
}

TEST_F(ConfigTest, OriginsAndPrecedence) {
    setenv("KILN_JIT", "off", 1);
    setenv("KILN_SEED", "3", 1);
    takeOption("kiln-jit=always");
    takeOption("dev");
    takeOption("kilnish");
    EXPECT_EQ(load(), "");
    EXPECT_STREQ(getenv("KILN_JIT"), "always");
    EXPECT_EQ(originOf("KILN_JIT"), KnobOrigin::kOption);
    EXPECT_EQ(originOf("KILN_SEED"), KnobOrigin::kEnvironment);
    EXPECT_EQ(originOf("KILN_PERF"), KnobOrigin::kDefault);

    EXPECT_EQ(load(true), "");
    EXPECT_EQ(config().jitText, "always");
    EXPECT_EQ(config().seed, 1u);
}

}  // namespace
}  // namespace kiln
