// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"
#include "core/method/parameter.h"
#include "core/method/part.h"
#include "core/session/batch/batch_choice.h"
#include "core/session/figure/figure_spec.h"
#include "core/session/figure/pinned_view.h"
#include "core/session/figure/view_look.h"
#include "core/session/note/cell_note.h"
#include "core/session/notes.h"
#include "core/session/subject/subject.h"

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// State of a page, apart from the values that follow from it.
struct PageSettings {
  std::string id;      ///< of a PageInfo
  std::string method;  ///< the one shown, of the page's choices(); empty without choices
  /// Values set on this page, by name. A name of the subject stands here only if the page has a
  /// value of its own. A value stays while a view is shown that cannot have it.
  ParameterValues own;
  CompareMode compare = CompareMode::none;
  ParameterValues lint;  ///< lint settings of a mask; empty on other pages
  Aggregate aggregate = Aggregate::automatic;
  std::string colour_map;                 ///< empty: the one that fits the method
  std::optional<ViewRange> view;          ///< nothing: the whole matrix
  bool keep_aspect = false;               ///< square cells
  std::map<std::string, CurveAxes> axes;  ///< by curve method, if different from its own axes
  std::vector<std::string> pinned;        ///< curve methods beside the map, apart from those that explain it
  BatchChoice batch;                      ///< of the file that the mask is from: a text, or one of several samples
  std::vector<CellNote> notes;            ///< of people, on cells of the page's matrices
  friend bool operator==(const PageSettings&, const PageSettings&) = default;
};

/// A page as the session keeps it: only what was set.
struct PageState : PageSettings {
  ParameterValues other;  ///< values of side B that are not those of A; empty while nothing is compared
  friend bool operator==(const PageState&, const PageState&) = default;
};

/// A page as it is shown: with the values of both sides, which follow from what is set
/// (shown_page.h).
struct ShownPage : PageSettings {
  ParameterValues values;  ///< of every method of the page, by name: own, then the subject's, then defaults
  ParameterValues other;   ///< values compared with, same names as `values`; equal to them while nothing is compared
  friend bool operator==(const ShownPage&, const ShownPage&) = default;
};

/// Everything that defines what is on screen, as plain data. The window edits it through one undo
/// stack, the command line builds it, and the exporter reads it.
struct Session {
  std::string current;  ///< id of the page on top
  Subject subject;
  std::vector<PageState> pages;
  std::vector<FigurePreset> figures = {};           ///< for the figure editor
  std::vector<PinnedView> pins = {};                ///< panels of a figure
  std::optional<FigureSpec> figure = std::nullopt;  ///< how the last figure was made
  friend bool operator==(const Session&, const Session&) = default;
};

/// In the order of the window's tabs.
std::span<const RoomInfo> room_infos();
/// The room of a page.
const RoomInfo& room_of(std::string_view page);

/// The fixed properties of a page, derived from the categories of the registry.
struct PageInfo {
  std::string id;
  std::string title;
  std::string help;
  std::vector<std::string> fields;       ///< field methods to choose from
  std::vector<std::string> curves;       ///< related to the fields, then the category's others
  ParameterValues first = {};            ///< initial values where the defaults would take too long
  bool shares = true;                    ///< takes values from the subject; experiments have a set-up of their own
  std::vector<MethodGroup> groups = {};  ///< of choices(); empty: not grouped

  /// Methods that the user chooses from: the matrices; on a page without any, the curves; nothing
  /// on the survey.
  const std::vector<std::string>& choices() const { return fields.empty() ? curves : fields; }
};

std::span<const PageInfo> page_infos();
const PageInfo* find_page_info(std::string_view id);
/// The page on which a method is shown, or nothing.
const PageInfo* page_of(const Method& method);

/// The parameters of every method of a page, each name once, for given values including those that
/// the values bring along. Methods of a page may have different ranges for the same name: the spec
/// of `shown` and the curves beside it takes precedence.
std::vector<ParameterSpec> specs_of_page(const PageInfo& info, const ParameterValues& values = {},
                                         const std::string& shown = {});

/// The parameters of the lint if the page shows masks, else none.
std::vector<ParameterSpec> page_lint(const PageInfo& info);

/// The parameters of the method shown and of the curves beside it.
std::vector<ParameterSpec> shown_parameters(const std::string& method, const ParameterValues& values);

/// Checks the method shown and the curves beside it, each with the values that it takes from the
/// page.
Result<void> check_shown(const std::string& method, const ParameterValues& values);

ShownPage default_page(const PageInfo& info);
Session default_session();
PageState* find_page(Session& session, std::string_view id);
const PageState* find_page(const Session& session, std::string_view id);

/// The values of the matrix that the page subtracts from `method`'s: those of the other side if it
/// shows the difference.
std::optional<ParameterValues> subtrahend(const Method& method, const ShownPage& state);

/// Curves that can be pinned beside a map: those computed from values alone, by page.
std::vector<const Method*> pinnable_curves();

/// Checks names and ranges of the page, and the cross-parameter rules of what is shown. A page that
/// passes can be saved and is the same when read back.
Result<void> check_page(const ShownPage& state);

}  // namespace vqscope
