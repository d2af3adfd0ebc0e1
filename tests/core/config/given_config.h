// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/config_text.h"
#include "core/config/report/config_ledger.h"
#include "core/io/json/json_reader.h"

#include <algorithm>

namespace vqscope::test {

/// An object of a config, and the ledger that it is read with. The text may have single quotes for
/// double ones.
class GivenConfig {
 public:
  explicit GivenConfig(const std::string& text, std::string path = {})
      : m_root(parsed(text)), object(m_root, std::move(path), m_ledger) {}
  GivenConfig(const GivenConfig&) = delete;
  GivenConfig& operator=(const GivenConfig&) = delete;

  /// "error: head_dim is …", a line each; they are taken out of the ledger.
  std::string findings() {
    std::string lines;
    for (const auto& finding : m_ledger.take_findings())
      lines += (lines.empty() ? "" : "\n") + severity_name(finding.severity) + ": " + finding.sentence;
    return lines;
  }
  bool was_read(std::string_view key) const { return m_ledger.was_read(*m_root.find(key)); }

 private:
  static ConfigValue parsed(std::string text) {
    std::ranges::replace(text, '\'', '"');
    auto read = read_json(text, {.python_numbers = true});
    return read ? std::move(*read) : ConfigValue{.data = "the test's JSON: " + read.error().message};
  }

  ConfigValue m_root;
  ConfigLedger m_ledger;

 public:
  const ConfigObject object;
};

}  // namespace vqscope::test
