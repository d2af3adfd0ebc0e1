// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_json.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class FigurePresetsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void presetsAreKept() {
    Session session = default_session();
    session.figures = {{"paper", {.width = 317.5, .dpi = 300, .font = "DejaVu Serif", .font_size = 8, .title = false}},
                       {"slide", {.dark = true, .rows = 2, .cols = 3}}};
    const auto opened = parse_session(session_text(session));
    QVERIFY(opened && opened->notes.empty());
    QVERIFY(opened->session.figures == session.figures);
    QVERIFY(session_text(default_session()).find("figures") == std::string::npos);
  }

  void whatIsNoPresetIsLeftOut() {
    const auto opened = parse_session(
        R"({"vqscope": 2, "figures": [{"name": "a", "dpi": 7}, {"name": "b", "title": 3}, {"dpi": 96}, {"name": "c"}]})");
    QVERIFY(opened);
    QCOMPARE(opened->session.figures.size(), std::size_t{1});
    QCOMPARE(opened->session.figures[0].name, std::string("c"));
    QCOMPARE(opened->notes.size(), std::size_t{3});
    QCOMPARE(opened->notes[0],
             std::string("dpi of the figure is 7 but must be an integer from 36 to 1200; it was left out"));
  }
};

VQSCOPE_TEST(FigurePresetsTest)
#include "figure_presets_test.moc"
