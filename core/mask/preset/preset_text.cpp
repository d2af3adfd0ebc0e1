// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/preset_text.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

struct TermText {
  std::string_view name;
  std::string_view condition;
  std::string_view constant;  ///< that stands at the top
};

constexpr std::array<TermText, 5> term_texts{
    {{"key_is_valid", "key_valid", ""},
     {"same_document", "q_doc == kv_doc", ""},
     {"causal", "kv_idx <= q_idx + past_len", ""},
     {"prefix", "(kv_pos < prefix_length) | (kv_idx <= q_idx + past_len)", "prefix_length"},
     {"sliding_window", "q_idx + past_len - kv_idx < window", "window"}}};

/// The text's names for a preset's terms; key_valid is a variable there.
const TermText& text_of(const std::string& term) {
  const std::string_view name = term == "key_valid" ? "key_is_valid" : std::string_view(term);
  return *std::ranges::find(term_texts, name, &TermText::name);
}

/// The defs of terms, and their names in a row.
struct Terms {
  std::string constants;
  std::string functions;
  std::string names;
};

Terms terms_of(const PresetTerms& preset) {
  Terms terms;
  for (const std::string& term : preset.names) {
    const TermText& text = text_of(term);
    const Index value = text.name == "prefix" ? preset.prefix_length : preset.window;
    if (!text.constant.empty()) terms.constants += std::string(text.constant) + " = " + to_text(value) + "\n";
    terms.functions +=
        "def " + std::string(text.name) + "(b, h, q_idx, kv_idx):\n    return " + std::string(text.condition) + "\n\n";
    terms.names += (terms.names.empty() ? "" : ", ") + std::string(text.name);
  }
  return terms;
}

}  // namespace

std::string preset_text(const ParameterValues& values) {
  const Terms terms = terms_of(preset_terms(values));
  if (const MaskPreset& preset = chosen_preset(values); !preset.text.empty()) {
    if (terms.names.empty()) return preset.text;
    // Behind the file, so that lines keep their numbers.
    return preset.text + "\n\n" + terms.functions + "mask = and_masks(" + terms.names + ", " + preset.mask + ")\n";
  }
  if (terms.names.empty()) return "def everything(b, h, q_idx, kv_idx):\n    return True\n";
  return terms.constants + (terms.constants.empty() ? "" : "\n") + terms.functions + "mask_mod = and_masks(" +
         terms.names + ")\n";
}

}  // namespace vqscope
