// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/vault.h"

#include "core/data/draw.h"

#include <cmath>

namespace vqscope::vault {
namespace {

constexpr std::uint64_t text_purpose = 0x5A17;
constexpr Index first_place = 64;  ///< of a question in its record
constexpr Index places = 32;
constexpr Index letters = 16;  ///< of a record

/// The random draws come in this order: a secret for each document, a place for each record.
void put_record(Index secret, bool is_first, Index question, Index length, ScoredText& text) {
  for (Index p = 0; p < length; ++p) {
    if (p == question)
      text.put('?', false);
    else if (p == question + 1 || (is_first && p == 0))
      text.put('A' + secret, p > 0);
    else
      text.put('a' + p * letters / length, false);
  }
}

}  // namespace

ScoredText stream(std::uint64_t seed, Index count, Index length) {
  assert(length % 8 == 0);
  SeededRandom random = stream_of(seed, text_purpose);
  ScoredText text;
  while (std::ssize(text.tokens) < count) {
    const Index secret = below(random, secrets);
    for (Index record = 0; record < records; ++record)
      put_record(secret, record == 0, length / 2 + below(random, length / 4), length, text);
  }
  text.tokens.resize(static_cast<std::size_t>(count));
  text.answers.resize(static_cast<std::size_t>(count));
  return text;
}

double unknown_answers(Index context) {
  Index first = 0, later = 0;
  for (Index place = first_place; place < first_place + places; ++place) {
    first += place + 1 > context;  // back to the secret at the document's start
    for (Index before = first_place; before < first_place + places; ++before)
      later += record_length + place - before > context;  // back to the answer of the record before
  }
  const auto of_later = static_cast<double>(later) / static_cast<double>(places);
  return (static_cast<double>(first) + static_cast<double>(records - 1) * of_later) /
         static_cast<double>(records * places);
}

double answer_bits(Index context) { return std::log2(static_cast<double>(secrets)) * unknown_answers(context); }

double bits_per_character(Index context) {
  const auto asked = static_cast<double>(records);
  const double of_document = std::log2(static_cast<double>(secrets)) + asked * std::log2(static_cast<double>(places));
  return (of_document + asked * answer_bits(context)) / static_cast<double>(document_length);
}

}  // namespace vqscope::vault
