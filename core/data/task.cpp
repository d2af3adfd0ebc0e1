// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/data/task.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace vqscope {
namespace {

using Tokens = std::vector<std::int32_t>;

std::int32_t token(Index number) { return static_cast<std::int32_t>(number); }

Tokens draw_tokens(SeededRandom& random, Index n, Index first) {
  Tokens drawn(static_cast<std::size_t>(n));
  for (auto& one : drawn) one = token(first + below(random, task_token::symbols));
  return drawn;
}

/// A whole row including its last token, and which of its tokens are scored.
struct Problem {
  Tokens tokens{token(task_token::begin)};
  std::vector<bool> scored{false};

  void add(Index next, bool counts) {
    tokens.push_back(token(next));
    scored.push_back(counts);
  }
  void add(const Tokens& next, bool counts) {
    for (const auto one : next) add(one, counts);
  }
};

Problem sequence_problem(SeededRandom& random, Task task, Index n) {
  Tokens symbols = draw_tokens(random, n, task_token::first_symbol);
  Problem problem;
  problem.add(symbols, false);
  problem.add(task_token::separator, false);
  if (task == Task::reverse) std::ranges::reverse(symbols);
  if (task == Task::sort) std::ranges::sort(symbols);
  problem.add(symbols, true);
  problem.add(task_token::end, true);
  return problem;
}

/// Shuffles the first `n` places of 0, 1, ... (Fisher-Yates); the rest holds the numbers not taken.
template <std::size_t size>
void shuffle_first(SeededRandom& random, Index n, Index all, std::array<Index, size>& order) {
  std::iota(order.begin(), order.end(), 0);
  for (Index i = 0; i < n; ++i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(i + below(random, all - i))]);
}

Problem recall_problem(SeededRandom& random, Index n) {
  std::array<Index, task_token::keys> keys, order;
  shuffle_first(random, n, task_token::keys, keys);
  const Tokens values = draw_tokens(random, n, task_token::first_value);
  shuffle_first(random, n - 1, n, order);
  Problem problem;
  const auto add_pair = [&](Index i, bool counts) {
    problem.add(task_token::first_key + keys[static_cast<std::size_t>(i)], false);
    problem.add(values[static_cast<std::size_t>(i)], counts);
  };
  for (Index i = 0; i < n; ++i) add_pair(i, false);
  problem.add(task_token::separator, false);
  for (Index i = 0; i < n; ++i) add_pair(order[static_cast<std::size_t>(i)], true);
  return problem;
}

Problem passkey_problem(SeededRandom& random, Index n) {
  Tokens hidden = draw_tokens(random, n, task_token::first_filler);
  const Index key = task_token::first_symbol + below(random, task_token::symbols);
  hidden[static_cast<std::size_t>(below(random, std::max<Index>(1, n / 4)))] = token(key);
  Problem problem;
  problem.add(hidden, false);
  problem.add(task_token::separator, false);
  problem.add(key, true);
  return problem;
}

Problem make_problem(SeededRandom& random, Task task, Index n) {
  if (task == Task::recall) return recall_problem(random, n);
  if (task == Task::passkey) return passkey_problem(random, n);
  return sequence_problem(random, task, n);
}

}  // namespace

std::span<const TaskInfo> task_infos() {
  static constexpr Index any = Index{1} << 20;
  static constexpr std::array<TaskInfo, 5> infos{{{Task::copy, "copy", 12, any},
                                                  {Task::reverse, "reverse", 12, any},
                                                  {Task::sort, "sort", 8, any},
                                                  {Task::recall, "recall", 6, task_token::keys},
                                                  {Task::passkey, "passkey", 60, any}}};
  return infos;
}

const TaskInfo& task_info(Task task) { return task_infos()[static_cast<std::size_t>(task)]; }

TokenBatch task_batch(Task task, Index n, Index rows, std::uint64_t seed, Index step) {
  assert(1 <= n && n <= task_info(task).largest);
  SeededRandom random = stream_of(seed, static_cast<std::uint64_t>(step) * 0xD1B54A32D192ED03U);
  TokenBatch batch{.rows = rows};
  for (Index row = 0; row < rows; ++row) {
    const Problem problem = make_problem(random, task, n);
    batch.length = static_cast<Index>(problem.tokens.size()) - 1;
    batch.tokens.insert(batch.tokens.end(), problem.tokens.begin(), problem.tokens.end() - 1);
    for (std::size_t t = 1; t < problem.tokens.size(); ++t)
      batch.labels.push_back(problem.scored[t] ? problem.tokens[t] : ignored_label);
  }
  return batch;
}

Index task_size(Task task, std::uint64_t seed, Index step) {
  SeededRandom random(777 + seed);
  random.skip(static_cast<std::uint64_t>(step));
  const Index most = task_info(task).trained_size;
  return step % 2 == 0 ? most / 2 + 1 + below(random, most - most / 2) : 1 + below(random, most);
}

}  // namespace vqscope
