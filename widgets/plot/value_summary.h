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
/// not those of the parameters `without`.
QString valueSummary(const Method& method, const ParameterValues& values, const std::set<std::string>& without = {});

/// One value as in a title: "num_buckets 64", "yarn", "not bidirectional".
QString valueText(const ParameterSpec& spec, const ParameterValue& value);

/// The same for curves, after the word for the origin of their numbers if these are measured or
/// published.
QString curveSubtitle(const Method& method, const ParameterValues& values);

/// `--set` arguments for values that differ from the defaults, for a command line that gives the
/// same numbers.
QString setArguments(const Method& method, const ParameterValues& values);

/// The same for the expected mask of the mask that `values` describe.
QString lintArguments(const ParameterValues& lint, const Method& method, const ParameterValues& values);

/// Options for the look of a figure that differs from the default: `--rows`, `--cols`,
/// `--aggregate`, `--colour-map`, `--square` of a matrix of that extent, `--log` of curves.
QString lookArguments(const Method& method, const ShownPage& look, const std::optional<Extent>& extent);

/// `--minus` arguments for values that differ between the two.
QString minusArguments(const Method& method, const ParameterValues& values, const ParameterValues& minus);

}  // namespace vqscope
