// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown where nothing was set.
#include "core/lint/contract_case.h"
#include "core/session/session.h"
#include "core/session/shown_page.h"

namespace vqscope {

WorkspaceState default_workspace(const WorkspaceInfo& info) {
  PageState page;
  page.id = info.id;
  if (!info.choices().empty()) page.method = info.choices().front();
  page.contract = default_values(workspace_contract(info));
  return shown_page(page, {});
}

Session default_session() {
  Session session;
  for (const auto& info : workspace_infos()) session.workspaces.push_back(kept_page(default_workspace(info)));
  session.current = session.workspaces.front().id;
  return session;
}

}  // namespace vqscope
