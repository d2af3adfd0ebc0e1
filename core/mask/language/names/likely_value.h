// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <optional>
#include <string_view>

namespace vqscope::language {

/// What an integer of this name often is in masks: a guess to tell a person, never to compute with. Nothing where a
/// name says too little. `length` is how many keys there are.
std::optional<Index> likely_value(std::string_view name, Index length);

}  // namespace vqscope::language
