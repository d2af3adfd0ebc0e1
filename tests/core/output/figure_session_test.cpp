// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/figure_session.h"

#include "core/catalogue/registry.h"
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
    const Session session = figure_session(panels);
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
    const Session session = figure_session(panels);
    QCOMPARE(session.current, std::string("rotary"));
    QCOMPARE(shown_page(session, "biases").method, std::string("alibi"));
  }

  /// What is read back is what was embedded, for every method.
  void everyMethodOpensAgain() {
    for (const Method& method : methods()) {
      if (method.run() || !page_of(method)) continue;
      const FigurePanel panel{.method = &method, .values = default_values(method.parameters)};
      const Session session = figure_session(std::span(&panel, 1));
      const bool isShown = session.current == page_of(method)->id;
      QVERIFY2(isShown == !embedded_figure_session(std::span(&panel, 1)).empty(), method.id.c_str());
      QVERIFY2(isShown || !method.field(), method.id.c_str());
      const auto opened = parse_session(session_text(session));
      QVERIFY2(opened && opened->notes.empty(), method.id.c_str());
      QVERIFY2(opened->session == session, method.id.c_str());
    }
  }
};

VQSCOPE_TEST(FigureSessionTest)
#include "figure_session_test.moc"
