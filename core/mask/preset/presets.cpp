// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/presets.h"

#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/mask/preset/compiled_preset_files.h"

#include <algorithm>
#include <cassert>

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

MaskPreset preset_of(const PresetFile& file) {
  return {.id = std::string(file.id()),
          .help = std::string(file.help()),
          .text = std::string(file.text),
          .mask = std::string(file.mask()),
          .objective = std::string(file.objective()),
          .terms = file.terms()};
}

/// Presets of terms first: they are used most.
std::vector<MaskPreset> every_preset() {
  std::vector<MaskPreset> all;
  for (const PresetFile& file : preset_files()) all.push_back(preset_of(file));
  std::stable_partition(all.begin(), all.end(), [](const MaskPreset& preset) { return preset.is_made_of_terms(); });
  return all;
}

/// The text with another number in its line "name = 128  # help".
std::string with_number(std::string text, std::string_view name, Index number) {
  const std::string line = fmt::format("\n{} = ", name);
  const auto at = text.find(line);
  if (at == std::string::npos) return text;
  const auto begin = at + line.size();
  return text.replace(begin, text.find_first_not_of("0123456789", begin) - begin, to_text(number));
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

bool MaskPreset::has(std::string_view term) const { return terms && std::ranges::count(*terms, term) > 0; }

std::span<const MaskPreset> mask_presets() {
  static const std::vector<MaskPreset> all = every_preset();
  return all;
}

std::span<const MaskPreset> given_masks() {
  static const std::vector<MaskPreset> all{
      {std::string(text_mask_id), "the text in mask_text, in the mask language"},
      {std::string(imported_mask_id), "cells imported from a file (mask_rows)"},
  };
  return all;
}

const MaskPreset& chosen_preset(const ParameterValues& values) {
  const std::string& id = values.choice("mask");
  for (const auto& all : {mask_presets(), given_masks()})
    for (const auto& preset : all)
      if (preset.id == id) return preset;
  assert(false);
  return mask_presets().front();
}

ParameterValues with_sequence(const ParameterValues& values, const Extent& extent, Index past_len) {
  ParameterValues all = values;
  all.set("q_length", extent.rows);
  all.set("kv_length", extent.cols);
  all.set("past_len", std::clamp<Index>(past_len, 0, std::max<Index>(0, extent.cols - extent.rows)));
  all.set("padding", automatic_length);
  all.set("document_lengths", std::vector<Index>{});
  if (all.find("terms_off")) all.set("terms_off", std::vector<std::string>{});
  return all;
}

ParameterValues with_sequence(const ParameterValues& values, const Extent& extent) {
  return with_sequence(values, extent, std::max<Index>(0, extent.cols - extent.rows));
}

std::string preset_text(const MaskPreset& preset, const PresetTerms& terms) {
  const auto has = [&](std::string_view term) { return std::ranges::count(terms.names, term) > 0; };
  std::string own =
      preset.is_made_of_terms() ? with_number(preset.text, prefix_name, terms.prefix_length) : preset.text;
  std::string conditions;
  std::string before;
  std::string behind;
  if (has("key_valid")) before += "key_valid & ";
  if (has("same_document")) {
    conditions += "    same_document = kv_doc == q_doc\n";
    before += "same_document & ";
  }
  std::string window;
  if (has("sliding_window")) {
    window = fmt::format("{} = {}\n\n\n", window_name, terms.window);
    conditions += fmt::format("    sliding_window = q_idx + past_len - kv_idx < {}\n", window_name);
    behind = " & sliding_window";
  }
  if (before.empty() && behind.empty()) return own;
  return fmt::format("{}\n\n{}def mask(b, h, q_idx, kv_idx):\n{}    return {}{}(b, h, q_idx, kv_idx){}\n", own, window,
                     conditions, before, preset.mask, behind);
}

std::string preset_text(const ParameterValues& values) {
  return preset_text(chosen_preset(values), preset_terms(values));
}

}  // namespace vqscope
