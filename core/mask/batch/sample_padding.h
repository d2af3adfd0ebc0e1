// SPDX-License-Identifier: GPL-3.0-or-later
// attention_mask, as Hugging Face's tokenizers and collators make it.
#pragma once

#include "core/mask/batch/sample_array.h"
#include "core/mask/import/imported_mask.h"
#include "core/sequence/sequence_layout.h"

namespace vqscope {

/// The padding of one sample: tokens at one end.
struct SamplePadding {
  Index padding = 0;
  PaddingSide side = PaddingSide::right;
  friend bool operator==(const SamplePadding&, const SamplePadding&) = default;
};

/// The padding of each sample of an attention mask [B, T] or [T]: 1 is a real token. Errors name
/// the sample and the token: other values, zeros between ones.
Result<std::vector<SamplePadding>> sample_padding(const SampleArray& attention_mask);

/// Whether a matrix, whose cells `on` are 1, is an attention mask: its rows are zeros before ones or
/// ones before zeros. It is a mask of its rows as queries if the visible keys of each end with its
/// own, the last query at the last key; or if the matrix is square and its rows are equal or their
/// own keys are all 1 or all 0.
bool is_attention_mask(const ImportedMask& on);

/// The same of each row of a matrix for which is_attention_mask() holds.
std::vector<SamplePadding> sample_padding(const ImportedMask& on);

}  // namespace vqscope
