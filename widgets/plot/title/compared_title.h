// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <QString>

namespace vqscope {

/// Different and common values of two sets of one method, for titles: "yarn", "ntk", "T 8192".
struct ComparedTitle {
  QString a;  ///< never empty, and never the same as `b`
  QString b;
  QString common;  ///< in the form of valueSummary(); may be empty

  /// "yarn − ntk".
  QString difference() const;
};

/// Names only the parameters whose values differ. Texts of masks are named by their functions; those
/// of the same name are A and B.
ComparedTitle comparedTitle(const Method& method, const ParameterValues& a, const ParameterValues& b);

/// The end of a file's name for a comparison: "yarn-ntk"; letters, digits, '.', '_' and '-' only.
QString comparedFileName(const ComparedTitle& title);

}  // namespace vqscope
