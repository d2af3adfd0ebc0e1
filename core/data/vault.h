// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/scored_text.h"

#include <cstdint>

/// A text in which a secret has to be remembered over 65 to 159 characters. Documents of 512
/// characters have four records of 128; each record but for its question and answer is the same.
/// The first character of a document is a secret, one of 16 capital letters; each record asks for
/// it once, at one of 32 places. Only integer arithmetic.
namespace vqscope::vault {

inline constexpr Index secrets = 16;
inline constexpr Index record_length = 128;
inline constexpr Index records = 4;  ///< of a document
inline constexpr Index document_length = records * record_length;
/// Characters between an answer and the nearest earlier mention of the secret, at least and at most.
inline constexpr Index nearest_mention = 65;
inline constexpr Index farthest_mention = 159;

/// The first `count` characters of the text of a seed; answers are the secrets that are asked for.
/// Records of another length, a power of two from 8 on, have each part shortened alike.
ScoredText stream(std::uint64_t seed, Index count, Index length = record_length);

/// Fraction of the answers that a reader of the last `context` characters of the document cannot
/// know, exactly.
double unknown_answers(Index context);
/// Bits of an answer for that reader, who knows the rules: 4 or 0 each.
double answer_bits(Index context);
/// Bits per character for that reader.
double bits_per_character(Index context);

}  // namespace vqscope::vault
