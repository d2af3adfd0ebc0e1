// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace vqscope::test {

/// Base of every test class: an unexpected warning fails the running test function. Announce an
/// expected warning with QTest::ignoreMessage.
class TestCase : public QObject {
  Q_OBJECT

 private slots:
  // Qt Test calls both by name around each row of each function. They are final, so that no class
  // can replace the check.
  virtual void init() final;
  virtual void cleanup() final;

 private:
  /// Called around each row. Overrides must not be slots, because Qt Test would run them as test
  /// functions.
  virtual void beforeEach() {}
  virtual void afterEach() {}
};

}  // namespace vqscope::test
