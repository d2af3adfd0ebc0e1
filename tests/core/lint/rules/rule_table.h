// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/core/lint/lint_cases.h"
#include "tests/support/compare.h"

#include <QTest>

namespace vqscope::test {

/// Begins the table of a rules_data(). Returns the function that adds a row: a rule, a set-up and
/// its expected findings.
inline auto rule_table() {
  for (const char* column : {"rule", "settings", "text", "expected"}) QTest::addColumn<QString>(column);
  return [](const char* rule, const char* settings, const char* text, const char* expected) {
    QTest::addRow("%s: %s %s", rule, settings, text) << rule << settings << text << QString::fromUtf8(expected);
  };
}

/// Tests a row of the table.
inline void check_rule_row() {
  QFETCH(QString, rule);
  QFETCH(QString, settings);
  QFETCH(QString, text);
  QFETCH(QString, expected);
  COMPARE_TEXT(rule_findings(rule.toUtf8(), settings.toStdString(), text.toStdString()), expected.toStdString());
}

}  // namespace vqscope::test
