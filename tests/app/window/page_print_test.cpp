// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/page_print.h"

#include "core/catalogue/registry.h"
#include "core/session/session.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QPrinter>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;

namespace {

FigurePanel panelOfMethod(const char* id) {
  const Method& method = *find_method(id);
  return {.method = &method, .values = default_values(method.parameters), .look = default_page(*page_of(method))};
}

}  // namespace

/// A printer that writes a file.
class PagePrintTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void aFigureFillsAPage() {
    const QTemporaryDir folder;
    for (const char* id : {"t5_bucket", "rope_wavelength"}) {
      QPrinter printer(QPrinter::HighResolution);
      printer.setOutputFormat(QPrinter::PdfFormat);
      printer.setOutputFileName(folder.filePath("figure.pdf"));
      printer.setPageOrientation(QPageLayout::Landscape);
      const auto printed = printFigure({panelOfMethod(id)}, printer, nullptr);
      QVERIFY2(printed, printed ? "" : printed.error().message.c_str());
      QFile file(folder.filePath("figure.pdf"));
      QVERIFY(file.open(QIODevice::ReadOnly));
      const QByteArray bytes = file.readAll();
      QVERIFY(bytes.startsWith("%PDF") && bytes.size() > 10000);
      QCOMPARE(bytes.count("/Type /Page\n"), 1);
      QVERIFY2(bytes.contains("/FontFile2"), "text is no text");
    }
  }

  void aPrinterThatCannotBeginIsSaid() {
    QPrinter printer(QPrinter::HighResolution);
    printer.setOutputFormat(QPrinter::PdfFormat);
    printer.setOutputFileName("/nonexistent/figure.pdf");
    QTest::ignoreMessage(QtWarningMsg, "QPainter::begin(): Returned false");
    const auto printed = printFigure({panelOfMethod("t5_bucket")}, printer, nullptr);
    QVERIFY(!printed);
    QCOMPARE(printed.error().message, std::string("the printer cannot be used"));
  }
};

VQSCOPE_TEST(PagePrintTest)
#include "page_print_test.moc"
