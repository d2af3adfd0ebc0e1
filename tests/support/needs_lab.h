// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalogue/parts.h"

#include <QTest>

/// Ends a test of methods or pages of the lab in a build that leaves the lab out.
#define NEEDS_LAB() \
  if (!vqscope::left_out_remark().empty()) QSKIP("needs the lab")
