// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/subject/token_texts.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/io/json/json_reader.h"
#include "core/io/json/json_value.h"

#include <algorithm>

namespace vqscope {
namespace {

/// Python's list as JSON: items in double quotes. A quote within an item is escaped, an escaped one
/// is plain.
std::string with_double_quotes(std::string_view list) {
  std::string json;
  char quote = 0;  // of the item that is open
  for (std::size_t i = 0; i < list.size(); ++i) {
    const char each = list[i];
    if (quote == 0 && (each == '\'' || each == '"')) {
      quote = each;
      json += '"';
    } else if (quote != 0 && each == quote) {
      quote = 0;
      json += '"';
    } else if (quote != 0 && each == '\\' && i + 1 < list.size()) {
      const char next = list[++i];
      if (next != '\'') json += '\\';
      json += next;
    } else {
      if (each == '"') json += '\\';
      json += each;
    }
  }
  return json;
}

Result<TokenTexts> read_list(std::string_view text) {
  const auto json = read_json(with_double_quotes(text));
  if (!json) return json.error();
  if (!json->list()) return invalid("the token texts are not a list");
  TokenTexts texts;
  for (const ConfigValue& item : *json->list()) {
    if (!item.text())
      return invalid("token text {} is {} but must be a text in quotes", texts.size(), shortened(item.shown()));
    texts.push_back(*item.text());
  }
  return texts;
}

TokenTexts pieces(std::string_view text, std::string_view separators) {
  TokenTexts texts;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(separators, at), text.size());
    std::string_view piece = text.substr(at, end - at);
    if (piece.ends_with('\r')) piece.remove_suffix(1);
    if (!piece.empty()) texts.emplace_back(piece);
    at = end + 1;
  }
  return texts;
}

/// Characters that have no sign of their own, or change the place of others.
bool is_unseen(char32_t code) {
  const auto within = [&](char32_t first, char32_t last) { return code >= first && code <= last; };
  return code < 0x20 || within(0x7f, 0xa0) || code == 0xad || within(0x200b, 0x200f) || within(0x2028, 0x202f) ||
         within(0x2060, 0x206f) || code == 0xfeff || within(0xfff9, 0xfffb);
}

std::string visible(char32_t code) {
  switch (code) {
    case ' ': return "␣";
    case '\n': return "⏎";
    case '\t': return "⇥";
    default: break;
  }
  if (is_unseen(code))
    return code < 0x80 ? byte_sign(static_cast<unsigned char>(code))
                       : fmt::format("<U+{:04X}>", static_cast<unsigned>(code));
  std::string character;
  append_utf8(character, code);
  return character;
}

/// Space, tab and line break as signs, other characters without a sign as their codes.
std::string visible(std::string_view text) {
  std::string shown;
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    shown +=
        length == 0 ? byte_sign(static_cast<unsigned char>(text.front())) : visible(utf8_code(text.substr(0, length)));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return shown;
}

}  // namespace

std::string byte_sign(unsigned char byte) { return fmt::format("<0x{:02X}>", static_cast<unsigned>(byte)); }

Result<void> check_token_texts(const TokenTexts& texts) {
  if (texts.size() > most_token_texts)
    return invalid("there are {} token texts but must be at most {}", texts.size(), most_token_texts);
  std::size_t bytes = 0;
  for (const auto& text : texts) bytes += text.size();
  if (bytes > most_token_bytes)
    return invalid("the token texts have {} bytes but must have at most {}", bytes, most_token_bytes);
  return {};
}

Result<TokenTexts> parse_token_texts(std::string_view text) {
  const std::string_view given = trimmed(text);
  auto texts = given.starts_with('[')                       ? read_list(given)
               : given.find('\n') != std::string_view::npos ? pieces(text, "\n")
                                                            : pieces(given, " \t");
  if (!texts) return texts;
  if (auto checked = check_token_texts(*texts); !checked) return checked.error();
  return texts;
}

std::string token_list(const TokenTexts& texts) { return compact_json(JsonValue(texts)); }

std::string token_texts_text(const TokenTexts& texts) {
  std::string lines;
  for (const auto& text : texts) lines += text + '\n';
  if (const auto again = parse_token_texts(lines); again && *again == texts) return lines;
  return token_list(texts);
}

std::string shown_token(const TokenTexts& texts, Index position, std::size_t most) {
  if (position < 0 || position >= std::ssize(texts)) return {};
  return shortened(visible(texts[static_cast<std::size_t>(position)]), most);
}

TokenAxes token_axes(const Method& method, const ParameterValues& values) {
  const FieldRecipe* recipe = method.field();
  if (!recipe) return {};
  // The titles name q where it counts queries, and k where it counts keys; others count blocks,
  // patches, dimensions.
  const auto names = [](std::string_view title, char symbol) {
    return title.size() > 2 && title.back() == symbol && title[title.size() - 2] == ' ';
  };
  const bool queries = names(recipe->row_title, 'q');
  const auto* past = queries ? values.find("past_len") : nullptr;
  const Index* cached = past ? std::get_if<Index>(past) : nullptr;
  return {queries || names(recipe->row_title, 'k') || recipe->row_title == "token",
          names(recipe->col_title, 'k') || recipe->col_title == "token", cached ? *cached : 0};
}

}  // namespace vqscope
