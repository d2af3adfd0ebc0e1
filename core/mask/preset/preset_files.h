// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vqscope {

/// A file of resources/masks as it was when the program was built: a mask in the mask language whose first line is
/// "# id: what it is for". Its integers at the top are the preset's parameters, and the comment behind one is its help.
struct PresetFile {
  std::string_view name;  ///< without .py
  std::string_view text;

  std::string_view id() const;
  std::string_view help() const;
  /// The name of its mask: of the last def or value at the top.
  std::string_view mask() const;
  /// "# objective: bidirectional": the objective of the mask, if its cells do not show it; it hides keys on purpose.
  std::string_view objective() const;
  /// "# terms: key_valid, causal", or none: the mask is made of these alone.
  std::optional<std::vector<std::string>> terms() const;
};

/// By name.
std::span<const PresetFile> preset_files();

}  // namespace vqscope
