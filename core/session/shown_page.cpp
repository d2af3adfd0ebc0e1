// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/shown_page.h"

#include "core/session/resolve.h"

namespace vqscope {
namespace {

/// Whether the values of both follow from the same.
bool same_source(const PageState& a, const PageState& b) {
  return a.method == b.method && a.own == b.own && a.compare == b.compare && a.other == b.other && a.lint == b.lint;
}

}  // namespace

PageState kept_page(const ShownPage& page) {
  PageState kept{page, {}};
  if (page.compare != CompareMode::none) kept.other = different(page.other, page.values);
  return kept;
}

ShownPage shown_page(const PageState& kept, const Subject& subject, const ParameterValues& near) {
  ShownPage page{kept, near, kept.other};
  resolve_page(page, subject);
  return page;
}

ShownPage shown_page(const Session& session, std::string_view id) {
  return shown_page(*find_page(session, id), session.subject);
}

const ShownPage& ShownPages::at(std::string_view id) const {
  auto page = m_pages.find(id);
  if (page == m_pages.end()) {
    const PageState& kept = *find_page(m_session, id);
    page = m_pages.emplace(std::string(id), Page{kept, shown_page(kept, m_session.subject)}).first;
  }
  return page->second.shown;
}

void ShownPages::update(const ShownPage* known) {
  const bool moved = m_subject != m_session.subject;
  if (moved) m_subject = m_session.subject;
  for (auto& [id, page] : m_pages) {
    const PageState& kept = *find_page(m_session, id);
    if (!moved && page.kept == kept) continue;
    if (known && known->id == id)
      page.shown = {kept, known->values, known->other};
    else if (!moved && same_source(page.kept, kept))
      static_cast<PageSettings&>(page.shown) = kept;
    else
      page.shown = shown_page(kept, m_subject, page.shown.values);
    page.kept = kept;
  }
}

void ShownPages::update_look(std::string_view id) {
  const auto page = m_pages.find(id);
  if (page == m_pages.end()) return;
  const PageState& kept = *find_page(m_session, id);
  page->second.kept.view = page->second.shown.view = kept.view;
  page->second.kept.axes = page->second.shown.axes = kept.axes;
}

}  // namespace vqscope
