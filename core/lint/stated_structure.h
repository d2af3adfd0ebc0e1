// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/backend/recognised_structure.h"
#include "core/lint/lint_case.h"

#include <stop_token>

namespace vqscope {

/// The expected structure if the mask matches it exactly; else the structure recognised in the
/// mask, with its own documents, padding and cache; else the expected one, marked as not exact.
StatedStructure stated_structure(const LintCase& given, const std::stop_token& stop = {});

}  // namespace vqscope
