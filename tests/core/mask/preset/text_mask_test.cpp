// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/text_mask.h"

#include "core/field/field.h"
#include "core/mask/language/compile/module_compiler.h"
#include "core/mask/language/names/known_names.h"
#include "core/mask/methods.h"
#include "core/mask/preset/presets.h"
#include "core/method/free_name.h"
#include "core/method/method_list.h"
#include "tests/core/mask/preset/visibility.h"
#include "tests/support/compare.h"
#include "tests/support/field_checks.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// Values of a text over 8 tokens, with whatever it brings along; names mean its own first.
ParameterValues values_of(const std::string& text, const ParameterValues::Map& set = {}) {
  ParameterValues values = default_values(visibility().parameters);
  values.set("mask", std::string("custom"));
  values.set("mask_text", text);
  values.set("q_length", Index{8});
  const auto specs = parameters_of(visibility(), values);
  for (const auto& [name, value] : set) values.set(find_meant(specs, name, "visibility")->name, value);
  return completed_values(specs, values);
}

std::vector<std::string> free_names(const std::string& text) {
  std::vector<std::string> names;
  for (const auto& spec : mask_text_parameters(values_of(text))) names.push_back(spec.name);
  return names;
}

int seen(const Field& field) {
  int count = 0;
  for (Index q = 0; q < field.extent().rows; ++q)
    for (Index kv = 0; kv < field.extent().cols; ++kv) count += field.at(q, kv) != 0;
  return count;
}

}  // namespace

class TextMaskTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void free_names_become_parameters() {
    const std::string text = "W = 5\nreturn (q_idx - kv_idx < W) & (kv_idx >= pad) & (group[q_idx] == group[kv_idx])";
    QVERIFY((free_names(text) == std::vector<std::string>{"terms_off", "text.W", "text.pad", "text.group"}));
    const auto specs = parameters_of(visibility(), values_of(text));
    QCOMPARE(std::get<Index>(find_spec(specs, "text.W")->default_value), Index{5});
    COMPARE_TEXT(find_spec(specs, "text.W")->title(), "W");
    QCOMPARE(std::get<Index>(find_spec(specs, "text.pad")->default_value), language::not_given);
    COMPARE_TEXT(find_spec(specs, "text.pad")->automatic, "not given, and the mask needs it");
    QVERIFY(find_spec(specs, "text.group")->kind == ParameterKind::integer_list);
    QVERIFY(free_names("kv_idx <= q_idx").empty());
    QVERIFY2(free_names("kv_idx <= (").empty(), "what cannot be read has no names");
  }

  void values_reach_the_mask() {
    const auto field = make_field(visibility(), values_of("kv_idx < n", {{"n", Index{3}}}));
    QVERIFY(field);
    QCOMPARE(seen(**field), 24);
    const ParameterValues off =
        values_of("a = kv_idx < 3\nb = kv_idx > 0\nreturn a & b", {{"terms_off", std::vector<std::string>{"b"}}});
    QCOMPARE(seen(**make_field(visibility(), off)), 24);
    const auto arrays =
        values_of("group[q_idx] == group[kv_idx]", {{"group", std::vector<Index>{0, 0, 1, 1, 1, 2, 2, 2}}});
    QCOMPARE(seen(**make_field(visibility(), arrays)), 4 + 9 + 9);
  }

  /// A text that decides is a parameter with suggestions, here and wherever values go.
  void texts_become_parameters() {
    const std::string text =
        "def by_kind(moment, style: str):\n  def mask(b, h, q_idx, kv_idx):\n    if style == 'pair':\n"
        "      return moment[q_idx] == moment[kv_idx]\n    return kv_idx <= q_idx\n  return mask\n";
    QVERIFY((free_names(text) == std::vector<std::string>{"text.style"}));
    const auto spec = mask_text_parameters(values_of(text)).front();
    QVERIFY(spec.kind == ParameterKind::text && spec.choices.size() == 1 && spec.choices[0].id == "pair");
    COMPARE_TEXT(spec.automatic, "not given, and the mask needs it");
    QVERIFY(check_mask_text(values_of(text)));
    COMPARE_ERROR(make_field(visibility(), values_of(text)),
                  "mask_text, line 3, column 8: style decides this and has no value yet; give it, as pair or another "
                  "text");
    QCOMPARE(seen(**make_field(visibility(), values_of(text, {{"style", std::string("causal")}}))), 36);
    ParameterValues pair = values_of(text, {{"style", std::string("pair")}});
    pair.set("text.moment", std::vector<Index>{0, 0, 1, 1, 2, 2, 3, 3});
    QCOMPARE(seen(**make_field(visibility(), pair)), 16);
  }

  void names_that_are_true_false_or_none() {
    const std::string text =
        "def make(causal, window):\n  def mask(b, h, q_idx, kv_idx):\n"
        "    near = q_idx - kv_idx < (99 if window is None else window)\n"
        "    return near & (kv_idx <= q_idx) if causal else near\n  return mask\n";
    const auto specs = mask_text_parameters(values_of(text));
    const auto* flag = find_spec(specs, "text.causal");
    QVERIFY(flag && parse_value(*flag, "True") && *parse_value(*flag, "True") == ParameterValue(Index{1}));
    ParameterValues values = values_of(text, {{"causal", Index{1}}});
    values.set("text.window.is_none", true);
    QCOMPARE(seen(**make_field(visibility(), completed_values(parameters_of(visibility(), values), values))), 36);
    COMPARE_ERROR(make_field(visibility(), values_of(text, {{"window", Index{2}}})),
                  "the mask's parameter causal (line 4) is not given; give causal = True or False");
  }

  /// Its parameters are free names; what it returns is the mask.
  void a_function_that_returns_an_array() {
    const std::string text =
        "def prefix_lm(seq_len, prefix_len, device):\n  q = torch.arange(seq_len, device=device)[:, None]\n"
        "  k = torch.arange(seq_len, device=device)[None, :]\n  return (k < prefix_len) | (k <= q)\n";
    COMPARE_ERROR(make_field(visibility(), values_of(text)),
                  "mask_text, line 1, column 5: prefix_lm is a function of arrays and integers that returns the mask; "
                  "give seq_len, prefix_len");
    ParameterValues values = values_of(text, {{"seq_len", Index{8}}});
    values.set("text.prefix_len", Index{3});
    QCOMPARE(seen(**make_field(visibility(), completed_values(parameters_of(visibility(), values), values))), 36 + 3);
  }

  void the_name_of_the_only_mask() {
    const auto named = [](const std::string& text, const char* name) { return check_mask_name(values_of(text), name); };
    const std::string one = "def mask_mod(b, h, q_idx, kv_idx):\n  return kv_idx <= q_idx\n";
    QVERIFY(named(one, "mask_mod"));
    COMPARE_ERROR(named(one, "other"), "the text has no mask other; its mask is mask_mod");
    const std::string made =
        "def make(window=3):\n  def mask_mod(b, h, q_idx, kv_idx):\n"
        "    return q_idx - kv_idx < window\n  return mask_mod\n";
    QVERIFY(named(made, "mask_mod") && named(made, "make") && !named(made, "window"));
    QVERIFY(named(one + "block_mask = create_block_mask(mask_mod, None, None, 8, 8)\n", "mask_mod"));
  }

  /// One side of an or lets nothing through by itself, with both out nothing is visible; a name
  /// keeps its own branches.
  void branches_of_an_or_can_be_left_out() {
    const std::string text = "a = kv_idx < 2\nb = kv_idx > 6\nc = q_idx == kv_idx\nreturn a | b | c";
    const auto seen_without = [&](std::vector<std::string> off) {
      return seen(**make_field(visibility(), values_of(text, {{"terms_off", std::move(off)}})));
    };
    QVERIFY((free_names(text) == std::vector<std::string>{"terms_off"}));
    QCOMPARE(seen_without({}), 8 * 3 + 5);
    QCOMPARE(seen_without({"a"}), 8 + 7);
    QCOMPARE(seen_without({"b"}), 8 * 2 + 6);
    QCOMPARE(seen_without({"c"}), 8 * 3);
    QCOMPARE(seen_without({"a", "b"}), 8);
    QCOMPARE(seen_without({"a", "b", "c"}), 0);
    const auto named =
        values_of("sink = (kv_idx < 1) | (kv_idx > 6)\nreturn (kv_idx <= q_idx) & (sink | (kv_idx == 3))");
    const auto specs = parameters_of(visibility(), named);
    std::vector<std::string> names;
    for (const auto& choice : find_spec(specs, "terms_off")->choices) names.push_back(choice.id);
    QVERIFY((names == std::vector<std::string>{"kv_idx <= q_idx", "sink | (kv_idx == 3)", "sink", "kv_idx == 3"}));
  }

  void masks_joined_by_or_can_be_left_out() {
    const std::string text =
        "def causal(b, h, q_idx, kv_idx):\n    return kv_idx <= q_idx\n"
        "def sink(b, h, q_idx, kv_idx):\n    return kv_idx < 1\n"
        "or_masks(causal, sink)";
    QCOMPARE(seen(**make_field(visibility(), values_of(text, {{"terms_off", std::vector<std::string>{"causal"}}}))), 8);
    QCOMPARE(seen(**make_field(visibility(), values_of(text, {{"terms_off", std::vector<std::string>{"sink"}}}))), 36);
  }

  /// A name of the text that equals a parameter's is separate from it.
  void names_of_parameters_are_free_in_a_text() {
    const auto specs = parameters_of(visibility(), values_of("q_idx - kv_idx < sliding_window"));
    QVERIFY(!find_spec(specs, "sliding_window")->relevant.empty());
    QVERIFY(find_spec(specs, "text.sliding_window")->relevant.empty());
    const auto field =
        make_field(visibility(), values_of("abs(q_idx - kv_idx) < sliding_window", {{"sliding_window", Index{2}}}));
    QCOMPARE(seen(**field), 8 + 2 * 7);
  }

  void unqualified_name_sets_the_text_first() {
    const auto specs = parameters_of(visibility(), values_of("kv_idx < q_length + W"));
    const auto meant = [&](const char* name) {
      const auto* spec = find_meant(specs, name, "visibility");
      return spec ? spec->name : std::string();
    };
    COMPARE_TEXT(meant("q_length"), "text.q_length");
    COMPARE_TEXT(meant("text.q_length"), "text.q_length");
    COMPARE_TEXT(meant("visibility.q_length"), "q_length");
    COMPARE_TEXT(meant("W"), "text.W");
    COMPARE_TEXT(meant("kv_length"), "kv_length");
    COMPARE_TEXT(meant("visibility.text.W"), "");
    COMPARE_TEXT(meant("visibility.W"), "");
    for (const auto& spec : specs) COMPARE_TEXT(meant(name_to_give(specs, spec, "visibility").c_str()), spec.name);
    COMPARE_TEXT(name_to_give(specs, *find_spec(specs, "text.W"), "visibility"), "W");
  }

  void text_gives_the_prefix_length() {
    const std::string text = "kv_idx <= prefix_length[b]";
    QCOMPARE(preset_sequence(values_of(text, {{"prefix_length", std::vector<Index>{7}}})).prefix_length, Index{7});
    QCOMPARE(preset_sequence(values_of("kv_idx <= prefix_length", {{"prefix_length", Index{5}}})).prefix_length,
             Index{5});
    QCOMPARE(preset_sequence(values_of("kv_idx <= q_idx")).prefix_length, Index{2});
  }

  /// A changed parameter of the same name does not affect the text.
  void a_name_has_the_default_of_its_text() {
    ParameterValues values = default_values(visibility().parameters);
    values.set("sliding_window", Index{7});
    const auto before = parameters_of(visibility(), values);
    values.set("mask", std::string(text_mask_id));
    values.set("mask_text", std::string("sliding_window = 512\nq_idx - kv_idx < sliding_window + prefix_length"));
    const auto after = completed_values(parameters_of(visibility(), values), values, before);
    QCOMPARE(after.integer("text.sliding_window"), Index{512});
    QCOMPARE(after.integer("text.prefix_length"), language::not_given);
    QCOMPARE(after.integer("sliding_window"), Index{7});
  }

  void head_and_batch_are_parameters_where_they_count() {
    QVERIFY((free_names("kv_idx <= q_idx + h") == std::vector<std::string>{"h"}));
    QVERIFY(free_names("def mask_mod(b, h, q_idx, kv_idx):\n    return kv_idx <= q_idx").empty());
    QCOMPARE(seen(**make_field(visibility(), values_of("kv_idx < h + b", {{"h", Index{2}}, {"b", Index{1}}}))), 24);
    ParameterValues watched = values_of("kv_idx <= q_idx");  // of a file that knows no values
    watched.set("mask_text", std::string("kv_idx <= q_idx + h"));
    const auto without = make_preset_mask(watched);
    QVERIFY(without && (*without)->visible(1, 1) && !(*without)->visible(1, 2));
  }

  /// With one side of an or left out the other one's reason stands alone; with both that is the
  /// reason.
  void reasons_follow_disabled_terms() {
    const auto why = [&](std::vector<std::string> off) {
      const auto mask =
          make_preset_mask(values_of("a = kv_idx < 2\nb = kv_idx > 6\nreturn a | b", {{"terms_off", std::move(off)}}));
      return (*mask)->why(3, 4);
    };
    COMPARE_TEXT(why({"b"}), "masked by a | b: kv_idx = 4, expected < 2");
    COMPARE_TEXT(why({"a", "b"}), "masked by a | b: its branches are left out");
  }

  void errors() {
    COMPARE_ERROR(make_field(visibility(), values_of("kv_idx <= (q_idx")),
                  "mask_text, line 1, column 11: nothing closes this (");
    const auto missing = make_field(visibility(), values_of("group[q_idx] == 1"));
    QVERIFY(!missing);
    QVERIFY2(missing.error().message.find("group") != std::string::npos, missing.error().message.c_str());
    ParameterValues values = values_of("kv_idx < 3");
    values.set("mask_text", std::string(70000, ' '));
    COMPARE_ERROR(check_method_values(visibility(), values),
                  "mask_text has 70000 bytes but must be a text of at most 65536 bytes");
  }

  void check_and_make_give_the_same_error() {
    const auto values = values_of("x = 1\nreturn (q_idx >= kv_idx");
    const auto check = check_mask_text(values);
    COMPARE_ERROR(check, "mask_text, line 2, column 8: nothing closes this (");
    COMPARE_TEXT(check.error().detail, "return (q_idx >= kv_idx\n       ^");
    QCOMPARE(text_error_line(check.error().message), std::optional<Index>(2));
    QVERIFY(!text_error_line("mask_text has 70000 bytes"));
    const auto made = make_text_mask(values, *SequenceLayout::make({.q_length = 8}));
    COMPARE_ERROR(made, check.error().message);
    COMPARE_TEXT(made.error().detail, check.error().detail);
    const auto field = make_field(visibility(), values);
    COMPARE_ERROR(field, check.error().message);
    COMPARE_TEXT(field.error().detail, check.error().detail);
  }

  void warnings_name_their_place() {
    const auto warnings = [](const std::string& text) { return join(mask_text_warnings(values_of(text)), "; "); };
    COMPARE_TEXT(warnings("x = 1\nreturn kv_ix <= q_idx"),
                 "mask_text, line 2, column 8: kv_ix is taken as a parameter; did you mean kv_idx?");
    COMPARE_TEXT(warnings("kv_idx <= q_idx"), "");
    COMPARE_TEXT(warnings("kv_idx <= ("), "");
    QVERIFY2(mask_text_warnings(default_values(visibility().parameters)).empty(), "a preset has no text");
  }

  void every_preset_becomes_an_equal_text() {
    for (const auto& preset : mask_presets()) {
      ParameterValues values = default_values(visibility().parameters);
      values.set("mask", preset.id);
      values.set("q_length", Index{40});
      values = completed_values(parameters_of(visibility(), values), values);
      const auto text = preset_as_text(values);
      const auto a = make_field(visibility(), values);
      const auto b = make_field(visibility(), completed_values(parameters_of(visibility(), text), text));
      QVERIFY2(a && b, preset.id.c_str());
      QVERIFY2((*a)->extent() == (*b)->extent(), preset.id.c_str());
      for (Index q = 0; q < 40; ++q)
        for (Index kv = 0; kv < (*a)->extent().cols; ++kv)
          QVERIFY2((*a)->at(q, kv) == (*b)->at(q, kv), (preset.id + " " + cell_name(q, kv)).c_str());
    }
  }
};

VQSCOPE_TEST(TextMaskTest)
#include "text_mask_test.moc"
