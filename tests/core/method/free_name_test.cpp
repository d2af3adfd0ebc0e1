// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/free_name.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

/// window is the text's and ours; heads the text's alone; seed ours alone.
const std::vector<ParameterSpec>& known_specs() {
  static const std::vector<ParameterSpec> all{
      {.name = "window"}, {.name = "seed"}, {.name = free_name_key("window")}, {.name = free_name_key("heads")}};
  return all;
}

std::string meant(std::string_view given) {
  const auto* spec = find_meant(known_specs(), given, "masks");
  return spec ? spec->name : "nothing";
}

}  // namespace

class FreeNameTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void keys_have_a_dot_and_lead_back() {
    COMPARE_TEXT(free_name_key("window"), "text.window");
    COMPARE_TEXT(array_shape_key("ids"), "text.ids.shape");
    COMPARE_TEXT(array_truth_key("ids"), "text.ids.is_bool");
    COMPARE_TEXT(free_name_of("text.window"), "window");
    COMPARE_TEXT(free_name_of("window"), "");
    COMPARE_TEXT(free_name_of("context.window"), "");
  }

  void plain_name_prefers_the_text() {
    COMPARE_TEXT(meant("window"), "text.window");
    COMPARE_TEXT(meant("heads"), "text.heads");
    COMPARE_TEXT(meant("seed"), "seed");
    COMPARE_TEXT(meant("other"), "nothing");
    COMPARE_TEXT(meant(""), "nothing");
  }

  void qualified_name_selects_its_owner() {
    COMPARE_TEXT(meant("masks.window"), "window");
    COMPARE_TEXT(meant("masks.seed"), "seed");
    COMPARE_TEXT(meant("text.window"), "text.window");
    COMPARE_TEXT(meant("text.heads"), "text.heads");
    COMPARE_TEXT(meant("masks.heads"), "nothing");
    COMPARE_TEXT(meant("masks.text.heads"), "nothing");
    COMPARE_TEXT(meant("text.seed"), "nothing");
  }

  /// In code that people paste the names are of some object.
  void last_part_of_a_dotted_name_matches_the_text() {
    COMPARE_TEXT(meant("self.window"), "text.window");
    COMPARE_TEXT(meant("text.cfg.heads"), "text.heads");
    COMPARE_TEXT(meant("self.seed"), "nothing");
  }

  void given_name_finds_its_parameter() {
    for (const auto& spec : known_specs()) {
      const std::string given = name_to_give(known_specs(), spec, "masks");
      const auto* found = find_meant(known_specs(), given, "masks");
      QVERIFY2(found && found->name == spec.name, given.c_str());
    }
    COMPARE_TEXT(name_to_give(known_specs(), known_specs()[0], "masks"), "masks.window");
    COMPARE_TEXT(name_to_give(known_specs(), known_specs()[1], "masks"), "seed");
    COMPARE_TEXT(name_to_give(known_specs(), known_specs()[2], "masks"), "text.window");
    COMPARE_TEXT(name_to_give(known_specs(), known_specs()[3], "masks"), "heads");
  }

  /// Two pages may have a parameter of one name and different ranges.
  void equal_names_are_qualified_by_page() {
    COMPARE_TEXT(name_to_give(known_specs(), {.name = "seed", .maximum = 5}, "other"), "other.seed");
  }
};

VQSCOPE_TEST(FreeNameTest)
#include "free_name_test.moc"
