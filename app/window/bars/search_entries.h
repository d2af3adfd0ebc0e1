// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/parameter.h"
#include "widgets/dialog/action_search.h"

#include <functional>
#include <string>
#include <vector>

class QMenu;
class QMenuBar;

namespace vqscope {

/// A value that the search found: `parameter` = `value` of a method that has it.
struct ValueTarget {
  std::string method;
  std::string parameter;
  std::string value;  ///< id of the choice
};

/// Actions of search entries. A kind without a function has no entries.
struct SearchTargets {
  std::function<void(const std::string& method)> openMethod = {};
  std::function<void(const std::string& page, const QString& parameter)> goToParameter = {};
  std::function<void(const ValueTarget& target)> setValue = {};
  std::function<void(const QString& id)> openGallery = {};
  std::function<void(const QString& page, const QString& anchor)> openGuide = {};
};

/// Entries of the search: actions of the menus and of the page's own menus, methods, parameters and
/// their values, each once, the gallery, and sections of the guide.
std::vector<SearchEntry> searchEntries(const QMenuBar& menus, const std::vector<QMenu*>& ofPage,
                                       const SearchTargets& targets);

}  // namespace vqscope
