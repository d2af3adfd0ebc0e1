// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sentence.h"
#include "core/config/model_config.h"
#include "core/report/section/shown.h"
#include "core/schedule/finding/findings.h"
#include "core/schedule/methods.h"
#include "core/schedule/setting/schedule_parameters.h"
#include "core/schedule/text/layer_texts.h"

#include <algorithm>

namespace vqscope {
namespace {

const char* word_of(ScheduleSeverity severity) {
  if (severity == ScheduleSeverity::leak) return "error";
  return severity == ScheduleSeverity::loss ? "warning" : "note";
}

const char* word_of(ConfigSeverity severity) {
  if (severity == ConfigSeverity::error) return "error";
  return severity == ConfigSeverity::warning ? "warning" : "note";
}

/// "RoPE, theta 1000000, yarn by 4"; the name of other positions.
std::string positions_of(const ModelLayer& layer, const LayerSchedule& schedule) {
  if (layer.rope < 0) return layer.positions.empty() ? std::string("–") : layer.positions;
  const RopeScaling& scaling = schedule.ropes[static_cast<std::size_t>(layer.rope)].scaling;
  const std::string text = "RoPE, theta " + plain_text(scaling.rope_theta);
  return scaling.rope_type == "default"
             ? text
             : fmt::format("{}, {} by {}", text, scaling.rope_type, plain_text(scaling.factor));
}

/// Layers that are the same, in the order of their first one.
ReportTable layers_of(const LayerSchedule& schedule) {
  ReportTable table{.caption = "Layers from the first, number 0, to the last; equal ones together",
                    .headings = {"Layers", "Count", "Attention", "Positions", "Description"}};
  std::vector<std::pair<std::string, std::vector<Index>>> groups;
  for (std::size_t i = 0; i < schedule.layers.size(); ++i) {
    const std::string text = layer_text(schedule.layers[i], ModelLayer());
    auto group = std::ranges::find(groups, text, &std::pair<std::string, std::vector<Index>>::first);
    if (group == groups.end()) group = groups.insert(groups.end(), {text, {}});
    group->second.push_back(static_cast<Index>(i));
  }
  for (const auto& [text, numbers] : groups) {
    const ModelLayer& layer = schedule.layers[static_cast<std::size_t>(numbers.front())];
    table.rows.push_back({{layer_numbers_text(numbers), CellTone::heading},
                          {to_text(std::ssize(numbers)), CellTone::number},
                          {kind_text(layer)},
                          {positions_of(layer, schedule)},
                          {text}});
  }
  return table;
}

void add_config(const Subject& subject, ReportSection& section) {
  if (subject.config.empty()) return;
  const auto report = read_model_config(subject.config);
  if (!report) return section.add(ReportText{"Its config cannot be read: " + report.error().message});
  section.add(ReportText{report->summary});
  for (const auto& finding : report->findings)
    section.add(ReportFinding{.severity = word_of(finding.severity),
                              .title = finding.path.empty() ? "The config" : finding.path,
                              .sentence = finding.sentence + "."});
}

}  // namespace

ReportSection model_section(const ReportShown& shown) {
  ReportSection section{.title = "The model, layer by layer"};
  const Subject& subject = shown.request->session.subject;
  add_config(subject, section);
  // Other methods of the page have some of these values.
  const ParameterValues values = carried_values(schedule_methods().front(), shown.page.values);
  const auto sight = sight_from(values);
  if (!sight || sight->layers() == 0) return section;
  section.add(layers_of(sight->schedule()));
  const auto query = query_token(*sight, values);
  if (!query) return section;
  for (const auto& finding : find_in_schedule(*sight, *query))
    section.add(
        ReportFinding{.severity = word_of(finding.severity), .title = finding.title, .sentence = finding.sentence});
  return section;
}

}  // namespace vqscope
