// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/dialog/action_search.h"

#include <functional>
#include <string>
#include <vector>

class QMenuBar;

namespace vqscope {

/// Entries of the search: actions of the menus, methods, and parameters of pages.
std::vector<SearchEntry> searchEntries(
    const QMenuBar& menus, const std::function<void(const std::string& method)>& openMethod,
    const std::function<void(const std::string& page, const QString& parameter)>& goToParameter);

}  // namespace vqscope
