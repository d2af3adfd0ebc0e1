// SPDX-License-Identifier: GPL-3.0-or-later
// Defaults of the session.
#include "core/lint/lint_case.h"
#include "core/session/session.h"
#include "core/session/shown_page.h"

namespace vqscope {

ShownPage default_page(const PageInfo& info) {
  PageState page;
  page.id = info.id;
  if (!info.choices().empty()) page.method = info.choices().front();
  page.lint = default_values(page_lint(info));
  return shown_page(page, {});
}

Session default_session() {
  Session session;
  for (const auto& info : page_infos()) session.pages.push_back(kept_page(default_page(info)));
  session.current = session.pages.front().id;
  return session;
}

}  // namespace vqscope
