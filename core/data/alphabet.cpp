// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/alphabet.h"

#include "core/base/sentence.h"
#include "core/base/text.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index largest_token = 16777215;
constexpr char unknown = '?';

/// The character of each token; a question mark if it has none.
std::string_view characters_of(Alphabet alphabet) {
  switch (alphabet) {
    case Alphabet::language: return "([{<)]}>abcdefghijklmnopqrstuvwxyzABCDEF";
    case Alphabet::task: return "?^|$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ????????????0123456789+-*/=%";
    case Alphabet::numbers:
    case Alphabet::bytes: break;
  }
  return {};
}

}  // namespace

std::string text_of_tokens(Alphabet alphabet, std::span<const std::int32_t> tokens) {
  const std::string_view characters = characters_of(alphabet);
  std::string text;
  for (const std::int32_t token : tokens) {
    const auto index = static_cast<std::size_t>(token);
    if (alphabet == Alphabet::numbers)
      text += fmt::format("{}{}", text.empty() ? "" : " ", token);
    else if (alphabet == Alphabet::bytes)
      text += static_cast<char>(token);
    else
      text += token >= 0 && index < characters.size() ? characters[index] : unknown;
  }
  return text;
}

namespace {

Result<std::vector<std::int32_t>> tokens_of_numbers(std::string_view text) {
  std::vector<std::int32_t> tokens;
  for (const std::string_view word : split(text, ' ')) {
    if (word.empty()) continue;
    const auto token = parse_index(word);
    if (!token || *token < 0 || *token > largest_token)
      return invalid("{} is not a token but must be a whole number from 0 to {}", shortened(word), largest_token);
    tokens.push_back(static_cast<std::int32_t>(*token));
  }
  return tokens;
}

/// Error about the first character of `rest`.
Error not_in(std::string_view characters, std::string_view rest) {
  std::string allowed(characters);
  std::erase(allowed, unknown);
  const std::size_t bytes = std::max<std::size_t>(1, utf8_sequence(rest));
  return invalid("'{}' is not a token but must be one of {}", rest.substr(0, bytes), allowed);
}

}  // namespace

Result<std::vector<std::int32_t>> tokens_of_text(Alphabet alphabet, std::string_view text) {
  if (alphabet == Alphabet::numbers) return tokens_of_numbers(text);
  if (alphabet == Alphabet::bytes) return tokens_of_bytes(text);
  const std::string_view characters = characters_of(alphabet);
  std::vector<std::int32_t> tokens;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t token = text[i] == unknown ? std::string_view::npos : characters.find(text[i]);
    if (token == std::string_view::npos) return not_in(characters, text.substr(i));
    tokens.push_back(static_cast<std::int32_t>(token));
  }
  return tokens;
}

std::vector<std::int32_t> tokens_of_bytes(std::string_view bytes) {
  std::vector<std::int32_t> tokens;
  tokens.reserve(bytes.size());
  for (const char byte : bytes) tokens.push_back(static_cast<unsigned char>(byte));
  return tokens;
}

}  // namespace vqscope
