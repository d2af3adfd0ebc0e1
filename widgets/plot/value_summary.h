// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/method/method.h"
#include "core/session/session.h"

#include <QString>

#include <set>
#include <string>

namespace vqscope {

/// "T 512 · num_buckets 64": the length and the values that differ from the defaults, for titles;
/// not those of the parameters `without`. `textName`: of the mask's text; empty: that of its functions.
QString valueSummary(const Method& method, const ParameterValues& values, const std::set<std::string>& without = {},
                     const QString& textName = {});

/// One value as in a title: "num_buckets 64", "yarn", "not bidirectional".
QString valueText(const ParameterSpec& spec, const ParameterValue& value);

/// The same for curves, after the word for the origin of their numbers if these are measured or
/// published.
QString curveSubtitle(const Method& method, const ParameterValues& values);

}  // namespace vqscope
