// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/option_table.h"

#include <string>
#include <vector>

namespace vqscope {

/// The arguments with what --batch-file holds in place of --mask and --array, whose own values go
/// first: attention_mask, mask, input_ids, position_ids, labels, cu_seqlens, document_ids,
/// prefix_length and span_ids, of a file of tensors or a JSON object of lists. `notes` gets a
/// sentence that names what was taken. A command that does not state what a mask should be leaves
/// out what belongs to that. Errors name the file; no known name in it is one.
Result<MethodArguments> withBatchFile(const MethodArguments& arguments, std::vector<std::string>& notes);

/// Gives a file to the arguments as --batch-file if it is_batch_file(), else as --mask.
void takeFile(MethodArguments& arguments, const std::string& path);

}  // namespace vqscope
