// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/method.h"
#include "widgets/session/session.h"

#include <QString>

namespace vqscope {

/// "T 512 · num_buckets 64": the length, and what differs from the defaults, as titles show it.
QString valueSummary(const Method& method, const ParameterValues& values);

/// `--set` arguments for what differs from the defaults: the command line that gives the same numbers.
QString setArguments(const Method& method, const ParameterValues& values);

/// `--rows`, `--cols`, `--aggregate` and `--colour-map` for what is not the whole, the mean, the fitting map.
QString lookArguments(const WorkspaceState& look, const Extent& extent);

/// `--minus` arguments for what differs between the two.
QString minusArguments(const Method& method, const ParameterValues& values, const ParameterValues& minus);

}  // namespace vqscope
