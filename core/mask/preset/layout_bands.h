// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/preset/term.h"

#include <span>
#include <vector>

namespace vqscope {

/// Which runs of queries and keys meet.
enum class Pairs {
  all,                    ///< every two: documents squared when the terms compare positions
  same_document,          ///< those of one document
  same_document_or_pass,  ///< those of one document; all other keys are visible
};

/// The cells for which all of `terms` hold: sorted by rows, covering every row, a row that sees nothing too.
std::vector<Band> layout_bands(const SequenceLayout& layout, std::span<const TermPtr> terms, Pairs pairs);

}  // namespace vqscope
