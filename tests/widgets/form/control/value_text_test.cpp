// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/value_text.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

const ParameterSpec integer{.name = "n", .minimum = 0, .maximum = 4294967296.0};
const ParameterSpec automatic{.name = "n", .minimum = 0, .maximum = 9, .automatic = "q_length"};
const ParameterSpec real{.name = "x", .kind = ParameterKind::real, .default_value = 0.0, .maximum = 1e9};
const ParameterSpec list{.name = "lengths",
                         .kind = ParameterKind::integer_list,
                         .default_value = std::vector<Index>{},
                         .minimum = 1,
                         .maximum = 100};
const ParameterSpec reals{.name = "factors",
                          .kind = ParameterKind::real_list,
                          .default_value = std::vector<double>{},
                          .minimum = 0.001,
                          .maximum = 100};

}  // namespace

class ValueTextTest : public test::TestCase {
  Q_OBJECT
 private slots:
  void integersAreRead_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<qint64>("expected");
    QTest::newRow("plain") << "2097152" << qint64{2097152};
    QTest::newRow("spaces") << " 2 097 152 " << qint64{2097152};
    QTest::newRow("thin spaces") << QString::fromUtf8("2\u202f097\u202f152") << qint64{2097152};
    QTest::newRow("commas") << "2,097,152" << qint64{2097152};
    QTest::newRow("underscores") << "2_097_152" << qint64{2097152};
    QTest::newRow("power") << "2^21" << qint64{2097152};
    QTest::newRow("python's power") << "2**21" << qint64{2097152};
    QTest::newRow("k") << "64k" << qint64{65536};
    QTest::newRow("M") << "2M" << qint64{2097152};
    QTest::newRow("half M") << "0.5M" << qint64{524288};
    QTest::newRow("exponent") << "1e6" << qint64{1000000};
    QTest::newRow("2^32") << "4294967296" << qint64{4294967296};
    QTest::newRow("negative") << "-1" << qint64{-1};
  }
  void integersAreRead() {
    QFETCH(QString, text);
    QFETCH(qint64, expected);
    const auto value = readValue(integer, text);
    QVERIFY(value);
    QCOMPARE(std::get<Index>(*value), Index{expected});
  }

  void nonsenseIsRefused_data() {
    QTest::addColumn<QString>("text");
    for (const char* text : {"", "k", "1.5", "1,5", "2^", "^2", "12x", "1e30", "nan", "inf", ",", "1,0000", "2^0.5"})
      QTest::newRow(text) << text;
  }
  void nonsenseIsRefused() {
    QFETCH(QString, text);
    const auto value = readValue(integer, text);
    QVERIFY(!value);
    const QString given = text.isEmpty() ? "empty" : text;
    QCOMPARE(QString::fromStdString(value.error().message),
             "n is " + given + " but must be an integer from 0 to 4294967296");
  }

  void longTextsAreRefusedInOneSentence() {
    const auto value = readValue(integer, QString("9 x").repeated(10000));
    QVERIFY(!value);
    QVERIFY2(value.error().message.size() < 400, value.error().message.c_str());
    QVERIFY(value.error().message.ends_with("… but must be an integer from 0 to 4294967296"));
  }

  void realsAreRead() {
    QCOMPARE(std::get<double>(*readValue(real, "1e-6")), 1e-6);
    QCOMPARE(std::get<double>(*readValue(real, "10 000.5")), 10000.5);
    QVERIFY(!readValue(real, "0.1.2"));
  }

  void emptyTextIsAutomatic() {
    QCOMPARE(std::get<Index>(*readValue(automatic, " ")), Index{0});
    QVERIFY(isAutomatic(automatic, Index{0}));
    QVERIFY(!isAutomatic(automatic, Index{1}));
    QVERIFY(!isAutomatic(integer, Index{0}));
    QCOMPARE(plainText(automatic, Index{0}), QString());
  }

  void listsAreReadAndShown() {
    const std::vector<Index> items{128, 2048, 3};
    QCOMPARE(std::get<std::vector<Index>>(*readValue(list, "128, 2k,3")), items);
    QCOMPARE(shownText(list, items), QString("128, 2048, 3"));
    QVERIFY(std::get<std::vector<Index>>(*readValue(list, " ")).empty());
    QVERIFY(!readValue(list, "1,,2"));
    QCOMPARE(std::get<std::vector<Index>>(*readValue(list, "300 212\n512")), (std::vector<Index>{300, 212, 512}));
    QCOMPARE(std::get<std::vector<Index>>(*readValue(list, "[300, 212]")), (std::vector<Index>{300, 212}));
    QCOMPARE(std::get<std::vector<Index>>(*readValue(list, "1 024, 2 048")), (std::vector<Index>{1024, 2048}));
    const std::vector<double> factors{1, 1.25};
    QCOMPARE(std::get<std::vector<double>>(*readValue(reals, "1, 1.25")), factors);
    QCOMPARE(shownText(reals, factors), QString("1, 1.25"));
    QVERIFY(!readValue(reals, "1, x"));
  }

  void thousandsStandApart() {
    QCOMPARE(shownText(integer, Index{2097152}), QString::fromUtf8("2\u202f097\u202f152"));
    QCOMPARE(plainText(integer, Index{2097152}), QString("2097152"));
    QCOMPARE(shownText(real, 500000.0), QString::fromUtf8("500\u202f000"));
    QCOMPARE(shownText(real, 0.1), QString("0.1"));
  }
};

VQSCOPE_TEST(ValueTextTest)
#include "value_text_test.moc"
