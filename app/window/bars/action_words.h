// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace vqscope {

/// What the search knows of an action besides its title and menu.
struct ActionWords {
  std::string_view title;     ///< of the action, without mnemonic
  std::string_view rooms;     ///< in whose section it stands before anything is typed: ids, or "*" for all
  std::string_view keywords;  ///< further words that find it
};

std::span<const ActionWords> action_words();
/// Null: the action is found by its title and menu alone.
const ActionWords* find_action_words(std::string_view title);

}  // namespace vqscope
