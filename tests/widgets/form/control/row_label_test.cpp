// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_main.h"
#include "widgets/form/control/row_parts.h"

#include <QTest>

using namespace vqscope;

namespace {

ParameterSpec labelled(const char* label) {
  ParameterSpec spec = make_parameter("num_heads", "Model", "Heads.", {.minimum = 1, .maximum = 64});
  spec.label = label;
  return spec;
}

}  // namespace

class RowLabelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The name is beside the label while the mouse is on the row, or if all names are shown.
  void namesAreShownOnRequest() {
    RowLabel label(labelled("Heads"));
    label.resize(300, 24);
    const QImage quiet = label.grab().toImage();
    label.setHovered(true);
    const QImage named = label.grab().toImage();
    QVERIFY(named != quiet);
    label.setHovered(false);
    QCOMPARE(label.grab().toImage(), quiet);
    RowLabel::setNamesShown(true);
    QVERIFY(RowLabel::namesShown());
    QCOMPARE(label.grab().toImage(), named);
    RowLabel::setNamesShown(false);
    QCOMPARE(label.grab().toImage(), quiet);
  }

  /// A parameter without a label of its own always has its name.
  void aNameIsTheOnlyTitle() {
    RowLabel label(labelled(""));
    label.resize(300, 24);
    const QImage quiet = label.grab().toImage();
    label.setHovered(true);
    QCOMPARE(label.grab().toImage(), quiet);
  }
};

VQSCOPE_TEST(RowLabelTest)
#include "row_label_test.moc"
