// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"

#include <optional>
#include <string_view>

namespace vqscope::language {

/// A typical value of an integer with this name in masks: a guess to show to the user, never to
/// compute with. Empty if the name gives no hint. `length` is the number of keys.
std::optional<Index> likely_value(std::string_view name, Index length);

}  // namespace vqscope::language
