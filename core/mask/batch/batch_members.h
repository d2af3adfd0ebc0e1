// SPDX-License-Identifier: GPL-3.0-or-later
// A collator's batch in one file.
#pragma once

#include "core/base/result.h"

#include <string>
#include <vector>

namespace vqscope {

/// An array of a file under a well-known name.
struct BatchMember {
  std::string name;      ///< "labels"
  std::string value;     ///< FILE:NAME, or a list as read_sample_array() takes it
  bool of_mask = false;  ///< it changes the mask, not only what is expected of it
};

struct BatchMembers {
  std::vector<BatchMember> known;
  std::vector<std::string> others;  ///< names that are not known
};

/// The members of a file of tensors, or of a JSON object of lists, that are called mask,
/// attention_mask, document_ids, prefix_length, input_ids, position_ids, labels, cu_seqlens or
/// span_ids, also behind a last dot. FILE:NAME takes those of one dictionary of the file. Errors name
/// the file; no known name in it is one.
Result<BatchMembers> batch_members(const std::string& path);

/// What is read of a file where nothing but its path is given.
struct MaskInFile {
  std::string path;       ///< the file, or FILE:NAME of its attn_mask, mask or attention_mask
  bool is_batch = false;  ///< it has more than one of these names, or one that is not of a mask among few arrays
};

MaskInFile mask_in_file(const std::string& path);
bool is_batch_file(const std::string& path);

/// "batch.npz: took labels, mask, left out logits".
std::string taken_members_text(const std::string& path, const std::vector<std::string>& taken,
                               const std::vector<std::string>& left);

}  // namespace vqscope
