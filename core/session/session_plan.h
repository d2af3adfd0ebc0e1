// SPDX-License-Identifier: GPL-3.0-or-later
// Every way to change what a session keeps, as a plan: checked as a whole, before anything changes.
#pragma once

#include "core/config/model_config.h"
#include "core/session/edit_plan.h"
#include "core/session/shown_page.h"

#include <optional>
#include <string>
#include <vector>

namespace vqscope {

/// A step of a session, which shows `page`.
struct SessionPlan : EditPlan {
  std::vector<PageState> others;                                    ///< further pages that change
  std::optional<std::vector<FigurePreset>> figures = std::nullopt;  ///< nothing: they stay
  std::optional<std::vector<PinnedView>> pins = std::nullopt;       ///< nothing: they stay
};

/// Values of the page that differ from those shown are set, for all pages if the name is linked.
/// `tokens`: texts of the sequence; empty: they stay.
Result<SessionPlan> plan_page(const ShownPages& pages, ShownPage next, const TokenTexts& tokens = {});

/// A page with own values, method and comparison, and the subject.
Result<SessionPlan> plan_replacement(const ShownPages& pages, ShownPage next, Subject subject);

/// Values of the sequence and the model for all pages. Refused if the page on top cannot show them;
/// what other pages cannot have takes their default.
Result<SessionPlan> plan_subject(const ShownPages& pages, Subject next);

/// A method of a page with some values of a side.
Result<SessionPlan> plan_view(const ShownPages& pages, const std::string& page, const Method& method,
                              const ParameterValues& values, PageSide side);

/// A model as that of all pages: its values, the mask of its layers unless the page of masks has a
/// text of its own, and its layers. Shows the last page that it sets.
Result<SessionPlan> plan_model(const ShownPages& pages, const OpenedConfig& model);

/// Tensors of queries, keys and values for all pages, with the length of their sequence, and a method
/// of a page that shows them. Pages lose values of their own that would keep other tensors, data or
/// lengths. Refuses tensors that the method cannot show. `tokens`: texts of their sequence; empty: they
/// stay.
Result<SessionPlan> plan_tensors(const ShownPages& pages, const std::string& page, const Method& method,
                                 const ParameterValues& values, const TokenTexts& tokens = {});

/// A value of its own for a name of the subject, the one that the page shows; or the subject's
/// again.
Result<SessionPlan> plan_link(const ShownPages& pages, const std::string& page, const std::string& name, bool linked);

/// Other presets of figures; the page in front stays as it is. Refuses presets without a name of
/// their own.
Result<SessionPlan> plan_figures(const ShownPages& pages, std::vector<FigurePreset> figures);

/// Other pinned views; the page in front stays as it is.
Result<SessionPlan> plan_pins(const ShownPages& pages, std::vector<PinnedView> pins);

/// Without what was set for a name of a page: its own value, or that of the subject if it is
/// linked.
Result<SessionPlan> plan_reset(const ShownPages& pages, const std::string& page, const std::string& name);

}  // namespace vqscope
