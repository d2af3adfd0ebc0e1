// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/text/layer_texts.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class LayerNumbersTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void runs() {
    COMPARE_TEXT(layer_numbers_text({0, 1, 2, 3, 4, 6, 7, 10}), "0-4, 6-7, 10");
    COMPARE_TEXT(layer_numbers_text({5}), "5");
    COMPARE_TEXT(layer_numbers_text({}), "");
    COMPARE_TEXT(layer_numbers_text({0, 2, 4}), "0, 2, 4");
  }

  /// Kimi K3 has an irregular last layer, Gemma 3 a last run that is cut.
  void irregular_layers_are_listed() {
    std::vector<Index> full, windows;
    for (Index layer = 3; layer < 92; layer += 4) full.push_back(layer);
    full.push_back(92);
    COMPARE_TEXT(layer_numbers_text(full), "3, 7, …, 87, 91-92");
    for (Index layer = 0; layer < 62; ++layer)
      if (layer % 6 != 5) windows.push_back(layer);
    COMPARE_TEXT(layer_numbers_text(windows), "0-4, 6-10, …, 54-58, 60-61");
  }

  void irregular_numbers_end_with_the_last() {
    COMPARE_TEXT(layer_numbers_text({0, 2, 5, 9, 14, 20, 27}, 4), "0, 2, 5, …, 27");
  }

  void named() {
    COMPARE_TEXT(named_layers({5}), "layer 5");
    COMPARE_TEXT(named_layers({5, 11, 17}), "layers 5, 11, 17");
    COMPARE_TEXT(named_layers({5, 11, 17, 23, 29}), "layers 5, 11, …, 29 (5 layers)");
  }
};

VQSCOPE_TEST(LayerNumbersTest)
#include "layer_numbers_test.moc"
