// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/methods.h"

#include "core/base/sentence.h"
#include "core/experiment/extrapolation/corpus_study.h"
#include "core/experiment/extrapolation/ordering.h"
#include "core/experiment/extrapolation/position_tests.h"
#include "core/experiment/extrapolation/studies.h"
#include "core/experiment/measure/skipped_points.h"
#include "core/experiment/study/model_reach.h"
#include "core/experiment/training/model_training.h"
#include "core/method/curve_set.h"
#include "core/method/shared/published.h"
#include "core/method/verdict/verdict_parts.h"
#include "core/model/kernels/products.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Added to the training's seed for the text to fine-tune on.
constexpr std::uint64_t tuning_seed = 1000003;

bool is_of_positions(const ParameterValues& values) { return values.choice("quantity") == "position"; }
/// Whether it has a cache at test.
bool has_cache(const VariantStudy& study, const ExtrapolationVariant& variant) {
  const TransformerConfig config = tested_config(study, variant, study.train_length());
  return config.quantises() && config.cache;
}

bool is_of_cache(const ParameterValues& values) { return values.choice("quantity").starts_with("cache_share"); }

class ExtrapolationCurves {
 public:
  ExtrapolationCurves(const ParameterValues& values, const VariantStudy& study, const StudyData& data)
      : m_values(values), m_study(study), m_data(data), m_variants(chosen_variants(values)) {}

  CurveSet set_of(const VariantMeasures& measured, const CacheShares& shares) const {
    const StudyLosses losses = m_data.losses(measured, context_lengths(m_values).size());
    const VariantMeasures gaps = gaps_of(losses.tokens);
    CurveSet set = described();
    const VariantMeasures& shown = difference()                ? gaps
                                   : of_answers()              ? losses.answers
                                   : is_of_positions(m_values) ? losses.positions
                                                               : losses.tokens;
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
      if (skipped_test(m_study, m_variants[i], 0) != Skipped::no) continue;  // a curve without a point
      if (is_of_cache(m_values))
        add_shares(i, title_of(i, losses), shares, set);
      else
        add_variant(m_values, title_of(i, losses), shown[i], set);
    }
    add_facts(losses, gaps, set);
    for (std::size_t i = 0; i < m_variants.size(); ++i)
      if (shares.layers(i) > 0)
        set.facts.emplace_back("cache_share_at_longest_" + m_variants[i].id,
                               mean_over_seeds(shares.of(i), last_context()));
    if (m_data.corpus()) add_text(losses, set);
    mark_skipped_tests(set);
    apply_overlay(m_values, set);
    apply_x_unit(m_values, m_values.integer("train_length"), set);
    return set;
  }

 private:
  bool difference() const { return m_values.choice("quantity") == "difference"; }
  std::size_t last_context() const { return context_lengths(m_values).size() - 1; }
  bool of_answers() const { return m_values.choice("quantity") == "answers"; }
  std::string y_title() const {
    if (of_answers()) return "loss of answers (bits)";
    if (is_of_cache(m_values)) return cache_share_title;
    return fmt::format("loss{} ({})", difference() ? " minus that at the training length" : "", m_data.unit());
  }

  CurveSet described() const {
    const Index steps = m_values.integer("train_steps");
    const bool positions = is_of_positions(m_values);
    const std::string measured =
        is_of_cache(m_values) ? fmt::format(
                                    "the sum of a query's weights on the keys of the cache, those of the blocks "
                                    "before the previous one: mean over heads and the {} windows",
                                    scored_text())
        : positions ? fmt::format("mean loss at the positions after the point before, in windows of {} tokens",
                                  context_lengths(m_values).back())
                    : fmt::format(
                          "mean loss of the same {} windows while the context before them grows; gaps grow with "
                          "more steps",
                          scored_text());
    CurveSet set{.x_name = positions ? "position" : "context",
                 .x_title = positions ? "position in the window, up to (tokens)" : "context T (tokens)",
                 .y_title = y_title(),
                 .formula = fmt::format("models trained here for {} steps on {}{}; {}", steps, m_data.name(),
                                        tuning_text(), measured),
                 .log_x = true,
                 .exact = false};
    const auto trained = static_cast<double>(m_values.integer("train_length"));
    for (const Index x : positions ? position_spans(m_values) : context_lengths(m_values))
      set.x.push_back(static_cast<double>(x));
    set.marks = {{trained, "training length"}};
    return set;
  }

  std::string tuning_text() const {
    const Index steps = m_values.integer("finetune_steps");
    std::string text;
    if (m_study.bptt_len > 0 && m_study.bptt_len < m_study.train_length())
      text = fmt::format(", VQ attention on windows of {} tokens with its state carried", m_study.bptt_len);
    if (steps == 0) return text;
    return text + fmt::format(", then for {} steps on sequences {} times as long, with the scaling of that length",
                              steps, m_values.integer("finetune_multiple"));
  }

  std::string scored_text() const {
    const Index windows = m_study.test_rows;
    return of_answers() ? fmt::format("answers, the last tokens of {}", windows)
                        : fmt::format("last 32 tokens of {}", windows);
  }

  void add_shares(std::size_t i, const std::string& title, const CacheShares& shares, CurveSet& set) const {
    if (!has_cache(m_study, m_variants[i])) return;
    if (m_values.choice("quantity") == "cache_share") return add_variant(m_values, title, shares.of(i), set);
    for (std::size_t layer = 0; layer < shares.layers(i); ++layer)
      add_variant(m_values, fmt::format("{}, layer {}", title, layer), shares.of(i, layer), set);
  }

  /// A test at a length too long for a model ends its curve.
  void mark_skipped_tests(CurveSet& set) const {
    const std::string seconds = to_text(m_study.most_test_seconds) + " s";
    SkippedPoints points(seconds, most_study_memory());
    for (const ExtrapolationVariant& variant : m_variants)
      for (std::size_t x = 0; x < set.x.size(); ++x)
        points.add(variant.id, set.x[x],
                   skipped_test(m_study, variant, is_of_positions(m_values) ? last_context() : x));
    points.mark(set);
  }

  /// Marks a model that did not learn.
  std::string title_of(std::size_t i, const StudyLosses& losses) const {
    return m_variants[i].id + (m_data.is_beyond(losses, i) ? std::string(failed_ending) : std::string());
  }

  /// Only competent models are ranked, the smallest gap at the longest context first.
  void add_facts(const StudyLosses& losses, const VariantMeasures& gaps, CurveSet& set) const {
    set.facts = {{"steps", static_cast<double>(m_values.integer("train_steps"))},
                 {"finetune_steps", static_cast<double>(m_values.integer("finetune_steps"))},
                 {"seeds", static_cast<double>(m_values.integer("seed_count"))},
                 {"competence", m_data.competence()},
                 {"guessing_loss", m_data.guessing_loss()}};
    std::vector<double> gap;
    Scores scores;
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
      gap.push_back(mean_over_seeds(gaps[i], last_context()));
      const bool known = !std::isnan(mean_over_seeds(losses.tokens[i], 0));
      if (known && !std::isnan(gap[i]) && !m_data.is_beyond(losses, i)) scores.emplace_back(m_variants[i].id, -gap[i]);
    }
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
      const std::string& id = m_variants[i].id;
      set.facts.emplace_back("loss_at_training_length_" + id, mean_over_seeds(losses.tokens[i], 0));
      set.facts.emplace_back("gap_at_longest_" + id, gap[i]);
      set.facts.emplace_back("rank_" + id, rank_of(scores, id));
    }
    set.facts.emplace_back("kendall_tau_" + press_2022().id, kendall_tau(press_2022(), scores));
  }

  /// Best losses as levels; of data that ask, answers, and models whose layers do not see that far back.
  void add_text(const StudyLosses& losses, CurveSet& set) const {
    if (!difference() && !is_of_positions(m_values) && !is_of_cache(m_values))
      set.levels = m_data.best(context_lengths(m_values), of_answers());
    if (losses.answers.empty()) return;
    for (std::size_t i = 0; i < m_variants.size(); ++i) {
      const std::string& id = m_variants[i].id;
      set.facts.emplace_back("answer_bits_at_training_length_" + id, mean_over_seeds(losses.answers[i], 0));
      set.facts.emplace_back("answer_bits_at_longest_" + id, mean_over_seeds(losses.answers[i], last_context()));
      const auto reach = model_reach(trained_config(m_study, m_variants[i]));
      if (reach && *reach < m_data.corpus()->nearest_mention)
        set.facts.emplace_back("reach_" + id, static_cast<double>(*reach));
    }
    if (m_data.corpus()->nearest_mention == 0) return;
    set.facts.emplace_back("needed_reach", static_cast<double>(m_data.corpus()->nearest_mention));
  }

  const ParameterValues& m_values;
  const VariantStudy& m_study;
  const StudyData& m_data;
  std::vector<ExtrapolationVariant> m_variants;
};

/// Without `corpus` the study of a text has its sizes alone.
VariantStudy tuned_study(const ParameterValues& values, const std::shared_ptr<const Corpus>& corpus = {}) {
  const bool of_text = is_of_text(values);
  VariantStudy study = of_text ? text_study(values, corpus, context_lengths(values)) : language_study(values);
  study.most_test_seconds = values.real("most_test_seconds");
  study.skips_trainings = true;
  study.bptt_len = values.integer("bptt_len");
  const Index multiple = values.integer("finetune_multiple");
  const Index rows = std::max<Index>(1, values.integer("batch_rows") / multiple);
  const Index length = multiple * values.integer("train_length");
  study.tuning = {values.integer("finetune_steps"), multiple, rows, [rows, length](std::uint64_t seed) {
                    return TrainingData::language(seed + tuning_seed, rows, length);
                  }};
  if (of_text) study.tuning.data = text_tuning(corpus, rows, length);
  if (is_of_positions(values)) add_position_tests(study, context_lengths(values).size() - 1, position_spans(values));
  return study;
}

Result<CurveSet> make_length_extrapolation(const ParameterValues& values, const Work& work) {
  const auto data = StudyData::open(values);
  if (!data) return data.error();
  VariantStudy study = tuned_study(values, data->corpus());
  if (data->corpus())
    if (auto checked = check_text(study, *data->corpus()); !checked) return checked.error();
  const ExtrapolationCurves curves(values, study, *data);
  CacheShares shares(values);
  shares.follow(study);
  const auto losses = run_study(study, work, [&](const VariantMeasures& so_far) {
    if (work.partial) work.partial(curves.set_of(so_far, shares));
  });
  if (!losses) return losses.error();
  return curves.set_of(*losses, shares);
}

Result<void> check_windows(const ParameterValues& values) {
  const Index window = values.integer("bptt_len"), block = values.integer("model_block_len");
  if (window % block != 0)
    return invalid("bptt_len is {} but must be a multiple of model_block_len, {}", window, block);
  if (window > 0 && values.real("layerdrop") > 0)
    return invalid("layerdrop is {} but must be 0 with bptt_len: windows continue each other's layers",
                   to_text(values.real("layerdrop")));
  return {};
}

Result<void> check_length_extrapolation(const ParameterValues& values) {
  if (values.choice("quantity") == "answers" && !is_of_answers(values))
    return invalid("quantity is answers but must be difference or loss for data {}", values.choice("data"));
  const VariantStudy study = tuned_study(values);
  if (auto checked = check_windows(values); !checked) return checked;
  if (auto checked = check_study(study); !checked || !is_of_cache(values)) return checked;
  const auto variants = chosen_variants(values);
  if (std::ranges::any_of(variants, [&](const auto& variant) { return has_cache(study, variant); })) return {};
  return invalid("quantity is {} but must be difference or loss, or models must name one with a cache, such as vq",
                 values.choice("quantity"));
}

std::vector<ParameterSpec> length_extrapolation_parameters() {
  std::vector<ParameterSpec> specs = extrapolation_parameters();
  std::ranges::find(specs, std::string("train_length"), &ParameterSpec::name)->maximum = 16384;
  auto& longest = *std::ranges::find(specs, std::string("longest_multiple"), &ParameterSpec::name);
  longest.maximum = 4096;
  longest.logarithmic = true;
  add_parameter(specs, "most_test_seconds", "Machine",
                "Skips tests at lengths where they are expected to take longer than this on one core; VQ attention "
                "reads long contexts in segments.",
                {.default_value = 300.0, .minimum = 1, .maximum = 86400, .logarithmic = true, .unit = "s"});
  auto& quantities = std::ranges::find(specs, std::string("quantity"), &ParameterSpec::name)->choices;
  quantities.push_back({"answers", "loss of answers alone, with data vault or facts"});
  quantities.push_back({"position", "loss by position in windows of the longest context"});
  quantities.push_back({"cache_share", "share of attention on the cache of VQ attention, mean over heads and layers"});
  quantities.push_back({"cache_share_by_layer", "share of attention on the cache of each layer"});
  specs.insert(
      std::ranges::find(specs, std::string("seed"), &ParameterSpec::name),
      {bptt_parameter(),
       make_parameter("finetune_steps", "Training",
                      "Number of fine-tuning steps after the training, on longer sequences and at a tenth of "
                      "lr_max, with the scaling that the model has at that length.",
                      {.default_value = Index{0}, .minimum = 0, .maximum = 20000, .automatic = "no fine-tuning"}),
       make_parameter("finetune_multiple", "Training",
                      "Sequence length for fine-tuning, in training lengths. Batches keep their number of tokens.",
                      {.default_value = Index{4}, .minimum = 2, .maximum = 16})});
  return specs;
}

}  // namespace

Method length_extrapolation_method() {
  return {
      .id = "length_extrapolation",
      .title = "Extrapolation of trained models",
      .help = "Loss of small models, trained here, beyond their training length. Lower is better.",
      .citation = {"Press et al. 2022, ALiBi, section 4; Kazemnejad et al. 2023; Lingle 2023, Transformer-VQ; and the "
                   "papers of the encodings",
                   "Hugging Face transformers, models/llama: layout of the model"},
      .parameters = length_extrapolation_parameters(),
      .check = check_length_extrapolation,
      .recipe = CurveRecipe{.make = make_length_extrapolation,
                            .origin = CurveOrigin::measured,
                            .kernels = best_products<float>().name,
                            .related = {"vq_extrapolation"},
                            .work = [](const ParameterValues& values) { return study_work(tuned_study(values)); }}};
}

}  // namespace vqscope
