// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <string>
#include <string_view>

namespace vqscope {

/// Notes on a scaling or on Leaky ReRoPE, which are not separate methods.
struct ScalingNote {
  std::string_view rope_type;  ///< or rerope_type
  std::string_view title;
  std::string_view paper;
  std::string_view extrapolation;
  SurveyNote note = {};
};

/// An empty note for what has none.
ScalingNote scaling_note(std::string_view rope_type);

/// A sentence: `published`, or the values of `curve`.
std::string published_result(const SurveyNote& note);
std::string published_source(const SurveyNote& note);

}  // namespace vqscope
