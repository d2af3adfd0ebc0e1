// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/figure/panel_arguments.h"
#include "core/catalogue/registry.h"
#include "core/output/exporter.h"
#include "core/session/command_arguments.h"
#include "tests/app/program.h"
#include "tests/support/test_main.h"
#include "widgets/export/figure.h"
#include "widgets/figure/figure_editor.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ParameterValues valuesOf(const Method& method, const ParameterValues::Map& set) {
  return default_values(method.parameters, set);
}

}  // namespace

/// The window and the command line write the same file.
class SameBytesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() { applyTheme(*qApp, Theme::dark); }
  void cleanupTestCase() { applyTheme(*qApp, Theme::light); }

  void windowAndCommandLine_data() {
    QTest::addColumn<QString>("id");
    QTest::addColumn<bool>("changed");
    QTest::addColumn<QString>("suffix");
    for (const char* id : {"t5_bucket", "visibility", "t5_staircase"})
      for (const bool changed : {false, true})
        for (const auto& suffix : export_suffixes())
          QTest::addRow("%s%s.%s", id, changed ? " changed" : "", suffix.c_str())
              << id << changed << QString::fromStdString(suffix);
  }

  void windowAndCommandLine() {
    QFETCH(QString, id);
    QFETCH(bool, changed);
    QFETCH(QString, suffix);
    const Method& method = *find_method(id.toStdString());
    ParameterValues values = default_values(method.parameters);
    if (changed && id == "visibility") {
      values.set("mask", std::string("sliding_window"));
      values.set("sliding_window", Index{5});
      values.set("q_length", Index{40});
    } else if (changed) {
      values.set("num_buckets", Index{12});
      values.set("max_distance", Index{33});
    }
    const QTemporaryDir folder;
    // The editor decides the request, as in the window.
    const FigureEditor editor(figureViews({{&method, values, std::nullopt}}, 0, default_page(*page_of(method)), {}), {},
                              {}, nullptr);
    const auto request = editor.request();
    QVERIFY(request);
    const auto written = export_file(*request, folder.filePath("window." + suffix).toStdString(), {}, {});
    QVERIFY2(written, written ? "" : written.error().message.c_str());

    const QString line = "export " + id + text(set_arguments(method, values)) + " --out program." + suffix;
    const auto outcome = runProgram(folder, line.split(' '));
    QCOMPARE(outcome.err, QByteArray());
    const QByteArray window = contentOf(folder, "window." + suffix);
    const QByteArray program = contentOf(folder, "program." + suffix);
    QVERIFY(window.size() > 50);
    QVERIFY2(
        window == program,
        qPrintable(QString("window wrote %1 bytes, %2 wrote %3").arg(window.size()).arg(line).arg(program.size())));
  }

  /// A, B and A − B of a comparison, with a look of their own.
  void panels() {
    const Method& method = *find_method("t5_bucket");
    const auto values = valuesOf(method, {{"q_length", Index{64}}});
    ShownPage look = default_page(*page_of(method));
    look.compare = CompareMode::side_by_side;
    look.other = valuesOf(method, {{"q_length", Index{64}}, {"num_buckets", Index{16}}});
    auto views = figureViews({{&method, values, std::nullopt}}, 0, look, {});
    QCOMPARE(views.size(), std::size_t{3});
    views[2].isChosen = true;
    views[1].panel.labels.title = "half";
    FigureSpec spec{.width = figure_points(two_columns_mm), .height = figure_points(80), .font_size = 8};
    spec.dark = true;
    spec.title = true;
    spec.legend = false;
    const FigureEditor editor(views, {}, {.spec = spec}, nullptr);
    const auto request = editor.request();
    QVERIFY(request);
    for (const char* suffix : {"png", "svg", "pdf"}) {
      const QTemporaryDir folder;
      QVERIFY(export_file(*request, folder.filePath(QString("window.") + suffix).toStdString(), {}, {}));
      const auto outcome = runProgram(
          folder, {"export", "t5_bucket", "--set", "q_length=64", "--panel", "num_buckets=16 --title half", "--panel",
                   "--minus num_buckets=16", "--width", "two-columns", "--height", "80mm", "--font-size", "8",
                   "--theme", "dark", "--no-legend", "--out", QString("program.") + suffix});
      QCOMPARE(outcome.err, QByteArray());
      QVERIFY2(contentOf(folder, QString("window.") + suffix) == contentOf(folder, QString("program.") + suffix),
               suffix);
    }
  }

  /// The command that the editor copies, as a shell reads it.
  void copiedCommands() {
    const Method& method = *find_method("t5_bucket");
    auto views = figureViews({{&method, valuesOf(method, {{"q_length", Index{40}}}), ViewRange{3, 20, 0, 40}},
                              {find_method("t5_staircase"), valuesOf(*find_method("t5_staircase"), {}), std::nullopt}},
                             0, default_page(*page_of(method)), {});
    views[0].panel.labels = {"It's \"ours\"", "", "query"};
    views[1].isChosen = true;
    const FigureSpec spec{.width = 401.5, .height = figure_points(70), .font = "DejaVu Serif", .font_size = 8.5};
    FigureEditor editor(views, {}, {.spec = spec, .formats = {"png", "pdf"}}, nullptr);
    editor.show();
    QTRY_VERIFY_WITH_TIMEOUT(!editor.isBusy(), 60000);
    const QTemporaryDir folder;
    const auto request = editor.request();
    QVERIFY(request);
    QVERIFY(export_files(*request, {folder.filePath("w.png").toStdString(), folder.filePath("w.pdf").toStdString()}, {},
                         {}));
    const auto words = shellWords(editor.command().toStdString());
    QVERIFY(words);
    QStringList arguments;
    for (const auto& word : *words) arguments << QString::fromStdString(word);
    QCOMPARE(arguments.takeFirst(), QString("vqscope"));
    const auto outcome = runProgram(folder, arguments);
    QCOMPARE(outcome.err, QByteArray());
    for (const char* suffix : {"png", "pdf"})
      QVERIFY2(contentOf(folder, QString("w.") + suffix) == contentOf(folder, QString("t5_bucket.") + suffix),
               qPrintable(editor.command()));
  }

  void blocks() {
    const Method& method = *find_method("t5_bucket");
    for (const char* suffix : {"csv", "png", "svg"}) {
      const QTemporaryDir folder;
      ExportRequest request{&method, valuesOf(method, {}), Rect{{100, 120}, {90, 130}}};
      request.figures = qtFigureMaker();
      request.look = default_page(*page_of(method));
      QVERIFY(export_file(request, folder.filePath(QString("window.") + suffix).toStdString(), {}, {}));
      const auto outcome = runProgram(folder, {"export", "t5_bucket", "--rows", "100:120", "--cols", "90:130", "--out",
                                               QString("program.") + suffix});
      QCOMPARE(outcome.err, QByteArray());
      QVERIFY2(contentOf(folder, QString("window.") + suffix) == contentOf(folder, QString("program.") + suffix),
               suffix);
    }
  }
};

VQSCOPE_TEST(SameBytesTest)
#include "same_bytes_test.moc"
