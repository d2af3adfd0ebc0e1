// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lint/lint.h"
#include "core/method/curve_set.h"
#include "core/output/export_request.h"
#include "core/session/session.h"

#include <memory>
#include <optional>
#include <string>

namespace vqscope {

struct ReportRequest {
  Session session;                   ///< its page in front is what the report is about
  std::string method = {};           ///< id of one of that page; empty: the one that it shows
  std::optional<Index> row = {};     ///< of the cell to explain; nothing: that of the first finding
  std::optional<Index> col = {};     ///< nothing: that of the query itself, or the first one
  FigureMaker figures = {};          ///< without one, the report says so instead of pictures
  std::string file = "report.html";  ///< the name by which the commands in it call it
  std::string program = {};          ///< "VQScope 0.1.0, 2026-11-28 20:30 UTC"
  std::string sample = {};           ///< "sample 0 of 3": which of a batch is shown; empty: there is one
  Index batch = 0;                   ///< its numbers, if there are several
  Index head = 0;
  std::optional<LintReport> checks = {};   ///< of all samples and heads; nothing: of the mask that is shown
  std::shared_ptr<const CurveSet> curves;  ///< measured ones, which are not measured again; null: none
  Offload offload = {};                    ///< where the long parts run
};

}  // namespace vqscope
