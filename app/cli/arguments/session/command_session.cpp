// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/session/command_session.h"

#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/io/bytes/path_text.h"
#include "core/session/session_json.h"
#include "core/session/session_plan.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The page in front if it shows the method, else the method's own.
Result<std::string> pageShowing(const Session& session, const Method& method) {
  const auto shows = [&](const PageInfo& info) {
    return std::ranges::count(info.fields, method.id) + std::ranges::count(info.curves, method.id) > 0;
  };
  if (shows(*find_page_info(session.current))) return session.current;
  if (const PageInfo* page = page_of(method)) return page->id;
  return invalid("no page of a session shows {}", method.id);
}

void take(SessionPlan plan, Session& session) {
  session.current = plan.page.id;
  session.subject = std::move(plan.subject);
  *find_page(session, session.current) = kept_page(plan.page);
  for (auto& page : plan.others) *find_page(session, page.id) = std::move(page);
}

}  // namespace

Result<Session> sessionOf(const MethodArguments& arguments, const ExportRequest& request,
                          const ParameterValues& stated) {
  Session session = default_session();
  if (arguments.session) {
    auto opened = read_session(*arguments.session);
    if (!opened) return opened.error();
    session = std::move(opened->session);
  }
  session.subject.tokens = request.tokens;
  const auto page = pageShowing(session, *request.method);
  if (!page) return page.error();
  auto plan = plan_view(ShownPages(session), *page, *request.method, request.values, PageSide::a);
  if (!plan) return plan.error();
  for (const auto& sentence : plan->notes) noteOfInput(sentence);
  plan->page.lint = stated;
  take(std::move(*plan), session);
  return session;
}

Result<std::string> methodOfSession(const std::string& path) {
  const auto opened = read_session(path);
  if (!opened) return opened.error();
  const Session& session = opened->session;
  const PageInfo& info = *find_page_info(session.current);
  const PageState& page = *find_page(session, session.current);
  if (std::ranges::count(info.choices(), page.method) > 0) return page.method;
  if (!info.choices().empty()) return info.choices().front();
  if (info.id == "survey") return std::string();
  return invalid("{} shows {}, which has no picture or numbers to report; name a METHOD", shown_path(path), info.title);
}

}  // namespace vqscope
