// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vqscope {

/// How well a typed query matches a text, from 1 to 100; 0: a typed word is not in it. Words are
/// runs of letters and digits; case does not matter, nor does the order of words. Best is a whole
/// word, then its beginning, a part of it, the text without its separators ("ropetype" for
/// rope_type), the first letters of several words ("sw" for sliding_window), and a word with one
/// wrong letter. Of two texts with the same words, the shorter one is better.
int word_match(std::string_view typed, std::string_view text);

}  // namespace vqscope
