// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/lint_case.h"

#include "core/mask/layout_regions.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace vqscope {
namespace {

constexpr std::array objective_names{"causal",       "prefix",       "bidirectional", "cross",
                                     "causal_spans", "block_causal", "chunked"};

}  // namespace

Objective objective_named(std::string_view name) {
  const auto found = std::ranges::find(objective_names, name);
  assert(found != objective_names.end());
  return static_cast<Objective>(found - objective_names.begin());
}

bool looks_back(Objective objective) {
  return objective == Objective::causal || objective == Objective::prefix || objective == Objective::causal_spans;
}

bool looks_by_chunks(Objective objective) {
  return objective == Objective::block_causal || objective == Objective::chunked;
}

std::string objective_name(Objective objective) { return objective_names[static_cast<std::size_t>(objective)]; }

std::string objective_text(const LintCase& given) {
  return objective_name(given.objective) + (given.objective_assumed ? " (assumed)" : "");
}

MaskStructure wanted_structure(const LintCase& given) {
  MaskStructure structure;
  structure.causal = given.objective == Objective::causal;
  if (given.objective == Objective::prefix) structure.prefix = given.prefix_length.value_or(0);
  if (structure.causal || structure.prefix) structure.window = given.window;
  structure.documents = document_count(given.layout) > 1;
  structure.padding = padding_count(given.layout) > 0;
  return structure;
}

}  // namespace vqscope
