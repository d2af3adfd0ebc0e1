// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/method/method.h"
#include "core/session/session.h"

#include <QString>

namespace vqscope {

/// "T 512 · num_buckets 64": the length, and what differs from the defaults, as titles show it.
QString valueSummary(const Method& method, const ParameterValues& values);

/// The same of curves, after the word that says where their numbers come from.
QString curveSubtitle(const Method& method, const ParameterValues& values);

/// `--set` arguments for what differs from the defaults: the command line that gives the same numbers.
QString setArguments(const Method& method, const ParameterValues& values);

/// The same of what is stated of a mask, which `values` make.
QString contractArguments(const ParameterValues& contract, const Method& method, const ParameterValues& values);

/// The options for what a figure of the method shows otherwise than by default: `--rows`, `--cols`, `--aggregate`,
/// `--colour-map`, `--square` of a matrix of that extent, `--log` of curves.
QString lookArguments(const Method& method, const WorkspaceState& look, const std::optional<Extent>& extent);

/// `--minus` arguments for what differs between the two.
QString minusArguments(const Method& method, const ParameterValues& values, const ParameterValues& minus);

}  // namespace vqscope
