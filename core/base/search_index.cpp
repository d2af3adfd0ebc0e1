// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/search_index.h"

#include <algorithm>
#include <utility>

namespace vqscope {
namespace {

/// Apart by more than kind, uses and quality give together.
constexpr int step = 1000;
enum Tier { by_letters = 1, by_keyword, by_part, by_words, by_beginning, by_whole };

constexpr int for_kind = 100;  ///< for each kind
constexpr int for_use = 50;
constexpr int most_for_uses = 250;

/// A choice is the value of something, and an action within a menu one of several: the name is only the
/// beginning of what it does.
Tier whole_name(const SearchText& text) {
  return text.kind == SearchKind::value || text.name.empty() ? by_beginning : by_whole;
}

Tier tier_of(const WordText& typed, const WordText& title, const WordText& name, const SearchText& text,
             const WordMatch& match) {
  const std::string& letters = typed.letters;
  // Sections of the guide are named after what they describe, which comes before them.
  if (text.kind == SearchKind::guide) return match.at_word_starts ? by_words : by_part;
  if (title.letters == letters) return by_whole;
  if (name.letters == letters) return whole_name(text);
  if (title.letters.starts_with(letters) || name.letters.starts_with(letters)) return by_beginning;
  return match.at_word_starts ? by_words : by_part;
}

/// Of "Theme: Dark" the part that tells it from others of its menu.
std::string_view name_of(const SearchText& text) {
  constexpr std::string_view separator = ": ";
  const auto at =
      text.kind == SearchKind::action && text.name.empty() ? text.title.rfind(separator) : std::string::npos;
  return at == std::string::npos ? text.name : std::string_view(text.title).substr(at + separator.size());
}

/// "window 128": the number is a value, and prose has it by chance. Issues have numbers of five digits.
bool names_a_value(const WordText& typed) {
  constexpr std::size_t most_digits = 4;
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < typed.words.size(); ++i) {
    const std::string_view word = typed.word(i);
    if (typed.words.size() > 1 && word.size() <= most_digits && std::ranges::all_of(word, is_digit)) return true;
  }
  return false;
}

}  // namespace

std::string shown_title(const SearchText& text) {
  const bool shown = text.kind != SearchKind::value && !text.name.empty() && text.name != text.title;
  return !shown ? text.title : text.title + "  " + text.name;
}

SearchIndex::SearchIndex(std::vector<SearchText> texts) : m_texts(std::move(texts)) {
  m_words.reserve(m_texts.size());
  for (const SearchText& text : m_texts)
    m_words.push_back({WordText(shown_title(text)), WordText(text.title), WordText(name_of(text)),
                       WordText(text.keywords + " " + shown_title(text))});
}

SearchHit SearchIndex::hit(const WordText& typed, std::size_t index, bool by_prose) const {
  const SearchText& text = m_texts[index];
  const Words& words = m_words[index];
  int tier = 0;
  WordMatch match = match_words(typed, words.shown);
  if (match.quality > 0) {
    tier = tier_of(typed, words.title, words.name, text, match);
  } else if (match = by_prose ? match_words(typed, words.keywords) : WordMatch();
             match.quality > 0 && match.at_word_starts) {
    tier = by_keyword;
    match.marks.clear();
  } else if (match = match_letters(typed, words.shown); match.quality > 0) {
    tier = by_letters;
  }
  if (tier == 0) return {};
  const int bonus = for_kind * static_cast<int>(text.kind) + std::min(for_use * text.uses, most_for_uses);
  return {index, tier * step + bonus + match.quality, std::move(match.marks)};
}

std::vector<SearchHit> SearchIndex::find(std::string_view typed) const {
  const WordText words(typed);
  std::vector<SearchHit> hits;
  if (words.letters.empty()) return hits;
  const bool by_prose = !names_a_value(words);
  for (std::size_t i = 0; i < m_texts.size(); ++i)
    if (SearchHit found = hit(words, i, by_prose); found.score > 0) hits.push_back(std::move(found));
  std::ranges::stable_sort(hits, std::greater<>(), &SearchHit::score);
  return hits;
}

}  // namespace vqscope
