// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/corpus_study.h"

#include "core/base/sentence.h"
#include "core/data/alphabet.h"
#include "core/data/language.h"
#include "core/experiment/corpus/own_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace vqscope {
namespace {

/// Added to a training's seed for the text to fine-tune on.
constexpr std::uint64_t tuning_text_seed = 1000003;
constexpr Index least_windows = 8;

/// The windows of the measured runs as far as the text has room for them, without scoring a byte twice.
PairedWindows windows_in(Index longest, Index tokens) {
  PairedWindows windows = PairedWindows().for_context(longest);
  windows.first_end = std::max(windows.first_end, longest);
  windows.stream_length = windows.first_end + windows.windows * windows.stride;
  if (tokens >= windows.stream_length) return windows;
  windows.first_end = longest;
  windows.stream_length = tokens;
  windows.windows = std::clamp<Index>((tokens - 1 - longest) / windows.scored + 1, 1, windows.windows);
  windows.stride = windows.windows == 1 ? 1 : (tokens - 1 - longest) / (windows.windows - 1);
  return windows;
}

/// The test of a text; kept, since every length of every model takes it.
struct TestText {
  ScoredText text;
  std::vector<Index> contexts;
  PairedWindows windows;

  /// The second half of the tests scores answers.
  Result<TokenBatch> batch(std::size_t test) const {
    if (test < contexts.size()) return windows.batch(text.tokens, contexts[test]);
    return answer_windows(windows, text, contexts[test - contexts.size()]);
  }
};

std::shared_ptr<const TestText> test_text(const Corpus& corpus, const std::vector<Index>& contexts) {
  const Index longest = contexts.back();
  const PairedWindows most = windows_in(longest, std::numeric_limits<Index>::max());
  ScoredText text = corpus.test(most.stream_length);
  const PairedWindows windows = windows_in(longest, std::ssize(text.tokens));
  return std::make_shared<const TestText>(TestText{std::move(text), contexts, windows});
}

}  // namespace

std::vector<ParameterSpec> corpus_parameters() {
  std::vector<Choice> choices{{"language", "a synthetic language of words, brackets, topics and copies; 40 tokens"}};
  for (const Choice& text : corpus_choices()) choices.push_back(text);
  return {make_parameter("data", "Training", "Text to train and to test on.",
                         {.default_value = std::string("language"), .choices = std::move(choices)}),
          make_parameter("text_file", "Training", "File or folder of the text; its last tenth is kept for the tests.",
                         {.kind = ParameterKind::text,
                          .default_value = std::string(),
                          .relevant = {{"data", {"text"}}},
                          .most_items = 4096}),
          score_parameter("Training")};
}

bool is_of_text(const ParameterValues& values) { return values.choice("data") != "language"; }

bool is_of_answers(const ParameterValues& values) {
  const auto& data = values.choice("data");
  return is_of_text(values) && data != "text" && built_in_corpus(data).has_answers();
}

Result<StudyData> StudyData::open(const ParameterValues& values) {
  StudyData data;
  data.m_language_competence = values.real("competence");
  const auto& id = values.choice("data");
  if (!is_of_text(values)) return data;
  if (id != "text") {
    data.m_corpus = std::make_shared<const Corpus>(built_in_corpus(id));
    return data;
  }
  const auto& path = values.text("text_file");
  if (path.empty()) return invalid("text_file is empty but must be a file or a folder for data text");
  auto own = read_own_text(path);
  if (!own) return own.error();
  data.m_corpus = std::make_shared<const Corpus>(text_corpus(path, std::move(own->bytes)));
  return data;
}

double StudyData::guessing_loss() const {
  return m_corpus ? std::log2(static_cast<double>(byte_vocabulary))
                  : std::log(static_cast<double>(language::vocabulary));
}

double StudyData::competence() const {
  if (!m_corpus) return m_language_competence;
  return m_corpus->has_answers() ? competent_answer_bits : m_corpus->single_byte_bits;
}

StudyLosses StudyData::losses(const VariantMeasures& nats, std::size_t contexts) const {
  const double unit = m_corpus ? std::numbers::log2e : 1;
  const auto tests = [&](std::size_t begin, std::size_t end) {
    VariantMeasures some;
    for (const auto& variant : nats) {
      auto& seeds = some.emplace_back();
      for (const auto& seed : variant) {
        auto& own = seeds.emplace_back();
        for (std::size_t test = begin; test < std::min(end, seed.size()); ++test) own.push_back(unit * seed[test]);
      }
    }
    return some;
  };
  const std::size_t all = std::numeric_limits<std::size_t>::max();
  StudyLosses losses{.tokens = tests(0, contexts)};
  if (has_answers()) losses.answers = tests(contexts, 2 * contexts);
  losses.positions = tests(has_answers() ? 2 * contexts : contexts, all);
  return losses;
}

bool StudyData::is_beyond(const StudyLosses& losses, std::size_t variant) const {
  const auto& decisive = losses.answers.empty() ? losses.tokens : losses.answers;
  double sum = 0, count = 0;
  for (const auto& seed : decisive[variant])
    if (!std::isnan(seed.front())) sum += seed.front(), ++count;
  return sum > count * competence();
}

std::vector<CurveLevel> StudyData::best(const std::vector<Index>& contexts, bool of_answers) const {
  const auto& bits = of_answers ? m_corpus->best_answer_bits : m_corpus->best_bits;
  if (!bits) return {};
  std::vector<CurveLevel> levels;
  for (const Index context : {contexts.front(), contexts.back()}) {
    const double value = bits(context);
    if (levels.empty() || levels.front().y != value)
      levels.push_back({value, fmt::format("rules and the last {} bytes known", context)});
  }
  return levels;
}

VariantStudy text_study(const ParameterValues& values, const std::shared_ptr<const Corpus>& corpus,
                        const std::vector<Index>& contexts) {
  VariantStudy study{.values = values, .vocabulary = byte_vocabulary, .lengths = contexts};
  if (is_of_answers(values)) study.lengths.insert(study.lengths.end(), contexts.begin(), contexts.end());
  study.test_rows = PairedWindows().for_context(contexts.back()).windows;
  study.measure = context_loss;
  study.failed = std::numeric_limits<double>::infinity();
  if (!corpus) return study;
  const Index length = values.integer("train_length"), rows = values.integer("batch_rows");
  const Index steps = values.integer("train_steps");
  study.data = fmt::format("{}, sequences of {}, score {}", corpus->key, length, values.choice("score"));
  study.training = [corpus, rows, length, steps, score = values.choice("score")](std::uint64_t seed) {
    return TrainingData::text(corpus->training(seed), rows, length, answer_training(*corpus, score, steps, seed))
        .value();
  };
  const auto tested = test_text(*corpus, contexts);
  study.test_rows = tested->windows.windows;
  study.test = [tested](std::size_t test) { return tested->batch(test); };
  study.test_name = [tested](std::size_t test) {
    return fmt::format("{} from {} by {}", test < tested->contexts.size() ? "bytes" : "answers",
                       tested->windows.first_end, tested->windows.stride);
  };
  return study;
}

std::function<TrainingData(std::uint64_t)> text_tuning(const std::shared_ptr<const Corpus>& corpus, Index rows,
                                                       Index length) {
  return [corpus, rows, length](std::uint64_t seed) {
    return TrainingData::text(corpus->training(seed + tuning_text_seed), rows, length).value();
  };
}

Result<void> check_text(const VariantStudy& study, const Corpus& corpus) {
  const Index trained = study.train_length() * (study.tuning.steps > 0 ? study.tuning.multiple : 1);
  if (auto data = TrainingData::text(corpus.training(0), 1, trained); !data) return within(corpus.name, data.error());
  const Index needed = study.longest() + (least_windows - 1) * PairedWindows().scored + 1;
  const auto known = std::ssize(corpus.test(needed).tokens);
  if (known >= needed) return {};
  return invalid("{}: its last tenth has {} bytes, but tests of {} bytes of context need {}", corpus.name, known,
                 study.longest(), needed);
}

}  // namespace vqscope
