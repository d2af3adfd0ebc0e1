// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/draw.h"
#include "core/data/token_batch.h"

#include <span>
#include <string_view>

namespace vqscope {

/// Problems that a program solves at any length, but a model perhaps not beyond its training
/// lengths. Each row is: begin, the problem, separator, the answer. The tokens of the answer are
/// scored.
enum class Task {
  copy,     ///< n symbols, then the same again
  reverse,  ///< n symbols, then the same reversed
  sort,     ///< n symbols, then the same sorted
  recall,   ///< n pairs of key and value, then the same reordered; scored: the later values
  passkey   ///< n tokens, one in the first quarter is the key; scored: the key after the separator
};

struct TaskInfo {
  Task task;
  std::string_view id;
  Index trained_size;  ///< N, the largest size in training
  Index largest;       ///< size that can be requested
};
std::span<const TaskInfo> task_infos();
const TaskInfo& task_info(Task task);

/// Tokens of all tasks.
namespace task_token {
inline constexpr Index vocabulary = 84;
inline constexpr Index begin = 1;
inline constexpr Index separator = 2;
inline constexpr Index end = 3;           ///< of an answer with n symbols
inline constexpr Index first_symbol = 4;  ///< 16 of them: copied, reversed, sorted; the passkeys
inline constexpr Index symbols = 16;
inline constexpr Index first_filler = 20;  ///< 16 of them: hide a passkey
inline constexpr Index first_key = 4;      ///< 48 of them, each at most once per row
inline constexpr Index keys = 48;
inline constexpr Index first_value = 68;  ///< 16 of them
}  // namespace task_token

/// `rows` problems of size n, from 1 to task_info(task).largest, determined by seed and step.
TokenBatch task_batch(Task task, Index n, Index rows, std::uint64_t seed, Index step);

/// The size of a training step's problems: from N/2 + 1 to N at even steps, from 1 to N at odd
/// ones.
Index task_size(Task task, std::uint64_t seed, Index step);

}  // namespace vqscope
