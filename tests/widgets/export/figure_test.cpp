// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/export/figure.h"

#include "core/method/curve_set.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/widgets/export/figure_cases.h"
#include "widgets/parts/text.h"
#include "widgets/theme/palette.h"

#include <QApplication>
#include <QImage>
#include <QRegularExpression>

#include <thread>
#include <utility>

using namespace vqscope;
using namespace vqscope::test;

class FigureTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void figuresAreDeterministic_data() { everyFigure(); }

  void figuresAreDeterministic() {
    QFETCH(QString, id);
    QFETCH(QString, format);
    const QByteArray first = figure(qPrintable(id), {}, format);
    QVERIFY2(first.size() > 1000, first.left(200).constData());
    QVERIFY2(figure(qPrintable(id), {}, format) == first, "another figure the second time");
  }

  void figureUsesAxesAndAspectOfTheLook() {
    ShownPage look;
    const QByteArray plain = figure("t5_staircase", {}, "svg");
    look.axes["rope_score"] = {true, true};
    QVERIFY(figure("t5_staircase", {}, "svg", {}, look) == plain);
    look.axes["t5_staircase"] = {false, true};
    QVERIFY(figure("t5_staircase", {}, "svg", {}, look) != plain);
    // 8 x 32 cells: as squares they take a quarter of the height that is the map's otherwise.
    const auto inkedRows = [](const QByteArray& png) {
      const QImage image = QImage::fromData(png);
      int rows = 0;
      for (int y = 0; y < image.height(); ++y) rows += image.pixel(image.width() / 2, y) != qRgb(255, 255, 255);
      return rows;
    };
    const ParameterValues::Map wide{{"q_length", Index{8}}, {"kv_length", Index{32}}};
    const int filled = inkedRows(figure("t5_bucket", wide, "png"));
    look.keep_aspect = true;
    const int square = inkedRows(figure("t5_bucket", wide, "png", {}, look));
    QVERIFY2(square * 5 < filled * 3, qPrintable(QString("%1 of %2").arg(square).arg(filled)));
  }

  /// A legend of several lines beneath a small map takes height from it, which makes it narrower
  /// again.
  void squareCellsAreSquareInSmallFigures_data() {
    QTest::addColumn<QSize>("size");
    for (const QSize size : {QSize(317, 242), QSize(317, 265), QSize(454, 340), QSize(800, 640)})
      QTest::addRow("%d x %d", size.width(), size.height()) << size;
  }

  void squareCellsAreSquareInSmallFigures() {
    QFETCH(QSize, size);
    ShownPage look;
    look.keep_aspect = true;
    const QString svg = QString::fromUtf8(
        figure("visibility", {}, "svg", {.width = 1.0 * size.width(), .height = 1.0 * size.height()}, look));
    static const QRegularExpression image("<image x=\"\\d+\" y=\"\\d+\" width=\"(\\d+)\" height=\"(\\d+)\"");
    const auto match = image.match(svg);
    QVERIFY2(match.hasMatch(), qPrintable(svg.left(2000)));
    QCOMPARE(match.captured(1), match.captured(2));
    QVERIFY(match.captured(1).toInt() >= 90);
  }

  /// The title and the legend are wider than the map.
  void narrowMapsAreSquareToo() {
    ShownPage look;
    look.keep_aspect = true;
    const QString svg =
        QString::fromUtf8(figure("rope_phase", {{"q_length", Index{256}}}, "svg", {.width = 317, .height = 242}, look));
    static const QRegularExpression image("<image x=\"\\d+\" y=\"\\d+\" width=\"(\\d+)\" height=\"(\\d+)\"");
    const auto match = image.match(svg);
    QVERIFY2(match.hasMatch(), qPrintable(svg.left(2000)));
    QVERIFY(std::abs(4 * match.captured(1).toInt() - match.captured(2).toInt()) <= 4);
    QVERIFY(!svg.contains("not square"));
  }

  /// As much space on the left of its axis as on the right of the map.
  void squareMapsAreInTheMiddle() {
    ShownPage look;
    look.keep_aspect = true;
    const QImage image = QImage::fromData(figure(
        "t5_bucket", {{"q_length", Index{64}}}, "png",
        {.width = 800, .height = 300, .dpi = 96, .title = false, .legend = false, .axes = false, .colour_bar = false},
        look));
    int first = image.width();
    int last = 0;
    for (int x = 0; x < image.width(); ++x)
      if (image.pixel(x, 150) != qRgb(255, 255, 255)) first = std::min(first, x), last = x;
    QVERIFY2(last - first > 250, qPrintable(QString("%1 to %2").arg(first).arg(last)));
    QVERIFY2(std::abs(first - (image.width() - 1 - last)) <= 6, qPrintable(QString("%1 to %2").arg(first).arg(last)));
  }

  /// One column of a journal, and the least size.
  void smallFiguresHaveAllParts_data() {
    QTest::addColumn<QSize>("millimetres");
    for (const QSize size : {QSize(84, 40), QSize(84, 70), QSize(174, 80)})
      QTest::addRow("%d x %d", size.width(), size.height()) << size;
  }

  void smallFiguresHaveAllParts() {
    QFETCH(QSize, millimetres);
    const FigureSpec spec{.width = figure_points(millimetres.width()), .height = figure_points(millimetres.height())};
    for (const char* id : figureIds) {
      const QString svg = QString::fromUtf8(figure(id, {}, "svg", spec));
      QVERIFY2(
          svg.contains(QString("width=\"%1mm\" height=\"%2mm\"").arg(millimetres.width()).arg(millimetres.height())),
          qPrintable(svg.left(400)));
      QVERIFY2(svg.contains(rowTitleOf(*find_method(id))), id);
      if (!find_method(id)->field()) continue;
      static const QRegularExpression map("<image x=\"\\d+\" y=\"\\d+\" width=\"(\\d+)\" height=\"(\\d+)\"");
      const auto match = map.match(svg);
      QVERIFY2(match.hasMatch() && match.captured(2).toInt() >= 40, qPrintable(id + match.captured(0)));
    }
  }

  void leastFiguresAreMade() {
    const FigureSpec spec{.width = least_figure_side, .height = least_figure_side};
    for (const char* id : figureIds) QVERIFY2(figure(id, {}, "png", spec).startsWith("\x89PNG"), id);
  }

  /// The ends of the bar stay where there is no space for all of its numbers.
  void phasesHaveTheirWholeTurn() {
    for (const double width : {317.0, 800.0})
      QVERIFY(QString::fromUtf8(figure("rope_phase", {}, "svg", {.width = width})).contains("rad<"));
  }

  void partsAreLeftOut() {
    const auto has = [](const FigureSpec& spec, const char* id, const QString& word) {
      return QString::fromUtf8(figure(id, {}, "svg", spec)).contains(word);
    };
    QVERIFY(has({}, "visibility", "visible") && !has({.legend = false}, "visibility", ">visible<"));
    QVERIFY(has({}, "rope_phase", "rad") && !has({.colour_bar = false}, "rope_phase", "rad"));
    QVERIFY(has({}, "t5_bucket", "query") && !has({.axes = false}, "t5_bucket", "query"));
    QVERIFY(has({}, "t5_bucket", "T 512") && !has({.title = false}, "t5_bucket", "T 512"));
  }

  void labelsReplaceTheOwn() {
    FigurePanel panel = panelOf("t5_bucket");
    panel.labels = {.title = "Ours", .x = "key", .y = "query of the decoder"};
    const auto svg = renderFigure({panel}, {}, "svg", {});
    QVERIFY(svg);
    for (const char* word : {">Ours<", ">key<", ">query of the decoder<"}) QVERIFY2(svg->contains(word), word);
    QVERIFY(!svg->contains("T 512"));
  }

  void darkFiguresAreDark() {
    const QImage dark = QImage::fromData(figure("t5_bucket", {}, "png", {.dark = true}));
    QCOMPARE(QColor(dark.pixel(1, 1)).name(), palette(Theme::dark).panel.name());
  }

  /// Twice the size of the axis titles is twice everything: the same layout in half the size.
  void theFontSizeScalesAll() {
    const QString usual =
        QString::fromUtf8(figure("t5_bucket", {}, "svg", {.width = 400, .height = 320, .font_size = 9}));
    const QString twice =
        QString::fromUtf8(figure("t5_bucket", {}, "svg", {.width = 800, .height = 640, .font_size = 18}));
    QVERIFY(usual.contains("viewBox=\"0 0 400 320\"") && twice.contains("viewBox=\"0 0 400 320\""));
  }

  void unknownFontsAreRefused() {
    COMPARE_ERROR(renderFigure({panelOf("t5_bucket")}, {.font = "DejaVu Sanz"}, "svg", {}),
                  "font is DejaVu Sanz but must be installed; did you mean DejaVu Sans?");
  }

  void mapsTooNarrowForSquaresAreMarked() {
    ShownPage look;
    look.keep_aspect = true;
    const QString svg = QString::fromUtf8(figure("rope_phase", {{"q_length", Index{65536}}}, "svg", {}, look));
    QVERIFY(svg.contains("cells not square"));
  }

  void titleOfADifferenceNamesTheDifferingValues() {
    const Method& method = *find_method("rope_phase");
    auto values = default_values(method.parameters);
    values.set("rope_type", std::string("yarn"));
    auto minus = values;
    minus.set("rope_type", std::string("ntk"));
    QCOMPARE(figureTitle(method, values, minus, {}), QString::fromUtf8("RoPE phase   yarn − ntk   T 8192"));
    QCOMPARE(figureTitle(method, values, minus, {"a.py", "b.py"}),
             QString::fromUtf8("RoPE phase   a.py − b.py   T 8192"));
  }

  void titleMarksRandomValues() {
    const Method& method = *find_method("t5_bias");
    QCOMPARE(figureTitle(method, default_values(method.parameters), std::nullopt, {}),
             QString::fromUtf8("T5 bias   T 512 · random, untrained (seed 0)"));
  }

  void figuresAreLightWhateverTheTheme_data() { everyFigure(); }

  void figuresAreLightWhateverTheTheme() {
    QFETCH(QString, id);
    QFETCH(QString, format);
    applyTheme(*qApp, Theme::light);
    const QByteArray light = figure(qPrintable(id), {}, format);
    applyTheme(*qApp, Theme::dark);
    QVERIFY(figure(qPrintable(id), {}, format) == light);
  }

  void aBlockAndARange() {
    const QByteArray block = figure("t5_bucket", {}, "svg", {}, {}, Rect{{100, 110}, {200, 208}});
    const QByteArray whole = figure("t5_bucket", {}, "svg");
    QVERIFY(block != whole);
    ShownPage look;
    look.view = ViewRange{100, 110, 200, 208};
    QVERIFY2(figure("t5_bucket", {}, "svg", {}, look) == block, "the view in range is another figure than its block");
  }

  /// With every choice of its sets: as many lines as there are distinguishable colours.
  void curvesOfEveryMethodHaveColoursOfTheirOwn() {
    for (const Method& method : methods()) {
      if (!method.curves()) continue;
      ParameterValues values = default_values(method.parameters);
      std::size_t most = 0;
      for (const ParameterSpec& spec : method.parameters) {
        if (spec.kind != ParameterKind::choice_set) continue;
        std::vector<std::string> all;
        for (const Choice& choice : spec.choices) all.push_back(choice.id);
        most = std::max(most, all.size());
        values.set(spec.name, std::move(all));
      }
      QVERIFY2(most <= mostCurveColours || !check_method_values(method, values), method.id.c_str());
      if (method.curves()->origin == CurveOrigin::measured || !check_method_values(method, values)) continue;
      const auto set = make_curves(method, values);
      if (!set) continue;
      std::size_t lines = set->published ? set->published->series.size() : 0;
      for (std::size_t i = 0; i < set->curves.size(); ++i) lines += !set->is_edge(i);
      QVERIFY2(lines <= mostCurveColours, qPrintable(QString("%1: %2").arg(text(method.id)).arg(lines)));
    }
  }

  void looksAreShown() {
    ShownPage look;
    const QByteArray plain = figure("t5_bucket", {{"q_length", Index{4096}}}, "png", {}, look);
    look.aggregate = Aggregate::max;
    const QByteArray max = figure("t5_bucket", {{"q_length", Index{4096}}}, "png", {}, look);
    look.colour_map = "magma";
    const QByteArray magma = figure("t5_bucket", {{"q_length", Index{4096}}}, "png", {}, look);
    QVERIFY(plain != max && max != magma);
  }

  void differencesNameBothSides() {
    ShownPage look;
    look.compare = CompareMode::difference;
    look.other = valuesOf("t5_bucket", {{"num_buckets", Index{16}}});
    const QByteArray svg = figure("t5_bucket", {}, "svg", {}, look);
    QVERIFY(svg.contains("num_buckets 32 − num_buckets 16"));
  }

  void longSequences() {
    const QByteArray svg = figure("visibility", {{"q_length", Index{2097152}}}, "svg");
    QVERIFY(svg.contains("<svg"));
    QVERIFY2(svg.size() < 20'000'000, qPrintable(QString::number(svg.size())));
  }

  void otherThreadsPaintTheSameBytes_data() { everyFigure(); }

  void otherThreadsPaintTheSameBytes() {
    QFETCH(QString, id);
    QFETCH(QString, format);
    int parts = 0;
    const auto elsewhere = [&parts](const std::function<void()>& work, WhenStopped) {
      ++parts;
      std::thread(work).join();
    };
    const auto painted = renderFigure({panelOf(qPrintable(id))}, {}, format, std::stop_token(), {.away = elsewhere});
    QVERIFY(painted);
    QCOMPARE(parts, 3);  // the picture, the session in the file, the file
    QVERIFY(*painted == figure(qPrintable(id), {}, format));
  }

  /// Called when the picture is there and the file is to be painted and compressed.
  void stopWhilePaintingCancelsTheFigure() {
    for (const char* format : {"png", "svg", "pdf"}) {
      std::stop_source stop;
      int parts = 0;
      const auto stopAtTheLast = [&](const std::function<void()>& work, WhenStopped) {
        if (++parts == 3) stop.request_stop();
        work();
      };
      const auto painted = renderFigure({panelOf("t5_bucket")}, {}, format, stop.get_token(), {.away = stopAtTheLast});
      QVERIFY2(!painted && painted.error().code == Errc::cancelled, format);
    }
  }

  /// Abandoned painting ends safely, after its requesters are gone.
  void abandonedPaintingEndsSafely() {
    for (const char* format : {"png", "svg", "pdf"}) {
      std::stop_source stop;
      std::function<void()> left;
      const auto leaveThePainting = [&](const std::function<void()>& work, WhenStopped whenStopped) {
        if (whenStopped == WhenStopped::wait) return work();
        left = work;
        stop.request_stop();
      };
      const auto painted =
          renderFigure({panelOf("t5_bucket")}, {}, format, stop.get_token(), {.away = leaveThePainting});
      QVERIFY2(!painted && painted.error().code == Errc::cancelled, format);
      QVERIFY2(left, format);
      std::thread([&left] { std::exchange(left, {})(); }).join();
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    }
  }

  void badValuesAndStopsAreErrors() {
    COMPARE_ERROR(renderFigure({panelOf("t5_bucket", {{"num_buckets", Index{31}}})}, {}, "png", {}),
                  "num_buckets is 31 but must be even when bidirectional");
    std::stop_source stop;
    stop.request_stop();
    for (const char* id : figureIds) {
      const auto stopped = renderFigure({panelOf(id)}, {}, "svg", stop.get_token());
      QVERIFY2(!stopped && stopped.error().code == Errc::cancelled, id);
    }
  }

 private:
  void afterEach() override { applyTheme(*qApp, Theme::light); }
};

VQSCOPE_TEST(FigureTest)
#include "figure_test.moc"
