// SPDX-License-Identifier: GPL-3.0-or-later
// The guide's page on the mask language is true: what it says is taken is, and what is refused says why.
#include "core/mask/language/compile/program.h"
#include "tests/support/compare.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QRegularExpression>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class LanguageGuideTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void examples_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("refusal");
    QFile guide(sourcePath("resources/docs/guide/mask_language.md"));
    QVERIFY(guide.open(QIODevice::ReadOnly));
    const QString page = QString::fromUtf8(guide.readAll());
    static const QRegularExpression example("```python (takes|refuses: ([^\n]+))\n(.*?)```",
                                            QRegularExpression::DotMatchesEverythingOption);
    int count = 0;
    for (auto found = example.globalMatch(page); found.hasNext(); ++count) {
      const auto match = found.next();
      QTest::addRow("example %d", count) << match.captured(3) << match.captured(2);
    }
    QVERIFY(count >= 15);
    QCOMPARE(page.count("```python"), count);
  }

  void examples() {
    QFETCH(QString, text);
    QFETCH(QString, refusal);
    const auto parsed = MaskProgram::parse(text.toStdString());
    if (refusal.isEmpty()) QVERIFY2(parsed, parsed.error.message.c_str());
    if (!refusal.isEmpty())
      QVERIFY2(!parsed && parsed.error.message.starts_with(refusal.toStdString()),
               parsed ? "it is taken" : parsed.error.message.c_str());
  }
};

VQSCOPE_TEST(LanguageGuideTest)
#include "language_guide_test.moc"
