// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace vqscope::test {

/// What every test class derives from: an unexpected warning fails the test function that was running.
/// A warning that a test provokes is named before it, with QTest::ignoreMessage.
class TestCase : public QObject {
  Q_OBJECT

 private slots:
  // Qt Test calls both by their names around each row of each function. They are final, so that no class can replace
  // them and lose the check.
  virtual void init() final;
  virtual void cleanup() final;

 private:
  /// What a class does around each row. Overrides must not be slots: Qt Test would run them as test functions.
  virtual void beforeEach() {}
  virtual void afterEach() {}
};

}  // namespace vqscope::test
