// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session.h"

#include "core/base/text.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "core/lint/contract_case.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

WorkspaceInfo page_of(std::string id, std::string title, std::string help, ParameterValues first = {}) {
  WorkspaceInfo info{std::move(id), std::move(title), std::move(help), {}, {}, std::move(first)};
  const auto add = [](std::vector<std::string>& ids, const std::string& each) {
    if (std::ranges::count(ids, each) == 0) ids.push_back(each);
  };
  for (const auto& method : methods()) {
    if (method.category != info.id || !method.field()) continue;
    add(info.fields, method.id);
    for (const auto& companion : method.field()->companions) add(info.curves, companion);
  }
  for (const auto& method : methods())
    if (method.category == info.id && method.curves()) add(info.curves, method.id);
  return info;
}

WorkspaceInfo page_of(const PartPage& page) {
  auto info = page_of(page.id, page.title, page.help, page.first);
  info.shares = page.shares;
  return info;
}

}  // namespace

const std::vector<std::string>& aggregate_names() {
  static const std::vector<std::string> all{"automatic", "mean", "min", "max", "largest"};
  return all;
}

std::vector<Aggregate> aggregates_of(const Method& method, bool difference) {
  if (method.field()->scale != ValueScale::categorical)
    return {Aggregate::automatic, Aggregate::mean, Aggregate::min, Aggregate::max, Aggregate::largest};
  if (difference) return {Aggregate::automatic, Aggregate::min, Aggregate::max, Aggregate::largest};
  return {Aggregate::automatic, Aggregate::min, Aggregate::max};
}

std::span<const std::string> colour_map_ids() {
  static const std::vector<std::string> all{"viridis", "cividis", "magma", "diverging", "twilight"};
  return all;
}

std::span<const WorkspaceInfo> workspace_infos() {
  static const std::vector<WorkspaceInfo> all = [] {
    std::vector<WorkspaceInfo> pages{
        {"start", "Start", "What do you have? Files, examples and questions to begin with", {}, {}},
        page_of("model", "Model",
                "The layers of a model: what each attends to, and which tokens reach which through depth"),
        page_of("masks", "Masks", "Which keys each query may attend to"),
        page_of("buckets", "Buckets", "T5 relative position buckets over queries × keys"),
        page_of("rotary", "Rotary", "RoPE angles over position × frequency pair"),
        page_of("biases", "Biases", "Biases that encodings add to the score of query q and key k"),
        page_of("scores", "Scores", "Scores between identical tokens at different positions"),
        page_of("tables", "Tables", "Absolute embeddings of each position, by dimension"),
        page_of("precision", "Precision", "Rounding errors of float32, bfloat16 and float16 in phases and buckets"),
        page_of("curves", "Curves",
                "How RoPE scalings change scores, wavelengths and phases; geometry, not model quality"),
        {"survey", "Survey", "Properties of each position encoding", {}, {}}};
    for (const Part& part : added_parts())
      for (const PartPage& page : part.pages) pages.push_back(page_of(page));
    return pages;
  }();
  return all;
}

std::span<const RoomInfo> room_infos() {
  static const std::vector<RoomInfo> all = [] {
    std::vector<RoomInfo> rooms{
        {"start", "Start", "What do you have? Files, examples and questions to begin with", {"start"}},
        {"model", "Model", "The layers of a model, and what its config.json means", {"model"}},
        {"masks", "Masks", "Which keys each query may attend to, and why", {"masks"}},
        {"positions",
         "Positions",
         "All position encodings and scalings, and views of the one that is chosen",
         {"rotary", "buckets", "biases", "scores", "tables", "precision", "curves", "survey"}}};
    for (const Part& part : added_parts()) rooms.insert(rooms.end(), part.rooms.begin(), part.rooms.end());
    return rooms;
  }();
  return all;
}

const RoomInfo& room_of(std::string_view page) {
  const auto all = room_infos();
  return *std::ranges::find_if(all, [&](const RoomInfo& room) { return std::ranges::count(room.pages, page) > 0; });
}

const WorkspaceInfo* find_workspace_info(std::string_view id) {
  const auto all = workspace_infos();
  const auto it = std::ranges::find(all, id, &WorkspaceInfo::id);
  return it == all.end() ? nullptr : &*it;
}

const WorkspaceInfo* workspace_of(const Method& method) {
  for (const auto& info : workspace_infos())
    if (info.id == method.category) return &info;
  return nullptr;
}

std::vector<ParameterSpec> workspace_contract(const WorkspaceInfo& info) {
  const bool masks = std::ranges::count(info.fields, "visibility") > 0;
  return masks ? contract_parameters() : std::vector<ParameterSpec>();
}

PageState* find_workspace(Session& session, std::string_view id) {
  const auto it = std::ranges::find(session.workspaces, id, &PageState::id);
  return it == session.workspaces.end() ? nullptr : &*it;
}

const PageState* find_workspace(const Session& session, std::string_view id) {
  return find_workspace(const_cast<Session&>(session), id);
}

std::optional<ParameterValues> subtrahend(const Method& method, const WorkspaceState& state) {
  if (!method.field() || state.compare != CompareMode::difference) return std::nullopt;
  return carried_values(method, state.other);
}

std::vector<const Method*> pinnable_curves() {
  std::vector<const Method*> all;
  for (const auto& info : workspace_infos())
    for (const auto& method : methods())
      if (method.category == info.id && info.shares && method.curves() && !method.curves()->clocked)
        all.push_back(&method);
  return all;
}

bool is_showable(const ViewRange& view) {
  constexpr double farthest = 0x1p34;  // beyond every matrix
  const auto near = [&](double end) { return std::abs(end) <= farthest; };
  return near(view.row_first) && near(view.row_last) && near(view.col_first) && near(view.col_last) &&
         view.row_first < view.row_last && view.col_first < view.col_last;
}

}  // namespace vqscope
