// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/draw.h"

#include <array>
#include <cstdint>
#include <vector>

/// A small synthetic language of words, brackets, topics and copies. Tokens 0 to 3 open a bracket,
/// 4 to 7 close one, 8 to 39 are words. The next token depends on the last word and the parities of
/// the two before it, a topic that changes rarely, the open brackets, and segments copied from up
/// to 511 tokens back. Only integer arithmetic, so every machine makes the same tokens. An oracle
/// that knows all of this has a loss of 0.87 nats per token.
namespace vqscope::language {

inline constexpr Index words = 32;
inline constexpr Index brackets = 4;
inline constexpr Index topics = 6;
inline constexpr Index first_word = 2 * brackets;  ///< token of word 0
inline constexpr Index vocabulary = first_word + words;

/// Which token follows which: the same for every stream.
struct Tables {
  std::array<std::array<std::array<std::int32_t, 4>, words>, 4> next;  ///< by context, word, likelihood
  std::array<std::array<std::int32_t, 8>, topics> topic;               ///< words of a topic
};
const Tables& tables();

/// The first `count` tokens of the stream of a seed.
std::vector<std::int32_t> stream(std::uint64_t seed, Index count);

}  // namespace vqscope::language
