// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/preset_text.h"

#include "core/base/sentence.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The text with another number in its line "name = 128  # help".
std::string with_number(std::string text, std::string_view name, Index number) {
  const std::string line = fmt::format("\n{} = ", name);
  const auto at = text.find(line);
  if (at == std::string::npos) return text;
  const auto begin = at + line.size();
  return text.replace(begin, text.find_first_not_of("0123456789", begin) - begin, to_text(number));
}

}  // namespace

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
