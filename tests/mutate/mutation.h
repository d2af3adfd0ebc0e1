// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/random.h"

#include <string>
#include <vector>

namespace vqscope::mutate {

using Bytes = std::string;

/// Material for a reader's inputs: whole ones, and words that its format knows.
struct Corpus {
  std::vector<Bytes> inputs;
  std::vector<Bytes> words;
};

/// From 0 to below `count`.
std::size_t below(SeededRandom& random, std::size_t count);

/// One of the corpus with one to eight things wrong: bits, lengths, numbers, parts that are
/// doubled, swapped, cut off, taken from another input, nested deep or no text.
Bytes mutated(const Corpus& corpus, SeededRandom& random);

}  // namespace vqscope::mutate
