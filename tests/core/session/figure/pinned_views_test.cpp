// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/figure/pinned_view.h"

#include "core/catalogue/registry.h"
#include "core/session/session_json.h"
#include "core/session/session_plan.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

/// The values are complete, as those of a page.
PinnedView pinned(const char* id, const ParameterValues::Map& set) {
  const Method& method = *find_method(id);
  ParameterValues values = default_values(method.parameters, set);
  return {.method = id, .values = completed_values(parameters_of(method, values), values)};
}

PinnedView textMask(const std::string& text, Index length) {
  return pinned("visibility",
                {{"mask", std::string("custom")}, {"mask_text", text}, {"q_length", length}, {"window", Index{9}}});
}

Result<OpenedSession> opened(const std::string& pins) {
  return parse_session(R"({"vqscope": 2, "pins": )" + pins + "}");
}

}  // namespace

class PinnedViewsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// With free names of a text, a difference, texts and everything else that a figure shows.
  void whatIsKeptIsReadBack() {
    Session session = default_session();
    PinnedView text =
        textMask("def mask_mod(b, h, q_idx, kv_idx):\n    return (q_idx >= kv_idx) & (q_idx - kv_idx < reach)\n", 64);
    text.labels = {"Ours", "key", "query"};
    text.view = ViewRange{3, 9, 0, 5};
    text.lint.set("objective", std::string("causal"));
    text.keep_aspect = true;
    PinnedView difference = pinned("rope_phase", {{"rope_type", std::string("yarn")}});
    difference.minus = difference.values;
    difference.minus->set("rope_type", std::string("ntk"));
    difference.sides = {"a.json", "b.json"};
    difference.aggregate = Aggregate::largest;
    PinnedView curves = pinned("t5_staircase", {});
    curves.axes = CurveAxes{true, false};
    session.pins = {text, difference, curves};
    session.figure = FigureSpec{.width = 317.5, .dark = true};
    const auto read = parse_session(session_text(session));
    QVERIFY(read);
    QCOMPARE(summary(read->notes), std::string());
    QVERIFY(read->session == session);
    QVERIFY(session_text(default_session()).find("pins") == std::string::npos);
  }

  void whatIsNoViewIsLeftOut_data() {
    QTest::addColumn<QString>("pin");
    QTest::addColumn<QString>("note");
    const auto row = [](const char* pin, const char* note) { QTest::addRow("%s", pin) << pin << note; };
    row("3", "it is 3 but must be an object");
    row("{}", "method is missing");
    row(R"({"method": "alibii"})", "unknown method alibii");
    row(R"({"method": "alibi", "colour": 1})", "unknown name colour; did you mean colour_map?; it was left out");
    row(R"({"method": "alibi", "zzz": 1})", "unknown name zzz; it was left out");
    row(R"({"method": "alibi", "values": {"windw": 3}})", "unknown parameter windw");
    row(R"({"method": "alibi", "values": {"q_length": "x"}})", "q_length is \"x\" but must be an integer");
    row(R"({"method": "alibi", "view": {"rows": [4, 1], "cols": [0, 3]}})", "must be an object with an ascending pair");
    row(R"({"method": "t5_staircase", "aggregate": "mean"})", "t5_staircase is a set of curves");
    row(R"({"method": "t5_bucket", "aggregate": "mean"})", "aggregate is mean, which t5_bucket does not have");
    row(R"({"method": "vq_attention"})", "vq_attention is no matrix and no curves");
  }
  void whatIsNoViewIsLeftOut() {
    QFETCH(QString, pin);
    QFETCH(QString, note);
    if (pin.contains("vq_attention") && !find_method("vq_attention")) QSKIP("This program has no lab");
    const auto read = opened("[" + pin.toStdString() + R"(, {"method": "alibi"}])");
    QVERIFY(read);
    QCOMPARE(read->session.pins.size(), std::size_t{1});
    const QString noted = QString::fromStdString(summary(read->notes));
    QVERIFY2(noted.contains("pinned view 1: ") && noted.contains(note), qPrintable(noted));
  }

  void atMostAsManyAsAGridHas() {
    std::string all = R"([{"method": "alibi"})";
    for (std::size_t i = 0; i < most_pinned_views; ++i) all += R"(, {"method": "alibi"})";
    const auto read = opened(all + "]");
    QVERIFY(read);
    QCOMPARE(read->session.pins.size(), most_pinned_views);
    QCOMPARE(summary(read->notes), std::string("there are more than 36 pinned views; the others were left out"));
    auto more = read->session.pins;
    more.push_back(more.front());
    const Session session = default_session();
    COMPARE_ERROR(plan_pins(ShownPages(session), more), "there are 37 pinned views but must be at most 36");
  }
};

VQSCOPE_TEST(PinnedViewsTest)
#include "pinned_views_test.moc"
