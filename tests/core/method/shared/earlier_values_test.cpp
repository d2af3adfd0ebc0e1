// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/shared/earlier_values.h"

#include "core/io/json/json_reader.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class EarlierValuesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void norms_wherever_they_are() {
    auto given = read_json(R"({"normalize": "paper", "title": "paper", "set": [{"normalize": "paper_code"}],
                               "vary": [{"name": "normalize", "values": ["paper", "none"]},
                                        {"name": "polarity", "values": ["paper"]}]})")
                     .value();
    QVERIFY(rename_norms(given));
    QVERIFY(given == read_json(R"({"normalize": "layer_norm", "title": "paper", "set": [{"normalize": "paper"}],
                                   "vary": [{"name": "normalize", "values": ["layer_norm", "none"]},
                                            {"name": "polarity", "values": ["paper"]}]})")
                         .value());
    auto none = read_json(R"({"normalize": "scale", "polarity": "paper"})").value();
    QVERIFY(!rename_norms(none));
  }
};

VQSCOPE_TEST(EarlierValuesTest)
#include "earlier_values_test.moc"
