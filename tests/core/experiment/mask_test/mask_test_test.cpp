// SPDX-License-Identifier: GPL-3.0-or-later

#include "core/experiment/methods.h"
#include "core/mask/language/plain_mask.h"
#include "core/mask/methods.h"
#include "core/mask/preset/imported_preset.h"
#include "core/method/curve_set.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <cmath>

using namespace vqscope;

namespace {

using Settings = std::vector<std::pair<std::string, ParameterValue>>;

const Method& test_method() {
  static const Method made = mask_test_method();
  return made;
}

ParameterValues values_of(const Settings& settings) {
  ParameterValues values = default_values(test_method().parameters);
  for (const auto& [name, value] : settings) values.set(name, value);
  return completed_values(parameters_of(test_method(), values), values);
}

Settings text(const std::string& mask, const Settings& more = {}) {
  Settings all{{"mask", std::string("custom")}, {"mask_text", mask}};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

Result<CurveSet> made(const Settings& settings) { return make_curves(test_method(), values_of(settings)); }

double named_fact(const CurveSet& set, const std::string& name) {
  for (const auto& [known, value] : set.facts)
    if (known == name) return value;
  return -1;
}

/// "future_token 3, cached_decode 12": the tests that find something, and from which token on.
QString found(const Settings& settings) {
  const auto set = made(settings);
  if (!set) return QString::fromStdString(set.error().message);
  QStringList firsts;
  for (const char* test : {"future_token", "left_padding", "packed_boundary", "cached_decode"})
    if (named_fact(*set, std::string(test) + "_passed") == 0)
      firsts << QString("%1 %2").arg(test).arg(named_fact(*set, std::string(test) + "_first"));
  return firsts.join(", ");
}

}  // namespace

class MaskTestTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void leaks_of_masks_data() {
    QTest::addColumn<QString>("mask");
    QTest::addColumn<QString>("wanted");
    const auto add = [](const char* name, const char* mask, const char* wanted) {
      QTest::newRow(name) << mask << wanted;
    };
    add("right", "(kv_idx <= q_idx + past_len) & key_valid & (q_doc == kv_doc)", "");
    add("no documents", "(kv_idx <= q_idx + past_len) & key_valid", "packed_boundary 8");
    add("documents hide padding too", "(kv_idx <= q_idx + past_len) & (q_doc == kv_doc)", "");
    add("causal alone", "kv_idx <= q_idx + past_len", "left_padding 0, packed_boundary 8");
    add("no cache", "(kv_idx <= q_idx) & key_valid & (q_doc == kv_doc)", "cached_decode 12");
    add("one key too many", "(kv_idx <= q_idx + past_len + 1) & key_valid & (q_doc == kv_doc)",
        "future_token 0, cached_decode 0");
    add("every key from token 20 on",
        "((kv_idx <= q_idx + past_len) | (q_idx + past_len >= 20)) & key_valid & "
        "(q_doc == kv_doc)",
        "future_token 20, left_padding 15, cached_decode 20");
  }
  void leaks_of_masks() {
    QFETCH(QString, mask);
    QFETCH(QString, wanted);
    QCOMPARE(found(text(mask.toStdString())), wanted);
  }

  /// A right mask passes with every kind of position, and of attention that keeps nothing across
  /// documents.
  void models_pass_with_a_right_mask() {
    for (const char* pos :
         {"nope", "sinusoidal", "learned", "t5_bias", "alibi", "kerple_log", "sandwich", "fire", "rope", "xpos", "xl"})
      QCOMPARE(found({{"pos", std::string(pos)}}), QString());
    QCOMPARE(found({{"attn", std::string("window")}, {"window", Index{5}}}), QString());
    QCOMPARE(found({{"attn", std::string("vq")}, {"pos", std::string("vq")}, {"block_len", Index{4}}}), QString());
    QCOMPARE(found({{"layer", std::string("shga")}, {"pos", std::string("alibi")}}), QString());
    QCOMPARE(found({{"mask", std::string("sinks_window")}}), QString());
  }

  /// Memories know nothing of the mask: padding moves their segments, and documents leak through
  /// them.
  void memories_leak() {
    for (const char* attn : {"infini_linear", "infini_delta", "memorizing"})
      QCOMPARE(found({{"attn", std::string(attn)}, {"segment", Index{8}}}),
               QString("left_padding 3, packed_boundary 8"));
    QCOMPARE(found({{"attn", std::string("xl")}, {"segment", Index{8}}, {"memory", Index{8}}}),
             QString("left_padding 11"));
  }

  /// Positions that count padding change learnt positions and not relative ones; those that begin
  /// anew change both.
  void wrong_positions() {
    const auto by_index = [](const char* pos) {
      return found({{"positions_from", std::string("index")}, {"pos", std::string(pos)}});
    };
    QCOMPARE(by_index("rope"), QString());
    QCOMPARE(by_index("learned"), QString("left_padding 0"));
    for (const char* pos : {"rope", "learned"})
      QCOMPARE(found({{"decode_positions", std::string("restart")}, {"pos", std::string(pos)}}),
               QString("cached_decode 12"));
  }

  /// Σ m ℓ / Σ m over real tokens is the loss without padding; with padding counted it is another.
  void masked_loss() {
    const auto set = made({}).value();
    QVERIFY(std::abs(named_fact(set, "loss_masked") - named_fact(set, "loss_without_padding")) < 1e-12);
    QVERIFY(std::abs(named_fact(set, "loss_with_padding_counted") - named_fact(set, "loss_masked")) > 1e-3);
  }

  /// The first token of every sequence, and the queries of every step of decoding.
  void rows_without_a_key() {
    QCOMPARE(named_fact(made({}).value(), "empty_rows"), 0.0);
    QCOMPARE(
        named_fact(made(text("(kv_idx < q_idx + past_len) & key_valid & (q_doc == kv_doc)")).value(), "empty_rows"),
        5.0);
  }

  void plotted_curves_and_marks() {
    const auto set = made(text("q_idx >= kv_idx", {{"tests", std::vector<std::string>{"cached_decode"}}})).value();
    QCOMPARE(set.x.size(), std::size_t{24});
    QCOMPARE(set.curves.size(), std::size_t{1});
    QCOMPARE(set.curves[0].name, std::string("cached_decode (differs)"));
    QCOMPARE(set.marks.size(), std::size_t{1});
    QCOMPARE(set.marks[0].x, 12.0);
    const auto future = made({{"tests", std::vector<std::string>{"future_token"}}}).value();
    QVERIFY(std::isnan(future.curves[0].y.back()));  // nothing is later than the last token
    QCOMPARE(future.curves[0].y.front(), 0.0);
  }

  void values_of_a_mask() {
    const Method visibility = visibility_method();
    ParameterValues values = default_values(visibility.parameters);
    values.set("mask", std::string("custom"));
    values.set("mask_text", std::string("q_idx - kv_idx < w"));
    values = completed_values(parameters_of(visibility, values), values);
    values.set("text.w", Index{9});
    const auto own = mask_test_values(values).value();
    QCOMPARE(own.text("mask_text"), std::string("q_idx - kv_idx < w"));
    QCOMPARE(own.integer("text.w"), Index{9});
    QVERIFY(!own.find("q_length"));
    values.set("mask", std::string("cross"));
    COMPARE_ERROR(mask_test_values(values),
                  "mask is cross, whose queries and keys are two sequences but must be a mask of self-attention");
    COMPARE_ERROR(mask_test_values({}), "mask is missing but must be a mask of self-attention");
  }

  /// Cells of a file are tested as far as one sequence goes: prefill and steps are its rows.
  void imported_masks() {
    const auto imported = [](const std::string& mask, Index tokens, const Settings& more = {}) {
      Settings all{{"mask", std::string("dump")},
                   {"mask_rows", mask_rows_of(*plain_mask(mask, tokens).value()).value()},
                   {"q_length", Index{12}}};
      all.insert(all.end(), more.begin(), more.end());
      return all;
    };
    QCOMPARE(found(imported("kv_idx <= q_idx", 12)), QString());
    QCOMPARE(found(imported("kv_idx <= q_idx", 40)), QString());
    QCOMPARE(found(imported("kv_idx <= q_idx or q_idx == 7", 12)), QString("future_token 7, cached_decode 7"));
    const Settings documents{{"first_document", Index{5}}};
    QCOMPARE(found(imported("kv_idx <= q_idx", 12, documents)), QString("packed_boundary 5"));
    QCOMPARE(found(imported("kv_idx <= q_idx and (q_idx < 5) == (kv_idx < 5)", 12, documents)), QString());
    const auto set = made(imported("kv_idx <= q_idx", 40)).value();
    QCOMPARE(set.curves.size(), std::size_t{2});
    QVERIFY(set.formula.find("left_padding is skipped") != std::string::npos);
    QVERIFY(set.formula.ends_with("; the first 12 of the imported mask's 40 tokens"));
    COMPARE_ERROR(made(imported("kv_idx <= q_idx", 8)), "q_length is 12, the imported mask has 8 rows");
    COMPARE_ERROR(made(imported("kv_idx <= q_idx", 12, {{"tests", std::vector<std::string>{"left_padding"}}})),
                  "tests has no test for this mask: left_padding is skipped: an imported mask is of one sequence, "
                  "without padding");
    const ParameterValues of_file =
        with_imported_mask(default_values(visibility_method().parameters), *plain_mask("kv_idx <= q_idx", 200).value())
            .value();
    QCOMPARE(mask_test_values(of_file)->integer("q_length"), Index{96});
  }

  void imported_masks_of_two_sequences_are_refused() {
    const Settings wide{
        {"mask", std::string("dump")}, {"mask_rows", std::vector<Index>{6, 1, 0, 9}}, {"q_length", Index{6}}};
    COMPARE_ERROR(made(wide),
                  "the imported mask has 6 rows but must be a square of queries and keys: kv_length is 6, the imported "
                  "mask has a visible key 8");
  }

  void refused() {
    COMPARE_ERROR(made({{"first_document", Index{24}}}), "first_document is 24 but must be below q_length, 24");
    COMPARE_ERROR(made({{"prefill", Index{30}}}), "prefill is 30 but must be below q_length, 24");
    COMPARE_ERROR(made({{"tests", std::vector<std::string>{}}}), "tests is empty but must have at least one test");
    COMPARE_ERROR(made({{"attn", std::string("vq")}, {"pos", std::string("xl")}, {"clamp_len", Index{4}}}),
                  "clamp_len is 4 but must be 0 for attn \"vq\": distances above block_len have no product");
    QVERIFY(!made(text("q_idx >=")));
    Work work;
    std::stop_source stop;
    stop.request_stop();
    work.stop = stop.get_token();
    QCOMPARE(make_curves(test_method(), values_of({}), work).error().code, Errc::cancelled);
  }
};

VQSCOPE_TEST(MaskTestTest)
#include "mask_test_test.moc"
