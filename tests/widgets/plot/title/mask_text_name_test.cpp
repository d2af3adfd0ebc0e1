// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/title/mask_text_name.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class MaskTextNameTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void names_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("name");
    QTest::newRow("function") << "def near(b, h, q, k):\n  return q - k < 4"
                              << "near";
    QTest::newRow("last function")
        << "def far(b, h, q, k):\n  return True\ndef near(b, h, q, k):\n  return far(b, h, q, k)"
        << "near";
    QTest::newRow("general function") << "def mask_mod(b, h, q, k):\n  return q >= k"
                                      << "text mask";
    QTest::newRow("expression") << "q_idx >= kv_idx"
                                << "text mask";
    QTest::newRow("combination") << "def near(b, h, q, k):\n  return q - k < 4\npacked = and_masks(near, causal)"
                                 << "packed";
    QTest::newRow("general combination") << "def near(b, h, q, k):\n  return True\nmask_mod = or_masks(near, causal)"
                                         << QString::fromUtf8("near ∨ causal");
    QTest::newRow("named parts")
        << "def mask_mod(b, h, q, k):\n  near = q - k < 4\n  causal = q >= k\n  return near & causal"
        << QString::fromUtf8("near ∧ causal");
    QTest::newRow("unlike parts") << "def mask_mod(b, h, q, k):\n  return a & b | c"
                                  << "text mask";
    QTest::newRow("nested combination") << "mask_mod = and_masks(causal, or_masks(near, far))"
                                        << "text mask";
    QTest::newRow("inner function") << "def near(size):\n  def inner(b, h, q, k):\n    return q - k < size"
                                    << "near";
    QTest::newRow("long") << "def " + QString(40, 'a') + "(b, h, q, k):\n  return True"
                          << QString(31, 'a') + QChar(0x2026);
  }
  void names() {
    QFETCH(QString, mask);
    QTEST(maskTextName(mask), "name");
  }
};

VQSCOPE_TEST(MaskTextNameTest)
#include "mask_text_name_test.moc"
