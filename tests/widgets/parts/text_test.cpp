// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/text.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class TextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void words_begin_a_sentence_with_a_capital() {
    QCOMPARE(sentence("causal, except 1 cell"), "Causal, except 1 cell.");
    QCOMPARE(sentence("a window of 4"), "A window of 4.");
    QCOMPARE(sentence("cancelled"), "Cancelled.");
    QCOMPARE(sentence("block-causal"), "Block-causal.");
    QCOMPARE(sentence(""), ".");
  }

  void durations_have_two_digits() {
    QCOMPARE(durationText(0.314), "0.31 s");
    QCOMPARE(durationText(99.4), "99 s");
    QCOMPARE(durationText(99.7), "1.7 min");
    QCOMPARE(durationText(5939), "99 min");
    QCOMPARE(durationText(7200), "2 h");
  }

  void numbers_are_grouped() {
    QCOMPARE(groupedNumbers("theta 1000000, T 4096, 12345.5"),
             QString::fromUtf8("theta 1\u202f000\u202f000, T 4096, 12\u202f345.5"));
    for (const char* words : {"0.123456", "model_20240101", "123456b", "", "1e100000"})
      QCOMPARE(groupedNumbers(words), QString(words));
  }

  void names_keep_their_letters() {
    for (const char* name : {"head_dim 128 takes precedence", "rope_scaling.factor is 0", "q is missing",
                             "mask_mod(b, h) is expected", "kv_idx", "t5_bucket: 32", "wQ is large"})
      QCOMPARE(sentence(name), QString::fromLatin1(name) + QLatin1Char('.'));
  }
};

VQSCOPE_TEST(TextTest)
#include "text_test.moc"
