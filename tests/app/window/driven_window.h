// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/window/main_window.h"

#include <QTest>

namespace vqscope::test {

/// A window and the length of its page of buckets, by which a session is known again.
struct DrivenWindow {
  MainWindow window;

  Workbench& bench() { return window.workbench(); }
  Index length() { return bench().page("buckets").values.integer("q_length"); }
  void setLength(Index length) {
    ShownPage next = bench().page("buckets");
    next.values.set("q_length", length);
    QVERIFY(bench().edit("Change q_length", next));
  }
};

}  // namespace vqscope::test
