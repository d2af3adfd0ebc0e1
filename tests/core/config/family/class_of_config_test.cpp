// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/config/family/family_reading.h"

#include "tests/core/config/given_config.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// The model_type of the class that contradicts; empty: none.
std::string contradicting(const std::string& config, const char* model_type) {
  GivenConfig given(config);
  const auto* family = contradicting_family(given.object.value(), model_type);
  return family ? std::string(family->model_type) : std::string();
}

}  // namespace

class ClassOfConfigTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void classes() {
    GivenConfig given("{'architectures': ['LlamaForCausalLM', 'X']}");
    COMPARE_TEXT(std::string(class_of_config(given.object.value())), "LlamaForCausalLM");
    for (const char* without : {"{}", "{'architectures': []}", "{'architectures': [1]}", "{'architectures': 'X'}"}) {
      GivenConfig none(without);
      QVERIFY(class_of_config(none.object.value()).empty());
    }
  }

  void contradictions() {
    COMPARE_TEXT(contradicting("{'architectures': ['LlamaForCausalLM']}", "qwen2"), "llama");
    COMPARE_TEXT(contradicting("{'architectures': ['Gemma3ForConditionalGeneration']}", "gemma2"), "gemma3_text");
    COMPARE_TEXT(contradicting("{'architectures': ['LlamaForCausalLM']}", "llama"), "");
    COMPARE_TEXT(contradicting("{'architectures': ['Qwen2VLForConditionalGeneration']}", "qwen2_vl_text"), "");
    // Not known, or with code of its own.
    COMPARE_TEXT(contradicting("{'architectures': ['FooForCausalLM']}", "llama"), "");
    COMPARE_TEXT(contradicting("{'architectures': ['LlamaForCausalLM']}", "foo"), "");
    COMPARE_TEXT(contradicting("{'architectures': ['DeepseekV3ForCausalLM']}", "kimi_k2"), "");
    COMPARE_TEXT(contradicting("{'architectures': ['LlamaForCausalLM'], 'auto_map': {}}", "qwen2"), "");
  }
};

VQSCOPE_TEST(ClassOfConfigTest)
#include "class_of_config_test.moc"
