// SPDX-License-Identifier: GPL-3.0-or-later
// Free names that are texts, None, True or fractions and decide what a mask is.
#include "core/mask/language/compile/words.h"

#include "core/base/text.h"
#include "core/mask/language/parse/parse.h"
#include "tests/core/mask/language/cells.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

using language::Given;

const std::string visible_after =
    "111"
    "011"
    "001";

/// A factory whose parameters decide with `condition` whether its mask is causal; else all is
/// visible.
std::string deciding(const std::string& parameters, const std::string& condition) {
  return "def make(" + parameters + "):\n  def mask(b, h, q_idx, kv_idx):\n    if " + condition +
         ":\n      return kv_idx >= q_idx\n    return kv_idx >= 0\n  return mask\n";
}

std::string cells_given(const std::string& text, const Given& given) { return cells_of(text, 3, {}, given); }

bool decides_causal(const std::string& text, const Given& given) {
  const std::string cells = cells_given(text, given);
  if (cells.size() != 9) qWarning("%s", cells.c_str());
  return cells == visible_after;
}

std::string choices_of(const std::string& text, const std::string& name) {
  const auto words = language::words_in(language::parse(text).syntax);
  const auto found = words.names.find(name);
  return found == words.names.end() ? "none" : join(found->second, " ");
}

std::string unset_word(const std::string& text, const Given& given = {}) {
  const auto parsed = MaskProgram::parse(text, given);
  if (parsed) return "nothing";
  return parsed.error.lacks_value ? parsed.error.message : "refused: " + parsed.error.message;
}

std::vector<std::string> warned(const std::string& text, const Given& given = {}) {
  std::vector<std::string> all;
  if (const auto parsed = MaskProgram::parse(text, given))
    for (const SourceError& warning : parsed.program->warnings()) all.push_back(warning.message);
  return all;
}

}  // namespace

class WordsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void choices_of_a_name() {
    COMPARE_TEXT(choices_of("style == 'pair' or 'same' != style", "style"), "pair same");
    COMPARE_TEXT(choices_of("style in ('a', 'b') or style not in {'c'}", "style"), "a b c");
    COMPARE_TEXT(choices_of("self.style.lower() == 'pair'", "style"), "pair");
    COMPARE_TEXT(choices_of("style.startswith('pa')", "style"), "pa");
    COMPARE_TEXT(choices_of("style == Style.PAIR\nother = Style.SAME", "style"), "PAIR SAME");
    COMPARE_TEXT(choices_of("kind is AttnKind.CAUSAL", "kind"), "CAUSAL");
    COMPARE_TEXT(choices_of("isinstance(style, str)", "style"), "");
    COMPARE_TEXT(choices_of("ratio > 0.5", "ratio"), "");
    COMPARE_TEXT(choices_of("match style:\n  case 'pair' | Style.SAME: pass\n  case 'b': pass", "style"),
                 "pair SAME b");
    COMPARE_TEXT(choices_of("window > 5", "window"), "none");
    COMPARE_TEXT(choices_of("x == CFG.WINDOW", "x"), "none");
  }

  void missing_text_is_requested() {
    const std::string text = deciding("moment, style: str", "style == 'pair'");
    COMPARE_TEXT(unset_word(text), "style decides this and has no value yet; give it, as pair or another text");
    QVERIFY(decides_causal(text, {.words = {{"style", "pair"}}}));
    QVERIFY(decides_causal(text, {.words = {{"style", "'pair'"}}}));
    QVERIFY(!decides_causal(text, {.words = {{"style", "same"}}}));
    const auto parsed = MaskProgram::parse(text);
    QCOMPARE(parsed.so_far.words.size(), std::size_t{1});
    COMPARE_TEXT(join(parsed.so_far.words[0].choices, " "), "pair");
  }

  void every_deciding_condition_requests_its_text() {
    for (const auto& [condition, value] : std::vector<std::pair<std::string, std::string>>{
             {"style == 'pair'", "pair"},
             {"'pair' == style", "pair"},
             {"style != 'same'", "pair"},
             {"style in ('pair', 'both')", "both"},
             {"style not in ['same']", "pair"},
             {"style.lower() == 'pair'", "PAIR"},
             {"style.startswith('pa')", "pair"},
             {"style is Style.PAIR", "PAIR"},
             {"style == Style.PAIR", "Style.PAIR"},
             {"style in (Style.PAIR, Style.BOTH)", "BOTH"},
             {"{'pair': 1, 'same': 0}[style] == 1", "pair"},
             {"isinstance(style, str)", "pair"},
             {"style is None or style == 'pair'", "None"},
             {"style > 0.5", "0.75"},
             {"style > 0.5", "1"},
         }) {
      const std::string text = deciding("style", condition);
      QVERIFY2(unset_word(text).starts_with("style decides this and has no value yet"),
               (condition + unset_word(text)).c_str());
      QVERIFY2(decides_causal(text, {.words = {{"style", value}}}), condition.c_str());
      QVERIFY2(!decides_causal(text, {.words = {{"style", condition.ends_with("0.5") ? "0.25" : "same"}}}) ||
                   condition.starts_with("isinstance"),
               condition.c_str());
    }
  }

  void a_default_of_the_text_can_be_changed() {
    for (const char* parameter : {"style='same'", "style: str = 'same'", "style=None"}) {
      const std::string text = deciding(parameter, "style == 'pair'");
      COMPARE_TEXT(unset_word(text), "nothing");
      QVERIFY2(!decides_causal(text, {}), parameter);
      QVERIFY2(decides_causal(text, {.words = {{"style", "pair"}}}), parameter);
    }
    const std::string top = "STYLE = 'same'\nmask = kv_idx >= q_idx if STYLE == 'pair' else kv_idx >= 0\n";
    QVERIFY(!decides_causal(top, {}) && decides_causal(top, {.words = {{"STYLE", "pair"}}}));
    const std::string attribute = deciding("config", "getattr(config, 'style', 'same') == 'pair'");
    QVERIFY(!decides_causal(attribute, {}) && decides_causal(attribute, {.words = {{"style", "pair"}}}));
    const std::string fraction = deciding("share=0.25", "share > 0.5");
    QVERIFY(!decides_causal(fraction, {}) && decides_causal(fraction, {.words = {{"share", "0.75"}}}));
  }

  /// Under another name it is the same value; the text that it is compared with is its choice.
  void another_name_for_it() {
    const std::string text =
        "def inner(kind, q, kv):\n  return kv >= q if kind == 'pair' else kv >= 0\n"
        "def make(style):\n  def mask(b, h, q_idx, kv_idx):\n    return inner(style, q_idx, kv_idx)\n"
        "  return mask\n";
    COMPARE_TEXT(unset_word(text), "style decides this and has no value yet; give it, as pair or another text");
    QVERIFY(decides_causal(text, {.words = {{"style", "pair"}}}));
  }

  void a_value_that_the_text_does_not_name_is_warned_of() {
    const std::string text = deciding("style", "style == 'pair'");
    const auto all = warned(text, {.words = {{"style", "pairs"}}});
    QCOMPARE(all.size(), std::size_t{1});
    COMPARE_TEXT(all[0], "style is pairs, and the text compares it with pair only; did you mean pair?");
    QVERIFY(warned(text, {.words = {{"style", "pair"}}}).empty());
  }

  /// A name that must be given and is compared with None.
  void none_is_a_value() {
    const std::string text = deciding("window", "window is None");
    const auto all = warned(text);
    QCOMPARE(all.size(), std::size_t{1});
    COMPARE_TEXT(all[0], "window is taken to have a value here; give it, as None if it has none");
    QVERIFY(decides_causal(text, {.nones = {"window"}}));
    QVERIFY(!decides_causal(text, {.integers = {{"window", 3}}}) &&
            warned(text, {.integers = {{"window", 3}}}).empty());
    const auto parsed = MaskProgram::parse(text, {.nones = {"window"}});
    COMPARE_TEXT(join(parsed.program->code().may_be_none, " "), "window");
  }

  void attributes_that_may_be_missing() {
    const std::string text = deciding("config", "not hasattr(config, 'sliding_window')");
    QVERIFY(decides_causal(text, {}));
    QCOMPARE(warned(text).size(), std::size_t{1});
    COMPARE_TEXT(warned(text)[0], "config is taken to have no sliding_window; give sliding_window if it has");
    QVERIFY(!decides_causal(text, {.integers = {{"sliding_window", 4}}}));
    QVERIFY(warned(text, {.integers = {{"sliding_window", 4}}}).empty());
  }

  /// Names that decide nothing are not requested.
  void names_that_decide_nothing_are_not_requested() {
    COMPARE_TEXT(unset_word(deciding("n, device: str", "n > 3")), "nothing");
    COMPARE_TEXT(unset_word("def make(n, dtype=torch.bool):\n  def mask(b, h, q_idx, kv_idx):\n    return kv_idx < n\n"
                            "  return mask\n"),
                 "nothing");
    COMPARE_TEXT(unset_word("for kind in ('a', 'b'):\n  seen = kv_idx >= q_idx if kind == 'a' else kv_idx >= 0\nseen"),
                 "nothing");
  }

  void decimal_fractions() {
    QVERIFY(language::decimal_fraction("0.75") == std::pair(Index{75}, Index{100}));
    QVERIFY(language::decimal_fraction("-1.5") == std::pair(Index{-15}, Index{10}));
    QVERIFY(language::decimal_fraction(".5") == std::pair(Index{5}, Index{10}));
    for (const char* text : {"", ".", "1", "1.2.3", "1e-3", "0.1234567890123456789", "x.5"})
      QVERIFY2(!language::decimal_fraction(text), text);
  }
};

VQSCOPE_TEST(WordsTest)
#include "words_test.moc"
