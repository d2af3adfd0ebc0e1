// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/word_match.h"

#include <algorithm>

namespace vqscope {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80;
}

/// Bytes of a general punctuation mark at the start of a text, such as "…" and "–"; else 0.
std::size_t punctuation(std::string_view text) {
  return text.starts_with("\xE2\x80") || text.starts_with("\xE2\x81") ? std::min<std::size_t>(3, text.size()) : 0;
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

constexpr int whole = 100;
constexpr int beginning = 80;

/// Letters of a text that match one typed word: those from `first` on, or first letters of words.
struct Place {
  int quality = 0;
  std::size_t first = 0;
  std::size_t size = 0;
  bool of_initials = false;  ///< `first` and `size` count words
};

Place match_in_word(std::string_view typed, const WordText& text, std::size_t index) {
  constexpr std::size_t least_to_mistype = 4;
  const std::string_view word = text.word(index);
  const std::size_t first = text.words[index].first;
  if (word == typed) return {whole, first, word.size()};
  const std::size_t at = word.find(typed);
  if (at == 0) return {beginning, first, typed.size()};
  if (at != std::string_view::npos && typed.size() > 1) return {55, first + at, typed.size()};
  if (typed.size() < least_to_mistype || !is_nearly(typed, word)) return {};
  return {25, first, std::min(typed.size(), word.size())};
}

Place match_word(std::string_view typed, const WordText& text) {
  Place best;
  const auto take = [&best](const Place& place) {
    if (place.quality > best.quality) best = place;
  };
  for (std::size_t i = 0; i < text.words.size(); ++i) take(match_in_word(typed, text, i));
  if (typed.size() < 2) return best;
  for (const WordText::Word& word : text.words)  // over several words: "ropetype"
    if (std::string_view(text.letters).substr(word.first).starts_with(typed)) take({45, word.first, typed.size()});
  if (const auto at = text.initials.find(typed); at != std::string::npos) take({35, at, typed.size(), true});
  return best;
}

void mark(const Place& place, const WordText& text, std::vector<std::size_t>& marks) {
  for (std::size_t i = place.first; i < place.first + place.size; ++i)
    marks.push_back(text.places[place.of_initials ? text.words[i].first : i]);
}

void sort_marks(std::vector<std::size_t>& marks) {
  std::ranges::sort(marks);
  marks.erase(std::unique(marks.begin(), marks.end()), marks.end());
}

/// Points of a matched letter.
constexpr int at_start = 4;
constexpr int in_a_row = 3;
constexpr int unmatched = -1000;

/// The best points with which the first letters of `typed` end at each letter of the text.
std::vector<std::vector<int>> letter_points(const std::string& typed, const WordText& text) {
  const std::size_t n = text.letters.size();
  std::vector<bool> starts(n, false);
  for (const auto& word : text.words) starts[word.first] = true;
  std::vector points(typed.size(), std::vector<int>(n, unmatched));
  for (std::size_t i = 0; i < typed.size(); ++i) {
    int before = i == 0 ? 0 : unmatched;  // of the letter before, anywhere to the left
    for (std::size_t j = 0; j < n; ++j) {
      if (text.letters[j] == typed[i]) {
        int best = before + (starts[j] ? at_start : 0);
        if (i > 0 && j > 0) best = std::max(best, points[i - 1][j - 1] + in_a_row);
        points[i][j] = best;
      }
      if (i > 0) before = std::max(before, points[i - 1][j]);
    }
  }
  return points;
}

/// Goes back through the points from the letter at which the whole ends.
std::vector<std::size_t> letters_matched(const std::vector<std::vector<int>>& points, std::size_t end) {
  std::vector<std::size_t> matched{end};
  for (std::size_t i = points.size() - 1; i > 0; --i) {
    const auto& row = points[i - 1];
    const std::size_t at = matched.back();
    const bool follows = row[at - 1] + in_a_row == points[i][at];
    const auto before = std::max_element(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(at));
    matched.push_back(follows ? at - 1 : static_cast<std::size_t>(before - row.begin()));
  }
  return matched;
}

}  // namespace

WordText::WordText(std::string_view text) {
  bool inside = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (const std::size_t bytes = punctuation(text.substr(i)); bytes > 0) {
      inside = false;
      i += bytes - 1;
      continue;
    }
    char c = text[i];
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (!is_letter(c)) {
      inside = false;
      continue;
    }
    if (!inside) {
      words.push_back({letters.size(), 0});
      initials += c;
    }
    inside = true;
    ++words.back().size;
    letters += c;
    places.push_back(i);
  }
}

WordMatch match_words(const WordText& typed, const WordText& text) {
  if (typed.words.empty()) return {};
  WordMatch match{.at_word_starts = true};
  int sum = 0;
  for (std::size_t i = 0; i < typed.words.size(); ++i) {
    const Place place = match_word(typed.word(i), text);
    if (place.quality == 0) return {};
    sum += place.quality;
    match.at_word_starts = match.at_word_starts && place.quality >= beginning;
    mark(place, text, match.marks);
  }
  sort_marks(match.marks);
  const int mean = sum / static_cast<int>(typed.words.size());
  const auto beyond = text.letters.size() - std::min(text.letters.size(), typed.letters.size());
  match.quality = std::max(1, mean - static_cast<int>(std::min<std::size_t>(20, beyond)) / 2);
  return match;
}

WordMatch match_letters(const WordText& typed, const WordText& text) {
  constexpr std::size_t fewest = 3, most = 24, longest = 200;
  const std::size_t size = typed.letters.size();
  if (size < fewest || size > most || size > text.letters.size() || text.letters.size() > longest) return {};
  const auto points = letter_points(typed.letters, text);
  const auto end = std::ranges::max_element(points.back());
  const std::size_t loose = size < 8 ? 1 : 2;
  if (*end < in_a_row * static_cast<int>(size - loose)) return {};
  WordMatch match{.quality = std::min(30, 7 * *end / static_cast<int>(size))};
  for (const std::size_t letter : letters_matched(points, static_cast<std::size_t>(end - points.back().begin())))
    match.marks.push_back(text.places[letter]);
  sort_marks(match.marks);
  return match;
}

int word_match(std::string_view typed, std::string_view text) {
  return match_words(WordText(typed), WordText(text)).quality;
}

}  // namespace vqscope
