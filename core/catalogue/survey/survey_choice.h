// SPDX-License-Identifier: GPL-3.0-or-later
// What a reader of the survey looks for: the rows of a question, those with some words, two of them.
#pragma once

#include "core/catalogue/survey/survey.h"

namespace vqscope {

/// train: an encoding that a model learns with. extend: a change to a trained model, so that it reads
/// longer texts.
enum class SurveyQuestion { train, extend };

SurveyQuestion question_of(const SurveyRow& row);
/// "I train anew", "I extend a model".
std::string question_title(SurveyQuestion question);

/// Whether each of the words, between blanks and in any case, is in some text of the row.
bool has_words(const SurveyRow& row, std::string_view words);

/// A property of two rows.
struct SurveyFact {
  std::string name;
  std::string a, b;
  bool differs() const { return a != b; }
};

/// In the order of the columns; without what neither has.
std::vector<SurveyFact> compared_rows(const SurveyRow& a, const SurveyRow& b);

}  // namespace vqscope
