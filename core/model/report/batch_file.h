// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/pass/batch.h"
#include "core/model/tensors/named_tensors.h"

namespace vqscope {

/// A batch from a file: the tensors in.tokens, in.labels, ... [rows, length] of whole numbers.
struct BatchFile {
  Index rows = 0;
  Index length = 0;
  std::vector<std::int32_t> tokens, labels, position_ids, doc_ids, pad_mask;

  Batch batch() const { return {rows, length, tokens, labels, position_ids, doc_ids, pad_mask}; }
};

/// `suffix` is appended to the names of tokens and labels. Errors name the tensor that is missing
/// or does not have the shape of the tokens.
Result<BatchFile> read_batch(const NamedTensors& file, const std::string& suffix = {});

}  // namespace vqscope
