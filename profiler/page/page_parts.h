// What is the same in all HTML reports; make_page.py makes them.
#pragma once

#include <string_view>

namespace kiln {

extern const std::string_view kPageHead;     // up to the data
extern const std::string_view kPageReasons;  // a JSON object: each code with its title, cause and rewrite
extern const std::string_view kPageTail;

}  // namespace kiln
