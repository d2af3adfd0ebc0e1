// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session.h"

#include "core/base/text.h"
#include "core/catalogue/parts.h"
#include "core/catalogue/registry.h"
#include "core/lint/lint_case.h"

#include <algorithm>

namespace vqscope {
namespace {

PageInfo make_page(std::string id, std::string title, std::string help, ParameterValues first = {}) {
  PageInfo info{std::move(id), std::move(title), std::move(help), {}, {}, std::move(first)};
  const auto add = [](std::vector<std::string>& ids, const std::string& each) {
    if (std::ranges::count(ids, each) == 0) ids.push_back(each);
  };
  for (const auto& method : methods()) {
    if (method.category != info.id || !method.field()) continue;
    add(info.fields, method.id);
    for (const auto& related_curve : method.field()->related) add(info.curves, related_curve);
  }
  for (const auto& method : methods())
    if (method.category == info.id && method.curves()) add(info.curves, method.id);
  return info;
}

PageInfo make_page(const PartPage& page) {
  auto info = make_page(page.id, page.title, page.help, page.first);
  info.shares = page.shares;
  info.groups = page.groups;
  return info;
}

}  // namespace

std::span<const PageInfo> page_infos() {
  static const std::vector<PageInfo> all = [] {
    std::vector<PageInfo> pages{
        {"start", "Start", "What do you have? Files, examples and questions to begin with", {}, {}},
        make_page("model", "Model",
                  "The layers of a model: what each attends to, and which tokens reach which through depth"),
        make_page("masks", "Masks", "Which keys each query may attend to"),
        make_page("buckets", "Buckets", "T5 relative position buckets over queries × keys"),
        make_page("rotary", "Rotary", "RoPE angles over position × frequency pair"),
        make_page("biases", "Biases", "Biases that encodings add to the score of query q and key k"),
        make_page("scores", "Scores", "Scores between identical tokens at different positions"),
        make_page("tables", "Tables", "Absolute embeddings of each position, by dimension"),
        make_page("precision", "Precision", "Rounding errors of float32, bfloat16 and float16 in phases and buckets"),
        make_page("curves", "Curves",
                  "How RoPE scalings change scores, wavelengths and phases; geometry, not model quality"),
        {"survey", "Survey", "Properties of each position encoding", {}, {}}};
    for (const Part& part : added_parts())
      for (const PartPage& page : part.pages) pages.push_back(make_page(page));
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

const PageInfo* find_page_info(std::string_view id) {
  const auto all = page_infos();
  const auto it = std::ranges::find(all, id, &PageInfo::id);
  return it == all.end() ? nullptr : &*it;
}

const PageInfo* page_of(const Method& method) {
  for (const auto& info : page_infos())
    if (info.id == method.category) return &info;
  return nullptr;
}

std::vector<ParameterSpec> page_lint(const PageInfo& info) {
  const bool masks = std::ranges::count(info.fields, "visibility") > 0;
  return masks ? lint_parameters() : std::vector<ParameterSpec>();
}

PageState* find_page(Session& session, std::string_view id) {
  const auto it = std::ranges::find(session.pages, id, &PageState::id);
  return it == session.pages.end() ? nullptr : &*it;
}

const PageState* find_page(const Session& session, std::string_view id) {
  return find_page(const_cast<Session&>(session), id);
}

std::optional<ParameterValues> subtrahend(const Method& method, const ShownPage& state) {
  if (!method.field() || state.compare != CompareMode::difference) return std::nullopt;
  return carried_values(method, state.other);
}

std::vector<const Method*> pinnable_curves() {
  std::vector<const Method*> all;
  for (const auto& info : page_infos())
    for (const auto& method : methods())
      if (method.category == info.id && info.shares && method.curves() && !method.curves()->clocked)
        all.push_back(&method);
  return all;
}

}  // namespace vqscope
