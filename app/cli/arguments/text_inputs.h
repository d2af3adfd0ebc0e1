// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/arguments/option_table.h"
#include "core/mask/batch/text_sizes.h"

#include <set>
#include <string>
#include <vector>

namespace vqscope {

/// What the samples and lengths of a command's mask depend on, if it is a text.
struct TextInputs {
  bool readsBatch = false;          ///< b, which nobody has set
  bool readsHead = false;           ///< h, which nobody has set
  std::set<std::string> free;       ///< names that the text leaves free
  std::set<std::string> byBatch;    ///< arrays that it indexes with b
  TextSizes sizes;                  ///< that the text gives
  std::vector<NamedCount> samples;  ///< of arrays with a side for b, and of create_block_mask
  std::vector<NamedCount> heads;    ///< of arrays with a side for h, and of create_block_mask
};

/// With the arrays and integers of the settings, as far as they can be applied.
TextInputs textInputsOf(const MethodArguments& arguments, const std::string& text);

}  // namespace vqscope
