// SPDX-License-Identifier: GPL-3.0-or-later
// How the config doctor reads: every key read is remembered, every mistake is a finding.
#pragma once

#include "core/config/report/config_report.h"

#include <set>

namespace vqscope {

/// The valid numbers for a key.
struct NumberRange {
  double low = 0;
  double high = 0;
  bool above = false;  ///< `low` itself is not valid

  constexpr bool holds(double value) const { return (above ? value > low : value >= low) && value <= high; }
  /// "above 1 and at most 100", "from 2 to 4096".
  std::string text() const;
};

class ConfigLedger {
 public:
  void add(ConfigSeverity severity, std::string path, TextPlace place, std::string_view sentence);
  void mark_read(const ConfigValue& member) { m_read.insert(&member); }
  bool was_read(const ConfigValue& member) const { return m_read.contains(&member); }
  Index errors() const;
  /// The findings, sorted by place.
  std::vector<ConfigFinding> take_findings();

 private:
  std::vector<ConfigFinding> m_findings;
  std::set<const ConfigValue*> m_read;
};

/// An object of the config. null counts as not given. The value and the ledger must outlive it.
class ConfigObject {
 public:
  /// Duplicate keys are reported here.
  ConfigObject(const ConfigValue& value, std::string path, ConfigLedger& ledger);

  const ConfigValue& value() const { return *m_value; }
  const std::string& path() const { return m_path; }
  std::string path_of(std::string_view key) const;
  ConfigLedger& ledger() const { return *m_ledger; }

  /// Whether the key is there with a value; it is not marked as read.
  bool has(std::string_view key) const;
  /// Whether the key is there as an explicit null, which some classes do not take for their
  /// default.
  bool is_null(std::string_view key) const;
  /// "head_dim is not given", or that it is null, by its path.
  std::string absence(std::string_view key) const;
  /// The value, marked as read; null if it is not given.
  const ConfigValue* take(std::string_view key) const;
  /// The first of several synonymous names that has a value.
  std::string first_of(std::initializer_list<std::string_view> names) const;

  /// Nothing if the key is not given; nothing and an error if the value has another type or is out
  /// of range.
  std::optional<double> number(std::string_view key, NumberRange range) const;
  std::optional<Index> integer(std::string_view key, NumberRange range) const;
  std::optional<bool> boolean(std::string_view key) const;
  std::optional<std::string> text(std::string_view key) const;
  /// A list of numbers, each of them in the range.
  std::optional<std::vector<double>> numbers(std::string_view key, NumberRange range) const;

  /// Adds a finding about a key, or about the object if the key is missing.
  void error(std::string_view key, std::string_view sentence) const;
  void warning(std::string_view key, std::string_view sentence) const;
  void note(std::string_view key, std::string_view sentence) const;

 private:
  void find_duplicates() const;
  void refuse(std::string_view key, const ConfigValue& given, const std::string& allowed) const;
  void add(ConfigSeverity severity, std::string_view key, std::string_view sentence) const;

  const ConfigValue* m_value;
  std::string m_path;
  ConfigLedger* m_ledger;
};

}  // namespace vqscope
