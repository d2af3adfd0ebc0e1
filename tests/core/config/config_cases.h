// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/config_text.h"
#include "core/config/model_config.h"
#include "tests/support/paths.h"

#include <QDir>
#include <QFile>

namespace vqscope::test {

/// A Llama of heads of 128 dimensions and what else is given, on the lines after it.
inline std::string llama(const std::string& members) {
  return R"({"model_type": "llama", "hidden_size": 4096, "num_attention_heads": 32, "max_position_embeddings": 131072)" +
         (members.empty() ? std::string() : ",\n" + members) + "}";
}

inline std::string llama_scaled(const std::string& scaling) {
  return llama("\"rope_theta\": 500000.0,\n\"rope_scaling\": {" + scaling + "}");
}

inline const std::string llama3_scaling =
    R"("rope_type": "llama3", "factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,)"
    R"( "original_max_position_embeddings": 8192)";
inline const std::string yarn_scaling =
    R"("rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32768)";

/// The findings, a line each; what no config is has its error.
inline std::string findings_of(const std::string& json) {
  const auto report = read_model_config(json);
  if (!report) return report.error().message;
  std::string lines;
  for (const auto& finding : report->findings) lines += (lines.empty() ? "" : "\n") + finding_text(finding);
  return lines;
}

inline ConfigReport report_of(const std::string& json) {
  auto report = read_model_config(json);
  return report ? std::move(*report) : ConfigReport{};
}

/// The text of a preset, and the names of all.
inline QByteArray preset(const QString& name) {
  QFile file(test::sourcePath(QStringLiteral("resources/configs/") + name + QStringLiteral(".json")));
  return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}
inline QStringList preset_names() {
  QStringList names = QDir(test::sourcePath(QStringLiteral("resources/configs"))).entryList({"*.json"});
  for (QString& name : names) name.chop(5);
  return names;
}

}  // namespace vqscope::test
