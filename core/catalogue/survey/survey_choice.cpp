// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/survey/survey_choice.h"

#include "core/base/sentence.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

struct Property {
  const char* name;
  std::string (*text)(const SurveyRow&);
};

std::string views_of(const SurveyRow& row) {
  std::vector<std::string> titles;
  for (const SurveyView& view : row.views) titles.push_back(view.title);
  return join(titles, ", ");
}

constexpr std::array<Property, 8> properties{{
    {"Question", [](const SurveyRow& row) { return question_title(question_of(row)); }},
    {"Kind", [](const SurveyRow& row) { return row.group; }},
    {"Traits", [](const SurveyRow& row) { return join(trait_words(row), ", "); }},
    {"Beyond the training length", [](const SurveyRow& row) { return row.traits.extrapolation; }},
    {"Cost and use", [](const SurveyRow& row) { return row.trade_off; }},
    {"Published",
     [](const SurveyRow& row) {
       return row.published.empty() ? std::string() : fmt::format("{} ({})", row.published, row.published_source);
     }},
    {"Source", [](const SurveyRow& row) { return row.citation.paper; }},
    {"Views", views_of},
}};

}  // namespace

SurveyQuestion question_of(const SurveyRow& row) {
  const bool extends = row.values.find("rope_type") || row.values.find("rerope_type");
  return extends ? SurveyQuestion::extend : SurveyQuestion::train;
}

std::string question_title(SurveyQuestion question) {
  return question == SurveyQuestion::train ? "I train anew" : "I extend a model";
}

bool has_words(const SurveyRow& row, std::string_view words) {
  std::string all = row.id + "\n" + row.title;
  for (const Property& property : properties) all += "\n" + property.text(row);
  all = lower_case(all);
  const std::string wanted = lower_case(words);
  const auto each = split(wanted, ' ');
  return std::ranges::all_of(each, [&](std::string_view word) { return all.find(trimmed(word)) != std::string::npos; });
}

std::vector<SurveyFact> compared_rows(const SurveyRow& a, const SurveyRow& b) {
  std::vector<SurveyFact> facts;
  for (const Property& property : properties) {
    SurveyFact fact{property.name, property.text(a), property.text(b)};
    if (!fact.a.empty() || !fact.b.empty()) facts.push_back(std::move(fact));
  }
  return facts;
}

}  // namespace vqscope
