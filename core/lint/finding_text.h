// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/finding.h"

#include <string>

namespace vqscope {

/// "error", "warning" or "question".
const char* severity_word(Severity severity);

/// "sample 2, head 0: ", of a finding that is in some masks of a batch; empty: in all.
std::string sample_of(const Finding& finding);

}  // namespace vqscope
