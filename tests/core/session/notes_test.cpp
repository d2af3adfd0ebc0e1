// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/notes.h"

#include "tests/support/compare.h"
#include "tests/support/random_numbers.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class NotesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void short_values() {
    COMPARE_TEXT(short_value(Index{7}), "7");
    COMPARE_TEXT(short_value(false), "false");
    COMPARE_TEXT(short_value(std::string()), "empty");
    COMPARE_TEXT(short_value(std::vector<Index>{}), "empty");
    COMPARE_TEXT(short_value(std::vector<Index>{1, 2}), "1,2");
    COMPARE_TEXT(short_value(std::string(41, 'x')), std::string(39, 'x') + "…");
  }

  void summaries_by_hand() {
    COMPARE_TEXT(summary({}), "");
    COMPARE_TEXT(summary({"a is 1; it is 2 now"}), "a is 1; it is 2 now");
    COMPARE_TEXT(summary({"one", "two"}), "one; two");
    COMPARE_TEXT(summary({std::string(200, 'x'), "two"}), std::string(179, 'x') + "…; two");
    COMPARE_TEXT(summary({std::string(180, 'x'), std::string(180, 'y'), "z"}), std::string(180, 'x') + "; and 2 more");
  }

  /// A path fits before any summary; the first notes are listed, and the others counted.
  void summaries_are_short() {
    test::Random random(1);
    for (int round = 0; round < 300; ++round) {
      Notes notes(static_cast<std::size_t>(test::pick(random, 1, 40)));
      for (auto& note : notes)
        for (Index i = test::pick(random, 1, 120); i > 0; --i) note += test::pick(random, 0, 4) ? "x" : "ü";
      const QString text = test::shown(summary(notes));
      QVERIFY2(text.size() <= 330, qPrintable(text));
      const auto named = static_cast<std::size_t>(text.count("; ") + 1);
      if (text.endsWith(" more"))
        QVERIFY(text.endsWith(QString("; and %1 more").arg(notes.size() - (named - 1))));
      else
        QCOMPARE(named, notes.size());
    }
  }
};

VQSCOPE_TEST(NotesTest)
#include "notes_test.moc"
