// Where the standard library is looked for. This program was built on a Python at /gone.
#include "interp/launcher/python_home.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "interp/support/executable_path.h"

namespace kiln {
namespace {

TEST(PythonHome, MissingLibraryIsExplained) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(findPythonHome(), "");
    std::string message = testing::internal::GetCapturedStderr();
    EXPECT_NE(message.find("/gone/lib/python3.12"), std::string::npos) << message;
    EXPECT_NE(message.find("scripts/run"), std::string::npos) << message;
}

TEST(PythonHome, ExecutablePathIsThisProgram) {
    EXPECT_TRUE(std::filesystem::equivalent(kiln_executable_path(), "/proc/self/exe"));
}

}  // namespace
}  // namespace kiln
