// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace vqscope {

/// Notes of the survey on an encoding, in addition to the traits of its method.
struct SurveyNote {
  std::string_view id;  ///< of the survey's row
  std::string_view trade_off;
  std::string_view published = {};  ///< results that a paper reports, none of them computed here; empty: none copied
  std::string_view source = {};     ///< of `published`: authors, year, table
  std::string_view curve = {};      ///< series of alibi_table_2 with the published results
  std::string_view positions = {};  ///< of what is neither relative nor absolute: "no positions"
};

/// Notes on a scaling or on Leaky ReRoPE, which are not separate methods.
struct ScalingNote {
  std::string_view rope_type;  ///< or rerope_type
  std::string_view title;
  std::string_view paper;
  std::string_view extrapolation;
};

/// An empty note for what has none.
SurveyNote survey_note(std::string_view id);
ScalingNote scaling_note(std::string_view rope_type);

/// A sentence: `published`, or the values of `curve`.
std::string published_result(const SurveyNote& note);
std::string published_source(const SurveyNote& note);

}  // namespace vqscope
