// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/extrapolation/studies.h"

#include "core/base/deferred.h"
#include "core/base/sentence.h"
#include "core/data/language.h"
#include "core/data/token_batch.h"
#include "core/method/training/training_watch.h"

#include <algorithm>
#include <array>
#include <limits>

namespace vqscope {
namespace {

constexpr std::uint64_t test_seed = 4242;
/// Sizes from which half as many rows are tested.
constexpr Index large = 200;

/// Tokens of a problem of n symbols.
Index tokens_of(Task task, Index n) { return task_batch(task, n, 1, test_seed, 0).length; }

using Stream = std::vector<std::int32_t>;

/// The windows of the measured runs, later in the stream if contexts are longer.
PairedWindows windows_for(Index longest) {
  PairedWindows windows = PairedWindows().for_context(longest);
  windows.first_end = std::max(windows.first_end, longest + 76);
  windows.stream_length =
      std::max(windows.stream_length, windows.first_end + (windows.windows - 1) * windows.stride + 1);
  return windows;
}

}  // namespace

TaskRecipe task_recipe(Task task) {
  switch (task) {
    case Task::sort: return {2000, 32};
    case Task::recall: return {1500, 32};
    case Task::passkey: return {400, 16};
    case Task::copy:
    case Task::reverse: break;
  }
  return {1000, 32};
}

Task chosen_task(const ParameterValues& values) {
  return std::ranges::find(task_infos(), values.choice("task"), &TaskInfo::id)->task;
}

std::vector<Index> tested_sizes(const ParameterValues& values) {
  const TaskInfo& info = task_info(chosen_task(values));
  std::vector<double> multiples{0.5, 1, 1.25, 1.5};
  for (Index multiple = 2; multiple <= values.integer("longest_multiple"); multiple *= 2)
    multiples.push_back(static_cast<double>(multiple));
  std::vector<Index> sizes;
  for (const double multiple : multiples)
    sizes.push_back(std::min(info.largest, static_cast<Index>(multiple * static_cast<double>(info.trained_size))));
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

VariantStudy task_study(const ParameterValues& values) {
  const Task task = chosen_task(values);
  const TaskInfo& info = task_info(task);
  const TaskRecipe recipe = task_recipe(task);
  VariantStudy study{.values = values, .vocabulary = task_token::vocabulary, .data = std::string(info.id)};
  if (values.integer("train_steps") == 0) study.values.set("train_steps", recipe.steps);
  if (values.integer("batch_rows") == 0) study.values.set("batch_rows", recipe.rows);
  study.values.set("train_length", tokens_of(task, info.trained_size));
  study.training = [task, rows = study.values.integer("batch_rows")](std::uint64_t seed) {
    return TrainingData::task(task, seed, rows);
  };
  const auto sizes = tested_sizes(values);
  for (const Index n : sizes) study.lengths.push_back(tokens_of(task, n));
  study.test = [task, sizes](std::size_t test) -> Result<TokenBatch> {
    const Index n = sizes[test];
    return task_batch(task, n, n >= large ? 32 : 64, test_seed, n);
  };
  study.measure = values.choice("quantity") == "exact_match" ? exact_match : token_accuracy;
  return study;
}

VariantStudy language_study(const ParameterValues& values) {
  const Index length = values.integer("train_length"), rows = values.integer("batch_rows");
  VariantStudy study{.values = values, .vocabulary = language::vocabulary};
  study.lengths = context_lengths(values);
  const PairedWindows windows = windows_for(study.lengths.back());
  study.data = fmt::format("language, sequences of {}, windows from {}", length, windows.first_end);
  study.training = [rows, length](std::uint64_t seed) { return TrainingData::language(seed, rows, length); };
  const auto stream = std::make_shared<const Deferred<Stream>>([windows](const Work&) {
    return Result<std::shared_ptr<const Stream>>(
        std::make_shared<const Stream>(language::stream(windows.seed, windows.stream_length)));
  });
  study.test = [windows, stream, lengths = study.lengths](std::size_t test) {
    return windows.batch(*stream->find(), lengths[test]);
  };
  study.test_rows = windows.windows;
  study.measure = context_loss;
  study.failed = std::numeric_limits<double>::infinity();
  return study;
}

VariantMeasures gaps_of(VariantMeasures losses) {
  for (auto& variant : losses)
    for (auto& seed : variant)
      for (std::size_t x = seed.size(); x-- > 0;) seed[x] -= seed.front();
  return losses;
}

std::vector<Index> codebook_sizes(const ParameterValues& values) {
  if (values.choice("against") == "step") return {values.integer("model_n_code")};
  std::vector<Index> sizes;
  for (Index size = 1; size <= values.integer("n_code_max"); size *= 2)
    if (size >= values.integer("n_code_min")) sizes.push_back(size);
  return sizes;
}

bool finds_passkeys(const ParameterValues& values) {
  return values.find("quantity") && values.choice("quantity") == "passkeys";
}

namespace {

/// Tests of the largest problems in training and of those passkey_multiple times as large.
VariantStudy passkey_study(ParameterValues values) {
  values.set("task", std::string("passkey"));
  values.set("quantity", std::string("exact_match"));
  values.set("longest_multiple", passkey_multiple);
  const auto sizes = tested_sizes(values);
  const auto trained = std::ranges::find(sizes, task_info(Task::passkey).trained_size) - sizes.begin();
  const std::array tests{static_cast<std::size_t>(trained), sizes.size() - 1};
  VariantStudy study = task_study(values);
  study.lengths = {study.lengths[tests[0]], study.lengths[tests[1]]};
  study.test = [all = std::move(study.test), tests](std::size_t test) { return all(tests[test]); };
  return study;
}

}  // namespace

VariantStudy vq_model_study(const ParameterValues& values, Index n_code, const std::shared_ptr<const Corpus>& corpus) {
  ParameterValues own = default_values(extrapolation_parameters());
  for (const auto& [name, value] : values.map())
    if (own.find(name) && name != "quantity") own.set(name, value);
  own.set("model_n_code", n_code);
  own.set("longest_multiple", Index{2});
  if (finds_passkeys(values)) return passkey_study(std::move(own));
  if (is_of_text(own)) return text_study(own, corpus, {own.integer("train_length")});
  VariantStudy study = language_study(own);
  study.lengths.resize(1);  // the training length
  return study;
}

Work named_work(Work work, const std::string& name, std::size_t places) {
  if (work.trained)
    work.trained = [all = work.trained, name, places](TrainingProgress update) {
      update.training = fmt::format("{}, {}", name, update.training);
      update.model = fmt::format("{}, {}", update.model, name);
      update.place += places;
      all(update);
    };
  if (work.phase)
    work.phase = [all = work.phase, name](const std::string& words) { all(fmt::format("{}: {}", name, words)); };
  return work;
}

Result<VqModelRuns> run_vq_models(const ParameterValues& values, const StudyData& data, const Work& work,
                                  const std::function<void(const VqModelRuns&)>& measured) {
  const auto sizes = codebook_sizes(values);
  const auto variants = chosen_variants(values).size();  // duplicates count once
  const auto seeds = static_cast<std::size_t>(values.integer("seed_count"));
  const VqModelRun none{.loss = no_value};
  VqModelRuns runs(sizes.size(), std::vector(variants, std::vector(seeds, none)));
  for (std::size_t s = 0; s < sizes.size(); ++s) {
    VariantStudy study = vq_model_study(values, sizes[s], data.corpus());
    if (data.corpus())
      if (auto checked = check_text(study, *data.corpus()); !checked) return checked.error();
    study.trained = [&](std::size_t variant, std::size_t seed, const TrainedModel& model) {
      runs[s][variant][seed].trace = model.trace();
    };
    const auto take = [&](const VariantMeasures& nats) {
      const StudyLosses losses = data.losses(nats, 1);
      for (std::size_t variant = 0; variant < variants; ++variant)
        for (std::size_t seed = 0; seed < seeds; ++seed) {
          VqModelRun& run = runs[s][variant][seed];
          run.loss = losses.tokens[variant][seed][0];
          if (finds_passkeys(values)) run.solved = run.loss, run.solved_far = losses.tokens[variant][seed].back();
          if (!losses.answers.empty()) run.answer_loss = losses.answers[variant][seed][0];
        }
      measured(runs);
    };
    const double part = 1 / static_cast<double>(sizes.size());
    const Work some = part_of(work, static_cast<double>(s) * part, part);
    const Work own = sizes.size() > 1 ? named_work(some, fmt::format("{} codewords", sizes[s]), s * variants) : some;
    const auto done = run_study(study, own, take);
    if (!done) return done.error();
  }
  return runs;
}

}  // namespace vqscope
