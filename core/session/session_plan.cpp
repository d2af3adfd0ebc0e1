// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_plan.h"

#include "core/schedule/setting/schedule_parameters.h"
#include "core/session/layer_views.h"
#include "core/session/resolve.h"
#include "core/session/subject/adopted_model.h"
#include "core/session/subject/subject_tensors.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace vqscope {
namespace {

using OtherPages = std::map<std::string, PageState>;

/// Adds what other pages keep under the plan's subject, where side B of those that compare follows.
/// `set`: pages that the plan sets as well.
Result<SessionPlan> with_others(const ShownPages& pages, Result<EditPlan> plan, const OtherPages& set = {}) {
  if (!plan) return plan.error();
  SessionPlan whole{std::move(*plan), {}};
  const Session& session = pages.session();
  for (const PageState& page : session.pages) {
    if (page.id == whole.page.id) continue;
    if (const auto known = set.find(page.id); known != set.end())
      whole.others.push_back(known->second);
    else if (page.compare != CompareMode::none && whole.subject != session.subject)
      whole.others.push_back(kept_page(page_under(pages.at(page.id), session.subject, whole.subject)));
  }
  return whole;
}

/// Nothing of the page in front and the subject changes.
SessionPlan unchanged(const ShownPages& pages) {
  const Session& session = pages.session();
  return {{pages.at(session.current), session.subject, {}}, {}};
}

/// A page as plan_state() takes it, in place of the one shown.
Result<EditPlan> state_plan(const ShownPages& pages, ShownPage next, Subject subject) {
  const ShownPage& now = pages.at(next.id);
  return plan_state(now, pages.session().subject, std::move(next), std::move(subject));
}

Result<EditPlan> subject_plan(const ShownPages& pages, Subject next) {
  if (const auto checked = check_subject(next); !checked) return checked.error();
  ShownPage page = pages.at(pages.session().current);
  follow_subject(page, pages.session().subject, next);
  return state_plan(pages, std::move(page), std::move(next));
}

/// The page with values of its own, but those that it shares.
ShownPage with_own(ShownPage page, const ParameterValues& values, const Subject& subject) {
  for (const auto& [key, value] : values.map()) {
    const auto* shared = subject.values.find(key);
    if (!is_linked(page, key) || !shared || *shared != value) page.own.set(key, value);
  }
  return page;
}

/// The values that a model has on pages of its own: the mask of its layers, unless the page of
/// masks has a text, and the layers.
std::vector<std::pair<std::string, ParameterValues>> values_of_pages(const Session& session,
                                                                     const ConfigReport& report) {
  std::vector<std::pair<std::string, ParameterValues>> pages;
  const auto* mask = find_page(session, "masks")->own.find("mask");
  const bool free = !mask || !std::ranges::count(std::array{"custom", "dump"}, std::get<std::string>(*mask));
  if (const ModelLayer* layer = first_mask_of(report.schedule); layer && free)
    if (auto shown = mask_of_layer(*layer)) pages.emplace_back("masks", std::move(*shown));
  if (!report.schedule.layers.empty()) pages.emplace_back("model", schedule_values(report.schedule));
  return pages;
}

}  // namespace

Result<SessionPlan> plan_page(const ShownPages& pages, ShownPage next, const TokenTexts& tokens) {
  const ShownPage& now = pages.at(next.id);
  Subject subject = pages.session().subject;
  if (!tokens.empty()) subject.tokens = tokens;
  return with_others(pages, plan_values(now, subject, std::move(next)));
}

Result<SessionPlan> plan_replacement(const ShownPages& pages, ShownPage next, Subject subject) {
  return with_others(pages, state_plan(pages, std::move(next), std::move(subject)));
}

Result<SessionPlan> plan_subject(const ShownPages& pages, Subject next) {
  return with_others(pages, subject_plan(pages, std::move(next)));
}

Result<SessionPlan> plan_view(const ShownPages& pages, const std::string& page, const Method& method,
                              const ParameterValues& values, PageSide side) {
  return with_others(pages, plan_method(pages.at(page), pages.session().subject, method, values, side));
}

Result<SessionPlan> plan_model(const ShownPages& pages, const OpenedConfig& model) {
  const Subject& before = pages.session().subject;
  auto plan = subject_plan(pages, adopted_model(before, model));
  OtherPages others;
  for (const auto& [page, values] : values_of_pages(pages.session(), model.report)) {
    if (!plan) break;
    const ShownPage now = plan->page.id == page ? plan->page : page_under(pages.at(page), before, plan->subject);
    if (plan->page.id != page) others[plan->page.id] = kept_page(plan->page);
    plan = plan_state(now, plan->subject, with_own(now, values, plan->subject), plan->subject);
  }
  return with_others(pages, std::move(plan), others);
}

Result<SessionPlan> plan_tensors(const ShownPages& pages, const std::string& page, const Method& method,
                                 const ParameterValues& values, const TokenTexts& tokens) {
  const Session& session = pages.session();
  Subject subject = with_tensors(session.subject, values);
  if (!tokens.empty()) subject.tokens = tokens;
  if (const auto checked = check_subject(subject); !checked) return checked.error();
  ShownPage next = pages.at(page);
  next.method = method.id;
  OtherPages others;
  for (const PageState& state : session.pages) {
    PageState cleared = state;
    cleared.own = own_beside_tensors(state.own, subject);
    if (state.id == page)
      next.own = cleared.own;
    else if (cleared != state)
      others.emplace(state.id, std::move(cleared));
  }
  auto plan = plan_state(pages.at(page), session.subject, std::move(next), std::move(subject));
  if (plan)
    if (auto checked = check_page(plan->page); !checked) return checked.error();
  return with_others(pages, std::move(plan), others);
}

Result<SessionPlan> plan_link(const ShownPages& pages, const std::string& page, const std::string& name, bool linked) {
  ShownPage next = pages.at(page);
  const auto* value = next.values.find(name);
  if (value && linked) next.own = without(next.own, name);
  if (value && !linked) next.own.set(name, *value);
  return plan_replacement(pages, std::move(next), pages.session().subject);
}

Result<SessionPlan> plan_figures(const ShownPages& pages, std::vector<FigurePreset> figures) {
  if (auto checked = check_presets(figures); !checked) return checked.error();
  SessionPlan plan = unchanged(pages);
  plan.figures = std::move(figures);
  return plan;
}

Result<SessionPlan> plan_pins(const ShownPages& pages, std::vector<PinnedView> pins) {
  if (auto checked = check_pins(pins); !checked) return checked.error();
  SessionPlan plan = unchanged(pages);
  plan.pins = std::move(pins);
  return plan;
}

Result<SessionPlan> plan_reset(const ShownPages& pages, const std::string& page, const std::string& name) {
  ShownPage next = pages.at(page);
  Subject subject = pages.session().subject;
  auto& kept = is_linked(next, name) ? subject.values : next.own;
  kept = without(kept, name);
  return plan_replacement(pages, std::move(next), std::move(subject));
}

}  // namespace vqscope
