// SPDX-License-Identifier: GPL-3.0-or-later
// From the pages of a session, which keep what was set, to the pages that are shown.
#pragma once

#include "core/session/session.h"

#include <map>
#include <string>
#include <string_view>

namespace vqscope {

/// The state that the session keeps of a shown page.
PageState kept_page(const ShownPage& page);

/// The page with the values of both sides, a function of what is kept alone. `near`: values from
/// which to look for the page's parameters; the nearer, the fewer look-ups.
ShownPage shown_page(const PageState& kept, const Subject& subject, const ParameterValues& near = {});
ShownPage shown_page(const Session& session, std::string_view id);

/// shown_page() for the pages of one session, each computed at its first request and then only if
/// it changes.
class ShownPages {
 public:
  explicit ShownPages(const Session& session) : m_session(session), m_subject(session.subject) {}

  const Session& session() const { return m_session; }
  /// A page of the session. The reference stays valid, and shows the page as it is after each
  /// update().
  const ShownPage& at(std::string_view id) const;

  /// To be called after each change of the session. `known`: a page that a plan has computed
  /// already; null: none.
  void update(const ShownPage* known = nullptr);
  /// The same after a change of nothing but the view and the axes of a page.
  void update_look(std::string_view id);

 private:
  struct Page {
    PageState kept;
    ShownPage shown;
  };
  const Session& m_session;
  Subject m_subject;
  mutable std::map<std::string, Page, std::less<>> m_pages;
};

}  // namespace vqscope
