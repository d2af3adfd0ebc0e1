// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/page_widget.h"

#include "core/mask/preset/text_mask.h"

namespace vqscope {

Freshness PageWidget::freshness() const {
  const QString& problem = m_draftProblem.isEmpty() ? m_fileProblem : m_draftProblem;
  Freshness now = problem.isEmpty() ? madeFreshness() : Freshness::outdated(problem);
  now.isEmpty = now.isOutdated() && !hasResult();
  // Below its field it stands whole.
  if (const auto line = text_error_line(now.cause.toStdString()))
    now.brief = tr("the mask's text has an error (line %1)").arg(*line);
  return now;
}

}  // namespace vqscope
