// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/resolve.h"
#include "core/session/session_json.h"
#include "core/session/shown_page.h"

#include <string>
#include <utility>

namespace vqscope::test {

/// Sets a value of a page's own, as an edit of its form does for a name that pages do not share.
inline void set_value(PageState& page, std::string name, ParameterValue value) {
  page.own.set(std::move(name), std::move(value));
}

/// Completes a page whose values were changed, as for a page that shares nothing.
inline void complete_page(ShownPage& state, const ShownPage& before) {
  Subject none;
  if (!keep_edits(state, before, none)) return;
  for (const auto& [name, value] : none.values.map()) state.own.set(name, value);
  resolve_page(state, {});
}

/// Why a session does not come back from its file as it was; empty: it does.
inline std::string lost(const Session& session) {
  const auto read = parse_session(session_text(session));
  if (!read) return read.error().message;
  if (!read->notes.empty()) return summary(read->notes);
  for (const PageState& page : session.pages)
    if (*find_page(read->session, page.id) != page) return "page " + page.id + " differs";
  return read->session == session ? "" : "the subject or the page on top differs";
}

}  // namespace vqscope::test
