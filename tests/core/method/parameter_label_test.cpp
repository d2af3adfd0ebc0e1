// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/parameter_label.h"
#include "core/method/parameter.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class ParameterLabelTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void words_of_a_name() {
    COMPARE_TEXT(parameter_label("train_steps"), "Training steps");
    COMPARE_TEXT(parameter_label("alphabet"), "Alphabet");
    COMPARE_TEXT(parameter_label("xl_memory_len"), "XL memory length");
    COMPARE_TEXT(parameter_label("k"), "k");
  }

  void names_that_are_no_words() {
    COMPARE_TEXT(parameter_label("lr_max"), "Peak learning rate");
    COMPARE_TEXT(parameter_label("rope_theta"), "RoPE base θ");
  }

  void a_stated_label_stays() {
    COMPARE_TEXT(make_parameter("train_steps", "", "", {.label = "Steps"}).title(), "Steps");
    COMPARE_TEXT(make_parameter("train_steps", "", "", {}).title(), "Training steps");
  }
};

VQSCOPE_TEST(ParameterLabelTest)
#include "parameter_label_test.moc"
