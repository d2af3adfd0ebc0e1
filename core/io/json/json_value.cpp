// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_value.h"

#include "core/base/utf8.h"
#include "core/io/json/json_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace vqscope {
namespace {

constexpr std::size_t indentation = 4;

void append_escaped(TextBuffer& text, unsigned code) {
  constexpr std::string_view hex = "0123456789abcdef";
  text.append("\\u");
  for (const int shift : {12, 8, 4, 0}) text.append(hex[(code >> shift) & 15]);
}

void append_ascii(TextBuffer& text, char c) {
  constexpr std::string_view named = "\b\f\n\r\t\"\\";
  constexpr std::string_view letters = "bfnrt\"\\";
  if (const auto at = named.find(c); at != std::string_view::npos) {
    text.append('\\');
    text.append(letters[at]);
  } else if (static_cast<unsigned char>(c) < 0x20) {
    append_escaped(text, static_cast<unsigned char>(c));
  } else {
    text.append(c);
  }
}

void append_quoted(TextBuffer& text, std::string_view utf8) {
  text.append('"');
  while (!utf8.empty()) {
    const std::size_t bytes = utf8_sequence(utf8);
    if (bytes == 0)
      append_escaped(text, 0xdc00U + static_cast<unsigned char>(utf8[0]));
    else if (bytes == 1)
      append_ascii(text, utf8[0]);
    else
      text.append(utf8.substr(0, bytes));
    utf8.remove_prefix(bytes == 0 ? 1 : bytes);
  }
  text.append('"');
}

/// Beyond 2^53 digits that nobody can know are zeros: 109951162777600010000, which is as long as all of its digits.
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

/// Each kind of value, at a depth.
class IndentedWriter {
 public:
  explicit IndentedWriter(TextBuffer& text) : m_text(text) {}

  void operator()(std::nullptr_t) { m_text.append("null"); }
  void operator()(bool value) { m_text.append(value ? "true" : "false"); }
  void operator()(Index value) { m_text.append_number(value); }
  void operator()(double value) { append_real(m_text, value); }
  void operator()(const std::string& value) { append_quoted(m_text, value); }
  void operator()(const JsonArray& items) {
    write_all('[', items, ']', [&](const JsonValue& item) { write(item); });
  }
  void operator()(const JsonObject& members) {
    write_all('{', members, '}', [&](const auto& member) {
      append_quoted(m_text, member.first);
      m_text.append(": ");
      write(member.second);
    });
  }
  void write(const JsonValue& value) { std::visit(*this, value.data()); }

 private:
  template <class Items, class Write>
  void write_all(char open, const Items& items, char close, const Write& write_one) {
    m_text.append(open);
    ++m_depth;
    bool first = true;
    for (const auto& item : items) {
      m_text.append(first ? "\n" : ",\n");
      indent();
      write_one(item);
      first = false;
    }
    --m_depth;
    m_text.append('\n');
    indent();
    m_text.append(close);
  }
  void indent() { m_text.append(std::string(m_depth * indentation, ' ')); }

  TextBuffer& m_text;
  std::size_t m_depth = 0;
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
  TextBuffer text;
  IndentedWriter(text).write(value);
  text.append('\n');
  return std::string(text.view());
}

}  // namespace vqscope
