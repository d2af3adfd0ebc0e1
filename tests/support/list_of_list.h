// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QJsonArray>

namespace vqscope::test {

/// A list whose one item is `list`. QJsonArray{list} is that to GCC, and a copy of the list to
/// clang.
inline QJsonArray listOf(const QJsonArray& list) {
  QJsonArray all;
  all.append(list);
  return all;
}

}  // namespace vqscope::test
