// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/curve_set.h"
#include "core/method/method.h"

#include <QString>

namespace vqscope {

/// Keeps a run in `folder`. A failure is a warning only, because the results are still written to the requested files.
void keepRun(const QString& folder, const Method& method, const ParameterValues& values, const CurveSet& curves,
             double seconds);

}  // namespace vqscope
