// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/mask/row/row_debugger.h"

#include "core/mask/preset/presets.h"
#include "tests/support/compare.h"
#include "tests/support/compared_mask.h"
#include "tests/support/test_main.h"
#include "tests/widgets/view/view_cases.h"
#include "widgets/theme/palette.h"
#include "widgets/view/overlay.h"

#include <QAccessible>
#include <QAction>

#include <atomic>
#include <new>
#include <semaphore>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::shared_ptr<const Mask> packed(Index length, std::vector<Index> documents, Index padding = 0) {
  SequenceInput input{.q_length = length, .padding = padding};
  input.document_lengths = std::move(documents);
  return make_terms_mask({.names = {"key_valid", "same_document", "causal"}}, *SequenceLayout::make(input));
}

struct ShownRows {
  RowDebugger debugger;
  std::vector<Cell> picked;
  std::vector<Index> rows;
  QStringList messages;

  explicit ShownRows(std::shared_ptr<const Mask> mask) {
    QObject::connect(&debugger, &RowDebugger::cellPicked, &debugger, [this](Cell cell) { picked.push_back(cell); });
    QObject::connect(&debugger, &RowDebugger::rowChanged, &debugger, [this](Index row) { rows.push_back(row); });
    QObject::connect(&debugger, &RowDebugger::notified, &debugger, [this](const QString& text) { messages << text; });
    debugger.resize(900, 260);
    debugger.setMask(std::move(mask));
    debugger.show();
    debugger.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&debugger);
    QTRY_VERIFY(debugger.paintedFrames() > 0);
    settle();
  }
  void settle() {
    QTRY_VERIFY_WITH_TIMEOUT(!debugger.isBusy(), 120000);
    debugger.grab();
  }
  QAction* action(const QString& name) {
    for (QAction* each : debugger.actions())
      if (each->text() == name) return each;
    return nullptr;
  }
  void trigger(const QString& name) {
    QAction* found = action(name);
    QVERIFY2(found && found->isEnabled(), qPrintable(name));
    found->trigger();
    settle();
  }
  void key(Qt::Key key, Qt::KeyboardModifiers modifiers = {}) {
    QTest::keyClick(&debugger, key, modifiers);
    settle();
  }
  Index topKey() const { return debugger.table().content().keys.at(debugger.table().firstLine()); }
};

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

/// Rows that break two rules.
RuleSearch breaking(Index rows, const std::function<bool(Index)>& broken) {
  return [=](Index from, bool forwards, const std::stop_token& stop) -> Result<std::optional<BrokenRow>> {
    const Index step = forwards ? 1 : -1;
    for (Index row = from + step; row >= 0 && row < rows; row += step) {
      if (stop.stop_requested()) return cancelled();
      if (broken(row)) return std::optional(BrokenRow{row, row / 2, {"Future", "Padding"}});
    }
    return std::optional<BrokenRow>();
  };
}

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

  void searchesByAction() {
    ShownRows s(packed(60, {20, 30}, 10));
    s.trigger("Next row that differs");
    QCOMPARE(s.debugger.cell().row, Index{20});
    s.trigger("Next row without a visible key");
    QCOMPARE(s.debugger.cell().row, Index{50});
    QVERIFY(s.debugger.report().empty());
    s.trigger("Previous row that differs");
    QCOMPARE(s.debugger.cell().row, Index{20});
    s.trigger("Previous row without a visible key");
    QCOMPARE(s.debugger.cell().row, Index{59});
    QCOMPARE(s.messages, QStringList{"Continued from the last row: row 59 has no visible key"});
    s.trigger("Last row");
    QCOMPARE(s.debugger.cell().row, Index{59});
    s.trigger("First row");
    QCOMPARE(s.debugger.cell().row, Index{0});
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

  void whereTheOtherMaskDiffers() {
    ShownRows s(packed(60, {20, 40}));
    s.debugger.setSecond(packed(60, {25, 35}));
    s.trigger("Next cell that differs");
    QCOMPARE(s.debugger.cell(), (Cell{20, 0}));
    s.trigger("Next cell that differs");
    QCOMPARE(s.debugger.cell(), (Cell{21, 0}));
    s.debugger.setCell({58, 30});
    s.trigger("Next cell that differs");
    QCOMPARE(s.debugger.cell(), (Cell{59, 20}));
    s.trigger("Next cell that differs");
    QCOMPARE(s.messages, QStringList{"Continued from the first row: row 20 differs from the other mask"});
    QCOMPARE(s.debugger.cell(), (Cell{20, 0}));
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

  /// Past the last row they continue at the first, up to the row itself.
  void searchesWrapAround() {
    ShownRows s(packed(60, {20, 40}));
    s.trigger("Next row without a visible key");
    QCOMPARE(s.messages.takeFirst(), QString("Every row has a visible key"));
    s.trigger("Next row that differs");
    QVERIFY(s.messages.isEmpty());
    for (const char* way : {"Next row that differs", "Previous row that differs"}) {
      s.trigger(way);
      QCOMPARE(s.debugger.cell().row, Index{20});
      QCOMPARE(s.messages.takeFirst(),
               QString("Row 20 is the only row that sees other distances than the row before it"));
    }
    s.debugger.setRuleSearch(breaking(60, [](Index row) { return row < 2; }));
    s.trigger("Next row that breaks a rule");
    QCOMPARE(s.debugger.cell().row, Index{0});
    QCOMPARE(s.messages.takeFirst(), QString("Continued from the first row: row 0 breaks: Future, Padding"));
    s.trigger("Previous row that breaks a rule");
    QCOMPARE(s.debugger.cell().row, Index{1});
    QCOMPARE(s.messages.takeFirst(), QString("Continued from the last row: row 1 breaks: Future, Padding"));
    s.debugger.setRuleSearch(breaking(60, [](Index) { return false; }));
    s.trigger("Next row that breaks a rule");
    QCOMPARE(s.messages, QStringList{"No row breaks a rule"});
    QCOMPARE(s.debugger.cell().row, Index{1});
  }

  void rowsThatBreakARule() {
    ShownRows s(packed(60, {}));
    QVERIFY(!s.action("Next row that breaks a rule")->isEnabled());
    s.debugger.setRuleSearch(breaking(60, [](Index row) { return row % 17 == 16; }));
    s.trigger("Next row that breaks a rule");
    s.trigger("Next row that breaks a rule");
    QCOMPARE(s.debugger.cell(), (Cell{33, 16}));
    QCOMPARE(s.messages.last(), QString("Row 33 breaks: Future, Padding"));
    s.trigger("Previous row that breaks a rule");
    QCOMPARE(s.debugger.cell().row, Index{16});
  }

  /// Row 3 of the second of three samples breaks a rule, and only that.
  void searchesGoThroughAllSamples() {
    ShownRows s(packed(60, {}));
    std::vector<std::pair<Index, QString>> others;
    connect(&s.debugger, &RowDebugger::samplePicked, &s.debugger,
            [&](Index sample, Index, const std::optional<Cell>& cell, const QString& notice) {
              QCOMPARE(*cell, (Cell{3, 1}));
              others.emplace_back(sample, notice);
            });
    s.debugger.setRuleSearch(breaking(60, [](Index) { return false; }));
    SearchedSamples samples{.samples = 3};
    s.debugger.setSamples(samples);
    s.trigger("Next row that breaks a rule");
    QCOMPARE(s.messages.takeFirst(), QString("No row breaks a rule here; the rest of the 3 samples is not searched"));
    samples.make = [](Index sample, Index) -> Result<SearchedMask> {
      if (sample == 2) return invalid("padding alone");
      return SearchedMask{packed(60, {}), breaking(60, [=](Index row) { return sample == 1 && row == 3; })};
    };
    s.debugger.setSamples(samples);
    s.trigger("Next row that breaks a rule");
    QCOMPARE(others, (std::vector<std::pair<Index, QString>>{{1, "Sample 1, row 3 breaks: Future, Padding"}}));
    samples.sample = 2;
    s.debugger.setSamples(samples);
    s.trigger("Next row that breaks a rule");
    QCOMPARE(others.back().second, QString("Continued from the first sample: sample 1, row 3 breaks: Future, Padding"));
    QVERIFY(s.messages.isEmpty());
    s.trigger("Next row without a visible key");
    QCOMPARE(s.messages.takeFirst(), QString("Every row has a visible key (all 3 samples)"));
  }

  /// A search without end: another row, another mask and Escape stop it.
  void aSearchCanBeStopped() {
    ShownRows s(packed(2097152, {}));
    std::atomic<Index> n_calls = 0;
    std::atomic<bool> held = true;
    const auto waiting = [&](Index) {
      ++n_calls;
      held.wait(true);
      return false;
    };
    s.debugger.setRuleSearch(breaking(2097152, waiting));
    const auto search = [&] {
      const Index before = n_calls;
      held = true;
      s.action("Next row that breaks a rule")->trigger();
      QTRY_VERIFY(n_calls > before);
      QVERIFY(s.debugger.isBusy());
    };
    const auto stopped = [&] {
      held = false;
      held.notify_all();
      s.settle();
      QVERIFY(n_calls < 2097152);
    };
    search();
    s.key(Qt::Key_Escape);
    stopped();
    search();
    s.debugger.setCell({10, 0});
    stopped();
    search();
    s.debugger.setMask(packed(40, {}));
    stopped();
    QVERIFY(s.messages.isEmpty());
    QVERIFY(s.picked.empty());
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

  /// A search of rows that are to be others waits for them; where none come, it is refused.
  void searchWaitsForTheNewRows() {
    ShownRows s(packed(40, {}));
    QVERIFY(s.debugger.findChild<Overlay*>()->freshness().isCurrent());
    s.debugger.setFreshness(Freshness::computing());
    s.action("Next row without a visible key")->trigger();
    QVERIFY(!s.debugger.isBusy() && s.messages.empty());
    s.debugger.setMask(packed(40, {}, 20));
    s.debugger.setFreshness({});
    s.settle();
    QCOMPARE(s.messages + QStringList(QString::number(s.debugger.cell().row)), QStringList{"20"});
    s.debugger.setFreshness(Freshness::outdated("mask_text, line 2, column 14: unexpected )"));
    QTRY_VERIFY(s.debugger.findChild<Overlay*>()->isVisible());
    s.action("Next row without a visible key")->trigger();
    QCOMPARE(s.messages, QStringList{"Fix the error first: mask_text, line 2, column 14: unexpected )"});
    QCOMPARE(s.debugger.cell().row, Index{20});
    s.debugger.setFreshness(Freshness::computing());
    s.action("Next row without a visible key")->trigger();
    s.debugger.setFreshness(Freshness::outdated("no"));
    s.debugger.setFreshness({});
    QVERIFY2(!s.debugger.isBusy(), "what was refused is not done later");
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
