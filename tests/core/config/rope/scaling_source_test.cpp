// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/rope_reading.h"

#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// "rope_scaling factor 8", or "none"; " default"; findings on lines after it.
std::string found(const std::string& config, const char* model_type = "llama") {
  GivenConfig given(config);
  ScalingSource source;
  const auto* object = source.find(given.object, find_model_family(model_type));
  std::string text = object ? object->path() : "none";
  if (const auto* factor = object ? object->value().find("factor") : nullptr) text += " factor " + factor->shown();
  if (source.is_default()) text += " default";
  const std::string findings = given.findings();
  return findings.empty() ? text : text + "\n" + findings;
}

}  // namespace

class ScalingSourceTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void the_old_name_wins() {
    COMPARE_TEXT(found("{}"), "none");
    COMPARE_TEXT(found("{'rope_scaling': null, 'rope_parameters': {}}"), "none");
    COMPARE_TEXT(found("{'rope_parameters': {'factor': 2}}"), "rope_parameters factor 2");
    COMPARE_TEXT(
        found("{'rope_parameters': {'factor': 2}, 'rope_scaling': {'factor': 8}}"),
        "rope_scaling factor 8\nwarning: rope_parameters is given beside rope_scaling, which Hugging Face uses "
        "instead");
    COMPARE_TEXT(found("{'rope_scaling': 3}"), "none\nerror: rope_scaling is 3 but must be an object or null");
  }

  /// gpt-oss: YaRN unless the config says anything, null included.
  void the_default_of_the_class() {
    const std::string text = found("{}", "gpt_oss");
    QVERIFY2(text.starts_with("rope_parameters factor 32 default\nnote: rope_parameters is not given: "), text.c_str());
    COMPARE_TEXT(found("{'rope_scaling': null}", "gpt_oss"), "none");
    COMPARE_TEXT(found("{'rope_parameters': {'factor': 2}}", "gpt_oss"), "rope_parameters factor 2");
  }
};

VQSCOPE_TEST(ScalingSourceTest)
#include "scaling_source_test.moc"
