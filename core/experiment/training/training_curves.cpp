// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/training/model_training.h"

#include "core/base/sentence.h"
#include "core/data/alphabet.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace vqscope {
namespace {

constexpr Index most_points = 2000;
constexpr std::size_t mean_steps = 20;
/// Nats per token that the language has for a reader who knows its rules and state
/// (data/language.h).
constexpr double language_oracle = 0.87;

/// Losses of the latest steps up to the last one.
struct Recent {
  double mean = 0;
  double least = 0;
  double greatest = 0;
};

template <class Value>
Recent recent(std::span<const TrainingStep> steps, std::size_t last, double unit, Value value) {
  const std::size_t count = std::min(mean_steps, last + 1);
  Recent recent{0, unit * value(steps[last]), unit * value(steps[last])};
  for (const TrainingStep& step : steps.subspan(last + 1 - count, count)) {
    const double each = unit * value(step);
    recent.mean += each / static_cast<double>(count);
    recent.least = std::min(recent.least, each);
    recent.greatest = std::max(recent.greatest, each);
  }
  return recent;
}

/// Indices into all steps from the first to `last`.
std::vector<std::size_t> selected(Index count) {
  std::vector<std::size_t> indices;
  const Index stride = curve_stride(count);
  for (Index i = stride - 1; i < count; i += stride) indices.push_back(static_cast<std::size_t>(i));
  if (count % stride != 0) indices.push_back(static_cast<std::size_t>(count - 1));
  return indices;
}

}  // namespace

Index curve_stride(Index steps) { return std::max<Index>(1, (steps + most_points - 1) / most_points); }

CurveSet training_curves(std::span<const TrainingStep> steps, Index last, std::vector<CurveLevel> levels,
                         LossUnit unit) {
  const bool bits = unit == LossUnit::bits_per_byte;
  const double scale = bits ? std::numbers::log2e : 1;
  CurveSet set{.x_name = "step",
               .x_title = "training step",
               .y_title = bits ? "loss (bits per byte)" : "loss (nats per token)",
               .formula = fmt::format("mean over the scored tokens of a batch of {}, before the weights change",
                                      bits ? "-log2 p(byte)" : "-ln p(token)"),
               .levels = std::move(levels)};
  const Index first = steps.empty() ? 1 : steps.front().step;
  const bool quantised = !steps.empty() && !steps.front().losses.commit_layers.empty();
  set.curves = {{"loss, mean of 20 steps", {}}, {"loss, least", {}}, {"loss, greatest", {}}};
  set.bands = {{0, 1, 2}};
  if (quantised) set.curves.push_back({"cross entropy, mean of 20 steps", {}});
  for (const std::size_t i : selected(last - first + 1)) {
    set.x.push_back(static_cast<double>(first) + static_cast<double>(i));
    if (i >= steps.size()) continue;
    const Recent loss = recent(steps, i, scale, [](const TrainingStep& step) { return step.losses.loss; });
    set.curves[0].y.push_back(loss.mean);
    set.curves[1].y.push_back(loss.least);
    set.curves[2].y.push_back(loss.greatest);
    if (quantised)
      set.curves[3].y.push_back(
          recent(steps, i, scale, [](const TrainingStep& step) { return step.losses.ce_loss; }).mean);
  }
  set.exact = curve_stride(last - first + 1) == 1;
  return set;
}

std::vector<CurveLevel> loss_levels(const std::string& data, Index vocabulary) {
  std::vector<CurveLevel> levels{{std::log(static_cast<double>(vocabulary)), "all tokens equally likely"}};
  if (data == "language") levels.push_back({language_oracle, "rules of the language known"});
  return levels;
}

std::vector<CurveLevel> text_levels(const Corpus& corpus, Index context) {
  std::vector<CurveLevel> levels{{std::log2(static_cast<double>(byte_vocabulary)), "all bytes equally likely"}};
  if (corpus.best_bits)
    levels.push_back({corpus.best_bits(context), fmt::format("rules and the last {} bytes known", context)});
  return levels;
}

void add_score(const Corpus& corpus, const TextScore& score, CurveSet& set) {
  set.facts.emplace_back("bits_per_byte", score.bits);
  set.facts.emplace_back("scored_bytes", static_cast<double>(score.bytes));
  set.facts.emplace_back("window", static_cast<double>(score.window));
  set.facts.emplace_back("stride", static_cast<double>(score.stride));
  if (corpus.best_bits) set.facts.emplace_back("best_bits_per_byte", corpus.best_bits(score.window));
  if (!corpus.has_answers()) return;
  set.facts.emplace_back("answer_bits", score.answer_bits);
  set.facts.emplace_back("best_answer_bits", corpus.best_answer_bits(score.window));
}

}  // namespace vqscope
