// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/parts.h"

#include <QTest>

namespace vqscope::test {

inline bool has_lab() { return left_out_remark().empty(); }

/// The end of messages about an unknown method, before the bracket.
inline QByteArray left_out() { return QByteArray::fromStdString(std::string(left_out_remark())); }

}  // namespace vqscope::test

/// Ends a test of methods or pages of the lab in a build that leaves the lab out.
#define NEEDS_LAB() \
  if (!vqscope::test::has_lab()) QSKIP("needs the lab")
