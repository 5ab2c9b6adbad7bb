// Where a report goes, and how the processes of one run find each other.
//
// The process that the user started prints a table, or writes FILE.json or FILE.html. Its kiln children, told by an environment
// variable, write FILE.PID.json beside FILE.json, else they leave their JSON in a private directory from which the parent takes
// it up at its end.
#pragma once

#include <string>

#include "profiler/report_model.h"

namespace kiln {

class ReportOutput {
public:
    // Takes KILN_REPORT's value, "1", "live", FILE.json or FILE.html, and reads the environment. False with a message when what it asks
    // for cannot be written. `withSource`: a page has the source text of hot functions.
    bool open(const std::string& text, bool withSource, std::string& error);
    // Name and value of the environment variable that tells children about this process.
    static const char* variableName();
    std::string variableValue() const;
    // After a fork: this process is a child now.
    void becomeChild() { isChild_ = true; }
    bool isChild() const { return isChild_; }
    // Whether this process shows the table while it runs.
    bool isLive() const { return isLive_ && !isChild_; }
    // Prints, or writes files; a message on stderr when that fails. The root takes its children's reports up and
    // removes the private directory. Uses neither Python nor stdio.
    void write(Report& report) const;

private:
    enum class Kind { kTable, kFile, kPage };

    bool openFile(const std::string& text, std::string& error);
    bool openDirectory(std::string& error);
    bool joinParent(const std::string& text);
    void takeChildren(Report& report) const;
    bool writeRoot(Report& report) const;

    Kind kind_ = Kind::kTable;
    bool withSource_ = true;
    bool isChild_ = false;
    bool isLive_ = false;
    int rootPid_ = 0;
    std::string path_;       // of the root's file; "" for a table
    std::string directory_;  // the private one; "" for a FILE.json
};

}  // namespace kiln
