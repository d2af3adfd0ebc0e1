// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/mask/preset/imported_preset.h"
#include "core/method/free_name.h"
#include "core/report/section/shown.h"

namespace vqscope {
namespace {

/// Long texts and cells have a place of their own.
bool is_listed(const ParameterSpec& spec) {
  return spec.text_form != TextForm::mask && spec.name != "mask_rows" && spec.name != "mask_file";
}

/// Whether a value is named although it is the default: without its length no picture is understood.
bool is_always_named(const ParameterSpec& spec) {
  return spec.role == ParameterRole::shape || spec.in_summary == InSummary::always;
}

/// Whether the program chooses the value.
bool is_automatic(const ParameterSpec& spec, const ParameterValue& value) {
  const auto* number = std::get_if<Index>(&value);
  return !spec.automatic.empty() && number && static_cast<double>(*number) == spec.minimum;
}

/// A free name of a mask's text as it stands there.
std::string shown_name(const ParameterSpec& spec) {
  const std::string_view free = free_name_of(spec.name);
  return free.empty() ? spec.name : std::string(free);
}

ReportTable table_of(const ReportShown& shown) {
  const bool is_compared = shown.page.compare != CompareMode::none;
  const ParameterValues other = is_compared ? carried_values(*shown.method, shown.page.other) : shown.values;
  ReportTable table{.caption = "Settings that differ from the program's defaults, and the length of the sequence",
                    .headings = {"Setting", "Value", "Meaning"}};
  if (is_compared) table.headings = {"Setting", "A", "B", "Meaning"};
  for (const auto& spec : parameters_of(*shown.method, shown.values)) {
    const ParameterValue* value = shown.values.find(spec.name);
    const ParameterValue* second = other.find(spec.name);
    if (!value || !is_listed(spec) || !is_relevant(spec, shown.values)) continue;
    const bool is_set = *value != spec.default_value || (second && *second != *value);
    if (!is_set && (!is_always_named(spec) || is_automatic(spec, *value))) continue;
    std::vector<TableCell> row{{shown_name(spec), CellTone::heading}, {short_text(*value)}};
    if (is_compared) row.push_back({second ? short_text(*second) : std::string()});
    row.push_back({spec.help});
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace

ReportSection settings_section(const ReportShown& shown) {
  ReportSection section{.title = "What it is"};
  const auto& citation = shown.method->citation;
  if (shown.mask) section.add(ReportText{fmt::format("{}: {}", shown.method->title, shown.method->help)});
  if (!citation.paper.empty()) section.add(ReportText{"Source: " + citation.paper});
  const Subject& subject = shown.request->session.subject;
  if (!subject.model.empty()) section.add(ReportText{"Model: " + subject.model});
  if (const auto file = imported_file(shown.values)) section.add(ReportText{"File: " + mask_file_sentence(*file)});
  if (auto table = table_of(shown); !table.rows.empty()) section.add(std::move(table));
  return section;
}

}  // namespace vqscope
