// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/tensor_dialog.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTest>
#include <QTreeWidget>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const std::vector<ListedTensor> three{{"ids", "int64", {8}, "the dtype must be float16, bfloat16, float32 or float64"},
                                      {"layers.k", "float32", {2, 5, 64, 16}},
                                      {"codebook", "bfloat16", {512, 16}}};

struct ShownDialog {
  TensorDialog dialog;
  QTreeWidget* list = dialog.findChild<QTreeWidget*>();
  QPushButton* accept = dialog.findChild<QDialogButtonBox*>()->button(QDialogButtonBox::Ok);

  explicit ShownDialog(const std::vector<ListedTensor>& tensors) : dialog("dir/m.safetensors", tensors, nullptr) {
    dialog.show();
  }
  std::string chosen() const { return tensor_name_text(dialog.name()); }
  /// One of the texts that are shown.
  bool shows(const QString& words) const {
    const auto labels = dialog.findChildren<QLabel*>();
    return std::ranges::any_of(labels, [&](const QLabel* label) { return label->text() == words; });
  }
};

}  // namespace

class TensorDialogTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void layersAndHeadsAreChosen() {
    ShownDialog s(three);
    COMPARE_TEXT(s.chosen(), "dir/m.safetensors:layers.k[0,0]");
    QVERIFY2(!(s.list->topLevelItem(0)->flags() & Qt::ItemIsEnabled), "integers are not read");
    auto boxes = s.dialog.findChildren<QSpinBox*>();
    QCOMPARE(boxes.size(), 2);
    QVERIFY(s.shows("layer, 0 to 1") && s.shows("head, 0 to 4"));
    boxes[0]->setValue(1);
    boxes[1]->setValue(99);
    COMPARE_TEXT(s.chosen(), "dir/m.safetensors:layers.k[1,4]");
    QVERIFY(s.shows("m.safetensors:layers.k[1,4]   shape (64, 16)"));
    s.list->setCurrentItem(s.list->topLevelItem(2));
    COMPARE_TEXT(s.chosen(), "dir/m.safetensors:codebook");
    QVERIFY(s.shows("m.safetensors:codebook   shape (512, 16)"));
    s.dialog.select({"dir/m.safetensors", "layers.k", {-1, 3}});
    COMPARE_TEXT(s.chosen(), "dir/m.safetensors:layers.k[1,3]");
    s.dialog.select({"dir/other.safetensors", "codebook", {}});
    COMPARE_TEXT(s.chosen(), "dir/m.safetensors:layers.k[1,3]");
  }

  void namesAreFiltered() {
    ShownDialog s(three);
    s.dialog.findChild<QLineEdit*>()->setText("BOOK");
    for (int row = 0; row < 3; ++row) QCOMPARE(s.list->topLevelItem(row)->isHidden(), row < 2);
    COMPARE_TEXT(s.chosen(), "dir/m.safetensors:codebook");
    s.dialog.findChild<QLineEdit*>()->setText("nothing");
    COMPARE_TEXT(s.chosen(), "dir/m.safetensors:codebook");
  }

  void pathsAreATree() {
    ShownDialog s({{"attn.mask", "bool", {8, 8}},
                   {"a[0].q", "float32", {4, 2}},
                   {"a[0].k", "float32", {4, 2}},
                   {"a[1]", "bool", {2, 2}}});
    QCOMPARE(s.list->topLevelItemCount(), 2);
    QCOMPARE(s.list->topLevelItem(0)->text(0), QString("attn.mask"));
    QTreeWidgetItem* list = s.list->topLevelItem(1);
    QCOMPARE(list->text(0), QString("a"));
    QCOMPARE(list->childCount(), 2);
    QCOMPARE(list->child(0)->child(1)->text(0), QString("k"));
    QCOMPARE(list->child(0)->child(1)->text(2), QString("(4, 2)"));
    s.list->setCurrentItem(list->child(0)->child(1));
    COMPARE_TEXT(s.chosen(), "dir/m.safetensors:a[0].k");
    s.list->setCurrentItem(list);
    COMPARE_TEXT(s.chosen(), "dir/m.safetensors:a[0].k");
    s.dialog.findChild<QLineEdit*>()->setText("q");
    COMPARE_TEXT(s.chosen(), "dir/m.safetensors:a[0].q");
    QVERIFY(!list->isHidden() && list->child(1)->isHidden());
  }

  void oneTensorNeedsNoList() {
    ShownDialog s({{"", "float32", {3, 2, 2}}});
    QVERIFY(!s.list->isVisible());
    QVERIFY(s.shows("dimension 0, 0 to 2"));
    QVERIFY(s.accept->isEnabled());
  }

  void unreadableTensorsCannotBeChosen() {
    ShownDialog s({three[0]});
    QVERIFY(!s.accept->isEnabled());
    QVERIFY(s.shows("the dtype must be float16, bfloat16, float32 or float64"));
    ShownDialog none({{"", "float32", {0, 2, 2}}});
    QVERIFY(!none.accept->isEnabled());
  }
};

VQSCOPE_TEST(TensorDialogTest)
#include "tensor_dialog_test.moc"
