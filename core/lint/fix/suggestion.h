// SPDX-License-Identifier: GPL-3.0-or-later
// What a question asks to set, for a button, a command line and JSON.
#pragma once

#include "core/method/parameter.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A parameter of lint_parameters() or of the sequence, with the value to set.
struct SuggestedValue {
  std::string name;
  std::optional<ParameterValue> value = {};  ///< nothing: not known, the user fills it in
  friend bool operator==(const SuggestedValue&, const SuggestedValue&) = default;
};

/// Settings that answer a question together, made in one step.
struct Suggestion {
  std::vector<SuggestedValue> settings;

  bool is_complete() const;
  /// Whether it sets the sequence itself, of which each sample of a batch has its own.
  bool is_of_sequence() const;
  const SuggestedValue* find(std::string_view name) const;
  /// For buttons: "document_lengths = 128, 128, 256 and window = 129"; of a long list its first numbers.
  std::string text() const;
  /// For sentences: "document_lengths=128,128,256 and window=129"; of a long list the name alone.
  std::string words() const;
  /// For a command line: "--array document_lengths=128,128,256 --set window=129". Requires
  /// is_complete.
  std::string arguments() const;
  friend bool operator==(const Suggestion&, const Suggestion&) = default;
};

/// One setting alone.
Suggestion suggest(std::string name, std::optional<ParameterValue> value = {});

}  // namespace vqscope
