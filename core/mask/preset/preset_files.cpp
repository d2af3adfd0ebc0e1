// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/preset_files.h"

#include "core/base/text.h"
#include "core/mask/preset/compiled_preset_files.h"

namespace vqscope {
namespace {

constexpr std::string_view begin = "# ";
constexpr std::string_view between = ": ";

/// "id: help"
std::string_view first_line(std::string_view text) { return text.substr(begin.size(), text.find('\n') - begin.size()); }

/// Text after `key` at the beginning of a line.
std::optional<std::string_view> value_of_line(std::string_view text, std::string_view key) {
  for (std::string_view line : split(text, '\n'))
    if (line.starts_with(key)) return line.substr(key.size());
  return std::nullopt;
}

}  // namespace

std::string_view PresetFile::id() const { return first_line(text).substr(0, first_line(text).find(between)); }

std::string_view PresetFile::help() const {
  return first_line(text).substr(first_line(text).find(between) + between.size());
}

std::string_view PresetFile::mask() const {
  constexpr std::string_view def = "def ";
  std::string_view found;
  for (std::string_view line : split(text, '\n')) {
    if (line.starts_with(def)) line.remove_prefix(def.size());
    const auto end = line.find_first_of("( =#");
    if (end != std::string_view::npos && end > 0) found = line.substr(0, end);
  }
  return found;
}

std::string_view PresetFile::objective() const { return value_of_line(text, "# objective: ").value_or(""); }

std::optional<std::vector<std::string>> PresetFile::terms() const {
  const auto named = value_of_line(text, "# terms: ");
  if (!named) return std::nullopt;
  std::vector<std::string> terms;
  if (*named != "none")
    for (const std::string_view term : split(*named, ',')) terms.emplace_back(trimmed(term));
  return terms;
}

std::span<const PresetFile> preset_files() { return compiled_preset_files; }

}  // namespace vqscope
