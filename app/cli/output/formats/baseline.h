// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/formats/finding_place.h"

#include <string>
#include <vector>

namespace vqscope {

/// A file of known findings, which checks do not report again.
class Baseline {
 public:
  /// A file that is absent is empty if `mayBeAbsent`.
  static Result<Baseline> read(const std::string& path, bool mayBeAbsent);

  /// Takes known findings out of the report and returns them.
  std::vector<Finding> takeKnown(LintReport& report, const CheckedFile& file) const;

  /// Makes the findings of this file those of the report, and writes all.
  Result<void> write(const std::string& path, const LintReport& report, const CheckedFile& file);

 private:
  struct Known {
    std::string fingerprint;
    std::string file;
    std::string rule;
    std::string message;
  };
  std::vector<Known> m_known;
};

}  // namespace vqscope
