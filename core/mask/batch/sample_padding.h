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
/// ones before zeros, and do not look like queries. A square matrix is a mask if half of its rows
/// that are neither all 0 nor all 1 have their edge behind the query's own key, or behind the last
/// real one; if its rows are equal; or if the edges never go back, on one side of the own keys. One
/// with fewer rows than columns is a mask if its rows are the last queries of a causal one; with more,
/// if they are all queries of one that is cut to the first keys.
bool is_attention_mask(const ImportedMask& on);

/// The same of each row of a matrix for which is_attention_mask() holds.
std::vector<SamplePadding> sample_padding(const ImportedMask& on);

}  // namespace vqscope
