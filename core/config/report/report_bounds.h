// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"

#include <algorithm>

namespace vqscope {

/// The items of one kind that are left to be given away, over all lists of it.
struct ListBudget {
  const char* what;
  std::size_t left;
  std::size_t cut = 0;
  std::size_t all = 0;

  /// Whether a list fits whole; otherwise all of it is cut.
  bool takes(std::size_t count);
  /// Keeps the first items that fit.
  template <class T>
  void shorten(std::vector<T>& items) {
    const std::size_t kept = std::min(items.size(), left);
    all += items.size();
    cut += items.size() - kept;
    left -= kept;
    items.resize(kept);
  }
  /// Adds "4 of 20 ropes are left out" if anything was cut.
  void append_to(std::vector<std::string>& sentences) const;
};

/// Cuts the lists of a report, whose lengths a file decides, so that as JSON they take at most about a megabyte. Lists
/// of published models stay whole. Returns a sentence for each kind of list that was cut.
std::vector<std::string> shorten_lists(ConfigReport& report);

}  // namespace vqscope
