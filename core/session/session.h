// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/method/parameter.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// Which number of a tile's cells a pixel shows: largest is the one furthest from 0; automatic is the mean, and largest
/// where cells are differences, whose mean is near 0 whatever they are.
enum class Aggregate { automatic, mean, min, max, largest };

/// "automatic", "mean", "min", "max", "largest": in files, on the command line and in forms, in the enum's order.
const std::vector<std::string>& aggregate_names();

/// The ids that `colour_map` may have, in the order in which a menu offers them.
std::span<const std::string> colour_map_ids();

enum class CompareMode { none, side_by_side, difference };

/// What part of the matrix is in view, in cell coordinates: cell i covers [i, i + 1).
struct ViewRange {
  double row_first = 0;
  double row_last = 1;
  double col_first = 0;
  double col_last = 1;
  friend bool operator==(const ViewRange&, const ViewRange&) = default;
};

/// Axes of a plot of curves that a person has chosen.
struct CurveAxes {
  bool log_x = false;
  bool log_y = false;
  friend bool operator==(const CurveAxes&, const CurveAxes&) = default;
};

/// One page of the workbench: what is shown and with which values.
struct WorkspaceState {
  std::string id;          ///< of a WorkspaceInfo
  std::string method;      ///< the one shown, of the page's choices(); empty where it has none
  ParameterValues values;  ///< of every method of the page, by name
  CompareMode compare = CompareMode::none;
  ParameterValues other;     ///< the values compared with; the same names as `values`
  ParameterValues contract;  ///< what is wanted of a mask and how it is handed over; empty on other pages
  Aggregate aggregate = Aggregate::automatic;
  std::string colour_map;                 ///< empty: the one that fits the method
  std::optional<ViewRange> view;          ///< nothing: the whole matrix
  bool keep_aspect = false;               ///< square cells
  std::map<std::string, CurveAxes> axes;  ///< by curve method; of those with other axes than their own
  friend bool operator==(const WorkspaceState&, const WorkspaceState&) = default;
};

/// Everything that defines what is on screen. Plain data; the window edits it through one undo stack, the command line
/// builds the same value, the exporter takes it.
struct Session {
  std::string current;  ///< id of the page on top
  std::vector<WorkspaceState> workspaces;
  friend bool operator==(const Session&, const Session&) = default;
};

/// The fixed side of a page, as the registry's categories make it.
struct WorkspaceInfo {
  std::string id;
  std::string title;
  std::string help;
  std::vector<std::string> fields;  ///< field methods to choose from
  std::vector<std::string> curves;  ///< those that explain them first, then the category's others
  ParameterValues first = {};       ///< what the page begins with where defaults would keep a person waiting

  /// What a person chooses from: the matrices; on a page without any the curves; of the survey nothing.
  const std::vector<std::string>& choices() const { return fields.empty() ? curves : fields; }
};

std::span<const WorkspaceInfo> workspace_infos();
const WorkspaceInfo* find_workspace_info(std::string_view id);
/// The page on which a method is shown, or nothing.
const WorkspaceInfo* workspace_of(const Method& method);

/// The parameters of every method of a page, each name once; with values also those that they bring along. Methods of
/// a page may allow different values for the same name: what `shown` and the curves beside it say of it comes first.
std::vector<ParameterSpec> workspace_parameters(const WorkspaceInfo& info, const ParameterValues& values = {},
                                                const std::string& shown = {});

/// The knobs of the contract check where the page shows masks, else none.
std::vector<ParameterSpec> workspace_contract(const WorkspaceInfo& info);

/// Those of the method shown and of the curves beside it.
std::vector<ParameterSpec> shown_parameters(const std::string& method, const ParameterValues& values);

/// The method shown and the curves beside it, with the values that each takes from the page's.
Result<void> check_shown(const std::string& method, const ParameterValues& values);

/// Both sides' values with the defaults of what is missing and without names that nothing asks for: after an edit of
/// `before` that brought parameters along, or took them away. Another method than before brings its own defaults for
/// what stood at those of the former; values that are no longer allowed become the nearest that are.
void complete_workspace(WorkspaceState& state, const WorkspaceState& before);

WorkspaceState default_workspace(const WorkspaceInfo& info);
Session default_session();
WorkspaceState* find_workspace(Session& session, std::string_view id);
const WorkspaceState* find_workspace(const Session& session, std::string_view id);

/// What the page subtracts from `method`'s matrix: the other side's values when it shows the difference.
std::optional<ParameterValues> subtrahend(const Method& method, const WorkspaceState& state);

/// Ends of a view's sides are finite, ascending, and not far beyond every matrix.
bool is_showable(const ViewRange& view);

/// Names and ranges of the page, and the cross-parameter checks of what is shown. What passes can be saved, and comes
/// back from its file as it was.
Result<void> check_workspace(const WorkspaceState& state);

}  // namespace vqscope
