// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/data/scored_text.h"
#include "core/method/parameter.h"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// How a text with answers is trained on.
struct AnswerTraining {
  Index steps = 0;                      ///< those before this one score answers alone
  std::vector<ScoredText> denser = {};  ///< every other step scores the answers of one of these; empty: none does

  friend bool operator==(const AnswerTraining&, const AnswerTraining&) = default;
};

/// A text to train models on, and text that only tests see.
struct Corpus {
  std::string id;    ///< a choice of `data`
  std::string name;  ///< in sentences: "the guide of this program"
  std::string key;   ///< distinguishes its tokens from those of other texts
  std::function<ScoredText(std::uint64_t seed)> training = {};
  std::function<ScoredText(Index count)> test = {};  ///< at most so many tokens
  /// Bits per byte, and bits of an answer, for a reader of the last bytes who knows the rules;
  /// empty: not known.
  std::function<double(Index context)> best_bits = {};
  std::function<double(Index context)> best_answer_bits = {};
  /// Texts of the same kind whose answers are closer to what they depend on; empty: there are none.
  std::function<std::vector<ScoredText>(std::uint64_t seed)> denser = {};
  Index nearest_mention = 0;  ///< bytes back from an answer, at least; 0: not known
  /// Entropy of single bytes; a model of a text without answers that costs more has not learnt.
  double single_byte_bits = 0;

  bool has_answers() const { return static_cast<bool>(best_answer_bits); }
};

/// An answer that costs more bits than this where a model was trained is not known to it: it has no rank.
inline constexpr double competent_answer_bits = 1;

/// Texts of bytes among the choices of `data`: "vault", "facts", "guide", and "text", which is a file.
std::vector<Choice> corpus_choices();
bool is_corpus(std::string_view data);

/// One of those but text.
Corpus built_in_corpus(std::string_view id);

/// The bytes of a text of one's own; its last tenth is for tests.
Corpus text_corpus(std::string name, std::string bytes);

/// `score`: which bytes of a text with answers count in training.
ParameterSpec score_parameter(const char* group);
/// How `score` trains on a text for so many steps; the seed is that of the training.
AnswerTraining answer_training(const Corpus& corpus, const std::string& score, Index steps, std::uint64_t seed);

}  // namespace vqscope
