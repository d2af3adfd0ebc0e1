// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/method/run_recipe.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class RunRecipeTest : public vqscope::test::TestCase {
  Q_OBJECT

 private slots:
  /// A path has the output of the longest suffix that it ends with.
  void a_path_names_its_output() {
    const std::vector<RunOutput> outputs{
        {"safetensors", ""}, {"state.safetensors", ""}, {"json", ""}, {"config.json", ""}};
    const auto suffix_of = [&](const char* path) {
      const RunOutput* output = find_output(outputs, path);
      return output ? output->suffix : std::string();
    };
    QCOMPARE(suffix_of("a/w.safetensors"), std::string("safetensors"));
    QCOMPARE(suffix_of("a/w.state.safetensors"), std::string("state.safetensors"));
    QCOMPARE(suffix_of("state.safetensors"), std::string("state.safetensors"));
    QCOMPARE(suffix_of("a/config.json"), std::string("config.json"));
    QCOMPARE(suffix_of("myconfig.json"), std::string("json"));
    for (const char* none : {"", "json", "a/json", "w.npy", "w.safetensors2"}) QCOMPARE(suffix_of(none), std::string());
  }
};

VQSCOPE_TEST(RunRecipeTest)
#include "run_recipe_test.moc"
