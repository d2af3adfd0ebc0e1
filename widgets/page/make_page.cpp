// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/page/curve_page.h"
#include "widgets/page/field/field_page.h"
#include "widgets/page/model_page.h"
#include "widgets/page/plain_pages.h"
#include "widgets/page/survey_page.h"

namespace vqscope {

PageWidget* makePage(Workbench& workbench, const PageInfo& info, QWidget* parent) {
  if (info.id == "start") return new StartPage(workbench, info, parent);
  if (info.id == "model") return new ModelPage(workbench, info, parent);
  if (info.choices().empty()) return new SurveyPage(workbench, info, parent);
  if (info.fields.empty()) return new CurvePage(workbench, info, parent);
  return new FieldPage(workbench, info, parent);
}

}  // namespace vqscope
