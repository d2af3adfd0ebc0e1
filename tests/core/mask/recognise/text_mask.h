// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/language_mask.h"

#include <memory>
#include <string>

namespace vqscope::test {

inline std::shared_ptr<const Mask> mask_of_text(const std::string& text, const SequenceInput& input) {
  return *LanguageMask::make(MaskProgram::parse(text).program, {}, *SequenceLayout::make(input));
}

}  // namespace vqscope::test
