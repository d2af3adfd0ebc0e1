// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/figure/panel_arguments.h"
#include "tests/app/program.h"
#include "tests/support/compare.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

class PanelsTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void wordsAreThoseOfAShell() {
    QCOMPARE(*shellWords(R"( a  b="c d" 'e\f' g\ h "" )"),
             (std::vector<std::string>{"a", "b=c d", R"(e\f)", "g h", ""}));
    QCOMPARE(*shellWords(""), std::vector<std::string>());
    COMPARE_ERROR(shellWords("a 'b"), "a quotation mark ' is not closed");
  }

  /// Three masks under one legend, lettered.
  void masksSideBySide() {
    if (!makesFigures()) QSKIP("This program makes no figures");
    const QByteArray svg =
        exported({"visibility", "--set", "q_length=32", "--panel", "mask=bidirectional", "--panel",
                  "mask=sliding_window sliding_window=4", "--width", "two-columns", "--out", "masks.svg"},
                 "masks.svg");
    for (const char* letter : {">(a)<", ">(b)<", ">(c)<"}) QVERIFY2(svg.contains(letter), letter);
    QVERIFY(!svg.contains(">(d)<"));
    QCOMPARE(svg.count(">visible<"), 1);
    QCOMPARE(svg.count("<image"), 3);
    // Backgrounds are of the figure and the maps: that of a legend would hide the lower half of a last tick label.
    QCOMPARE(svg.count(R"(<rect x="0" y="0")"), 1 + 3);
  }

  /// A − B has other colours than A and B.
  void bothSidesAndTheirDifference() {
    if (!makesFigures()) QSKIP("This program makes no figures");
    const QByteArray svg = exported(
        {"alibi", "--set", "q_length=32", "--panel", "num_heads=4", "--panel", "--minus num_heads=4", "--out", "a.svg"},
        "a.svg");
    QCOMPARE(svg.count("<image"), 3 + 3);  // with their bars
  }

  void curvesBesideMaps() {
    if (!makesFigures()) QSKIP("This program makes no figures");
    const QStringList arguments{
        "t5_bucket", "--panel", "t5_staircase --title Steps", "--grid", "2x1", "--height", "120mm", "--out", "a.svg"};
    const QByteArray svg = exported(arguments, "a.svg");
    QVERIFY(svg.contains(">Steps<") && svg.contains(">(b)<"));
    QCOMPARE(exported(arguments, "a.svg"), svg);
  }

  /// A figure that is made anew from its own file is the same, and another look is possible.
  void pinnedViewsOfAFigure() {
    if (!makesFigures()) QSKIP("This program makes no figures");
    const QTemporaryDir folder;
    const auto outcome =
        runProgram(folder, {"export", "visibility", "--set", "q_length=32", "--panel", "mask=bidirectional --title All",
                            "--panel", "--rows 3:9 --cols 0:9", "--font-size", "8", "--out", "a.svg"});
    QCOMPARE(outcome.err, QByteArray());
    QCOMPARE(runProgram(folder, {"export", "--session", "a.svg", "--pins", "--out", "b.svg"}).err, QByteArray());
    QVERIFY(contentOf(folder, "a.svg") == contentOf(folder, "b.svg"));
    QCOMPARE(runProgram(folder, {"export", "--session", "b.svg", "--pins", "--grid", "3x1", "--out", "c.svg"}).err,
             QByteArray());
    const QByteArray tall = contentOf(folder, "c.svg");
    QVERIFY(tall.contains(">(c)<") && tall != contentOf(folder, "a.svg"));
  }

  void pinnedViewsAreRefused() {
    const QTemporaryDir folder;
    const auto refusal = [&](const QStringList& arguments) { return runProgram(folder, arguments).err; };
    QCOMPARE(refusal({"export", "--pins", "--out", "a.svg"}),
             QByteArray("vqscope: --pins needs --session FILE, whose pinned views it takes\n"));
    QCOMPARE(refusal({"export", "alibi", "--pins", "--session", "s.vqscope", "--out", "a.svg"}),
             QByteArray("vqscope: --pins takes the views of the session; METHOD is for other views\n"));
    QFile session(folder.filePath("s.vqscope"));
    QVERIFY(session.open(QIODevice::WriteOnly));
    session.write(R"({"vqscope": 2})");
    session.close();
    QCOMPARE(refusal({"export", "--pins", "--session", "s.vqscope", "--out", "a.svg"}),
             QByteArray("vqscope: s.vqscope has no pinned views\n"));
  }

  void refusals_data() {
    const auto panel = [](const QString& text) {
      return QStringList{"export", "t5_bucket", "--panel", text, "--out", "a.svg"};
    };
    addRefusals(
        {{panel("num_bucket=8"), "--panel 1: unknown parameter num_bucket of t5_bucket; did you mean num_buckets?"},
         {panel("a b"), "--panel 1: one METHOD is expected, a and b were given"},
         {panel("--width 84mm"), "--panel 1: --width is for the whole figure, not for a panel"},
         {panel("--out b.png"), "--panel 1: --out is for the whole figure, not for a panel"},
         {panel("'"), "--panel 1: a quotation mark ' is not closed"},
         {{"export", "t5_bucket", "--grid", "2y2", "--out", "a.svg"},
          "--grid is 2y2 but must be ROWSxCOLUMNS, such as 2x2, of at most 6x6"},
         {{"export", "t5_bucket", "--panel", "num_buckets=8", "--out", "a.csv"},
          "a.csv holds one matrix or set of curves, 2 panels were given; .png, .svg and .pdf hold several"},
         {{"export", "t5_bucket", "--panel", "num_buckets=8", "--grid", "1x1", "--height", "80mm", "--out", "a.svg"},
          "the grid of 1x1 has no place for 2 panels; a grid has at most 6x6"}});
  }
  void refusals() {
    if (!makesFigures()) QSKIP("This program makes no figures");
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, message);
    const QTemporaryDir folder;
    compareRefused(runProgram(folder, arguments), message);
    QCOMPARE(namesIn(folder), QStringList());
  }

 private:
  static QByteArray exported(const QStringList& arguments, const QString& name) {
    const QTemporaryDir folder;
    const auto outcome = runProgram(folder, QStringList("export") + arguments);
    return outcome.status == 0 ? contentOf(folder, name) : outcome.err;
  }
};

VQSCOPE_TEST(PanelsTest)
#include "panels_test.moc"
