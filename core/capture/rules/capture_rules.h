// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/capture/store/capture.h"
#include "core/lint/lint.h"

namespace vqscope {

/// What must hold within a capture: its numbers, its mask against its weights, its positions.
std::vector<LintRuleInfo> capture_rules();

/// Checks every layer. Numbers are read whole; weights by up to 64 rows of a head, spread evenly.
/// Sentences begin with the layer; of a rule that several layers break, the first is told, and how
/// many more there are. Errors are of files that cannot be read.
Result<LintReport> check_capture(const Capture& capture, const Work& work);

}  // namespace vqscope
