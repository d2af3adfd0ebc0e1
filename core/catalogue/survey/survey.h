// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// How the survey names the picture that a method gives of an encoding.
struct ViewTitle {
  std::string_view method;
  std::string_view title;
  /// Ids of encodings that it shows, where no choice of its parameters names them.
  std::vector<std::string_view> of = {};
};

/// In the order in which the views of an encoding are listed.
std::span<const ViewTitle> view_titles();

/// One picture of an encoding: a method, and the values that turn it to this encoding.
struct SurveyView {
  std::string title;  ///< beside the encoding's other views: "Bias", "Seen in training"
  const Method* method = nullptr;
  ParameterValues values;  ///< only those to set; the others stay as they are
};

/// One position encoding, or one scaling of RoPE.
struct SurveyRow {
  std::string id;     ///< of its method, or of the choice that makes it: alibi, yarn
  std::string title;  ///< "ALiBi", "Position interpolation (PI)"
  std::string group;  ///< heading in a list: "Additive biases"
  const Method* method = nullptr;
  ParameterValues values;  ///< to set on `method`: rope_type of a scaling
  EncodingTraits traits;
  std::string positions;         ///< of what is neither relative nor absolute
  std::string trade_off;         ///< what it costs and what it is good at
  std::string published;         ///< results that a paper reports, in a sentence; empty: none copied
  std::string published_source;  ///< authors, year, table
  Citation citation;
  std::vector<SurveyView> views;  ///< at least one, the method itself first
};

/// Every encoding and every scaling, by group. Rows are made from methods: their traits and the
/// choices of their parameters.
std::span<const SurveyRow> survey_rows();

/// "relative"; "absolute"; of what is neither the words of its note: "no positions".
std::string position_word(const SurveyRow& row);

/// position_word, "trainable", "each layer".
std::vector<std::string> trait_words(const SurveyRow& row);

const SurveyRow* find_survey_row(std::string_view id);

/// All values of a view: its own, else those of `from` by name, else the defaults.
ParameterValues view_values(const SurveyView& view, const ParameterValues& from = {});

}  // namespace vqscope
