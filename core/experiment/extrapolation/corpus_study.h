// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiment/corpus/corpus.h"
#include "core/experiment/study/variant_study.h"
#include "core/method/curve_set.h"

#include <memory>

namespace vqscope {

/// `data`, `text_file` and `score`.
std::vector<ParameterSpec> corpus_parameters();

/// Whether `data` is a text of bytes, whose losses are in bits, and not the synthetic language.
bool is_of_text(const ParameterValues& values);
/// Whether it is a text with answers.
bool is_of_answers(const ParameterValues& values);

/// What a study has measured: nats per token of the language, else bits.
struct StudyLosses {
  VariantMeasures tokens;
  VariantMeasures answers = {};    ///< empty: the data have none
  VariantMeasures positions = {};  ///< of the tests of positions, if there are any
};

/// The data of a study: the synthetic language or a text.
class StudyData {
 public:
  /// Reads the text of `values`.
  static Result<StudyData> open(const ParameterValues& values);

  const std::shared_ptr<const Corpus>& corpus() const { return m_corpus; }  ///< null: the language
  bool has_answers() const { return m_corpus && m_corpus->has_answers(); }
  std::string name() const { return m_corpus ? m_corpus->name : "a synthetic language"; }
  std::string unit() const { return m_corpus ? "bits per byte" : "nats"; }
  /// Of a model for which all tokens are equally likely.
  double guessing_loss() const;
  /// What a model has at most that learnt the data: of an answer in data that ask, else of a token.
  double competence() const;

  /// `contexts`: number of tests by context.
  StudyLosses losses(const VariantMeasures& nats, std::size_t contexts) const;
  /// Whether the variant's mean at the first context is above competence(). Not while nothing is measured.
  bool is_beyond(const StudyLosses& losses, std::size_t variant) const;
  /// Losses of a reader who knows the rules, in the first and the last context, of bytes or of answers.
  std::vector<CurveLevel> best(const std::vector<Index>& contexts, bool of_answers) const;

 private:
  std::shared_ptr<const Corpus> m_corpus;
  double m_language_competence = 0;
};

/// Models of a text and their loss at each length of `contexts`: always on the same bytes, while
/// the context before them grows. If the text has answers, as many tests again score answers alone,
/// the same at each length. Without a corpus the study has sizes, but no text.
VariantStudy text_study(const ParameterValues& values, const std::shared_ptr<const Corpus>& corpus,
                        const std::vector<Index>& contexts);

/// Training data for fine-tuning on longer sequences, by seed.
std::function<TrainingData(std::uint64_t seed)> text_tuning(const std::shared_ptr<const Corpus>& corpus, Index rows,
                                                            Index length);

/// Refuses a text that is too short for the study's trainings and tests.
Result<void> check_text(const VariantStudy& study, const Corpus& corpus);

}  // namespace vqscope
