// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/scored_text.h"

#include <array>
#include <cstdint>

/// A text of words in which facts are stated and asked for. Documents of 2048 characters have eight
/// keys, each with one of eight values. Per step: one of 16 words, which follows the word before in
/// one of four ways; in 1 of 32 steps a fact, which is one character for key and value; in 2 of 32
/// a key that is asked for, and its fact. Only integer arithmetic.
namespace vqscope::facts {

inline constexpr Index words = 16;
inline constexpr Index successors = 4;  ///< of each word
inline constexpr Index keys = 8;
inline constexpr Index values = 8;
inline constexpr Index document_length = 2048;
inline constexpr Index all_kinds = 32;  ///< of a step

using Successors = std::array<std::array<Index, successors>, words>;
/// Which words follow each word: the same for every text.
const Successors& word_successors();

/// The character of a fact.
Index fact_character(Index key, Index value);

/// The first `count` characters of the text of a seed; answers are the facts after a key that is
/// asked for. With fewer equally likely kinds of a step, at least 4, the same numbers of them state
/// and ask, and documents are as much shorter.
ScoredText stream(std::uint64_t seed, Index count, Index kinds = all_kinds);

/// Bits of an asked fact for a reader of the last `context` characters who knows the rules, far
/// from the start of a document.
double answer_bits(Index context);
/// Bits per character for that reader.
double bits_per_character(Index context);

}  // namespace vqscope::facts
