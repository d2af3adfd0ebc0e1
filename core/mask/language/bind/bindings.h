// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/mask/language/code/plain_evaluator.h"
#include "core/mask/language/compile/program.h"
#include "core/sequence/sequence_layout.h"

#include <map>
#include <string>
#include <vector>

namespace vqscope {

/// Values of a program's free names. Names that the program does not have are ignored.
struct MaskBindings {
  std::map<std::string, Index> integers;
  std::map<std::string, std::vector<Index>> arrays;
  std::vector<bool> term_on;  ///< by term; terms after the end are on
  Index b = 0;
  Index h = 0;
  /// Cells whose evaluation fails are masked instead of being an error.
  bool mask_failing_cells = false;
};

namespace language {

/// The error names the integer or array that is not given.
Result<Environment> make_environment(const MaskProgram& program, MaskBindings bindings, const SequenceLayout& layout);

}  // namespace language
}  // namespace vqscope
