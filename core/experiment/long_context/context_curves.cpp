// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/context_curves.h"

#include "core/attention/codebook/codebook.h"
#include "core/base/sentence.h"
#include "core/experiment/long_context/context_score.h"
#include "core/experiment/setting/vq_experiment.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace vqscope {
namespace {

constexpr Index keys_learnt_from = 8192;
constexpr Index learning_steps = 30;

/// Keys from all over the sequence, in an order in which any few of them are spread evenly.
std::vector<float> spread_keys(const MemoryTokens& tokens, Index count) {
  const auto length = static_cast<double>(tokens.keys.size()) / static_cast<double>(tokens.d_k);
  std::vector<float> keys;
  for (Index i = 0; i < count; ++i) {
    const double turn = static_cast<double>(i) * std::numbers::phi;
    const auto token = static_cast<Index>((turn - std::floor(turn)) * length);
    const float* row = tokens.keys.data() + token * tokens.d_k;
    keys.insert(keys.end(), row, row + tokens.d_k);
  }
  return keys;
}

/// [rows, width], the last of them 0 if there are fewer keys.
Result<std::vector<float>> learnt_rows(const MemoryTokens& tokens, Index rows, std::uint64_t seed, const Work& work) {
  const Index width = tokens.d_k;
  const Index count = std::min<Index>(static_cast<Index>(tokens.keys.size()) / width, keys_learnt_from);
  const auto keys = spread_keys(tokens, count);
  auto learnt = learn_codebook(matrix_of(keys, width),
                               {.n_code = std::min(rows, count), .steps = learning_steps, .seed = seed}, work);
  if (!learnt) return learnt.error();
  learnt->codewords.resize(static_cast<std::size_t>(rows * width), 0);
  return std::move(learnt->codewords);
}

/// One task with one set of sizes.
class TaskRun {
 public:
  TaskRun(const ContextSetting& setting, const TaskTokens& task, const ContextSizes& sizes,
          std::vector<ContextSystem> systems, ContextCodebooks codebooks, const std::stop_token& stop)
      : m_setting(setting),
        m_task(task),
        m_stop(stop),
        m_scales(stored_scales(setting)),
        m_outputs(
            task.tokens(), sizes, std::move(codebooks),
            {.systems = std::move(systems), .stored_scales = m_scales, .copied_distance = task.copied_distance()}) {}

  ContextScoring at(Index length) {
    m_outputs.go_on_to(length, m_stop);
    return {m_task, m_outputs, m_scales.size(), m_setting.sharpness, m_stop};
  }

 private:
  const ContextSetting& m_setting;
  const TaskTokens& m_task;
  std::stop_token m_stop;
  std::vector<double> m_scales;
  ContextOutputs m_outputs;
};

class ContextErrors {
 public:
  ContextErrors(const ContextSetting& setting, CurveSet axes, Index most, const Work& work)
      : m_setting(setting), m_memory(setting.memory), m_set(std::move(axes)), m_most(most), m_work(work) {
    m_memory.q_length = most;
    for (const ContextSystemInfo& info : setting.systems) m_set.curves.push_back({info.id, {}});
    if (has_optimum()) m_set.curves.push_back({"optimum", {}});
  }

  Result<CurveSet> by_task() {
    for (const ContextTask each : m_setting.tasks) {
      m_set.x.push_back(static_cast<double>(m_set.x.size()));
      m_set.x_names.push_back(info_of(each).name);
    }
    for (const ContextSystemInfo& info : m_setting.systems)
      m_set.facts.emplace_back(info.id + "_bytes", costs_of(info.system, m_setting.sizes, m_most).bytes);
    for (std::size_t i = 0; i < m_setting.tasks.size(); ++i)
      if (auto added = add_task(i); !added) return added.error();
    return std::move(m_set);
  }

  Result<CurveSet> by_length() {
    const TaskTokens task(m_setting.tasks.front(), m_memory, m_setting.task, m_work.stop);
    auto run = run_of(task, m_setting.sizes, all_systems());
    if (!run) return run.error();
    for (const double x : m_set.x) {
      const auto length = static_cast<Index>(x);
      if (auto added = length <= m_most ? add_scores((*run)->at(length), length == m_most) : add_gap(); !added)
        return added.error();
      m_work.report(x / m_set.x.back());
    }
    return std::move(m_set);
  }

  /// Every system with several sizes of its memory: a mean over the tasks.
  Result<CurveSet> against_cost() {
    for (const ContextTask each : m_setting.tasks) {
      const TaskTokens task(each, m_memory, m_setting.task, m_work.stop);
      for (const double factor : memory_factors)
        if (auto added = add_points(task, factor); !added) return added.error();
    }
    std::map<double, std::vector<double>> rows;
    const auto tasks = static_cast<double>(m_setting.tasks.size());
    for (const auto& [place, error] : m_points) {
      auto& row = rows[place.first];
      row.resize(m_set.curves.size(), no_value);
      row[place.second] = error / tasks;
    }
    for (const auto& [x, row] : rows) {
      m_set.x.push_back(x);
      for (std::size_t i = 0; i < row.size(); ++i) m_set.curves[i].y.push_back(row[i]);
    }
    m_set.levels = {{m_optimum / tasks, "optimum"}};
    if (!std::isfinite(m_optimum)) m_set.levels.clear();
    return std::move(m_set);
  }

 private:
  bool has_optimum() const {
    return m_setting.cost().empty() && m_setting.tasks.front() != ContextTask::full_attention;
  }

  std::vector<ContextSystem> all_systems() const {
    std::vector<ContextSystem> systems;
    for (const ContextSystemInfo& info : m_setting.systems) systems.push_back(info.system);
    return systems;
  }

  Result<std::unique_ptr<TaskRun>> run_of(const TaskTokens& task, const ContextSizes& sizes,
                                          const std::vector<ContextSystem>& systems) const {
    if (m_work.stop.stop_requested()) return cancelled();
    auto codebooks = learnt_codebooks(task, sizes, systems, m_memory.seed, {.progress = {}, .stop = m_work.stop});
    if (!codebooks) return codebooks.error();
    return std::make_unique<TaskRun>(m_setting, task, sizes, systems, std::move(*codebooks), m_work.stop);
  }

  Result<void> add_task(std::size_t place) {
    const TaskTokens task(m_setting.tasks[place], m_memory, m_setting.task, m_work.stop);
    auto run = run_of(task, m_setting.sizes, all_systems());
    if (!run) return run.error();
    auto added = add_scores((*run)->at(m_most), false);
    m_work.report(static_cast<double>(place + 1) / static_cast<double>(m_setting.tasks.size()));
    return added;
  }

  /// One value for each curve; with `facts`, also what was fitted.
  Result<void> add_scores(const ContextScoring& scoring, bool facts) {
    for (std::size_t i = 0; i < m_setting.systems.size(); ++i) {
      const ContextSystemInfo& info = m_setting.systems[i];
      const ContextScore score = scoring.score(info.system);
      if (m_work.stop.stop_requested()) return cancelled();
      m_set.curves[i].y.push_back(score.error);
      if (!facts) continue;
      m_set.facts.emplace_back(info.id + "_sharpness", score.read.sharpness);
      if (score.memory > 0) m_set.facts.emplace_back(info.id + "_gate", score.memory / (score.local + score.memory));
    }
    if (has_optimum()) m_set.curves.back().y.push_back(scoring.optimum());
    if (m_work.partial) m_work.partial(m_set);
    return {};
  }

  Result<void> add_gap() {
    for (Curve& curve : m_set.curves) curve.y.push_back(no_value);
    return {};
  }

  Result<void> add_points(const TaskTokens& task, double factor) {
    const ContextSizes sizes = scaled_memory(m_setting.sizes, factor);
    auto systems = all_systems();
    std::erase_if(systems, [&](ContextSystem system) { return factor != 1 && !has_size(system); });
    if (systems.empty()) return {};
    auto run = run_of(task, sizes, systems);
    if (!run) return run.error();
    const ContextScoring scoring = (*run)->at(m_most);
    for (std::size_t i = 0; i < m_setting.systems.size(); ++i) {
      const ContextSystem system = m_setting.systems[i].system;
      if (std::ranges::count(systems, system) == 0) continue;
      const ContextCosts costs = costs_of(system, sizes, m_most);
      m_points[{m_setting.cost() == "bytes" ? costs.bytes : costs.operations, i}] += scoring.score(system).error;
      if (m_work.stop.stop_requested()) return cancelled();
    }
    if (factor == 1) m_optimum += scoring.optimum();
    m_work.report(static_cast<double>(++m_done) /
                  static_cast<double>(m_setting.tasks.size() * std::size(memory_factors)));
    return {};
  }

  const ContextSetting& m_setting;
  MemorySetting m_memory;
  CurveSet m_set;
  Index m_most;
  const Work& m_work;
  std::map<std::pair<double, std::size_t>, double> m_points;  ///< cost and system to the sum of errors
  double m_optimum = 0;
  std::size_t m_done = 0;
};

}  // namespace

std::vector<double> stored_scales(const ContextSetting& setting) {
  if (setting.tasks.front() == ContextTask::full_attention) return {1};
  const double undone = std::pow(static_cast<double>(setting.memory.d_k), 0.25);  // numbers of deviation 1
  return {undone, 4 * undone, 16 * undone};
}

Result<ContextCodebooks> learnt_codebooks(const TaskTokens& task, const ContextSizes& sizes,
                                          const std::vector<ContextSystem>& systems, std::uint64_t seed,
                                          const Work& work) {
  ContextCodebooks books{.codewords = std::vector<float>(static_cast<std::size_t>(sizes.n_code * sizes.d_k)),
                         .centroids = std::vector<float>(static_cast<std::size_t>(sizes.n_cluster * sizes.d_k))};
  const std::pair<ContextSystem, std::vector<float>*> learners[]{{ContextSystem::vq, &books.codewords},
                                                                 {ContextSystem::clustered, &books.centroids}};
  for (const auto& [system, rows] : learners) {
    if (std::ranges::count(systems, system) == 0) continue;
    auto learnt = learnt_rows(task.tokens(), static_cast<Index>(rows->size()) / sizes.d_k, seed, work);
    if (!learnt) return learnt.error();
    *rows = std::move(*learnt);
  }
  return books;
}

Result<CurveSet> context_errors(const ContextSetting& setting, CurveSet axes, Index most, const Work& work) {
  ContextErrors errors(setting, std::move(axes), most, work);
  if (!setting.cost().empty()) return errors.against_cost();
  return setting.compares_tasks() ? errors.by_task() : errors.by_length();
}

}  // namespace vqscope
