// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/word_match.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Kinds of what a search finds: of two that match alike, the later kind comes first.
enum class SearchKind { guide, parameter, gallery, file, method, value, action };

/// One thing that a search can find.
struct SearchText {
  SearchKind kind = SearchKind::action;
  std::string title;
  std::string name = {};      ///< shown after the title: the id that files and scripts have
  std::string keywords = {};  ///< found by whole words and beginnings, after what the title has
  int uses = 0;               ///< how often it was chosen
};

/// Title and name as they are shown, two blanks between them; the title alone if they are equal or it is
/// that of a value, which has the name in it.
std::string shown_title(const SearchText& text);

struct SearchHit {
  std::size_t index = 0;
  int score = 0;
  std::vector<std::size_t> marks;  ///< bytes of shown_title() that match
};

/// Finds texts by what is typed. The best are those whose title or name is what was typed, then those
/// that begin with it, that have all typed words or beginnings of them, that have them elsewhere, that
/// have them among their keywords, and those with the typed letters in their order. Among equals the
/// kind decides, then the number of uses: something that is chosen often comes before kinds next to
/// its own.
class SearchIndex {
 public:
  SearchIndex() = default;
  explicit SearchIndex(std::vector<SearchText> texts);

  const std::vector<SearchText>& texts() const { return m_texts; }
  /// All that match, best first; nothing without a letter.
  std::vector<SearchHit> find(std::string_view typed) const;

 private:
  struct Words {
    WordText shown, title, name;
    WordText keywords;  ///< with the title: "export svg" has a word of each
  };
  /// `by_prose`: also by keywords.
  SearchHit hit(const WordText& typed, std::size_t index, bool by_prose) const;

  std::vector<SearchText> m_texts;
  std::vector<Words> m_words;
};

}  // namespace vqscope
