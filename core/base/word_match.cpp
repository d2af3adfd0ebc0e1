// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/word_match.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace vqscope {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

/// Lower-case words, and the same joined.
struct Words {
  std::vector<std::string> list;
  std::string joined;
  std::string initials;
};

Words words_of(std::string_view text) {
  Words words;
  bool inside = false;
  for (char c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (!is_letter(c)) {
      inside = false;
      continue;
    }
    if (!inside) {
      words.list.emplace_back();
      words.initials += c;
    }
    inside = true;
    words.list.back() += c;
    words.joined += c;
  }
  return words;
}

/// Whether one insertion, deletion, exchange or swap of neighbours makes `a` a beginning of `b`.
bool is_nearly(std::string_view a, std::string_view b) {
  std::size_t at = 0;
  while (at < a.size() && at < b.size() && a[at] == b[at]) ++at;
  const std::string_view x = a.substr(at), y = b.substr(at);
  if (x.empty()) return true;
  if (y.empty()) return x.size() == 1;
  const auto starts = [](std::string_view rest, std::string_view with) { return with.substr(0, rest.size()) == rest; };
  const bool swapped = x.size() > 1 && y.size() > 1 && x[0] == y[1] && x[1] == y[0];
  return starts(x.substr(1), y.substr(1)) || starts(x, y.substr(1)) || starts(x.substr(1), y) ||
         (swapped && starts(x.substr(2), y.substr(2)));
}

int match_in_word(std::string_view typed, std::string_view word) {
  constexpr std::size_t least_to_mistype = 4;
  if (word == typed) return 100;
  const std::size_t at = word.find(typed);
  if (at == 0) return 80;
  if (at != std::string_view::npos && typed.size() > 1) return 55;
  return typed.size() >= least_to_mistype && is_nearly(typed, word) ? 25 : 0;
}

int match_word(std::string_view typed, const Words& text) {
  int best = 0;
  for (const std::string& word : text.list) best = std::max(best, match_in_word(typed, word));
  if (typed.size() > 1 && text.joined.find(typed) != std::string::npos) best = std::max(best, 45);
  if (typed.size() > 1 && text.initials.find(typed) != std::string::npos) best = std::max(best, 35);
  return best;
}

}  // namespace

int word_match(std::string_view typed, std::string_view text) {
  const Words query = words_of(typed), given = words_of(text);
  if (query.list.empty()) return 0;
  int sum = 0;
  for (const std::string& word : query.list) {
    const int match = match_word(word, given);
    if (match == 0) return 0;
    sum += match;
  }
  const int mean = sum / static_cast<int>(query.list.size());
  const int beyond = static_cast<int>(
      std::min<std::size_t>(20, given.joined.size() - std::min(given.joined.size(), query.joined.size())));
  return std::max(1, mean - beyond / 2);
}

}  // namespace vqscope
