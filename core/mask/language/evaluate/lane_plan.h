// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/mask/language/bind/bound_program.h"

#include <optional>
#include <utility>
#include <vector>

namespace vqscope::language {

/// sign * kv + a sum of parts that depend only on the query; nothing in it wraps.
struct Linear {
  Index sign = 0;
  std::vector<std::pair<Index, NodeId>> parts;
};

/// sum += factor * other. False: the sum would have too many parts.
bool append(Linear& sum, Index factor, const Linear& other);

/// A node as such a sum, if it is one.
std::optional<Linear> linear(const BoundProgram& program, NodeId id);

/// Number of keys that an evaluator processes at a time, and of values in a slot.
inline constexpr int lane_count = 256;

using Bool = std::uint8_t;

/// Operation of a step on its slots.
enum class LaneKind : std::uint8_t { operation, below, from, only, block };

struct LaneStep {
  LaneKind kind = LaneKind::operation;
  Op op = Op::constant;
  bool is_bool = false;
  bool of_bools = false;  ///< the operands chosen from are truth values
  int to = 0;
  int a = 0, b = 0, c = 0;
  Index array = 0;
  Linear border;  ///< below: kv < border; from: kv >= border; only: kv == border. block: index = kv + border
};

/// A slot for a value that depends only on the query, the same in all lanes.
struct Broadcast {
  NodeId node = no_node;
  bool is_bool = false;
  int slot = 0;
};

/// How a truth value of a program is evaluated for a block of lanes.
struct LanePlan {
  bool narrow = false;
  int result = 0;
  std::vector<LaneStep> steps;
  std::vector<Broadcast> broadcasts;
  std::vector<NodeId> by_query;  ///< nodes of only the query, operands first
  int int_slots = 0;
  int bool_slots = 0;
  std::vector<std::vector<std::int32_t>> narrow_arrays;  ///< as BoundProgram::arrays; empty if not given by value
};

/// A node that depends only on the query gets its own slot; any other has a slot as long as it is
/// needed.
LanePlan lane_plan(const BoundProgram& program, NodeId root);

}  // namespace vqscope::language
