// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/compile/value.h"

#include <map>
#include <string>
#include <vector>

namespace vqscope::language {

/// The text of a key, such that keys that are equal in Python have equal texts: 1 and True are one
/// key.
struct DictionaryKey {
  std::string text;
  bool is_known = true;  ///< false: its value is not known at compile time
};

/// The name of a dictionary whose items are read as attributes: types.SimpleNamespace.
inline constexpr const char* attributes_of = "SimpleNamespace";

/// A dictionary of Python, in insertion order.
class Dictionary {
 public:
  struct Item {
    Value key;
    Value value;
  };

  const std::vector<Item>& items() const { return m_items; }
  bool has_unknown_keys() const { return m_unknown > 0; }

  const Value* find(const DictionaryKey& key) const {
    const auto found = m_places.find(key.text);
    return found == m_places.end() ? nullptr : &m_items[found->second].value;
  }

  void set(const DictionaryKey& key, const Value& name, Value value) {
    const auto [place, is_new] = m_places.try_emplace(key.text, m_items.size());
    if (!is_new) {
      m_items[place->second].value = std::move(value);
      return;
    }
    m_items.push_back({name, std::move(value)});
    m_unknown += key.is_known ? 0 : 1;
  }

  void erase(const DictionaryKey& key) {
    const auto found = m_places.find(key.text);
    if (found == m_places.end()) return;
    const std::size_t place = found->second;
    m_items.erase(m_items.begin() + static_cast<std::ptrdiff_t>(place));
    m_places.erase(found);
    m_unknown -= key.is_known ? 0 : 1;
    for (auto& [text, at] : m_places) at -= at > place ? 1 : 0;
  }

 private:
  std::vector<Item> m_items;
  std::map<std::string, std::size_t> m_places;
  int m_unknown = 0;
};

}  // namespace vqscope::language
