// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/guide_pages.h"

#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QRegularExpression>
#include <QTest>

#include <algorithm>

using namespace vqscope;

namespace {

bool hasSection(const GuidePage& page, const QString& anchor) {
  return anchor.isEmpty() || std::ranges::count(page.sections, anchor, &GuideSection::anchor) == 1;
}

}  // namespace

class GuidePagesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void everyFileIsAPage() {
    const auto files = QDir(test::sourcePath("resources/docs/guide")).entryList({"*.md"});
    QCOMPARE(guidePages().size(), static_cast<std::size_t>(files.size()) + 1);  // and the glossary
    for (const QString& file : files) QVERIFY2(findGuidePage(file.chopped(3)), qPrintable(file));
    QVERIFY(findGuidePage("glossary") && !findGuidePage("nonsense"));
    QCOMPARE(guidePages().front().id, QString("index"));
  }

  void everyPageHasATitle() {
    for (const GuidePage& page : guidePages()) {
      QVERIFY2(!page.title.isEmpty() && page.markdown.startsWith("# "), qPrintable(page.id));
      QVERIFY2(std::ranges::count(guidePages(), page.title, &GuidePage::title) == 1, qPrintable(page.title));
    }
  }

  void everyLinkLeadsSomewhere() {
    static const QRegularExpression link(QStringLiteral("\\[[^\\]]+\\]\\(([^)\\s]+)\\)"));
    for (const GuidePage& page : guidePages())
      for (auto each = link.globalMatch(page.markdown); each.hasNext();) {
        const QString target = each.next().captured(1);
        if (target.startsWith("vqscope:") || target.startsWith("https:")) continue;
        const QString file = target.section('#', 0, 0);
        const GuidePage* to = file.isEmpty() ? &page : findGuidePage(QFileInfo(file).completeBaseName().toLower());
        QVERIFY2(to && hasSection(*to, target.section('#', 1)), qPrintable(page.id + ": " + target));
      }
  }

  void questionsHaveAnswers() {
    const auto questions = guideQuestions();
    QVERIFY(questions.size() >= 4);
    for (const GuideQuestion& question : questions) {
      const GuidePage* page = findGuidePage(question.page);
      QVERIFY2(page && !question.anchor.isEmpty() && hasSection(*page, question.anchor), qPrintable(question.words));
    }
  }

  void anchors() {
    QCOMPARE(guideAnchor("Is my packed mask right?"), QString("is-my-packed-mask-right"));
    QCOMPARE(guideAnchor("Queries, keys: q_idx"), QString("queries-keys-q_idx"));
  }

  void search() {
    const auto hits = searchGuide("packed mask");
    QVERIFY(!hits.empty());
    QCOMPARE(hits.front().page->id, QString("masks"));
    QCOMPARE(hits.front().section->title, QString("Is my packed mask right?"));
    QVERIFY(!searchGuide("FlashAttention").empty());  // in a text
    QVERIFY(searchGuide("qwertyuiop").empty());
    QVERIFY(searchGuide("").empty());
  }
};

VQSCOPE_TEST(GuidePagesTest)
#include "guide_pages_test.moc"
