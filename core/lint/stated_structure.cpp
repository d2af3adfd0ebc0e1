// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/lint/stated_structure.h"

namespace vqscope {
namespace {

/// Long masks are recognised on request, not as part of a check.
constexpr Index most_structure_steps = Index{1} << 27;

}  // namespace

StatedStructure stated_structure(const LintCase& given, const std::stop_token& stop) {
  StatedStructure wanted{verified(wanted_structure(given), *given.mask, given.layout, stop), given.layout};
  if (wanted.structure.exact || stop.stop_requested()) return wanted;
  const auto found = given.recognition.of(given.mask, most_structure_steps, stop);
  if (!found) return wanted;
  auto recognised = recognised_structure(*found, *given.mask, stop);
  return recognised ? std::move(*recognised) : std::move(wanted);
}

}  // namespace vqscope
