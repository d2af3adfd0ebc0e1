// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/presets.h"

#include "core/mask/language/kept_program.h"
#include "core/mask/methods.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/method_list.h"
#include "tests/core/mask/language/evaluators.h"
#include "tests/core/mask/mask_cases.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues preset_values(const MaskPreset& preset, Random& random) {
  const SequenceInput input = random_input(random);
  auto values = default_values(find_method(mask_methods(), "visibility")->parameters);
  values.set("mask", preset.id);
  values.set("q_length", input.q_length);
  values.set("past_len", input.past_len);
  values.set("padding", pick(random, 0, 1) ? input.padding : automatic_length);
  values.set("padding_side", std::string(input.padding_side == PaddingSide::left ? "left" : "right"));
  values.set("kv_length", pick(random, 0, 1) ? input.kv_length : Index{0});
  if (pick(random, 0, 1)) values.set("document_lengths", input.document_lengths);
  values.set("prefix_length", pick(random, -1, 9));
  values.set("sliding_window", pick(random, 0, 1) * pick(random, 1, 9));
  return values;
}

}  // namespace

class PresetTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void texts_agree_with_presets() {
    Random random(1);
    int compared = 0;
    for (int i = 0; i < 2000; ++i) {
      const MaskPreset& preset = mask_presets()[static_cast<std::size_t>(i) % mask_presets().size()];
      if (preset.id == imported_mask_id) continue;  // it has no terms
      const auto values = preset_values(preset, random);
      const auto layout = SequenceLayout::make(preset_sequence(values));
      if (!layout) continue;
      const auto wanted = *make_preset_mask(values);
      const std::string text = preset_text(values);
      const auto parsed = MaskProgram::parse(text);
      QVERIFY2(parsed, render(parsed.error, text).c_str());
      QVERIFY(parsed.program->warnings().empty());
      const auto mask = LanguageMask::make(parsed.program, {}, *layout);
      QVERIFY2(mask.has_value(), text.c_str());
      QVERIFY((*mask)->has_bands());
      for (Index q = 0; q < layout->q_length(); ++q)
        for (Index kv = 0; kv < layout->kv_length(); ++kv)
          QVERIFY2((*mask)->visible(q, kv) == wanted->visible(q, kv), (cell_name(q, kv) + " of " + text).c_str());
      ++compared;
    }
    QVERIFY(compared > 1000);
  }

  /// The same of lengths up to 2^31, by samples.
  void long_texts_agree_with_presets() {
    Random random(2);
    for (int i = 0; i < 200; ++i) {
      const MaskPreset& preset = mask_presets()[static_cast<std::size_t>(i) % mask_presets().size()];
      if (!preset.is_made_of_terms()) continue;
      auto values = preset_values(preset, random);
      const Index length = Index{1} << pick(random, 12, 31);
      values.set("q_length", length);
      values.set("kv_length", Index{0});
      values.set("past_len", pick(random, 0, 1) * pick(random, 1, 1000));
      values.set("padding", pick(random, 0, 1) * pick(random, 1, length / 2));
      values.set("document_lengths", std::vector<Index>{});
      values.set("prefix_length", pick(random, 0, length));
      values.set("sliding_window", pick(random, 0, 1) * pick(random, 1, length));
      const auto wanted = make_preset_mask(values);
      const auto text = make_preset_mask(preset_as_text(values));
      QVERIFY2(wanted && text, preset.id.c_str());
      const Extent extent = (*wanted)->extent();
      for (int cell = 0; cell < 200; ++cell) {
        const Index q = pick(random, 0, extent.rows - 1);
        const Index kv =
            pick(random, 0, 1) ? pick(random, 0, extent.cols - 1) : std::min(extent.cols - 1, q + pick(random, 0, 2));
        QVERIFY2((*text)->visible(q, kv) == (*wanted)->visible(q, kv), (cell_name(q, kv) + " of " + preset.id).c_str());
      }
    }
  }

  /// A preset that is a file masks what its own text masks, padding keys and other documents, and
  /// nothing else; each reason names a term that the cell fails.
  void files_mask_padding_and_documents() {
    Random random(3);
    int compared = 0;
    for (int i = 0; i < 3000; ++i) {
      const MaskPreset& preset = mask_presets()[static_cast<std::size_t>(i) % mask_presets().size()];
      if (!preset.is_given()) continue;
      const auto values = preset_values(preset, random);
      const auto layout = SequenceLayout::make(preset_sequence(values));
      if (!layout) continue;
      const auto mask = *make_preset_mask(values);
      const auto alone = *LanguageMask::make(MaskProgram::parse(preset.text).program, {}, *layout);
      for (Index q = 0; q < layout->q_length(); ++q)
        for (Index kv = 0; kv < layout->kv_length(); ++kv) {
          const bool same =
              layout->input().document_lengths.empty() || layout->q_document(q) == layout->kv_document(kv);
          const bool visible = alone->visible(q, kv) && layout->key_valid(kv) && same;
          const std::string why = mask->why(q, kv);
          QVERIFY2(mask->visible(q, kv) == visible, (cell_name(q, kv) + " of " + preset.id).c_str());
          QVERIFY2(why.starts_with("visible") == visible, why.c_str());
          QVERIFY(!why.starts_with("masked by key_valid") || !layout->key_valid(kv));
          QVERIFY(!why.starts_with("masked by same_document") || !same);
        }
      ++compared;
    }
    QVERIFY(compared > 1000);
  }

  void a_file_keeps_its_lines() {
    auto values = default_values(find_method(mask_methods(), "visibility")->parameters);
    values.set("mask", std::string("sinks"));
    const std::string file = chosen_preset(values).text;
    COMPARE_TEXT(preset_text(values), file);
    values.set("padding", Index{3});
    values.set("document_lengths", std::vector<Index>{500, 9});
    COMPARE_TEXT(preset_text(values), file +
                                          "\n\ndef mask(b, h, q_idx, kv_idx):\n"
                                          "    same_document = kv_doc == q_doc\n"
                                          "    return key_valid & same_document & sinks(b, h, q_idx, kv_idx)\n");
  }

  void integers_agree_with_the_values() {
    auto values = default_values(find_method(mask_methods(), "visibility")->parameters);
    values.set("mask", std::string("sliding_window"));
    const std::string file = chosen_preset(values).text;
    const std::string behind =
        "\n\n\ndef mask(b, h, q_idx, kv_idx):\n"
        "    sliding_window = q_idx + past_len - kv_idx < window\n"
        "    return mask_mod(b, h, q_idx, kv_idx) & sliding_window\n";
    COMPARE_TEXT(preset_text(values), file + "\n\nwindow = 128" + behind);
    values.set("sliding_window", Index{9});
    COMPARE_TEXT(preset_text(values), file + "\n\nwindow = 9" + behind);
    values.set("mask", std::string("prefix_lm"));
    values.set("sliding_window", Index{0});
    values.set("prefix_length", Index{77});
    QVERIFY(preset_text(values).find("\nprefix_length = 77  # leading") != std::string::npos);
    values.set("mask", std::string("bidirectional"));
    COMPARE_TEXT(preset_text(values), chosen_preset(values).text);
  }

  /// A slider that moves a number of a preset compiles nothing.
  void numbers_are_bound() {
    auto values = default_values(find_method(mask_methods(), "visibility")->parameters);
    for (const char* name : {"sliding_window", "prefix_lm"}) {
      values.set("mask", std::string(name));
      (void)make_preset_mask(values);
      const Index before = programs_compiled();
      for (Index n = 1; n < 50; ++n) {
        values.set("sliding_window", n);
        values.set("prefix_length", n);
        const auto mask = *make_preset_mask(values);
        QVERIFY(mask->visible(200, 201 - n) && !mask->visible(200, 200 - n));
      }
      QVERIFY(programs_compiled() <= before + 1);
      QVERIFY(find_spec(mask_text_parameters(values), "text.window") == nullptr);
      QVERIFY(find_spec(mask_text_parameters(values), "text.prefix_length") == nullptr);
    }
  }
};

VQSCOPE_TEST(PresetTextTest)
#include "preset_text_test.moc"
