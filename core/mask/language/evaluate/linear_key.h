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

}  // namespace vqscope::language
