// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/form/control/thin_slider.h"

#include "tests/support/test_main.h"

#include <QAccessible>
#include <QTest>
#include <QWheelEvent>

using namespace vqscope;

namespace {

struct Slider {
  ThinSlider slider;
  std::vector<double> dragged;
  int released = 0;
  std::vector<std::pair<int, Step>> stepped;

  Slider() {
    QObject::connect(&slider, &ThinSlider::dragged, &slider, [this](double fraction) { dragged.push_back(fraction); });
    QObject::connect(&slider, &ThinSlider::released, &slider, [this] { ++released; });
    QObject::connect(&slider, &ThinSlider::stepped, &slider,
                     [this](int count, Step step) { stepped.emplace_back(count, step); });
    slider.resize(213, slider.sizeHint().height());
    slider.show();
    slider.activateWindow();
    [[maybe_unused]] const bool active = QTest::qWaitForWindowActive(&slider);
  }
  /// A place on the track; it ends 6.5 pixels before the widget does.
  QPoint at(double fraction) const {
    return {static_cast<int>(std::lround(6.5 + fraction * (slider.width() - 13))), slider.height() / 2};
  }
};

}  // namespace

class ThinSliderTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aPressJumpsThereAndDrags() {
    Slider s;
    QTest::mousePress(&s.slider, Qt::LeftButton, {}, s.at(0.5));
    QTest::mouseMove(&s.slider, s.at(1));
    QTest::mouseMove(&s.slider, {s.slider.width() + 300, 3});
    QCOMPARE(s.released, 0);
    QTest::mouseRelease(&s.slider, Qt::LeftButton, {}, s.at(1));
    QCOMPARE(s.released, 1);
    QVERIFY(s.dragged.size() >= 2);
    QVERIFY(std::abs(s.dragged.front() - 0.5) < 0.01);
    for (const double fraction : s.dragged) QVERIFY(fraction >= 0 && fraction <= 1);
    QCOMPARE(s.dragged.back(), 1.0);
  }

  void otherButtonsAreIgnored() {
    Slider s;
    QTest::mousePress(&s.slider, Qt::RightButton, {}, s.at(0.9));
    QTest::mouseRelease(&s.slider, Qt::RightButton, {}, s.at(0.9));
    QVERIFY(s.dragged.empty() && s.released == 0);
  }

  void settingTheFractionEmitsNoSignal() {
    Slider s;
    for (const double fraction : {0.25, -3.0, 7.0}) s.slider.setFraction(fraction);
    QVERIFY(s.dragged.empty() && s.released == 0);
    QCOMPARE(s.slider.value(), s.slider.maximum());
  }

  void keysMoveTheSlider() {
    Slider s;
    for (const auto key : {Qt::Key_Left, Qt::Key_Down, Qt::Key_Right, Qt::Key_Up, Qt::Key_PageDown, Qt::Key_PageUp})
      QTest::keyClick(&s.slider, key);
    const std::vector<std::pair<int, Step>> wanted{{-1, Step::notch}, {-1, Step::notch},  {1, Step::notch},
                                                   {1, Step::notch},  {-1, Step::octave}, {1, Step::octave}};
    QVERIFY(s.stepped == wanted);
    QTest::keyClick(&s.slider, Qt::Key_Home);
    QTest::keyClick(&s.slider, Qt::Key_End);
    QCOMPARE(s.dragged, (std::vector<double>{0, 1}));
    QCOMPARE(s.released, 2);
  }

  /// The wheel scrolls the panel until the slider has the focus.
  void theWheelNeedsTheFocus() {
    Slider s;
    const auto turn = [&](int angle, Qt::KeyboardModifiers modifiers) {
      QWheelEvent event({5, 5}, s.slider.mapToGlobal(QPointF(5, 5)), {}, {0, angle}, Qt::NoButton, modifiers,
                        Qt::NoScrollPhase, false);
      QCoreApplication::sendEvent(&s.slider, &event);
      return event.isAccepted();
    };
    s.slider.clearFocus();
    QVERIFY(!turn(120, {}));
    s.slider.setFocus();
    QVERIFY(turn(-240, {}) && turn(120, Qt::ControlModifier));
    const std::vector<std::pair<int, Step>> wanted{{-2, Step::notch}, {1, Step::octave}};
    QVERIFY(s.stepped == wanted);
  }

  /// A value set by assistive technology is a complete edit.
  void aValueSetFromOutsideIsDraggedAndReleased() {
    Slider s;
    s.slider.setValue(2500);
    QCOMPARE(s.dragged, std::vector<double>{0.25});
    QCOMPARE(s.released, 1);
  }

  void theKnobIsPaintedWhereTheShareIs() {
    Slider s;
    s.slider.setFraction(0);
    const QImage low = s.slider.grab().toImage();
    s.slider.setFraction(1);
    const QImage high = s.slider.grab().toImage();
    QVERIFY(low != high);
    s.slider.setEnabled(false);
    QVERIFY(s.slider.grab().toImage() != high);
  }
};

VQSCOPE_TEST(ThinSliderTest)
#include "thin_slider_test.moc"
