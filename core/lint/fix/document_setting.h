// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/fix/suggestion.h"
#include "core/sequence/sequence_layout.h"

#include <vector>

namespace vqscope {

/// document_lengths for documents that begin at these positions of a sequence that has one document,
/// ascending; without a value where they are too many or do not fit the sequence.
SuggestedValue document_setting(const SequenceLayout& layout, const std::vector<Index>& starts);

/// "documents [128, 128, 256]", as `recognise` words them, or "documents of its own" without a value.
std::string documents_text(const SuggestedValue& setting);

}  // namespace vqscope
