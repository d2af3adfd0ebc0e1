// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/method/method.h"

#include <map>
#include <string>
#include <vector>

namespace vqscope::test {

/// While it lives, it counts how often each method of the registry makes its matrix or curves,
/// computes its remark and its free parameters, and on which thread.
class WatchedMethods {
 public:
  WatchedMethods();
  ~WatchedMethods();
  WatchedMethods(const WatchedMethods&) = delete;
  WatchedMethods& operator=(const WatchedMethods&) = delete;

  /// Results that were computed, of all methods, on all threads.
  int made() const;
  /// Those that the thread of this object computed, by method.
  std::vector<std::string> made_here() const;
  /// How often that thread computed the free parameters of each method.
  std::map<std::string, int> requested_here() const;
  void forget();

 private:
  std::vector<Method> m_own;
};

}  // namespace vqscope::test
