// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/resolve.h"

#include <string>
#include <utility>

namespace vqscope::test {

/// Sets a value of a page's own, as an edit of its form does for a name that pages do not share.
inline void set_value(WorkspaceState& page, std::string name, ParameterValue value) {
  page.own.set(std::move(name), std::move(value));
  resolve_workspace(page, {});
}

}  // namespace vqscope::test
