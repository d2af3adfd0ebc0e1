// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/figure_session.h"

#include "core/catalogue/registry.h"
#include "core/output/figure_pins.h"
#include "core/session/session_json.h"
#include "core/session/shown_page.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

namespace {

FigurePanel figurePanel(const char* id, const ParameterValues::Map& set) {
  const Method* method = find_method(id);
  return {.method = method, .values = default_values(method->parameters, set)};
}

}  // namespace

class FigureSessionTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void twoViewsOfAMethodAreCompared() {
    const std::vector panels{
        figurePanel("visibility", {{"mask", std::string("bidirectional")}, {"q_length", Index{9}}}),
        figurePanel("visibility", {{"q_length", Index{9}}})};
    const Session session = figure_session(panels, {});
    QCOMPARE(session.current, std::string("masks"));
    const ShownPage page = shown_page(session, "masks");
    QVERIFY(page.compare == CompareMode::side_by_side);
    QCOMPARE(page.values.text("mask"), std::string("bidirectional"));
    QCOMPARE(page.other.text("mask"), std::string("causal"));
    QCOMPARE(page.values.integer("q_length"), Index{9});
  }

  /// Views of several pages are there too.
  void theFirstViewIsInFront() {
    const std::vector panels{figurePanel("rope_phase", {{"q_length", Index{64}}}), figurePanel("alibi", {})};
    const Session session = figure_session(panels, {});
    QCOMPARE(session.current, std::string("rotary"));
    QCOMPARE(shown_page(session, "biases").method, std::string("alibi"));
  }

  /// The figure's own texts are those of its views.
  void furtherViewsAndTextsArePins() {
    FigureSpec spec{.width = 400, .legend = false, .rows = 1, .cols = 3};
    std::vector panels{figurePanel("visibility", {{"q_length", Index{9}}}),
                       figurePanel("visibility", {{"mask", std::string("bidirectional")}, {"q_length", Index{9}}}),
                       figurePanel("visibility", {{"q_length", Index{8}}})};
    panels[1].labels.title = "All";
    panels[2].cells = Rect{{0, 4}, {2, 8}};
    const Session session = figure_session(panels, spec);
    QVERIFY(shown_page(session, "masks").compare == CompareMode::none);
    QVERIFY(session.figure == spec);
    QCOMPARE(session.pins.size(), std::size_t{3});
    for (std::size_t i = 0; i < panels.size(); ++i) {
      const FigurePanel again = panel_of(session.pins[i]);
      QVERIFY(again.method == panels[i].method && again.values == panels[i].values);
      QVERIFY(again.labels == panels[i].labels);
    }
    QVERIFY(panel_of(session.pins[2]).look.view == std::optional(ViewRange{0, 4, 2, 8}));
    panels.resize(1);
    QVERIFY(figure_session(panels, spec).pins.empty());
    panels[0].labels.x = "key";
    QCOMPARE(figure_session(panels, spec).pins.size(), std::size_t{1});
  }

  /// What is read back is what was embedded, for every method.
  void everyMethodOpensAgain() {
    for (const Method& method : methods()) {
      if (method.run() || !page_of(method)) continue;
      const FigurePanel panel{.method = &method, .values = default_values(method.parameters)};
      const Session session = figure_session(std::span(&panel, 1), {});
      const bool isShown = session.current == page_of(method)->id;
      QVERIFY2(isShown == !embedded_figure_session(std::span(&panel, 1), {}).empty(), method.id.c_str());
      QVERIFY2(isShown || !method.field(), method.id.c_str());
      const auto opened = parse_session(session_text(session));
      QVERIFY2(opened && opened->notes.empty(), method.id.c_str());
      QVERIFY2(opened->session == session, method.id.c_str());
    }
  }
};

VQSCOPE_TEST(FigureSessionTest)
#include "figure_session_test.moc"
