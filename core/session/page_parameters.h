// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/session.h"

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {

/// The parameters of a page with some values of it; each method is asked for its own once.
struct PageParameters {
  /// Each name once; what the method shown and the curves beside it say of it comes first.
  std::vector<ParameterSpec> specs;
  std::size_t shown = 0;  ///< so many are theirs
  /// Of the methods shown those whose parameters follow from values, and all that each has.
  std::vector<std::pair<const Method*, std::vector<ParameterSpec>>> own;

  std::span<const ParameterSpec> of_shown() const { return std::span(specs).first(shown); }
};

/// Parameters that parameters bring along bring along others at most so many times.
inline constexpr int most_rounds = 8;

PageParameters page_parameters(const WorkspaceInfo& info, const ParameterValues& values, const std::string& shown);

/// The parameters of both sides of a page's state.
struct PageSides {
  std::shared_ptr<const PageParameters> values, other;
};

PageSides page_sides(const WorkspaceState& state);

/// complete_workspace() for an edit of `before`, whose parameters are `known`: looks up those of a side that changes,
/// and of nothing else. Parameters that the edit makes superfluous are left out; a name that was never known is
/// refused.
Result<PageSides> complete_edit(WorkspaceState& next, const WorkspaceState& before, const PageSides& known);

/// check_workspace() where the parameters are known.
Result<void> check_workspace(const WorkspaceState& state, const PageSides& sides);

}  // namespace vqscope
