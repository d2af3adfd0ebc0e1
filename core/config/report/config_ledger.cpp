// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/report/config_ledger.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr std::size_t longest_sentence = 400;

}  // namespace

std::string NumberRange::text() const {
  if (above) return fmt::format("above {} and at most {}", plain_text(low), plain_text(high));
  return fmt::format("from {} to {}", plain_text(low), plain_text(high));
}

void ConfigLedger::add(ConfigSeverity severity, std::string path, TextPlace place, std::string_view sentence) {
  m_findings.push_back({severity, std::move(path), place, shortened(sentence, longest_sentence)});
}

Index ConfigLedger::errors() const {
  return std::ranges::count(m_findings, ConfigSeverity::error, &ConfigFinding::severity);
}

std::vector<ConfigFinding> ConfigLedger::take_findings() {
  const auto before = [](const ConfigFinding& a, const ConfigFinding& b) {
    return std::pair(a.place.line, a.place.column) < std::pair(b.place.line, b.place.column);
  };
  std::ranges::stable_sort(m_findings, before);
  // Layers of several types share keys: each finding is reported once.
  std::set<std::string> sentences;
  std::erase_if(m_findings, [&](const ConfigFinding& each) { return !sentences.insert(each.sentence).second; });
  return std::move(m_findings);
}

ConfigObject::ConfigObject(const ConfigValue& value, std::string path, ConfigLedger& ledger)
    : m_value(&value), m_path(std::move(path)), m_ledger(&ledger) {
  find_duplicates();
}

void ConfigObject::find_duplicates() const {
  if (!m_value->object()) return;
  std::map<std::string_view, const ConfigValue*> seen;
  for (const auto& member : m_value->object()->members) {
    const auto [first, fresh] = seen.emplace(member.key, &member);
    if (fresh) continue;
    m_ledger->add(ConfigSeverity::warning, path_of(member.key), member.key_place,
                  fmt::format("{} is repeated, first on line {}: the last one is used", path_of(member.key),
                              first->second->key_place.line));
  }
}

std::string ConfigObject::path_of(std::string_view key) const {
  return m_path.empty() ? shortened(key) : fmt::format("{}.{}", m_path, shortened(key));
}

bool ConfigObject::has(std::string_view key) const {
  const auto* member = m_value->find(key);
  return member && !member->is_null();
}

bool ConfigObject::is_null(std::string_view key) const {
  const auto* member = m_value->find(key);
  return member && member->is_null();
}

std::string ConfigObject::absence(std::string_view key) const {
  return path_of(key) + (is_null(key) ? " is null, which is read here as not given" : " is not given");
}

const ConfigValue* ConfigObject::take(std::string_view key) const {
  const auto* member = m_value->find(key);
  if (!member) return nullptr;
  m_ledger->mark_read(*member);
  return member->is_null() ? nullptr : member;
}

std::string ConfigObject::first_of(std::initializer_list<std::string_view> names) const {
  for (const auto name : names)
    if (has(name)) return std::string(name);
  return std::string(*names.begin());
}

std::optional<double> ConfigObject::number(std::string_view key, NumberRange range) const {
  const auto* given = take(key);
  if (!given) return std::nullopt;
  const auto number = given->number();
  if (!number || !range.holds(*number)) return refuse(key, *given, "a number " + range.text()), std::nullopt;
  return number;
}

std::optional<Index> ConfigObject::integer(std::string_view key, NumberRange range) const {
  const auto* given = take(key);
  if (!given) return std::nullopt;
  const auto whole = given->integer();
  if (!whole || !range.holds(static_cast<double>(*whole)))
    return refuse(key, *given, "an integer " + range.text()), std::nullopt;
  return whole;
}

std::optional<bool> ConfigObject::boolean(std::string_view key) const {
  const auto* given = take(key);
  if (!given) return std::nullopt;
  if (!given->boolean()) return refuse(key, *given, "true or false"), std::nullopt;
  return *given->boolean();
}

std::optional<std::string> ConfigObject::text(std::string_view key) const {
  const auto* given = take(key);
  if (!given) return std::nullopt;
  if (!given->text()) return refuse(key, *given, "a string"), std::nullopt;
  return *given->text();
}

std::optional<std::vector<double>> ConfigObject::numbers(std::string_view key, NumberRange range) const {
  const auto* given = take(key);
  if (!given) return std::nullopt;
  if (!given->list()) return refuse(key, *given, "a list of numbers"), std::nullopt;
  std::vector<double> all;
  for (const auto& item : *given->list()) {
    const auto number = item.number();
    if (!number || !range.holds(*number)) {
      error(key, fmt::format("item {} of {} is {} but must be a number {}", all.size(), path_of(key), item.shown(),
                             range.text()));
      return std::nullopt;
    }
    all.push_back(*number);
  }
  return all;
}

void ConfigObject::refuse(std::string_view key, const ConfigValue& given, const std::string& allowed) const {
  error(key, fmt::format("{} is {} but must be {}", path_of(key), given.shown(), allowed));
}

void ConfigObject::add(ConfigSeverity severity, std::string_view key, std::string_view sentence) const {
  const auto* member = m_value->find(key);
  m_ledger->add(severity, path_of(key), member ? member->key_place : m_value->place, sentence);
}

void ConfigObject::error(std::string_view key, std::string_view sentence) const {
  add(ConfigSeverity::error, key, sentence);
}
void ConfigObject::warning(std::string_view key, std::string_view sentence) const {
  add(ConfigSeverity::warning, key, sentence);
}
void ConfigObject::note(std::string_view key, std::string_view sentence) const {
  add(ConfigSeverity::note, key, sentence);
}

}  // namespace vqscope
