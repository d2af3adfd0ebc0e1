// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/command_arguments.h"

#include "core/catalogue/registry.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class CommandArgumentsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void what_differs_from_the_default() {
    const Method& method = *find_method("visibility");
    ParameterValues values = default_values(method.parameters);
    COMPARE_TEXT(set_arguments(method, values), "");
    values.set("mask", std::string("sliding_window"));
    values.set("q_length", Index{64});
    COMPARE_TEXT(set_arguments(method, values), " --set mask=sliding_window --set q_length=64");
    ParameterValues other = values;
    other.set("q_length", Index{65});
    COMPARE_TEXT(minus_arguments(method, values, other), " --minus q_length=65");
    ParameterValues lint;
    lint.set("window", Index{128});
    COMPARE_TEXT(lint_arguments(lint, method, values), " --set window=128");
  }

  void the_look_of_a_figure() {
    ShownPage look;
    look.view = ViewRange{0, 8, 2.5, 16};
    look.keep_aspect = true;
    look.colour_map = "magma";
    COMPARE_TEXT(look_arguments(*find_method("visibility"), look, Extent{64, 64}),
                 " --rows 0:8 --cols 2:16 --square --colour-map magma");
  }
};

VQSCOPE_TEST(CommandArgumentsTest)
#include "command_arguments_test.moc"
