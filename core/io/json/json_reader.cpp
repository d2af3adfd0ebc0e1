// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/json/json_reader.h"

#include "core/base/sentence.h"
#include "core/base/text.h"

#include <charconv>
#include <limits>
#include <utility>

namespace vqscope {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

/// Whether a number outside the range of double is too close to 0 rather than too large; the place
/// of its first nonzero digit decides.
bool is_nearly_zero(std::string_view number) {
  const auto end = std::min(number.find_first_of("eE"), number.size());
  std::string_view power = number.substr(std::min(end + 1, number.size()));
  if (power.starts_with('+')) power.remove_prefix(1);
  Index exponent = 0;
  if (std::from_chars(power.begin(), power.end(), exponent).ec == std::errc::result_out_of_range)
    return power.starts_with('-');
  const std::string_view digits = number.substr(0, end);
  const auto point = std::min(digits.find('.'), digits.size());
  const auto first = std::min(digits.find_first_of("123456789"), digits.size());
  return exponent < static_cast<Index>(first) - static_cast<Index>(point);
}

/// Integers until the first number that is not one.
class PackedNumbers {
 public:
  void append(const ConfigValue& number) {
    const auto* whole = std::get_if<Index>(&number.data);
    if (whole && m_reals.empty()) return m_integers.push_back(*whole);
    if (m_reals.empty()) {
      m_reals.assign(m_integers.begin(), m_integers.end());
      m_integers = ConfigValue::Integers();
    }
    m_reals.push_back(*number.number());
  }
  void move_to(ConfigValue& list) {
    if (m_reals.empty())
      list.data = std::move(m_integers);
    else
      list.data = std::move(m_reals);
  }
  std::size_t size() const { return m_integers.size() + m_reals.size(); }
  /// All have the same place: their own places were not recorded.
  ConfigValue::List items(TextPlace place) const {
    ConfigValue::List items;
    for (const Index each : m_integers) items.push_back({.data = each, .place = place});
    for (const double each : m_reals) items.push_back({.data = each, .place = place});
    return items;
  }

 private:
  ConfigValue::Integers m_integers;
  ConfigValue::Reals m_reals;
};

/// Goes through the text once. `m_error` is set at the first mistake, and everything returns from
/// there on.
class Reader {
 public:
  Reader(std::string_view text, const JsonReading& how) : m_text(text), m_how(how) {}

  Result<ConfigValue> read() {
    ConfigValue root;
    skip_blanks();
    if (at_end()) return fail_at(place(), "the text is empty, expected a JSON value");
    if (read_value(root, 0)) {
      skip_blanks();
      if (!at_end()) fail("unexpected content after the JSON value");
    }
    if (!m_error.empty()) return invalid(m_error);
    return root;
  }

 private:
  bool at_end() const { return m_at == m_text.size(); }
  char peek() const { return at_end() ? '\0' : m_text[m_at]; }
  bool next_is(char c) const { return !at_end() && m_text[m_at] == c; }

  /// Counts lines and characters from the last requested place.
  TextPlace place() {
    for (; m_counted < m_at; ++m_counted) {
      if (m_text[m_counted] == '\n')
        m_place = {m_place.line + 1, 1};
      else if ((static_cast<unsigned char>(m_text[m_counted]) & 0xc0) != 0x80)
        ++m_place.column;
    }
    return m_place;
  }

  Error fail_at(TextPlace where, std::string_view what) {
    m_error = where.text() + std::string(what);
    return invalid(m_error);
  }
  bool fail(std::string_view what) {
    fail_at(place(), what);
    return false;
  }
  /// "the text ends, …" or "found x, …".
  bool fail_here(std::string_view wanted) {
    if (at_end()) return fail(fmt::format("the text ends, {}", wanted));
    return fail(fmt::format("found {}, {}", found(), wanted));
  }
  std::string found() const {
    const std::size_t bytes = utf8_sequence(m_text.substr(m_at));
    if (bytes == 0 || static_cast<unsigned char>(peek()) < 0x20 || peek() == '\x7f') return "a byte that is not text";
    std::size_t end = m_at + bytes;
    if (is_letter(peek()))
      while (end < m_text.size() && end < m_at + 20 && is_letter(m_text[end])) ++end;
    return std::string(m_text.substr(m_at, end - m_at));
  }

  void skip_blanks() {
    while (next_is(' ') || next_is('\t') || next_is('\n') || next_is('\r')) ++m_at;
  }

  bool read_value(ConfigValue& value, int depth) {
    value.place = place();
    if (!count_values(1)) return false;
    if (depth > most_json_depth)
      return fail(fmt::format("values are nested more than {} levels deep", most_json_depth));
    switch (peek()) {
      case '{': return read_object(value, depth);
      case '[': return read_list(value, depth);
      case '"': return read_string(value.data.emplace<std::string>());
      case 't': return read_word("true", value, true);
      case 'f': return read_word("false", value, false);
      case 'n': return read_word("null", value, nullptr);
      default: break;
    }
    if (m_how.python_numbers && read_python_number(value)) return true;
    if (next_is('-') || is_digit(peek())) return read_number(value);
    return fail_here("expected a JSON value");
  }

  /// False, with nothing read, if none of these words is next.
  bool read_python_number(ConfigValue& value) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    constexpr std::pair<std::string_view, double> words[]{
        {"NaN", std::numeric_limits<double>::quiet_NaN()}, {"Infinity", infinity}, {"-Infinity", -infinity}};
    for (const auto& [word, number] : words) {
      const std::size_t end = m_at + word.size();
      if (m_text.substr(m_at, word.size()) != word || (end < m_text.size() && is_letter(m_text[end]))) continue;
      m_at = end;
      value.data = number;
      return true;
    }
    return false;
  }

  template <class T>
  bool read_word(std::string_view word, ConfigValue& value, T meaning) {
    const std::size_t end = m_at + word.size();
    if (m_text.substr(m_at, word.size()) != word || (end < m_text.size() && is_letter(m_text[end])))
      return fail_here("expected a JSON value");
    m_at = end;
    value.data = meaning;
    return true;
  }

  bool read_object(ConfigValue& value, int depth) {
    auto& members = value.data.emplace<ConfigValue::Object>().members;
    ++m_at;
    skip_blanks();
    if (next_is('}')) return ++m_at, true;
    for (;;) {
      if (!next_is('"')) return fail_here("expected a key in double quotes");
      ConfigValue member;
      member.key_place = place();
      if (!read_string(member.key)) return false;
      skip_blanks();
      if (!next_is(':')) return fail_here("a colon must follow a key");
      ++m_at;
      skip_blanks();
      if (!read_value(member, depth + 1)) return false;
      members.push_back(std::move(member));
      if (const auto more = read_comma('}', "a comma or } must follow a member"); more != More::yes)
        return more == More::no;
    }
  }

  bool read_list(ConfigValue& value, int depth) {
    ++m_at;
    skip_blanks();
    if (m_how.packs_numbers && number_is_next()) return read_numbers(value, depth);
    auto& items = value.data.emplace<ConfigValue::List>();
    if (next_is(']')) return ++m_at, true;
    return read_items(items, depth);
  }

  /// The rest of a list; an item is next.
  bool read_items(ConfigValue::List& items, int depth) {
    for (;;) {
      ConfigValue item;
      if (!read_value(item, depth + 1)) return false;
      items.push_back(std::move(item));
      if (const auto more = read_comma(']', "a comma or ] must follow an item"); more != More::yes)
        return more == More::no;
    }
  }

  /// A list that begins with a number. At the first item of another kind, the numbers before it
  /// become ordinary items.
  bool read_numbers(ConfigValue& list, int depth) {
    PackedNumbers numbers;
    ConfigValue item;
    for (;;) {
      item.place = place();
      if (!read_number(item)) return false;
      numbers.append(item);
      if (const auto more = read_comma(']', "a comma or ] must follow an item"); more != More::yes)
        return numbers.move_to(list), more == More::no;
      if (number_is_next()) continue;
      if (!count_values(numbers.size())) return false;
      return read_items(list.data.emplace<ConfigValue::List>(numbers.items(list.place)), depth);
    }
  }
  bool count_values(std::size_t more) {
    m_values += more;
    if (m_values <= m_how.most_values) return true;
    return fail(fmt::format("there are more than {} values", m_how.most_values));
  }
  bool number_is_next() const {
    const std::size_t digit = next_is('-') ? m_at + 1 : m_at;
    return digit < m_text.size() && is_digit(m_text[digit]);
  }

  enum class More { yes, no, error };
  More read_comma(char closing, std::string_view wanted) {
    skip_blanks();
    if (next_is(closing)) return ++m_at, More::no;
    if (!next_is(',')) return fail_here(wanted), More::error;
    ++m_at;
    skip_blanks();
    if (!next_is(closing)) return More::yes;
    return fail(fmt::format("unexpected comma before {}", closing)), More::error;
  }

  bool read_number(ConfigValue& value) {
    const std::size_t begin = m_at;
    if (next_is('-')) ++m_at;
    if (!is_digit(peek())) return fail_here("a number needs a digit here");
    if (next_is('0') && m_at + 1 < m_text.size() && is_digit(m_text[m_at + 1]))
      return fail("a number begins with 0, which JSON does not allow");
    skip_digits();
    bool whole = true;
    if (next_is('.')) {
      whole = false;
      ++m_at;
      if (!is_digit(peek())) return fail_here("a number needs a digit here");
      skip_digits();
    }
    if (next_is('e') || next_is('E')) {
      whole = false;
      ++m_at;
      if (next_is('+') || next_is('-')) ++m_at;
      if (!is_digit(peek())) return fail_here("a number needs a digit here");
      skip_digits();
    }
    return convert(m_text.substr(begin, m_at - begin), whole, value);
  }
  void skip_digits() {
    while (is_digit(peek())) ++m_at;
  }

  bool convert(std::string_view digits, bool whole, ConfigValue& value) {
    if (Index integer = 0; whole && std::from_chars(digits.begin(), digits.end(), integer).ec == std::errc{}) {
      value.data = integer;
      return true;
    }
    double real = 0;
    if (std::from_chars(digits.begin(), digits.end(), real).ec != std::errc{} && !is_nearly_zero(digits)) {
      fail_at(value.place, "a number is outside the range of a double");
      return false;
    }
    value.data = real;
    return true;
  }

  bool read_string(std::string& out) {
    ++m_at;
    for (;;) {
      if (at_end()) return fail("the text ends within a string");
      const char c = m_text[m_at];
      if (c == '"') return ++m_at, true;
      if (static_cast<unsigned char>(c) < 0x20) return fail("a string holds a line break or another control character");
      if (c == '\\') {
        if (!read_escape(out)) return false;
        continue;
      }
      const std::size_t bytes = utf8_sequence(m_text.substr(m_at));
      if (bytes == 0) return fail("a byte is not UTF-8");
      out += m_text.substr(m_at, bytes);
      m_at += bytes;
    }
  }

  bool read_escape(std::string& out) {
    constexpr std::string_view names = "\"\\/bfnrt";
    constexpr std::string_view meanings = "\"\\/\b\f\n\r\t";
    const char name = m_at + 1 < m_text.size() ? m_text[m_at + 1] : '\0';
    if (name == 'u') return read_unicode(out);
    const auto which = name == '\0' ? std::string_view::npos : names.find(name);
    if (which == std::string_view::npos)
      return fail("a backslash in a string must be followed by one of \" \\ / b f n r t u");
    out += meanings[which];
    m_at += 2;
    return true;
  }

  /// \uXXXX, or a surrogate pair of them for a character beyond U+FFFF.
  bool read_unicode(std::string& out) {
    const auto first = hexadecimal(m_at);
    if (!first) return fail("\\u must be followed by four hexadecimal digits");
    char32_t code = *first;
    std::size_t bytes = 6;
    if (code >= 0xdc80 && code <= 0xdcff) {  // a byte that is not UTF-8
      out += static_cast<char>(code & 0xff);
      m_at += bytes;
      return true;
    }
    if (code >= 0xd800 && code < 0xdc00) {
      const auto second = m_text.substr(m_at + 6, 2) == "\\u" ? hexadecimal(m_at + 6) : std::nullopt;
      if (!second || *second < 0xdc00 || *second > 0xdfff) return fail("half of a surrogate pair is missing");
      code = 0x10000 + ((code - 0xd800) << 10) + (*second - 0xdc00);
      bytes = 12;
    } else if (code >= 0xdc00 && code <= 0xdfff) {
      return fail("half of a surrogate pair is missing");
    }
    append_utf8(out, code);
    m_at += bytes;
    return true;
  }
  /// The four digits after the \u at `at`.
  std::optional<char32_t> hexadecimal(std::size_t at) const {
    if (m_text.size() < at + 6) return std::nullopt;
    std::uint32_t code = 0;
    const char* begin = m_text.data() + at + 2;
    const auto [end, status] = std::from_chars(begin, begin + 4, code, 16);
    if (status != std::errc{} || end != begin + 4) return std::nullopt;
    return static_cast<char32_t>(code);
  }

  std::string_view m_text;
  const JsonReading& m_how;
  std::size_t m_at = 0;
  std::size_t m_counted = 0;
  std::size_t m_values = 0;
  TextPlace m_place{1, 1};
  std::string m_error;
};

}  // namespace

Result<ConfigValue> read_json(std::string_view text, const JsonReading& how) {
  if (text.size() > how.most_bytes)
    return too_large("the text has {}, at most {} are read", byte_count(static_cast<double>(text.size())),
                     byte_count(static_cast<double>(how.most_bytes)));
  if (text.starts_with("\xef\xbb\xbf")) return invalid("line 1, column 1: unexpected byte order mark before the JSON");
  return Reader(text, how).read();
}

}  // namespace vqscope
