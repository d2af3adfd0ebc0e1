// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/session_json.h"
#include "core/session/shown_page.h"
#include "tests/support/test_main.h"
#include "tests/widgets/export/figure_cases.h"
#include "widgets/export/pdf_time.h"

#include <QFile>
#include <QImage>
#include <QRegularExpression>
#include <QTemporaryDir>

#include <ctime>
#include <utility>

using namespace vqscope;
using namespace vqscope::test;

/// What stands in the files of figures.
class FigureFilesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The values of the figure and its comparison.
  void figuresOpenAgain_data() {
    QTest::addColumn<QString>("format");
    for (const char* format : {"png", "svg", "pdf"}) QTest::newRow(format) << format;
  }

  void figuresOpenAgain() {
    QFETCH(QString, format);
    ShownPage look;
    look.compare = CompareMode::difference;
    look.other = valuesOf("t5_bucket", {{"q_length", Index{64}}, {"num_buckets", Index{16}}});
    look.colour_map = "magma";
    const FigurePanel panel = panelOf("t5_bucket", {{"q_length", Index{64}}}, look, Rect{{1, 9}, {2, 8}});
    const auto bytes = renderFigure({panel}, {}, format, {});
    QVERIFY(bytes);
    const QTemporaryDir folder;
    QFile file(folder.filePath("figure." + format));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(*bytes) == bytes->size());
    file.close();
    const auto opened = read_session(file.fileName().toStdString());
    QVERIFY2(opened, opened ? "" : opened.error().message.c_str());
    QVERIFY(opened->notes.empty());
    QCOMPARE(opened->session.current, std::string("buckets"));
    const ShownPage page = shown_page(opened->session, "buckets");
    QCOMPARE(page.method, std::string("t5_bucket"));
    QCOMPARE(page.values.integer("q_length"), Index{64});
    QCOMPARE(page.other.integer("num_buckets"), Index{16});
    QVERIFY(page.compare == CompareMode::difference && page.view == (ViewRange{1, 9, 2, 8}));
    QCOMPARE(page.colour_map, std::string("magma"));
  }

  void svgHasItsTextAsText() {
    for (const char* id : figureIds) {
      const QByteArray svg = figure(id, {}, "svg");
      QVERIFY2(svg.contains("<text"), id);
      QVERIFY2(QString::fromUtf8(svg).contains(rowTitleOf(*find_method(id))), id);
      QVERIFY2(!svg.contains("image/jpeg"), id);
      // Coordinates, that is; pictures are base64, in which anything may stand.
      static const QRegularExpression embedded("\"data:[^\"]*\"|<metadata>.*</metadata>");
      const QString drawn = QString::fromUtf8(svg).remove(embedded);
      QVERIFY2(!drawn.contains("nan") && !drawn.contains("inf,") && !drawn.contains(",inf"), id);
    }
  }

  void pdfIsLossless() {
    for (const char* id : figureIds) {
      const QByteArray pdf = figure(id, {}, "pdf");
      QVERIFY2(pdf.startsWith("%PDF"), id);
      QVERIFY2(!pdf.contains("/DCTDecode"), id);
      QVERIFY2(pdf.contains("/Font"), "text is no text");
    }
  }

  void pdfHasNoTimeOfItsMaking() {
    const QByteArray pdf = figure("t5_bucket", {}, "pdf");
    const auto at = pdf.indexOf("/CreationDate");
    QVERIFY(at < 0 || pdf.mid(at, 40).contains("(D:2000"));
    QVERIFY2(!pdf.contains("/Users") && !pdf.contains("/home"), "a path of this machine");
  }

  /// The writer puts the local time into the file, in 15 or 21 characters.
  void pdfIsTheSameInEveryTimeZone() {
    const QByteArray before = qgetenv("TZ");
    QByteArray first;
    for (const char* zone : {"UTC", "Asia/Kolkata", "America/St_Johns", "Pacific/Kiritimati", "XYZ+11:30"}) {
      qputenv("TZ", zone);
      ::tzset();
      const QByteArray pdf = figure("t5_bucket", {}, "pdf");
      if (first.isEmpty()) first = pdf;
      QVERIFY2(pdf == first, zone);
    }
    before.isNull() ? qunsetenv("TZ") : qputenv("TZ", before);
    ::tzset();
  }

  /// By hand: the date takes six characters less, the object behind it and the table move by as
  /// many.
  void offsetsFollowTheDate() {
    const QByteArray pdf(
        "1 0 obj\n/CreationDate (D:20261127150609+05'30')\nendobj\n2 0 obj\nxref\n0 3\n"
        "0000000000 65535 f \n0000000000 00000 n \n0000000055 00000 n \ntrailer\n<<>>\n"
        "startxref\n62 \n%%EOF\n");
    QCOMPARE(withoutTime(pdf),
             QByteArray("1 0 obj\n/CreationDate (D:20000101000000Z)\nendobj\n2 0 obj\nxref\n0 3\n"
                        "0000000000 65535 f \n0000000000 00000 n \n0000000049 00000 n \ntrailer\n<<>>\n"
                        "startxref\n56 \n%%EOF\n"));
    QCOMPARE(withoutTime("no PDF"), QByteArray("no PDF"));
  }

  /// Each entry of the table leads to its object.
  void pdfOffsetsAreRight() {
    const QByteArray pdf = figure("t5_bucket", {}, "pdf");
    const qsizetype table = pdf.mid(pdf.lastIndexOf("startxref\n") + 10).split('\n').front().toLongLong();
    QCOMPARE(pdf.mid(table, 5), QByteArray("xref\n"));
    const auto lines = pdf.mid(table).split('\n');
    const int count = lines[1].split(' ')[1].toInt();
    QVERIFY(count > 5);
    for (int i = 1; i < count; ++i)
      QVERIFY2(pdf.mid(lines[2 + i].left(10).toLongLong()).startsWith(QByteArray::number(i) + " 0 obj"),
               lines[2 + i].constData());
  }

  void pngHasTheRequestedResolution_data() {
    QTest::addColumn<int>("dpi");
    for (const int dpi : {48, 96, 192, 300, 600}) QTest::addRow("%d", dpi) << dpi;
  }

  void pngHasTheRequestedResolution() {
    QFETCH(int, dpi);
    const QImage image = QImage::fromData(figure("t5_bucket", {}, "png", {.width = 480, .height = 400, .dpi = dpi}));
    QVERIFY(!image.isNull());
    QCOMPARE(image.size(), QSize(480 * dpi / 96, 400 * dpi / 96));
    QCOMPARE(image.dotsPerMeterX(), qRound(dpi / 0.0254));
    QCOMPARE(image.dotsPerMeterY(), image.dotsPerMeterX());
  }

  /// A figure of more dots has more of the matrix, not the same pixels larger.
  void everyDotIsItsOwn() {
    const QImage image = QImage::fromData(figure("t5_bucket", {{"q_length", Index{2000}}}, "png", {.dpi = 192}));
    bool finer = false;
    for (int y = 400; y < 800 && !finer; y += 2)
      for (int x = 400; x < 800 && !finer; x += 2) finer = image.pixel(x, y) != image.pixel(x + 1, y);
    QVERIFY(finer);
  }
};

VQSCOPE_TEST(FigureFilesTest)
#include "figure_files_test.moc"
