// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/row_marks.h"

#include "core/lint/lint_case.h"

#include <QCoreApplication>

namespace vqscope {

std::optional<RowMarks> lossMarks(const ShownPage& page, Index rows) {
  if (page.method != "visibility" || page.lint.map().empty()) return std::nullopt;
  const auto labels = stated_labels(page.lint, rows);
  if (!labels || labels->empty()) return std::nullopt;
  RowMarks marks{QCoreApplication::translate("RowMarks", "loss"), {}};
  for (const Index label : *labels) marks.rows.push_back(label != no_loss);
  return marks;
}

}  // namespace vqscope
