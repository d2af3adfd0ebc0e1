// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

namespace vqscope {

struct JunitFailure {
  std::string type;
  std::string message;
};

struct JunitCase {
  std::string name;
  std::vector<JunitFailure> failures = {};
  std::string skipped = {};  ///< why; empty: it was not
  std::string output = {};   ///< lines beside the result
};

/// JUnit's XML as common readers take it: one suite.
std::string junitText(const std::string& suite, const std::string& className, std::span<const JunitCase> cases);

}  // namespace vqscope
