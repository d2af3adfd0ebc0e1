// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/core/mask/language/evaluators.h"
#include "tests/support/compare.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Cells picture(const QJsonArray& rows) {
  Cells cells;
  for (const auto& row : rows)
    for (const QChar c : row.toString()) cells.push_back(c == QLatin1Char('#'));
  return cells;
}

}  // namespace

class GoldenMasksTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void drawn_visibility_by_every_evaluator_data() {
    QTest::addColumn<QJsonObject>("golden");
    QFile file(test::dataPath(QStringLiteral("masks.json")));
    QVERIFY(file.open(QIODevice::ReadOnly));
    for (const auto& golden : QJsonDocument::fromJson(file.readAll()).array())
      QTest::newRow(qPrintable(golden[QStringLiteral("name")].toString())) << golden.toObject();
  }

  void drawn_visibility_by_every_evaluator() {
    QFETCH(QJsonObject, golden);
    const auto source = golden[QStringLiteral("source")].toString().toStdString();
    const auto parsed = MaskProgram::parse(source);
    QVERIFY2(parsed, render(parsed.error, source).c_str());
    QVERIFY(parsed.program->warnings().empty());
    SequenceInput input{.q_length = golden[QStringLiteral("q_length")].toInt(),
                        .kv_length = golden[QStringLiteral("kv_length")].toInt()};
    MaskBindings bindings;
    const auto arrays = golden[QStringLiteral("arrays")].toObject();
    for (auto it = arrays.begin(); it != arrays.end(); ++it) {
      if (it.key() == QLatin1String("past_len")) {
        input.past_len = it.value().toInt();
      } else if (it.value().isArray()) {
        for (const auto& v : it.value().toArray()) bindings.arrays[it.key().toStdString()].push_back(v.toInt());
      } else {
        bindings.integers[it.key().toStdString()] = it.value().toInt();
      }
    }
    const auto mask = LanguageMask::make(parsed.program, bindings, *SequenceLayout::make(input));
    QVERIFY2(mask.has_value(), mask ? "" : mask.error().message.c_str());
    QVERIFY(by_plain(**mask) == picture(golden[QStringLiteral("visible")].toArray()));
    COMPARE_TEXT(evaluators_differ(**mask), "");
    QCOMPARE((*mask)->has_bands(), golden[QStringLiteral("solved")].toBool(true));
  }
};

VQSCOPE_TEST(GoldenMasksTest)
#include "golden_masks_test.moc"
