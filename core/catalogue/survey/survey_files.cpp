// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalogue/survey/survey_files.h"

#include "core/base/sentence.h"
#include "core/catalogue/survey/survey.h"
#include "core/export/csv.h"
#include "core/io/json/json_value.h"
#include "core/method/value_json.h"

#include <array>

namespace vqscope {
namespace {

std::string yes_no(bool yes) { return yes ? "yes" : "no"; }

/// "rope_type=yarn", as `--set` takes it.
std::string settings_of(const ParameterValues& values) {
  std::vector<std::string> settings;
  for (const auto& [name, value] : values.map()) settings.push_back(name + "=" + format_value(value));
  return join(settings, " ");
}

struct Column {
  const char* name;
  std::string (*text)(const SurveyRow&);
};

constexpr std::array<Column, 14> columns{{
    {"id", [](const SurveyRow& row) { return row.id; }},
    {"title", [](const SurveyRow& row) { return row.title; }},
    {"group", [](const SurveyRow& row) { return row.group; }},
    {"method", [](const SurveyRow& row) { return row.method->id; }},
    {"values", [](const SurveyRow& row) { return settings_of(row.values); }},
    {"relative", [](const SurveyRow& row) { return yes_no(row.traits.relative); }},
    {"trainable", [](const SurveyRow& row) { return yes_no(row.traits.trainable); }},
    {"each_layer", [](const SurveyRow& row) { return yes_no(row.traits.each_layer); }},
    {"extrapolation", [](const SurveyRow& row) { return row.traits.extrapolation; }},
    {"trade_off", [](const SurveyRow& row) { return row.trade_off; }},
    {"published", [](const SurveyRow& row) { return row.published; }},
    {"published_source", [](const SurveyRow& row) { return row.published_source; }},
    {"paper", [](const SurveyRow& row) { return row.citation.paper; }},
    {"reference", [](const SurveyRow& row) { return row.citation.reference; }},
}};

JsonObject json_of_row(const SurveyRow& row) {
  JsonArray views;
  for (const SurveyView& view : row.views)
    views.push_back(JsonObject{{"title", view.title}, {"method", view.method->id}, {"values", json_of(view.values)}});
  JsonObject object{{"views", views}};
  for (const Column& column : columns) object[column.name] = column.text(row);
  object["values"] = json_of(row.values);
  object["relative"] = row.traits.relative;
  object["trainable"] = row.traits.trainable;
  object["each_layer"] = row.traits.each_layer;
  return object;
}

std::string paragraph(const SurveyRow& row) {
  const EncodingTraits& traits = row.traits;
  const bool nothing = row.method->bias && row.method->bias->zero;
  const char* place = nothing ? "" : traits.each_layer ? ", in each layer" : ", once, at the embeddings";
  std::string text =
      fmt::format("{}  {}\n    {}, {}{}\n    Beyond the training length: {}\n    Trade-off: {}\n", row.id, row.title,
                  position_word(row), traits.trainable ? "trainable" : "no learned parameters", place,
                  traits.extrapolation, row.trade_off);
  if (!row.published.empty()) text += fmt::format("    Published: {} ({})\n", row.published, row.published_source);
  text += fmt::format("    Source: {}\n    Views:", row.citation.paper);
  std::string separator = " ";
  for (const SurveyView& view : row.views) {
    text += fmt::format("{}{} ({})", separator, view.title, view.method->id);
    separator = ", ";
  }
  return text + "\n";
}

}  // namespace

std::string survey_csv() {
  std::string text;
  for (const Column& column : columns) text += (text.empty() ? "" : ",") + csv_text(column.name);
  text += "\n";
  for (const SurveyRow& row : survey_rows()) {
    std::string separator;
    for (const Column& column : columns) text += std::exchange(separator, ",") + csv_text(column.text(row));
    text += "\n";
  }
  return text;
}

std::string survey_json() {
  JsonArray rows;
  for (const SurveyRow& row : survey_rows()) rows.push_back(json_of_row(row));
  return indented_json(JsonObject{{"survey", rows}});
}

std::string survey_text() {
  std::string text, group;
  for (const SurveyRow& row : survey_rows()) {
    if (row.group != group) text += (text.empty() ? "" : "\n") + row.group + "\n\n";
    group = row.group;
    text += paragraph(row);
  }
  return text;
}

}  // namespace vqscope
