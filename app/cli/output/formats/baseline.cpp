// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/output/formats/baseline.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/bytes/whole_file.h"
#include "core/io/json/json_reader.h"

#include <algorithm>
#include <filesystem>

namespace vqscope {
namespace {

std::string textOf(const ConfigValue& entry, std::string_view name) {
  const ConfigValue* member = entry.find(name);
  const std::string* text = member ? member->text() : nullptr;
  return text ? *text : std::string();
}

}  // namespace

Result<Baseline> Baseline::read(const std::string& path, bool mayBeAbsent) {
  std::error_code failed;
  if (mayBeAbsent && !std::filesystem::exists(path, failed)) return Baseline();
  const auto bytes = read_text(path, most_json_bytes);
  if (!bytes) return within(shown_path(path), bytes.error());
  const auto json = read_json(*bytes);
  if (!json) return within(shown_path(path), json.error());
  const ConfigValue* findings = json->find("known_findings");
  const ConfigValue::List* list = findings ? findings->list() : nullptr;
  if (!list) return invalid("{} is not a baseline of vqscope check: it has no list known_findings", shown_path(path));
  Baseline baseline;
  for (const ConfigValue& entry : *list) {
    const std::string fingerprint = textOf(entry, "fingerprint");
    if (fingerprint.empty())
      return invalid("{}: {}a known finding has no fingerprint", shown_path(path), entry.place.text());
    baseline.m_known.push_back({fingerprint, textOf(entry, "file"), textOf(entry, "rule"), textOf(entry, "message")});
  }
  return baseline;
}

std::vector<Finding> Baseline::takeKnown(LintReport& report, const CheckedFile& file) const {
  std::vector<Finding> known;
  std::erase_if(report.findings, [&](const Finding& finding) {
    const bool isKnown = std::ranges::count(m_known, fingerprintOf(finding, file), &Known::fingerprint) > 0;
    if (isKnown) known.push_back(finding);
    return isKnown;
  });
  return known;
}

Result<void> Baseline::write(const std::string& path, const LintReport& report, const CheckedFile& file) {
  std::erase_if(m_known, [&](const Known& known) { return known.file == file.path; });
  for (const Finding& finding : report.findings) {
    const std::string fingerprint = fingerprintOf(finding, file);
    if (std::ranges::count(m_known, fingerprint, &Known::fingerprint) == 0)
      m_known.push_back({fingerprint, file.path, finding.rule, finding.sentence});
  }
  JsonArray entries;
  for (const Known& known : m_known)
    entries.push_back(JsonObject{
        {"fingerprint", known.fingerprint}, {"file", known.file}, {"rule", known.rule}, {"message", known.message}});
  return write_whole_file(path, indented_json(JsonObject{{"known_findings", entries}}));
}

}  // namespace vqscope
