// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/row/row_debugger.h"

#include "tests/support/compare.h"
#include "tests/support/compared_mask.h"
#include "tests/support/test_main.h"
#include "tests/widgets/mask/row/shown_rows.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/theme/palette.h"
#include "widgets/view/overlay.h"

#include <QAccessible>

#include <new>
#include <semaphore>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A row waits for its gate, and then has no memory.
class GatedMask : public ComparedMask {
 public:
  explicit GatedMask(std::shared_ptr<std::binary_semaphore> gate) : ComparedMask(40, 6), m_gate(std::move(gate)) {}
  void row(Index, std::vector<Range>&) const override {
    m_gate->acquire();
    throw std::bad_alloc();
  }

 private:
  std::shared_ptr<std::binary_semaphore> m_gate;
};

}  // namespace

class RowDebuggerTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void everyKeyStepsAndEmitsTheCell() {
    ShownRows s(packed(60, {20, 40}));
    QCOMPARE(s.debugger.cell(), (Cell{0, 0}));
    s.key(Qt::Key_Down);
    s.key(Qt::Key_Right);
    s.key(Qt::Key_Down, Qt::ShiftModifier);
    s.key(Qt::Key_Left);
    s.key(Qt::Key_Left);  // at the edge: no change, no signal
    s.key(Qt::Key_Up);
    QVERIFY(s.picked == (std::vector<Cell>{{1, 0}, {1, 1}, {11, 1}, {11, 0}, {10, 0}}));
    QVERIFY(s.rows == (std::vector<Index>{1, 11, 10}));
    COMPARE_TEXT(row_sentence(s.debugger.report(), 4), "sees 11 of 60 keys: 0–10");
    QCOMPARE(s.debugger.accessibleDescription(), QString("Row 10 sees 11 of 60 keys: 0–10"));
  }

  /// To screen readers.
  void linesAreATable() {
    ShownRows s(packed(60, {20, 40}));
    s.key(Qt::Key_Down);
    s.key(Qt::Key_Right);
    auto* read = QAccessible::queryAccessibleInterface(&s.debugger);
    auto* table = read ? read->tableInterface() : nullptr;
    QVERIFY(table && table->rowCount() >= 3 && table->columnCount() > 4);
    QCOMPARE(table->columnDescription(0), QString("key"));
    QCOMPARE(table->cellAt(2, 0)->text(QAccessible::Name), QString("2"));
    QCOMPARE(table->selectedRows(), QList<int>{1});
    QStringList line;
    for (int column = 0; column < table->columnCount(); ++column)
      line << table->columnDescription(column) + ' ' + table->cellAt(2, column)->text(QAccessible::Name);
    QVERIFY2(line.contains("verdict masked") && line.contains("causal no"), qPrintable(line.join(", ")));
  }

  /// The keys that the filter leaves, for other programs.
  void theTableIsCopied() {
    ShownRows s(packed(6, {3, 3}));
    s.trigger("Last row");
    s.trigger("Show visible keys only");
    const TextTable all = s.debugger.table().asTable(10);
    QCOMPARE(all.rows.size(), 3U);
    QCOMPARE(all.titles.size(), all.rows[0].size());
    COMPARE_TEXT(all.titles[0], "key");
    COMPARE_TEXT(all.rows[2][0], "5");
    const auto verdict = std::ranges::find(all.titles, "verdict") - all.titles.begin();
    COMPARE_TEXT(all.rows[2].at(static_cast<std::size_t>(verdict)), "visible");
    QCOMPARE(s.debugger.table().asTable(2).rows.size(), 2U);
  }

  /// As on the map, where a cell stays picked while the matrix is smaller.
  void aSmallerMaskForgetsNoCell() {
    ShownRows s(packed(60, {20, 40}));
    s.debugger.setCell({50, 30});
    s.settle();
    s.debugger.setMask(packed(16, {}));
    s.settle();
    QCOMPARE(s.debugger.cell(), (Cell{15, 15}));
    s.debugger.setMask(packed(60, {20, 40}));
    s.settle();
    QCOMPARE(s.debugger.cell(), (Cell{50, 30}));
    s.debugger.setMask(packed(16, {}));
    s.settle();
    s.key(Qt::Key_Up);
    s.debugger.setMask(packed(60, {20, 40}));
    s.settle();
    QCOMPARE(s.debugger.cell(), (Cell{14, 15}));
  }

  void aMaskOfAnotherSizeHasNoCellToCompare() {
    ShownRows s(packed(60, {20, 40}));
    s.debugger.setSecond(packed(16, {}));
    QVERIFY(!s.action("Next cell that differs"));
    QVERIFY(!s.action("Show differing keys only")->isEnabled());
    s.debugger.setMask(packed(16, {8, 8}));
    s.settle();
    s.trigger("Next cell that differs");
    QCOMPARE(s.debugger.cell(), (Cell{8, 0}));
  }

  /// Side by side: a window of three keys, and one of two.
  void twoMasksHaveTheirVerdicts() {
    const auto window = [](Index keys) {
      return make_terms_mask({.names = {"causal", "sliding_window"}, .window = keys},
                             *SequenceLayout::make({.q_length = 8}));
    };
    ShownRows s(window(3));
    QVERIFY(!s.action("Show differing keys only")->isEnabled());
    s.debugger.setSecond(window(2));
    s.debugger.setCell({5, 3});
    s.settle();
    QCOMPARE(s.debugger.accessibleDescription(),
             QString("Row 5: A and B differ in 1 key: 3; A sees 3 of 8 keys: 3–5, B sees 2 of 8 keys: 4–5"));
    s.trigger("Show differing keys only");
    QCOMPARE(s.debugger.table().content().keys.size(), Index{1});
    QCOMPARE(s.topKey(), Index{3});
    s.debugger.setSecond(nullptr);
    s.settle();
    QCOMPARE(s.debugger.filter(), KeyFilter::all);
    QCOMPARE(s.debugger.accessibleDescription(), QString("Row 5 sees 3 of 8 keys: 3–5"));
  }

  /// Its rows are computed cell by cell, on another thread.
  void masksWithoutBands() {
    ShownRows s(std::make_shared<ComparedMask>(300, 20));
    s.debugger.setCell({150, 140});
    s.settle();
    COMPARE_TEXT(row_sentence(s.debugger.report(), 2), "sees 16 of 300 keys: 131–132, 134–137 and 3 more");
    s.trigger("Next row that differs");
    QCOMPARE(s.debugger.report().row, Index{152});  // 132 alone is gone
  }

  void aLeapEndsInTheMiddle() {
    ShownRows s(packed(1000, {}));
    const Index page = s.debugger.table().page();
    s.debugger.setCell({999, 500});
    s.settle();
    QCOMPARE(s.topKey(), 500 - page / 2);
    for (int i = 0; i < 2; ++i) s.key(Qt::Key_Right);
    QCOMPARE(s.debugger.cell().col, Index{502});
    QCOMPARE(s.topKey(), 500 - page / 2);
  }

  void filtersKeepTheirPlace() {
    ShownRows s(packed(1000, {300, 700}));
    s.debugger.setCell({700, 500});
    s.settle();
    const Index top = s.topKey();
    QVERIFY(top <= 500 && top + s.debugger.table().page() > 500);
    s.trigger("Show visible keys only");
    QCOMPARE(s.debugger.table().content().keys.size(), Index{401});
    QCOMPARE(s.topKey(), top);
    s.trigger("Show masked keys only");
    QCOMPARE(s.debugger.table().content().keys.size(), Index{599});
    s.debugger.setCell({700, 299});
    s.key(Qt::Key_Right);
    QCOMPARE(s.debugger.cell().col, Index{701});
    s.key(Qt::Key_Left);
    QCOMPARE(s.debugger.cell().col, Index{299});
    s.trigger("Show all keys");
    QCOMPARE(s.debugger.table().content().keys.size(), Index{1000});
  }

  void additiveFormats() {
    ShownRows s(packed(60, {}));
    s.trigger("Additive values as float16");
    s.trigger("Masked keys as -inf");
    QVERIFY(s.debugger.format() == (AdditiveFormat{FloatType::float16, MaskedValue::minus_infinity}));
    s.trigger("Masked keys as -inf");
    QVERIFY(s.debugger.format() == (AdditiveFormat{FloatType::float16, MaskedValue::most_negative}));
  }

  /// Floats would put lines of 2 million keys 4 pixels apart.
  void everyKeyCanBeReached() {
    constexpr Index length = 2097152;
    ShownRows s(packed(length, {}));
    s.debugger.setCell({length - 1, 0});
    s.settle();
    std::vector<Index> centres{0, 16777216 / 22, length / 2, length - 40};
    for (const Index centre : centres)
      for (Index key = std::max<Index>(0, centre - 20); key < centre + 20; ++key) {
        s.debugger.setCell({length - 1, key});
        QVERIFY(s.topKey() <= key && key < s.topKey() + s.debugger.table().page());
      }
    s.key(Qt::Key_End);
    QCOMPARE(s.topKey() + s.debugger.table().page(), length);
    for (Index line = 0; line < 50; ++line) {
      const Index before = s.topKey();
      wheel(&s.debugger, {200, 200}, 1);
      s.settle();
      QCOMPARE(s.topKey(), before - 3);
    }
    s.key(Qt::Key_PageDown);
    s.key(Qt::Key_Home);
    QCOMPARE(s.topKey(), Index{0});
  }

  /// The handle, from one end of its track to the other.
  void theScrollBar() {
    constexpr Index length = 2097152;
    ShownRows s(packed(length, {}));
    const int right = s.debugger.width() - 17;
    const int bottom = s.debugger.height() - 9;
    drag(&s.debugger, {right, 100}, {right, bottom});
    s.settle();
    QCOMPARE(s.topKey() + s.debugger.table().page(), length);
    drag(&s.debugger, {right, bottom - 20}, {right, 20});
    s.settle();
    QCOMPARE(s.topKey(), Index{0});
  }

  void aClickPicksAKey() {
    ShownRows s(packed(60, {}));
    const int bottom = s.debugger.height() - 30;
    moveMouse(&s.debugger, {300, bottom});
    QTest::mouseClick(&s.debugger, Qt::LeftButton, {}, {300, bottom});
    s.settle();
    QCOMPARE(s.picked.size(), std::size_t{1});
    QCOMPARE(s.picked[0].row, Index{0});
    QVERIFY2(s.picked[0].col >= 4 && s.picked[0].col < 10, qPrintable(QString::number(s.picked[0].col)));
    QVERIFY(s.rows.empty());
  }

  void aRowIsTyped() {
    ShownRows s(packed(600, {}));
    // The box stands behind the heading and two buttons.
    QPoint box;
    for (int x = 100; x < 400 && box.isNull(); x += 4) {
      moveMouse(&s.debugger, {x, 20});
      s.settle();
      if (s.debugger.cursor().shape() == Qt::IBeamCursor) box = {x + 4, 20};
    }
    QVERIFY(!box.isNull());
    QTest::mouseClick(&s.debugger, Qt::LeftButton, {}, box);
    s.settle();
    QTest::keyClicks(&s.debugger, "317");
    QTest::keyClick(&s.debugger, Qt::Key_Return);
    QCOMPARE(s.debugger.cell().row, Index{317});
    QTest::mouseClick(&s.debugger, Qt::LeftButton, {}, box);
    s.settle();
    QTest::keyClicks(&s.debugger, "600");
    QTest::keyClick(&s.debugger, Qt::Key_Return);
    QCOMPARE(s.debugger.cell().row, Index{317});
    QCOMPARE(s.messages, QStringList{"There is no row 600; rows are 0 to 599"});
  }

  void anotherMask() {
    ShownRows s(packed(600, {}));
    s.debugger.setCell({599, 598});
    s.debugger.setMask(packed(40, {}));
    s.settle();
    QCOMPARE(s.debugger.cell(), (Cell{39, 39}));
    s.debugger.setCell({40, 0});
    s.debugger.setCell({0, -1});
    QCOMPARE(s.debugger.cell(), (Cell{39, 39}));
    s.debugger.setMask(nullptr);
    s.settle();
    for (const QAction* action : s.debugger.actions()) QVERIFY2(!action->isEnabled(), qPrintable(action->text()));
    s.key(Qt::Key_Down);
    s.debugger.setMask(packed(40, {}));
    s.settle();
    QCOMPARE(s.debugger.report().keys, Index{40});
    QVERIFY(s.picked.empty());
  }

  /// The row of the former mask stays, marked; the debugger goes although the row never comes.
  void unfinishedRowKeepsTheFormerOne() {
    const auto gate = std::make_shared<std::binary_semaphore>(0);
    {
      ShownRows s(packed(40, {}));
      s.debugger.setMask(std::make_shared<GatedMask>(gate));
      QVERIFY(s.debugger.isBusy());
      QCOMPARE(s.debugger.report().keys, Index{40});
      QVERIFY(s.debugger.findChild<Overlay*>()->freshness().state == Freshness::State::computing);
      s.debugger.setMask(packed(30, {}));
      QVERIFY(s.debugger.findChild<Overlay*>()->freshness().isCurrent());
      QCOMPARE(s.debugger.report().keys, Index{30});
      s.debugger.setMask(std::make_shared<GatedMask>(gate));
    }
    gate->release(1);
    gate->release(1);
    QVERIFY(FieldScheduler::waitForAll(10'000));
  }

  void aRowThatFails() {
    const auto gate = std::make_shared<std::binary_semaphore>(1);
    ShownRows s(packed(40, {}));
    s.debugger.setMask(std::make_shared<GatedMask>(gate));
    s.settle();
    const Freshness shown = s.debugger.findChild<Overlay*>()->freshness();
    QVERIFY2(shown.isOutdated() && shown.cause.startsWith("there is not enough memory"), qPrintable(shown.cause));
    s.debugger.setMask(packed(30, {}));
    QVERIFY(s.debugger.findChild<Overlay*>()->freshness().isCurrent());
  }

  /// Colour is never alone, so the marks differ in shape; here both themes have theirs.
  void colours() {
    for (const Theme theme : {Theme::light, Theme::dark}) {
      applyTheme(*qApp, theme);
      ShownRows s(std::make_shared<ComparedMask>(40, 6));
      s.debugger.setCell({8, 9});
      s.settle();
      const QImage image = s.debugger.grab().toImage();
      int good = 0;
      int error = 0;
      int warning = 0;
      const auto near = [](const QColor& a, const QColor& b) {
        return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 60;
      };
      for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x) {
          const QColor pixel = image.pixelColor(x, y);
          good += near(pixel, palette(theme).good);
          error += near(pixel, palette(theme).error);
          warning += near(pixel, palette(theme).warning);
        }
      QVERIFY2(good > 20 && error > 20 && warning > 2,
               qPrintable(QString("%1 %2 %3").arg(good).arg(error).arg(warning)));
    }
  }

 private:
  void afterEach() override { applyTheme(*qApp, Theme::light); }
};

VQSCOPE_TEST(RowDebuggerTest)
#include "row_debugger_test.moc"
