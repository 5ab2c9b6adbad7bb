// The CPython inside a test executable: initialised before the first test, finalised after the last.
#include <Python.h>
#include <gtest/gtest.h>

namespace {

class PythonEnvironment : public testing::Environment {
public:
    void SetUp() override {
        PyConfig config;
        PyConfig_InitIsolatedConfig(&config);
        PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, KILN_PYTHON);
        if (!PyStatus_Exception(status)) {
            status = Py_InitializeFromConfig(&config);
        }
        PyConfig_Clear(&config);
        ASSERT_FALSE(PyStatus_Exception(status)) << status.func << ": " << status.err_msg;
    }

    void TearDown() override { EXPECT_EQ(Py_FinalizeEx(), 0); }
};

testing::Environment* const kEnvironment = testing::AddGlobalTestEnvironment(new PythonEnvironment);

}  // namespace
