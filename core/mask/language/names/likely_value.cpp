// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/names/likely_value.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <string>

namespace vqscope::language {
namespace {

struct Usual {
  std::string_view part;  ///< part of a name
  Index value = 0;
};

// The first part that a name contains decides. Windows and blocks as in the examples of
// FlexAttention, sinks as in StreamingLLM (Xiao et al. 2023, section 3.2).
constexpr std::array usual{Usual{"window", 128}, Usual{"sink", 4},   Usual{"dilat", 2},  Usual{"stride", 2},
                           Usual{"prefix", 64},  Usual{"block", 64}, Usual{"chunk", 64}, Usual{"tile", 16},
                           Usual{"head", 8},     Usual{"frame", 16}, Usual{"width", 16}, Usual{"height", 16},
                           Usual{"kernel", 7},   Usual{"group", 4}};

}  // namespace

std::optional<Index> likely_value(std::string_view name, Index length) {
  const std::string lower = lower_case(name);
  const auto has = [&](std::string_view part) { return lower.find(part) != std::string::npos; };
  const auto found = std::ranges::find_if(usual, [&](const Usual& one) { return has(one.part); });
  if (found != usual.end()) return found->value;
  if (has("seq") || has("total") || has("max_len")) return length;
  return std::nullopt;
}

}  // namespace vqscope::language
