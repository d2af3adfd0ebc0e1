// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/main_window.h"
#include "core/catalogue/registry.h"
#include "tests/app/window/layout/layout_faults.h"
#include "tests/support/test_main.h"
#include "widgets/theme/palette.h"
#include "widgets/view/matrix_view.h"

#include <QApplication>
#include <QFile>
#include <QTest>

#include <algorithm>
#include <map>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Sizes of windows, in pixels of the screen.
constexpr QSize sizes[] = {{1100, 700}, {1280, 800}, {1600, 1000}, {2560, 1440}};
constexpr double scales[] = {1, 1.5};
/// A state in which a message of several lines takes some of the maps' height.
const auto longError = QStringLiteral("error");

/// The least height of a map with its title and axes, of that of the window: of the only map, and of
/// the largest of several.
constexpr double leastOfOne = 0.45, leastOfMany = 0.4;

QStringList smallMaps(const MainWindow& window) {
  int largest = 0, shown = 0;
  for (const auto* map : window.findChildren<MatrixView*>()) {
    if (!map->isVisible()) continue;
    ++shown;
    largest = std::max(largest, map->height());
  }
  if (shown == 0 || largest >= window.height() * (shown == 1 ? leastOfOne : leastOfMany)) return {};
  return {QStringLiteral("the largest map is %1 pixels high").arg(largest)};
}

/// A window that takes all sizes, and what is wrong then.
class Walk {
 public:
  Walk() { m_window.show(); }
  MainWindow& window() { return m_window; }
  Workbench& bench() { return m_window.workbench(); }

  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!m_window.isBusy(), 120000); }
  /// A scale makes the window smaller in pixels of the layout.
  void check(const QString& state) {
    settle();
    for (const double scale : scales)
      for (const QSize size : sizes) check(state, size / scale);
  }
  /// With a file for each state of the variable LAYOUT_FAULTS, for whoever mends many.
  void verify() const {
    QStringList found;
    for (const auto& [fault, places] : m_faults)
      found << QStringLiteral("%1 (%2 times, first %3)").arg(fault).arg(places.size()).arg(places.front());
    const QString name = qEnvironmentVariable("LAYOUT_FAULTS");
    QFile file(name + QString::fromLatin1(QTest::currentTestFunction()) + QTest::currentDataTag());
    if (!name.isEmpty() && file.open(QIODevice::WriteOnly)) file.write(found.join(QLatin1Char('\n')).toUtf8() + "\n");
    QVERIFY2(found.isEmpty(), qPrintable(found.join(QLatin1Char('\n'))));
  }

 private:
  /// Docks move to their places with an animation.
  void check(const QString& state, QSize size) {
    QStringList found;
    const auto isClean = [&] {
      m_window.resize(size);  // again, after the panels of a narrow window are behind each other
      QCoreApplication::processEvents();
      found = layoutFaults(m_window);
      if (state != longError) found += smallMaps(m_window);
      if (m_window.size() != size)
        found << QStringLiteral("the window grows to %1x%2").arg(m_window.width()).arg(m_window.height());
      return found.isEmpty();
    };
    [[maybe_unused]] const bool clean = QTest::qWaitFor(isClean, 1000);
    for (const QString& fault : found)
      m_faults[fault] << QStringLiteral("%1 at %2x%3").arg(state).arg(size.width()).arg(size.height());
  }

  MainWindow m_window;
  std::map<QString, QStringList> m_faults;
};

}  // namespace

/// Walks over all pages in windows of all sizes, and reads what a person would see: nothing is cut,
/// nothing lies over its neighbour, and nothing makes the window larger.
class LayoutWalkTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void everyPageFitsEveryWindow_data() {
    QTest::addColumn<Theme>("theme");
    QTest::addRow("light") << Theme::light;
    QTest::addRow("dark") << Theme::dark;
  }
  void everyPageFitsEveryWindow() {
    QFETCH(Theme, theme);
    applyTheme(*qApp, theme);
    Walk walk;
    for (const auto& info : page_infos()) {
      walk.bench().showPage(info.id);
      walk.check(QString::fromStdString(info.id));
    }
    walk.verify();
  }

  /// The longest numbers have their place in forms, chips and axes.
  void longNumbersFit() {
    Walk walk;
    for (const char* id : {"masks", "rotary"}) {
      walk.bench().showPage(id);
      ShownPage page = walk.bench().page(id);
      page.values.set("q_length", Index{2147483648});
      QVERIFY(walk.bench().edit("Longest", page));
      walk.check(QStringLiteral("longest %1").arg(id));
    }
    walk.verify();
  }

  void comparedSidesFit() {
    Walk walk;
    for (const auto mode : {CompareMode::side_by_side, CompareMode::difference}) {
      walk.bench().showPage("masks");
      ShownPage page = walk.bench().page("masks");
      page.compare = mode;
      QVERIFY(walk.bench().edit("Compare", page));
      walk.check(QStringLiteral("compared %1").arg(static_cast<int>(mode)));
    }
    walk.verify();
  }

  void aModelFits() {
    Walk walk;
    walk.window().openFile(QStringLiteral(":/configs/gemma-3-27b.json"));
    walk.bench().showPage("model");
    walk.check(QStringLiteral("model"));
    walk.verify();
  }

  /// An error of several lines has its own place.
  void messagesFit() {
    Walk walk;
    walk.bench().showPage("masks");
    walk.settle();
    walk.window().showMessage(QStringLiteral("Wrote mask.png"), false);
    walk.check(QStringLiteral("notice"));
    walk.window().showMessage(
        QStringLiteral("line 3, column 2: this line is indented more than the one above. ").repeated(6), true);
    walk.check(longError);
    walk.verify();
  }
};

VQSCOPE_TEST(LayoutWalkTest)
#include "layout_walk_test.moc"
