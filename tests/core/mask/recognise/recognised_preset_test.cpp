// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/recognise/recognised_preset.h"

#include "core/mask/language/language_mask.h"
#include "core/mask/preset/presets.h"
#include "core/mask/recognise/recognise.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using Integers = std::vector<std::pair<std::string, Index>>;

struct PresetCase {
  std::string id;
  Integers integers;
  SequenceInput sequence;

  std::string name() const {
    return RecognisedPreset{id, integers, sequence}.text() + ", q " + to_text(sequence.q_length) + ", kv " +
           to_text(sequence.kv_length) + ", past " + to_text(sequence.past_len) + ", padding " +
           to_text(sequence.padding) + ", documents " + to_text(static_cast<Index>(sequence.document_lengths.size()));
  }

  std::shared_ptr<const Mask> mask() const {
    const auto& preset = *std::ranges::find(mask_presets(), id, &MaskPreset::id);
    PresetTerms terms;
    MaskBindings bindings;
    for (const auto& [key, value] : integers) bindings.integers[key] = value;
    if (id == "prefix_lm") terms.prefix_length = integers.front().second;
    if (id == "sliding_window") bindings.integers["window"] = terms.window = integers.front().second;
    if (sequence.padding > 0) terms.names.emplace_back("key_valid");
    if (!sequence.document_lengths.empty()) terms.names.emplace_back("same_document");
    if (terms.window > 0) terms.names.emplace_back("sliding_window");
    const auto layout = SequenceLayout::make(sequence);
    return *make_language_mask(MaskProgram::parse(preset_text(preset, terms)).program, bindings, *layout);
  }
};

Integers integers_of(Random& random, const std::string& id, Index length) {
  const auto up_to = [&](Index first, Index last) { return pick(random, first, std::max(first, last)); };
  if (id == "chunked") return {{"chunk_size", up_to(2, length / 2)}};
  if (id == "dilated") return {{"window", up_to(2, length)}, {"dilation", up_to(1, 8)}};
  if (id == "image_span") return {{"text_tokens", up_to(1, length / 4)}, {"image_tokens", up_to(1, length / 4)}};
  if (id == "local_global") return {{"stride", up_to(5, length / 3)}, {"num_summary", up_to(0, 4)}};
  if (id == "longformer") return {{"attention_window", up_to(0, length / 2)}, {"global_tokens", up_to(0, 8)}};
  if (id == "natten") return {{"width", up_to(9, length / 9)}, {"kernel_size", 1 + 2 * up_to(1, 4)}};
  if (id == "prefix_lm") return {{"prefix_length", up_to(1, length / 2)}};
  if (id == "sinks") return {{"num_sinks", up_to(1, 8)}};
  if (id == "sinks_window") return {{"num_sinks", up_to(1, 8)}, {"window", up_to(1, length / 2)}};
  if (id == "sliding_window") return {{"sliding_window", up_to(1, length)}};
  if (id == "two_sided_window") return {{"left", up_to(1, length / 2)}, {"right", up_to(1, length / 2)}};
  return {};
}

PresetCase any_preset(Random& random, const std::string& id, Index most) {
  PresetCase made{.id = id, .integers = {}, .sequence = {}};
  SequenceInput& input = made.sequence;
  // A neighbourhood is no larger than its image.
  input.q_length = id == "natten" ? pick(random, 81, 81 + most) : pick(random, 12, most);
  if (id != "cross" && pick(random, 0, 3) == 0) input.past_len = pick(random, 1, input.q_length);
  if (id == "decode" || id == "encoder_decoder") input.past_len = pick(random, 2, input.q_length);
  input.kv_length = input.q_length + input.past_len;
  if (id == "cross") {
    input.query_source = QuerySource::own;
    input.kv_length = pick(random, 2, most);
  }
  const bool cached = input.past_len > 0 && id != "local_global";
  if (id == "padding" || (!cached && pick(random, 0, 3) == 0)) {
    input.padding = pick(random, 1, std::max<Index>(1, input.kv_length / 4));
    input.padding_side = pick(random, 0, 1) ? PaddingSide::left : PaddingSide::right;
  }
  // Documents of a few pixels have no neighbourhoods.
  const bool packable = id != "cross" && (id != "natten" || input.q_length > 200);
  if (id == "packed" || (input.past_len == 0 && packable && pick(random, 0, 3) == 0))
    for (Index left = input.kv_length - input.padding; left > 0; left -= input.document_lengths.back())
      input.document_lengths.push_back(std::min(left, pick(random, 1, std::max<Index>(1, most / 3))));
  made.integers = integers_of(random, id, input.q_length);
  if (id == "encoder_decoder") made.integers = {{"source_padding", pick(random, 0, input.past_len / 2)}};
  return made;
}

/// Error of the result; empty: it is exact and names a preset that makes these cells.
std::string wrong_with(const PresetCase& drawn) {
  const auto mask = drawn.mask();
  const auto found = recognise(*mask);
  if (!found) return found.error().message;
  if (!found->is_exact()) return found->sentence;
  if (found->presets.empty()) return "no name: " + found->sentence;
  const RecognisedPreset& named = found->presets.front();
  CountBudget unlimited;
  const auto rows = MaskRows::read(*mask, unlimited);
  const auto again = MaskRows::read(*PresetCase{named.id, named.parameters, named.sequence}.mask(), unlimited);
  for (Index q = 0; q < mask->extent().rows; ++q)
    if (!std::ranges::equal(rows->row(q), again->row(q))) return named.text() + " differs in row " + to_text(q);
  return {};
}

}  // namespace

class RecognisedPresetTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void names_by_hand() {
    const auto named = [](const PresetCase& drawn) {
      const auto found = recognise(*drawn.mask());
      return found && !found->presets.empty() ? found->presets.front().text() : std::string("none");
    };
    COMPARE_TEXT(named({"causal", {}, {.q_length = 50}}), "causal");
    const SequenceInput packed{.q_length = 50, .padding = 5, .document_lengths = {20, 25}};
    COMPARE_TEXT(named({"sliding_window", {{"sliding_window", 9}}, packed}),
                 "sliding_window, sliding_window 9, documents [20, 25], padding 5 on the right");
    COMPARE_TEXT(named({"dilated", {{"window", 512}, {"dilation", 4}}, {.q_length = 1024}}),
                 "dilated, window 512, dilation 4");
    COMPARE_TEXT(named({"image_span", {{"text_tokens", 64}, {"image_tokens", 64}}, {.q_length = 1024}}),
                 "image_span, text_tokens 64, image_tokens 64");
    COMPARE_TEXT(named({"local_global", {{"stride", 64}, {"num_summary", 4}}, {.q_length = 1024}}),
                 "local_global, stride 64, num_summary 4");
    COMPARE_TEXT(named({"longformer", {{"attention_window", 64}, {"global_tokens", 1}}, {.q_length = 1024}}),
                 "longformer, attention_window 64, global_tokens 1");
    COMPARE_TEXT(named({"natten", {{"width", 32}, {"kernel_size", 7}}, {.q_length = 1024}}),
                 "natten, width 32, kernel_size 7");
    COMPARE_TEXT(named({"sinks_window", {{"num_sinks", 4}, {"window", 128}}, {.q_length = 1024}}),
                 "sinks_window, num_sinks 4, window 128");
    COMPARE_TEXT(named({"two_sided_window", {{"left", 64}, {"right", 64}}, {.q_length = 1024}}),
                 "two_sided_window, left 64, right 64");
    COMPARE_TEXT(named({"encoder_decoder", {{"source_padding", 3}}, {.q_length = 20, .past_len = 12}}),
                 "encoder_decoder, source_padding 3");
  }

  /// For any numbers, a shorter description has the same cells.
  void presets_with_any_numbers() {
    Random random(1);
    for (const MaskPreset& preset : mask_presets())
      for (int i = 0; i < 20; ++i) {
        const PresetCase drawn = any_preset(random, preset.id, i < 17 ? 80 : 700);
        const auto wrong = wrong_with(drawn);
        QVERIFY2(wrong.empty(), (drawn.name() + ": " + wrong).c_str());
      }
  }

  void presets_at_four_thousand_tokens() {
    Random random(2);
    for (const MaskPreset& preset : mask_presets()) {
      PresetCase drawn{.id = preset.id, .integers = {}, .sequence = {.q_length = 4096, .kv_length = 4096}};
      if (preset.id == "decode") drawn.sequence = {.q_length = 96, .kv_length = 4096, .past_len = 4000};
      if (preset.id == "cross") drawn.sequence.query_source = QuerySource::own;
      if (preset.id == "padding") drawn.sequence.padding = 512;
      if (preset.id == "packed") drawn.sequence.document_lengths = {1000, 3000, 96};
      if (preset.id == "encoder_decoder") drawn.sequence = {.q_length = 2048, .kv_length = 4096, .past_len = 2048};
      drawn.integers = integers_of(random, preset.id, 4096);
      if (preset.id == "encoder_decoder") drawn.integers = {{"source_padding", 100}};
      const auto wrong = wrong_with(drawn);
      QVERIFY2(wrong.empty(), (drawn.name() + ": " + wrong).c_str());
    }
  }
};

VQSCOPE_TEST(RecognisedPresetTest)
#include "recognised_preset_test.moc"
