// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/section/survey_document.h"

#include "core/base/sentence.h"
#include "core/catalogue/survey/survey.h"

namespace vqscope {
namespace {

std::vector<TableCell> line_of(const SurveyRow& row) {
  std::string published = row.published;
  if (!row.published_source.empty()) published += fmt::format(" ({})", row.published_source);
  return {{row.title, CellTone::heading}, {join(trait_words(row), ", ")},
          {row.traits.extrapolation},     {row.trade_off},
          {std::move(published)},         {row.citation.paper}};
}

}  // namespace

ReportDocument survey_document() {
  ReportDocument document{
      .title = "Survey of position encodings",
      .lead =
          "Every encoding and scaling that VQScope knows: what is known beyond the training length, what it costs, "
          "and what papers report. None of the published numbers is measured here."};
  for (const auto& row : survey_rows()) {
    auto& sections = document.sections;
    if (sections.empty() || sections.back().title != row.group) {
      sections.push_back({.title = row.group});
      sections.back().add(ReportTable{
          .caption = "What is known of each, and who reports it",
          .headings = {"Encoding", "Kind", "Beyond the training length", "Trade-off", "Published", "Source"},
          .rows = {},
          .is_prose = true});
    }
    std::get<ReportTable>(sections.back().blocks.front()).rows.push_back(line_of(row));
  }
  return document;
}

}  // namespace vqscope
