// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTest>

#include <string>
#include <string_view>

/// QCOMPARE that shows both texts when they differ.
#define COMPARE_TEXT(actual, expected) QCOMPARE(vqscope::test::shown(actual), vqscope::test::shown(expected))

/// The error of a Result is this sentence.
#define COMPARE_ERROR(result, expected)                    \
  do {                                                     \
    const auto& compared = (result);                       \
    QVERIFY2(!compared.has_value(), "no error was given"); \
    COMPARE_TEXT(compared.error().message, expected);      \
  } while (false)

namespace vqscope::test {

inline QString shown(std::string_view text) {
  return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

}  // namespace vqscope::test
