// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/output/check_output.h"

#include <string>

namespace vqscope {

/// The file of a check, as its reports name it.
struct CheckedFile {
  std::string path;  ///< without the name of a tensor in it; empty: a preset or a session
  std::string text;  ///< of a mask as text
};

CheckedFile checkedFile(const MethodArguments& arguments, const Samples& samples);

/// Line and column from 1; 0: not known.
struct FindingPlace {
  Index line = 0;
  Index column = 0;
};

/// Of a mask as text: the comparison whose change mends it, else the term that masks the cell, else what the mask
/// returns.
FindingPlace placeOf(const Finding& finding, const CheckOutput* output, const CheckedFile& file);

/// 16 digits that stay the same while the rule, the file and the words of the finding do, whatever numbers are in
/// them.
std::string fingerprintOf(const Finding& finding, const CheckedFile& file);

}  // namespace vqscope
