// SPDX-License-Identifier: GPL-3.0-or-later
// What is shown where nothing was set.
#include "core/lint/contract_case.h"
#include "core/session/resolve.h"
#include "core/session/session.h"

namespace vqscope {

WorkspaceState default_workspace(const WorkspaceInfo& info) {
  WorkspaceState state;
  state.id = info.id;
  if (!info.choices().empty()) state.method = info.choices().front();
  state.contract = default_values(workspace_contract(info));
  resolve_workspace(state, {});
  return state;
}

Session default_session() {
  Session session;
  for (const auto& info : workspace_infos()) session.workspaces.push_back(default_workspace(info));
  session.current = session.workspaces.front().id;
  return session;
}

}  // namespace vqscope
