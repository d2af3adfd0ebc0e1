// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/long_context/context_task.h"

#include "core/base/random.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

constexpr Index passage_len = 256;    // tokens of one topic in a row
constexpr double topic_noise = 4;     // standard deviation of values around the mean of their topic, which has 1
constexpr Index match_distance = 64;  // largest distance of a match of rest
constexpr double sink_cosine = 0.65;  // of a query with the sink, of that with a match

/// From `first` to `end` - 1.
Index chosen_token(SeededRandom& random, Index first, Index end) {
  return first + static_cast<Index>(random.bits() % static_cast<std::uint64_t>(std::max<Index>(1, end - first)));
}

std::vector<float> normals(SeededRandom& random, Index count, const std::stop_token& stop) {
  std::vector<float> numbers(static_cast<std::size_t>(count), 0);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i % 4096 == 0 && stop.stop_requested()) break;
    numbers[i] = static_cast<float>(random.normal());
  }
  return numbers;
}

/// factor_a a + factor_b b.
void mix(const float* a, double factor_a, const float* b, double factor_b, Index count, float* out) {
  for (Index c = 0; c < count; ++c)
    out[c] = static_cast<float>(factor_a * static_cast<double>(a[c]) + factor_b * static_cast<double>(b[c]));
}

SeededRandom random_of(std::uint64_t seed, std::uint64_t stream) {
  return SeededRandom(SeededRandom(seed).bits() ^ stream);
}

}  // namespace

std::span<const ContextTaskInfo> context_task_infos() {
  static const std::vector<ContextTaskInfo> all{
      {ContextTask::far_fact, "far_fact", "fact",
       "the value of one key, at most fact_distance tokens before the segment, which the query resembles"},
      {ContextTask::local_copy, "local_copy", "copy",
       "the value copy_distance tokens back, which the head finds by position"},
      {ContextTask::topic_mean, "topic_mean", "topic",
       "the mean of a topic, of which every token of its passages has a noisy value"},
      {ContextTask::rest, "rest", "rest",
       "a near key for every second query, nothing for the others, whose weight full attention puts on the first key"}};
  return all;
}

const ContextTaskInfo& info_of(ContextTask task) {
  static const ContextTaskInfo full{ContextTask::full_attention, "full_attention", "full attention",
                                    "what full attention returns"};
  const auto infos = context_task_infos();
  const auto found = std::ranges::find(infos, task, &ContextTaskInfo::task);
  return found == infos.end() ? full : *found;
}

TaskTokens::TaskTokens(ContextTask task, const MemorySetting& setting, const TaskSizes& sizes,
                       const std::stop_token& stop)
    : m_task(task), m_length(setting.q_length) {
  if (task == ContextTask::full_attention) {
    m_tokens = memory_tokens(setting, stop);
    return;
  }
  if (task == ContextTask::local_copy) m_copied = sizes.copy_distance;
  m_asked.assign(static_cast<std::size_t>(m_length), -1);
  sample(setting, stop);
  if (stop.stop_requested()) return;
  switch (task) {
    case ContextTask::far_fact: plant_facts(setting, sizes.fact_distance); break;
    case ContextTask::local_copy: plant_copies(); break;
    case ContextTask::topic_mean: plant_topics(setting); break;
    case ContextTask::rest:
    case ContextTask::full_attention: plant_rest(setting); break;
  }
  const double scale = std::pow(static_cast<double>(setting.d_k), -0.25);  // q·k / √d_k
  for (auto* rows : {&m_tokens.queries, &m_tokens.keys})
    for (float& number : *rows) number = static_cast<float>(scale * static_cast<double>(number));
}

void TaskTokens::sample(const MemorySetting& setting, const std::stop_token& stop) {
  m_tokens.d_k = setting.d_k;
  m_tokens.d_v = setting.d_v;
  SeededRandom queries = random_of(setting.seed, 11), values = random_of(setting.seed, 12),
               keys = random_of(setting.seed, 13);
  m_tokens.queries = normals(queries, m_length * setting.d_k, stop);
  m_tokens.values = normals(values, m_length * setting.d_v, stop);
  m_tokens.keys = normals(keys, m_length * setting.d_k, stop);
}

/// The query is c times the direction of its key, and √(1 - c²) times one of its own.
void TaskTokens::plant_facts(const MemorySetting& setting, Index most) {
  SeededRandom random = random_of(setting.seed, 14);
  const double own = std::sqrt(1 - setting.match_cosine * setting.match_cosine);
  const Index d_k = m_tokens.d_k;
  for (Index token = 0; token < m_length; ++token) {
    const Index begin = token / setting.segment_len * setting.segment_len;
    const Index end = begin > 0 ? begin : token + 1;  // the first segment has none before it
    const Index fact = chosen_token(random, std::max<Index>(0, begin - most), end);
    m_asked[static_cast<std::size_t>(token)] = fact;
    float* query = m_tokens.queries.data() + token * d_k;
    mix(query, own, m_tokens.keys.data() + fact * d_k, setting.match_cosine, d_k, query);
  }
}

/// By position alone: the content of the queries is 0.
void TaskTokens::plant_copies() {
  std::ranges::fill(m_tokens.queries, 0.0F);
  for (Index token = m_copied; token < m_length; ++token) m_asked[static_cast<std::size_t>(token)] = token - m_copied;
}

/// Keys lie around the centre of their topic, values around its mean. A query is the centre of the
/// topic of some token up to it.
void TaskTokens::plant_topics(const MemorySetting& setting) {
  SeededRandom random = random_of(setting.seed, 14);
  const Index topics = std::max<Index>(1, setting.clusters), d_k = m_tokens.d_k, d_v = m_tokens.d_v;
  const auto centres = normals(random, topics * d_k, {});
  m_answers = normals(random, topics * d_v, {});
  for (Index begin = 0; begin < m_length; begin += passage_len) m_topics.push_back(chosen_token(random, 0, topics));
  for (Index token = 0; token < m_length; ++token) {
    const Index topic = topic_of(token), asked = topic_of(chosen_token(random, 0, token + 1));
    float *key = m_tokens.keys.data() + token * d_k, *value = m_tokens.values.data() + token * d_v;
    mix(key, setting.spread, centres.data() + topic * d_k, 1, d_k, key);
    mix(value, topic_noise, m_answers.data() + topic * d_v, 1, d_v, value);
    std::copy_n(centres.data() + asked * d_k, d_k, m_tokens.queries.data() + token * d_k);
    m_asked[static_cast<std::size_t>(token)] = asked;
  }
}

/// The first component is that of the sink: all queries have it, and of the keys the first alone.
void TaskTokens::plant_rest(const MemorySetting& setting) {
  SeededRandom random = random_of(setting.seed, 14);
  const Index d_k = m_tokens.d_k;
  const double root = std::sqrt(static_cast<double>(d_k));
  for (Index token = 0; token < m_length; ++token) {
    float* query = m_tokens.queries.data() + token * d_k;
    m_tokens.keys[static_cast<std::size_t>(token * d_k)] = 0;
    if (token >= 2 && random.bits() % 2 == 0) {
      const Index match = chosen_token(random, std::max<Index>(1, token - match_distance), token);
      m_asked[static_cast<std::size_t>(token)] = match;
      std::copy_n(m_tokens.keys.data() + match * d_k, d_k, query);
    }
    query[0] = static_cast<float>(root);
  }
  std::fill_n(m_tokens.keys.data(), d_k, 0.0F);
  m_tokens.keys[0] = static_cast<float>(sink_cosine * root);
  std::fill_n(m_tokens.values.data(), m_tokens.d_v, 0.0F);
}

Index TaskTokens::topic_of(Index token) const { return m_topics[static_cast<std::size_t>(token / passage_len)]; }

bool TaskTokens::asks(Index token) const {
  return m_task == ContextTask::full_attention || m_task == ContextTask::rest ||
         m_asked[static_cast<std::size_t>(token)] >= 0;
}

std::vector<double> TaskTokens::answer(Index token) const {
  const Index asked = m_asked[static_cast<std::size_t>(token)];
  if (asked < 0) return std::vector<double>(static_cast<std::size_t>(m_tokens.d_v), 0);
  const auto& from = m_task == ContextTask::topic_mean ? m_answers : m_tokens.values;
  const auto begin = from.begin() + asked * m_tokens.d_v;
  return {begin, begin + m_tokens.d_v};
}

/// The posterior mean of a topic has the variance σ² / (σ² + n) in each component, n its tokens so far.
double TaskTokens::unavoidable(Index token) const {
  if (m_task != ContextTask::topic_mean) return 0;
  const Index asked = m_asked[static_cast<std::size_t>(token)];
  double seen = 0;
  for (Index begin = 0; begin <= token; begin += passage_len)
    if (topic_of(begin) == asked) seen += static_cast<double>(std::min(passage_len, token + 1 - begin));
  constexpr double variance = topic_noise * topic_noise;
  return static_cast<double>(m_tokens.d_v) * variance / (variance + seen);
}

}  // namespace vqscope
