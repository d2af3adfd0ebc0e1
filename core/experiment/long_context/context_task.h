// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/experiment/memory/memory_setting.h"

#include <span>
#include <stop_token>
#include <string>
#include <vector>

namespace vqscope {

/// What a head has to read from a long sequence. All but the last are synthetic, with a known answer.
enum class ContextTask {
  far_fact,       ///< the value of one key of an earlier segment, which the query resembles
  local_copy,     ///< the value a few tokens back, found by position
  topic_mean,     ///< the mean of all values of a topic
  rest,           ///< every second query matches a near key, the others nothing: their answer is 0
  full_attention  ///< what full attention returns
};

struct ContextTaskInfo {
  ContextTask task;
  std::string id;
  std::string name;  ///< on an axis
  std::string help;
};
/// The synthetic ones.
std::span<const ContextTaskInfo> context_task_infos();
const ContextTaskInfo& info_of(ContextTask task);

struct TaskSizes {
  Index fact_distance = 8192;  ///< of a fact, from the query's segment, at most
  Index copy_distance = 100;
};

/// The tokens of a task and what their queries should return.
class TaskTokens {
 public:
  /// Topics are the setting's clusters of keys. Undefined after a stop.
  TaskTokens(ContextTask task, const MemorySetting& setting, const TaskSizes& sizes, const std::stop_token& stop);

  ContextTask task() const { return m_task; }
  const MemoryTokens& tokens() const { return m_tokens; }
  /// Of local_copy; else 0.
  Index copied_distance() const { return m_copied; }

  /// Whether the token's query has an answer.
  bool asks(Index token) const;
  /// The answer [d_v]; not of full_attention.
  std::vector<double> answer(Index token) const;
  /// Expected |o - answer|² of the best reader of the tokens up to this one.
  double unavoidable(Index token) const;

 private:
  void sample(const MemorySetting& setting, const std::stop_token& stop);
  void plant_facts(const MemorySetting& setting, Index most);
  void plant_copies();
  void plant_topics(const MemorySetting& setting);
  void plant_rest(const MemorySetting& setting);
  Index topic_of(Index token) const;

  ContextTask m_task;
  MemoryTokens m_tokens;
  Index m_length = 0;
  Index m_copied = 0;
  std::vector<Index> m_asked;    ///< [T], the token or topic of the answer; -1: nothing
  std::vector<Index> m_topics;   ///< topic of each passage
  std::vector<float> m_answers;  ///< [topics, d_v]
};

}  // namespace vqscope
