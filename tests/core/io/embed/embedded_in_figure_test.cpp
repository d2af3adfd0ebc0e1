// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/embed/embedded_in_figure.h"

#include "tests/support/test_main.h"

#include <QTest>

using namespace vqscope;

class EmbeddedInFigureTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The checksum of tEXt, vqscope, 0 and "a", by Python's zlib.crc32.
  void aChunkBeforeTheLast() {
    const std::string end("\0\0\0\0IEND\xae\x42\x60\x82", 12);
    const std::string chunk(
        "\0\0\0\x09"
        "tEXtvqscope\0a",
        17);
    const std::string made = png_with_text("pixels" + end, "a");
    QVERIFY(made.starts_with("pixels" + chunk));
    QVERIFY(made.ends_with(end));
    QCOMPARE(made.size(), 6 + chunk.size() + 4 + end.size());
    QCOMPARE(made.substr(6 + 17, 4), std::string("\x54\x71\x0d\xe5", 4));
    QCOMPARE(png_with_text("no picture at all", "a"), std::string("no picture at all"));
  }

  void anElementAtTheEndOfTheRoot() {
    QCOMPARE(svg_with_text("<svg><g/></svg>\n", "a"), std::string("<svg><g/><metadata>a</metadata>\n</svg>\n"));
    QCOMPARE(svg_with_text("text", "a"), std::string("text"));
  }
};

VQSCOPE_TEST(EmbeddedInFigureTest)
#include "embedded_in_figure_test.moc"
