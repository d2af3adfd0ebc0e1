// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A text as its words: runs of letters and digits, in lower case. Bytes beyond ASCII are letters,
/// except of dashes, ellipses and the like.
struct WordText {
  struct Word {
    std::size_t first = 0;  ///< index into `letters`
    std::size_t size = 0;
  };
  std::string letters;              ///< of all words, joined
  std::vector<std::size_t> places;  ///< byte of the text of each letter
  std::vector<Word> words;
  std::string initials;

  explicit WordText(std::string_view text);
  std::string_view word(std::size_t index) const {
    return std::string_view(letters).substr(words[index].first, words[index].size);
  }
};

struct WordMatch {
  int quality = 0;                 ///< 1 to 100; 0: no match
  bool at_word_starts = false;     ///< each typed word is a word of the text or the beginning of one
  std::vector<std::size_t> marks;  ///< bytes of the text that match, ascending
};

/// How well typed words match a text: all of them must be in it, in any order. Best is a whole word,
/// then its beginning, a part of it, the text without its separators ("ropetype" for rope_type), the
/// first letters of several words ("sw" for sliding_window), and a word with one wrong letter. Of two
/// texts with the same words, the shorter one is better.
WordMatch match_words(const WordText& typed, const WordText& text);

/// How well the typed letters match as some of the text's letters in their order: "cpcl" for "Copy
/// command line". All but one or two must begin a word or follow the letter before. Quality is at most
/// 30.
WordMatch match_letters(const WordText& typed, const WordText& text);

/// Quality of match_words().
int word_match(std::string_view typed, std::string_view text);

}  // namespace vqscope
