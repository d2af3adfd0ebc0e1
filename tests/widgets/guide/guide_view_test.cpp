// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/guide/guide_view.h"

#include "tests/support/test_main.h"
#include "widgets/guide/glossary.h"
#include "widgets/guide/guide_document.h"
#include "widgets/guide/guide_pages.h"

#include <QLineEdit>
#include <QListWidget>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>

using namespace vqscope;

namespace {

/// The anchors of a document, and the targets of its links.
struct Anchors {
  QStringList names;
  QStringList links;
  QStringList tips;
};

Anchors anchorsOf(const QTextDocument& document) {
  Anchors anchors;
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
    for (auto it = block.begin(); !it.atEnd(); ++it) {
      const QTextCharFormat format = it.fragment().charFormat();
      anchors.names << format.anchorNames();
      if (!format.anchorHref().isEmpty()) anchors.links << format.anchorHref();
      if (format.anchorHref().startsWith("glossary:")) anchors.tips << format.toolTip();
    }
  return anchors;
}

}  // namespace

class GuideViewTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Headings and glossary entries can be reached; every link to a term has its definition.
  void documentsHaveTheirAnchors() {
    for (const GuidePage& page : guidePages()) {
      const auto document = makeGuideDocument(page, palette(Theme::light));
      const Anchors anchors = anchorsOf(*document);
      for (const GuideSection& section : page.sections)
        QVERIFY2(section.anchor.isEmpty() || anchors.names.contains(section.anchor),
                 qPrintable(page.id + "#" + section.anchor));
      QVERIFY2(!anchors.tips.contains(QString()), qPrintable(page.id));
      if (page.id != "glossary") continue;
      for (const GlossaryEntry& entry : glossary())
        QVERIFY2(anchors.names.contains(entry.anchor), qPrintable(entry.anchor));
    }
  }

  void termsAreLinks() {
    const auto document = makeGuideDocument(*findGuidePage("masks"), palette(Theme::dark));
    QVERIFY(anchorsOf(*document).links.contains("glossary:term-backend"));
  }

  void pagesAndHistory() {
    GuideView view;
    QCOMPARE(view.page(), QString("index"));
    view.showPage("masks", "why-is-this-key-masked");
    view.follow(QUrl("lint.md"));
    view.follow(QUrl("../GLOSSARY.md"));
    view.follow(QUrl("glossary:term-pair"));
    QCOMPARE(view.page() + "#" + view.anchor(), QString("glossary#term-pair"));
    view.goBack();
    view.goBack();
    QCOMPARE(view.page(), QString("lint"));
    view.goBack();
    QCOMPARE(view.anchor(), QString("why-is-this-key-masked"));
    view.goForward();
    QCOMPARE(view.page(), QString("lint"));
    view.showPage("keys");  // cuts off what was ahead
    view.goForward();
    QCOMPARE(view.page(), QString("keys"));
    for (int i = 0; i < 9; ++i) view.goBack();
    QCOMPARE(view.page(), QString("index"));
    view.showPage("nonsense");
    QCOMPARE(view.page(), QString("index"));
    view.follow(QUrl("#rooms"));
    QCOMPARE(view.anchor(), QString("rooms"));
  }

  void anAnchorIsInSight() {
    GuideView view;
    view.resize(700, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    auto* text = view.findChild<QTextBrowser*>();
    view.showPage("masks", "can-i-paste-any-code");
    QVERIFY(text->verticalScrollBar()->value() > 200);
    view.showPage("masks");
    QCOMPARE(text->verticalScrollBar()->value(), 0);
  }

  /// A narrow view gives its width to the page, until the contents are requested.
  void contentsAreHiddenInANarrowView() {
    GuideView view;
    view.resize(500, 300);
    view.show();
    QVERIFY(QTest::qWaitForWindowExposed(&view));
    auto* list = view.findChild<QListWidget*>("contents");
    QVERIFY(!list->isVisible());
    QTest::keyClicks(view.findChild<QLineEdit*>(), "mask");
    QVERIFY(list->isVisible());
    view.resize(520, 300);
    QVERIFY(list->isVisible());
    view.resize(900, 300);
    view.resize(500, 300);
    QVERIFY(!list->isVisible());
  }

  void linksIntoTheProgram() {
    GuideView view;
    QSignalSpy requested(&view, &GuideView::linkRequested);
    view.follow(QUrl("vqscope:method/rope_phase"));
    QCOMPARE(requested.size(), 1);
    QCOMPARE(requested.front().front().toUrl().path(), QString("method/rope_phase"));
    QCOMPARE(view.page(), QString("index"));
  }

  void search() {
    GuideView view;
    auto* field = view.findChild<QLineEdit*>();
    auto* list = view.findChild<QListWidget*>("contents");
    const int pages = list->count();
    QCOMPARE(static_cast<std::size_t>(pages), guidePages().size());
    QTest::keyClicks(field, "packed mask");
    QVERIFY(list->count() > 0 && list->item(0)->text().contains("Is my packed mask right?"));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(view.page() + "#" + view.anchor(), QString("masks#is-my-packed-mask-right"));
    field->clear();
    QCOMPARE(list->count(), pages);
    QTest::keyClicks(field, "qwertyuiop");
    QCOMPARE(list->count(), 1);
    QCOMPARE(list->item(0)->text(), QString("The guide does not mention qwertyuiop."));
    QTest::keyClick(field, Qt::Key_Return);
    QCOMPARE(view.page(), QString("masks"));
  }

  /// Escape ends a search first; what is typed is not lost with the window.
  void escapeEndsTheSearchThenTheWindow() {
    GuideView view;
    view.show();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    auto* search = view.findChild<QLineEdit*>();
    search->setText("rope");
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(search->text().isEmpty() && view.isVisible());
    QTest::keyClick(&view, Qt::Key_Escape);
    QVERIFY(!view.isVisible());
    view.show();
    QVERIFY(QTest::qWaitForWindowActive(&view));
    QTest::keyClick(&view, Qt::Key_W, Qt::ControlModifier);
    QVERIFY(!view.isVisible());
  }
};

VQSCOPE_TEST(GuideViewTest)
#include "guide_view_test.moc"
