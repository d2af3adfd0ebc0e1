// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/rope/rope_reading.h"

#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The id, or "none", with the findings on lines after it.
std::string type_of(const std::string& rope, const char* family = "llama") {
  GivenConfig given(rope, "rope_scaling");
  const auto* type = read_rope_type(given.object, find_model_family(family));
  const std::string findings = given.findings();
  const std::string id = type ? type->id : "none";
  return findings.empty() ? id : id + "\n" + findings;
}

const std::string known = "default, linear, dynamic, yarn, longrope, proportional, llama3";
const std::string old_key =
    "note: rope_scaling.type is the old name of rope_type: Hugging Face, vLLM and llama.cpp accept both";

}  // namespace

class ConfigRopeTypeTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void types_of_hugging_face() {
    for (const auto& type : rope_type_keys())
      if (type.hugging_face) COMPARE_TEXT(type_of("{'rope_type': '" + type.id + "'}"), type.id);
  }

  void the_key_of_older_files() {
    COMPARE_TEXT(type_of("{'type': 'linear'}"), "linear\n" + old_key);
    COMPARE_TEXT(type_of("{'type': 'linear', 'rope_type': 'linear'}"), "linear");
    COMPARE_TEXT(
        type_of("{'type': 'linear', 'rope_type': 'yarn'}"),
        "yarn\nwarning: rope_scaling.type is \"linear\" and rope_type is \"yarn\": Hugging Face uses the latter, "
        "vLLM stops with an error");
    // As Hugging Face saves Qwen2.5-VL and Phi-3.
    COMPARE_TEXT(type_of("{'type': 'mrope', 'rope_type': 'default'}"),
                 "default\nnote: rope_scaling.type is \"mrope\" beside rope_type \"default\", which is the same: some "
                 "versions of vLLM stop with an error, newer ones accept both");
    QVERIFY(type_of("{'type': 'su', 'rope_type': 'longrope'}").starts_with("longrope\nnote: "));
  }

  /// Phi-3's su, Qwen2-VL's mrope, DeepSeek's yarn as vLLM calls it.
  void names_of_before() {
    COMPARE_TEXT(type_of("{'rope_type': 'su'}"),
                 "longrope\nnote: rope_scaling.rope_type su is the old name of longrope");
    COMPARE_TEXT(type_of("{'rope_type': 'mrope'}"),
                 "default\nnote: rope_scaling.rope_type mrope is the old name of default with mrope_section");
    COMPARE_TEXT(type_of("{'rope_type': 'deepseek_yarn'}"),
                 "yarn\nnote: rope_scaling.rope_type deepseek_yarn is vLLM's name for yarn");
    COMPARE_TEXT(type_of("{'rope_type': 'telechat3-yarn'}"),
                 "yarn\nnote: rope_scaling.rope_type telechat3-yarn is yarn with an attention factor of 1 + 0.07 ln "
                 "factor");
    QVERIFY(type_of("{'rope_type': 'axial'}").starts_with("default\nnote: "));  // towers for images
    COMPARE_TEXT(type_of("{'type': 'su'}"),
                 "longrope\n" + old_key + "\nnote: rope_scaling.type su is the old name of longrope");
  }

  /// Code that comes with a model may have types of its own.
  void a_type_of_a_model_that_is_not_known() {
    COMPARE_TEXT(
        type_of("{'rope_type': 'mine'}", "new"),
        "default\nwarning: rope_scaling.rope_type is \"mine\", which this program does not know: angles are shown "
        "without scaling");
  }

  /// Phi3Config._rope_scaling_adjustment: early files of Phi-3 say yarn for what is longrope.
  void yarn_of_phi3_is_longrope() {
    COMPARE_TEXT(
        type_of("{'rope_type': 'yarn'}", "phi3"),
        "longrope\nnote: rope_scaling.rope_type is \"yarn\", which Hugging Face's Phi3Config reads as longrope");
  }

  void without_a_type_it_is_default() {
    COMPARE_TEXT(type_of("{}"), "default");
    COMPARE_TEXT(type_of("{'rope_theta': 10000}"), "default");
    COMPARE_TEXT(type_of("{'factor': 4}"),
                 "default\nwarning: rope_scaling.rope_type is not given: Hugging Face 5 uses default and ignores "
                 "factor, vLLM stops with an error");
  }

  void a_type_that_is_no_text() {
    COMPARE_TEXT(type_of("{'rope_type': 4}"), "none\nerror: rope_scaling.rope_type is 4 but must be a string");
    COMPARE_TEXT(type_of("{'rope_type': null, 'type': ['yarn']}"),
                 "none\nerror: rope_scaling.type is a list of 1 item but must be a string");
  }

  void unknown_types() {
    COMPARE_TEXT(type_of("{'rope_type': 'lama3'}"),
                 "none\nerror: rope_scaling.rope_type is \"lama3\", which is unknown; Hugging Face knows " + known +
                     "; did you mean llama3?");
    COMPARE_TEXT(type_of("{'rope_type': 'something'}"),
                 "none\nerror: rope_scaling.rope_type is \"something\", which is unknown; Hugging Face knows " + known);
    COMPARE_TEXT(type_of("{'rope_type': ''}"),
                 "none\nerror: rope_scaling.rope_type is \"\", which is unknown; Hugging Face knows " + known);
  }

  /// Other types that this program computes open with a warning.
  void types_of_other_readers() {
    for (const std::string id : {"ntk", "ntk_by_parts", "dynamic_linear"})
      COMPARE_TEXT(type_of("{'rope_type': '" + id + "'}"),
                   id + "\nwarning: rope_scaling.rope_type is \"" + id +
                       "\", which Hugging Face's own classes do not know; they know " + known);
  }
};

VQSCOPE_TEST(ConfigRopeTypeTest)
#include "config_rope_type_test.moc"
