// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/data/draw.h"
#include "core/data/token_batch.h"

#include <span>
#include <string_view>

namespace vqscope {

/// Problems that a program solves at any length, and a model may not solve beyond the lengths that it was trained at.
/// Each row is: begin, the problem, separator, the answer. Scored are the tokens of the answer.
enum class Task {
  copy,     ///< n symbols, and the same again
  reverse,  ///< n symbols, and the same backwards
  sort,     ///< n symbols, and the same in order
  recall,   ///< n pairs of key and value, and the same in another order; scored: the second values
  passkey   ///< n tokens of which one, among the first quarter, is the key; scored: the key after the separator
};

struct TaskInfo {
  Task task;
  std::string_view id;
  Index trained_size;  ///< N, the largest that training has
  Index largest;       ///< that can be asked for
};
std::span<const TaskInfo> task_infos();
const TaskInfo& task_info(Task task);

/// Tokens of all tasks.
namespace task_token {
inline constexpr Index vocabulary = 84;
inline constexpr Index begin = 1;
inline constexpr Index separator = 2;
inline constexpr Index end = 3;           ///< of an answer of n symbols
inline constexpr Index first_symbol = 4;  ///< 16 of them: what is copied, reversed, sorted; the passkeys
inline constexpr Index symbols = 16;
inline constexpr Index first_filler = 20;  ///< 16 of them: what hides a passkey
inline constexpr Index first_key = 4;      ///< 48 of them, each at most once a row
inline constexpr Index keys = 48;
inline constexpr Index first_value = 68;  ///< 16 of them
}  // namespace task_token

/// `rows` problems of size n, 1 to task_info(task).largest, decided by seed and step.
TokenBatch task_batch(Task task, Index n, Index rows, std::uint64_t seed, Index step);

/// The size of a training step's problems: from N/2 + 1 to N at even steps, from 1 to N at odd ones.
Index task_size(Task task, std::uint64_t seed, Index step);

}  // namespace vqscope
