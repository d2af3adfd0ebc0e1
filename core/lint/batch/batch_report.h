// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint.h"

#include <span>

namespace vqscope {

/// One report of a batch of masks [samples, heads]. `reports` holds one for each mask, the heads of
/// a sample next to each other; their findings have no place in the batch yet. Equal findings
/// become one, which names its sample and head: neither if it is in all masks, the sample alone if
/// it is in all its heads, the head alone if it is in this head of all samples. A finding of all
/// masks comes first, then by sample and head.
LintReport joined_reports(std::span<const LintReport> reports, Index heads);

/// Of a sample whose tokens are all padding: its queries see nothing.
LintReport padding_report();

}  // namespace vqscope
