// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_value.h"

#include "core/io/json/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <utility>

namespace vqscope {
namespace {

constexpr std::size_t indentation = 4;

/// Beyond 2^53, digits that the double does not determine are written as zeros:
/// 109951162777600010000 has as many digits as the full number.
void append_real(TextBuffer& text, double value) {
  constexpr double exact = 0x1p53;
  char digits[max_number_chars];
  const auto end = std::to_chars(digits, digits + max_number_chars, value).ptr;
  const std::string_view shortest(digits, static_cast<std::size_t>(end - digits));
  if (!(std::abs(value) >= exact) || shortest.find_first_not_of("-0123456789") != std::string_view::npos)
    return append_json(text, value == 0 ? 0.0 : value);
  char known[max_number_chars];
  const auto known_end = std::to_chars(known, known + max_number_chars, value, std::chars_format::scientific).ptr;
  std::string padded(known, std::find(known, known_end, 'e'));
  std::erase(padded, '.');
  padded.resize(shortest.size(), '0');
  text.append(padded);
}

/// Writes each kind of value at its depth.
class TreeWriter {
 public:
  explicit TreeWriter(bool indented) : m_indented(indented) {}

  void operator()(std::nullptr_t) { m_text.append("null"); }
  void operator()(bool value) { m_text.append(value ? "true" : "false"); }
  void operator()(Index value) { m_text.append_number(value); }
  void operator()(double value) { append_real(m_text, value); }
  void operator()(const std::string& value) { append_json(m_text, value); }
  void operator()(const JsonArray& items) { write_list(items); }
  void operator()(const std::vector<Index>& items) { write_numbers(items); }
  void operator()(const std::vector<double>& items) { write_numbers(items); }
  void operator()(const JsonObject& members) {
    write_all('{', members, '}', [&](const auto& member) {
      append_json(m_text, member.first);
      m_text.append(m_indented ? ": " : ":");
      (*this)(member.second);
    });
  }
  void operator()(const JsonValue& value) { std::visit(*this, value.data()); }

  void break_line() {
    if (m_indented) m_text.append(m_line_break);
  }
  std::string take() { return m_text.take(); }

 private:
  template <class Items>
  void write_list(const Items& items) {
    write_all('[', items, ']', [&](const auto& item) { (*this)(item); });
  }

  /// Most of the text of millions of numbers would be the indentation of their lines.
  template <class Numbers>
  void write_numbers(const Numbers& numbers) {
    constexpr std::size_t most_lines = 1024;
    const bool indented = std::exchange(m_indented, m_indented && numbers.size() <= most_lines);
    write_list(numbers);
    m_indented = indented;
  }

  template <class Items, class Write>
  void write_all(char open, const Items& items, char close, const Write& write_one) {
    m_text.append(open);
    m_line_break.append(indentation, ' ');
    bool first = true;
    for (const auto& item : items) {
      if (!std::exchange(first, false)) m_text.append(',');
      break_line();
      write_one(item);
    }
    m_line_break.resize(m_line_break.size() - indentation);
    break_line();
    m_text.append(close);
  }

  TextBuffer m_text;
  bool m_indented;
  std::string m_line_break = "\n";  ///< with the indentation of the next line
};

}  // namespace

JsonValue::JsonValue() = default;
JsonValue::JsonValue(const JsonValue& other) = default;
JsonValue::JsonValue(JsonValue&& other) noexcept = default;
JsonValue& JsonValue::operator=(const JsonValue& other) = default;
JsonValue& JsonValue::operator=(JsonValue&& other) noexcept = default;
JsonValue::~JsonValue() = default;
JsonValue::JsonValue(JsonArray items) : m_data(std::move(items)) {}
JsonValue::JsonValue(JsonObject members) : m_data(std::move(members)) {}

std::string indented_json(const JsonValue& value) {
  TreeWriter writer(true);
  writer(value);
  writer.break_line();
  return writer.take();
}

std::string compact_json(const JsonValue& value) {
  TreeWriter writer(false);
  writer(value);
  return writer.take();
}

}  // namespace vqscope
