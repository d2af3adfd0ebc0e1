// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"
#include "widgets/theme/fonts.h"
#include "widgets/theme/icons.h"
#include "widgets/theme/palette.h"
#include "widgets/theme/style_sheet.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QMessageBox>
#include <QRegularExpression>
#include <QTest>
#include <QWidget>

#include <algorithm>
#include <cmath>

using namespace vqscope;

namespace {

class Listener : public QWidget {
 public:
  QColor panelAtChange;

 protected:
  void changeEvent(QEvent* event) override {
    if (event->type() == QEvent::PaletteChange) panelAtChange = currentPalette().panel;
    QWidget::changeEvent(event);
  }
};

double luminance(const QColor& colour) {
  const auto linear = [](double c) { return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF());
}

/// WCAG 2 contrast, 1 to 21.
double contrast(const QColor& a, const QColor& b) {
  const auto [low, high] = std::minmax({luminance(a), luminance(b)});
  return (high + 0.05) / (low + 0.05);
}

QColor darkest(const QImage& image) {
  QColor found = Qt::transparent;
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x)
      if (image.pixelColor(x, y).alpha() > found.alpha()) found = image.pixelColor(x, y);
  return found;
}

}  // namespace

class ThemeTest : public test::TestCase {
  Q_OBJECT
 private slots:
  void textIsReadable_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }
  void textIsReadable() {
    QFETCH(bool, dark);
    const Palette& p = palette(dark ? Theme::dark : Theme::light);
    QCOMPARE(p.dark, dark);
    for (const QColor& surface : {p.window, p.panel, p.raised}) {
      QVERIFY(contrast(p.text, surface) >= 7);
      QVERIFY(contrast(p.secondary, surface) >= 4.5);
    }
    QVERIFY(contrast(p.accentText, p.accent) >= 4.5);
    for (const QColor& colour : {p.accent, p.error}) QVERIFY(contrast(colour, p.panel) >= 4.5);
    for (const QColor& colour : {p.warning, p.good, p.violet, p.teal}) QVERIFY(contrast(colour, p.panel) >= 3.6);
  }

  /// Message boxes have icons of the program, also on desktops without an icon theme.
  void messageBoxesHaveOwnIcons() {
    for (const Theme theme : {Theme::light, Theme::dark}) {
      applyTheme(*qApp, theme);
      for (const auto& [icon, colour] :
           {std::pair{QMessageBox::Question, "#3a86ee"}, std::pair{QMessageBox::Information, "#3a86ee"},
            std::pair{QMessageBox::Warning, "#d08a1e"}, std::pair{QMessageBox::Critical, "#dc4a55"}}) {
        QMessageBox box(icon, QString(), QStringLiteral("Sentence"));
        box.ensurePolished();
        QCOMPARE(darkest(box.iconPixmap().toImage()), QColor(QLatin1String(colour)));
      }
    }
  }

  void everyWidgetGetsTheNewTheme() {
    applyTheme(*qApp, Theme::light);
    Listener parent;
    Listener child;
    child.setParent(&parent);
    parent.show();
    applyTheme(*qApp, Theme::dark);
    QCOMPARE(currentTheme(), Theme::dark);
    QCOMPARE(parent.panelAtChange, palette(Theme::dark).panel);
    QCOMPARE(child.panelAtChange, palette(Theme::dark).panel);
    QCOMPARE(parent.palette().color(QPalette::Window), palette(Theme::dark).panel);
  }

  void systemThemeIgnoresTheAppliedTheme() {
    const Theme before = systemTheme();
    applyTheme(*qApp, before == Theme::dark ? Theme::light : Theme::dark);
    QCOMPARE(systemTheme(), before);
  }

  void styleSheetHasNoNamesLeft() {
    for (const Theme theme : {Theme::light, Theme::dark}) {
      const QString sheet = styleSheet(palette(theme)).section("*/", 1);
      QVERIFY(!sheet.contains('@'));
    }
  }

  void iconsFollowTheTheme() {
    const QIcon undo = icon("undo");
    applyTheme(*qApp, Theme::dark);
    QCOMPARE(darkest(undo.pixmap(64, 64).toImage()).rgb(), palette(Theme::dark).text.rgb());
    applyTheme(*qApp, Theme::light);
    QCOMPARE(darkest(undo.pixmap(64, 64).toImage()).rgb(), palette(Theme::light).text.rgb());
    const auto on = undo.pixmap(QSize(64, 64), QIcon::Normal, QIcon::On).toImage();
    QCOMPARE(darkest(on).rgb(), palette(Theme::light).accent.rgb());
  }

  void everyIconDraws_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"undo", "redo", "export", "link", "unlink", "fit", "compare", "profile", "theme", "close",
                             "help", "copy", "search", "play", "reset"})
      QTest::newRow(name) << name;
  }
  void everyIconDraws() {
    QFETCH(QString, name);
    const auto image = icon(name.toLatin1().constData()).pixmap(32, 32).toImage();
    QVERIFY(darkest(image).alpha() > 200);
  }

  void aSizeWithoutPixelsHasNoPicture() {
    QTest::failOnWarning(QRegularExpression(".*"));
    QVERIFY(icon("play").pixmap(QSize(0, 16)).isNull());
  }

  void applicationIconDraws() { QVERIFY(!applicationIcon().pixmap(48, 48).isNull()); }

  void digitsHaveOneWidth() {
    const QFontMetricsF metrics(monospaceFont());
    for (int digit = 0; digit < 10; ++digit)
      QCOMPARE(metrics.horizontalAdvance(QString::number(digit)), metrics.horizontalAdvance("0"));
    QCOMPARE(metrics.horizontalAdvance("=="), 2 * metrics.horizontalAdvance("="));
  }

 private:
  void afterEach() override { applyTheme(*qApp, Theme::light); }
};

VQSCOPE_TEST(ThemeTest)
#include "theme_test.moc"
