// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/free_name.h"

#include "core/base/sentence.h"

namespace vqscope {
namespace {

constexpr std::string_view prefix = "text.";

}  // namespace

std::string free_name_key(std::string_view name) { return std::string(prefix) + std::string(name); }

std::string array_shape_key(std::string_view name) { return free_name_key(name) + ".shape"; }

std::string array_truth_key(std::string_view name) { return free_name_key(name) + ".is_bool"; }

std::string none_key(std::string_view name) { return free_name_key(name) + ".is_none"; }

std::string_view free_name_of(std::string_view key) {
  return key.starts_with(prefix) ? key.substr(prefix.size()) : std::string_view();
}

const ParameterSpec* find_meant(std::span<const ParameterSpec> specs, std::string_view given, std::string_view owner) {
  if (const auto* free = find_spec(specs, free_name_key(given))) return free;
  if (const auto* plain = find_spec(specs, given)) return plain;
  // text.self.window and cfg.window: the text's window, whichever object it belongs to.
  if (const auto point = given.rfind('.'); point != std::string_view::npos && !given.starts_with(owner))
    if (const auto* of_other = find_spec(specs, free_name_key(given.substr(point + 1)))) return of_other;
  const bool qualified = given.size() > owner.size() && given.starts_with(owner) && given[owner.size()] == '.';
  const auto* own = qualified ? find_spec(specs, given.substr(owner.size() + 1)) : nullptr;
  return own && free_name_of(own->name).empty() ? own : nullptr;
}

std::string name_to_give(std::span<const ParameterSpec> specs, const ParameterSpec& spec, std::string_view owner) {
  const std::string_view free = free_name_of(spec.name);
  if (!free.empty()) return find_spec(specs, free) ? spec.name : std::string(free);
  const auto* alike = find_spec(specs, spec.name);
  const bool taken = find_spec(specs, free_name_key(spec.name)) || (alike && *alike != spec);
  return taken ? fmt::format("{}.{}", owner, spec.name) : spec.name;
}

}  // namespace vqscope
