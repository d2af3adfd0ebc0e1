// SPDX-License-Identifier: GPL-3.0-or-later
// The page that a report is about, computed; and the sections of a report, one function each.
#pragma once

#include "core/field/field.h"
#include "core/lint/fix/text_fix.h"
#include "core/lint/lint.h"
#include "core/mask/mask.h"
#include "core/mask/recognise/recognise.h"
#include "core/report/document/document.h"
#include "core/report/report_request.h"
#include "core/session/note/cell_note.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace vqscope {

/// A row and a column of the matrix that a report shows.
struct ReportPlace {
  Index row = 0;
  Index col = 0;
};

/// What is on the page in front.
struct ReportShown {
  const ReportRequest* request = nullptr;
  ShownPage page;
  const Method* method = nullptr;
  ParameterValues values;                        ///< of `method`
  std::shared_ptr<const Field> field = nullptr;  ///< of a matrix; minus the other side if the page shows that
  std::shared_ptr<const Field> other = nullptr;  ///< of side B, beside which A stands
  std::shared_ptr<const Mask> mask = nullptr;    ///< of queries and keys, if that is what the matrix shows
  std::shared_ptr<const CurveSet> curves = nullptr;
  std::optional<LintCase> expected = {};               ///< of a mask
  std::optional<TextFix> fix = {};                     ///< of the mask's text
  LintReport checks = {};                              ///< of a mask
  std::shared_ptr<const Mask> second = nullptr;        ///< the mask that it is compared with
  std::string relation = {};                           ///< what the second one is in terms of the first
  std::shared_ptr<const Recognition> words = nullptr;  ///< of a mask; null: none were found
  std::string remark = {};                             ///< of the method on its values
  std::optional<ReportPlace> place = {};               ///< the cell that is explained
};

/// Computes it. Errors are those of the values.
Result<ReportShown> shown_of(const ReportRequest& request, const Work& work);

/// "512 queries × 512 keys".
std::string size_text(const ReportShown& shown);
/// "query 12, key 8"; rows and columns of other matrices by their names.
std::string place_text(const ReportShown& shown, const ReportPlace& place);
/// Indices at most `distance` from one of a side.
constexpr Range range_around(Index centre, Index distance, Index size) {
  return {std::max<Index>(0, centre - distance), std::min(size, centre + distance + 1)};
}
/// With a capital letter, unless it begins with a name.
std::string with_capital(std::string words);
/// As a sentence of its own: with a capital letter, unless it begins with a name, and a full stop.
std::string as_sentence(const std::string& words);
/// A value in at most one line.
std::string short_text(const ParameterValue& value);

ReportSection settings_section(const ReportShown& shown);
/// The mask in words and its text; of masks only.
ReportSection mask_section(const ReportShown& shown);
/// The cells and rows around the place, and why each key is visible or masked; of masks only.
ReportSection rows_section(const ReportShown& shown);
/// Findings and questions, and what was expected; of masks only.
ReportSection checks_section(const ReportShown& shown);
/// The notes on cells that the matrix has, by row and column.
std::vector<CellNote> shown_notes(const ReportShown& shown);
ReportSection notes_section(const ReportShown& shown);
/// Numbers of a matrix or of curves.
ReportSection numbers_section(const ReportShown& shown, const Work& work);
/// The layers of the session's model, and what they mean for its tokens.
ReportSection model_section(const ReportShown& shown);
ReportSection commands_section(const ReportShown& shown);
/// The pictures of the page. Needs the thread of the figures' maker.
Result<ReportSection> picture_section(const ReportShown& shown, const Work& work);

}  // namespace vqscope
