// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/model/cache_panel.h"

#include "core/schedule/text/layer_texts.h"
#include "tests/support/test_main.h"
#include "widgets/model/model_findings.h"

#include <QComboBox>
#include <QSignalSpy>
#include <QTest>

using namespace vqscope;

class CachePanelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// One layer of 1 head of 8 dimensions: 16 numbers of 2 bytes a token.
  void bytesOfAToken() {
    CachePanel panel;
    panel.setModel(parse_layers("full; all kv_heads=1 head_dim=8").value(), 1024);
    QVERIFY2(panel.summary().startsWith("1 layers keep 32 KiB of 1\u202f024 tokens."), qPrintable(panel.summary()));
    panel.findChild<QComboBox*>()->setCurrentText("float32");
    QVERIFY2(panel.summary().startsWith("1 layers keep 64 KiB of"), qPrintable(panel.summary()));
  }

  void unknownSizesAreReported() {
    CachePanel panel;
    panel.setModel(parse_layers("full,full kv_heads=1 head_dim=8").value(), 1024);
    QVERIFY2(panel.summary().contains("the sizes of 1 layers are not known"), qPrintable(panel.summary()));
  }

  /// A memory of 1 GiB holds 2^25 tokens of 32 bytes.
  void theLongestSequence() {
    CachePanel panel;
    panel.setMemory(0.001);
    panel.setModel(parse_layers("full; all kv_heads=1 head_dim=8").value(), 1024);
    const QString small = panel.summary();
    panel.setMemory(1);
    QVERIFY(panel.summary() != small);
    QVERIFY2(panel.summary().contains("hold up to 33\u202f554\u202f432 tokens"), qPrintable(panel.summary()));
  }

  void curvesOfAShownPanel() {
    CachePanel panel;
    panel.resize(400, 300);
    panel.setModel(parse_layers("2*(sliding:64,full); all kv_heads=1 head_dim=8").value(), 4096);
    panel.show();
    QVERIFY(!panel.grab().isNull());
    panel.setModel({}, 4096);
    QCOMPARE(panel.summary().trimmed(), QString());
    QVERIFY(!panel.grab().isNull());
  }

  /// Leaks and losses stand before notes; those with a place go there by mouse and keyboard.
  void findingsInTheirOrder() {
    ModelFindings findings;
    findings.resize(300, 400);
    findings.show();
    const ScheduleFinding note{ScheduleSeverity::note, "A note", "Worth 123456 words.", -1, -1, -1};
    const ScheduleFinding leak{ScheduleSeverity::leak, "A leak", "From token 3.", 5, 7, 3};
    findings.setFindings({note, leak}, {});
    std::vector<FindingCard*> cards;
    for (auto* card : findings.findChildren<FindingCard*>())
      if (card->isVisible()) cards.push_back(card);
    QCOMPARE(cards.size(), std::size_t{2});
    QCOMPARE(cards[0]->accessibleName(), QString("A leak"));
    QCOMPARE(cards[1]->accessibleDescription(), QString("Worth 123\u202f456 words."));
    QSignalSpy picked(&findings, &ModelFindings::picked);
    QTest::mouseClick(cards[0], Qt::LeftButton);
    QTest::keyClick(cards[0], Qt::Key_Return);
    QTest::keyClick(cards[0], Qt::Key_Space);
    QCOMPARE(picked.size(), 3);
    QTest::mouseClick(cards[1], Qt::LeftButton);  // has no place
    QCOMPARE(picked.size(), 3);
    findings.setFindings({}, {});
    QVERIFY(!cards[0]->isVisible() && !cards[1]->isVisible());
  }
};

VQSCOPE_TEST(CachePanelTest)
#include "cache_panel_test.moc"
