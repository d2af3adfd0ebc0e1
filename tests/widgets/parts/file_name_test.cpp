// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/text.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QTest>

#include <random>

using namespace vqscope;

class FileNameTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void utf8IsText() {
    QCOMPARE(textOfBytes("schlüssel 𝛼"), QString("schlüssel 𝛼"));
    COMPARE_TEXT(bytesOf(QString("schlüssel 𝛼")), "schlüssel 𝛼");
  }

  void otherBytesAreKept() {
    const QString text = textOfBytes("a\xff\xc3z");
    QCOMPARE(text.size(), 4);
    QCOMPARE(text[1].unicode(), char16_t(0xdcff));
    COMPARE_TEXT(bytesOf(text), "a\xff\xc3z");
  }

  void anyBytesRoundTrip() {
    std::mt19937 random(7);
    for (int i = 0; i < 2000; ++i) {
      std::string bytes(random() % 12, '\0');
      for (char& byte : bytes) byte = static_cast<char>(random() % 3 == 0 ? random() : 0x80 | (random() & 0x7f));
      COMPARE_TEXT(bytesOf(textOfBytes(bytes)), bytes);
    }
  }

  void sentencesQuoteThem() {
    COMPARE_TEXT(shownText(textOfBytes("a\xff")), "a\ufffd");
    QCOMPARE(QString::fromStdString(shownText(QString(100, 'x'))).size(), 60);
    QCOMPARE(QString::fromStdString(shownPath(QString(500, 'x'))).size(), 160);
  }
};

VQSCOPE_TEST(FileNameTest)
#include "file_name_test.moc"
