// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/word_match.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class WordMatchTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void by_hand() {
    QCOMPARE(word_match("yarn", "yarn"), 100);
    QCOMPARE(word_match("YARN", "Yarn"), 100);
    QCOMPARE(word_match("yarn", "ntk"), 0);
    QCOMPARE(word_match("", "yarn"), 0);
    QCOMPARE(word_match(" - ", "yarn"), 0);
    QCOMPARE(word_match("yarn", ""), 0);
  }

  void every_word_must_match() {
    QVERIFY(word_match("window off", "Window off by one") > 0);
    QVERIFY(word_match("off window", "Window off by one") > 0);
    QCOMPARE(word_match("window on", "Window off by three"), 0);
  }

  void forms() {
    QVERIFY(word_match("ropetype", "rope_type") > 0);
    QVERIFY(word_match("rope type", "rope_type") > 0);
    QVERIFY(word_match("sw", "sliding_window") > 0);
    QVERIFY(word_match("widow", "sliding_window") > 0);
    QVERIFY(word_match("windw", "sliding_window") > 0);
    QVERIFY(word_match("wwindow", "sliding_window") > 0);
    QVERIFY(word_match("wandow", "sliding_window") > 0);
    QCOMPARE(word_match("xyzw", "sliding_window"), 0);
    QVERIFY(word_match("β-ary", "β-ary digits") > 0);
  }

  void best_first() {
    const auto better = [](const char* typed, const char* one, const char* other) {
      return word_match(typed, one) > word_match(typed, other);
    };
    QVERIFY(better("mask", "mask", "masks"));
    QVERIFY(better("mask", "masks", "unmask"));
    QVERIFY(better("pack", "packed", "unpacked documents"));
    QVERIFY(better("dark", "Dark", "Dark theme of the window"));
    QVERIFY(better("yarn", "yarn_ramp", "yanr ramp"));
  }
};

VQSCOPE_TEST(WordMatchTest)
#include "word_match_test.moc"
