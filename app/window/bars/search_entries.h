// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/dialog/action_search.h"
#include "widgets/start/recent_files.h"

#include <functional>
#include <string>
#include <vector>

class QAction;
class QMenu;
class QMenuBar;

namespace vqscope {

struct ExperimentPreset;
struct SurveyRow;

/// A value that the search found: `parameter` = `value` of a method that has it.
struct ValueTarget {
  std::string method;
  std::string parameter;
  std::string value;  ///< id of the choice
};

/// The search leaves a menu out: it has its actions from elsewhere.
void hideFromSearch(QMenu& menu);

/// Actions of search entries. A kind without a function has no entries.
struct SearchTargets {
  std::function<void(const std::string& method)> openMethod = {};
  std::function<void(const SurveyRow& row)> openEncoding = {};
  std::function<void(const ExperimentPreset& preset)> openQuestion = {};
  std::function<void(const std::string& page, const QString& parameter)> goToParameter = {};
  std::function<void(const ValueTarget& target)> setValue = {};
  std::function<void(const QString& id)> openGallery = {};
  std::function<void(const QString& page, const QString& anchor)> openGuide = {};
  std::function<void(const QString& path)> openFile = {};
  std::vector<RecentFile> recent = {};                         ///< files for openFile
  std::vector<std::pair<QString, QAction*>> tableCopies = {};  ///< of tables on screen, with what they show
  std::string room = {};                                       ///< id of the room on top, which has a section
};

/// Entries of the search: actions of the menus and of the page's own menus, recent files, methods,
/// encodings and questions,
/// parameters and their values, each once, the gallery, and sections of the guide.
std::vector<SearchEntry> searchEntries(const QMenuBar& menus, const std::vector<QMenu*>& ofPage,
                                       const SearchTargets& targets);

}  // namespace vqscope
