// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/mask_file.h"

#include "core/io/npy.h"
#include "core/io/whole_file.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/file_name.h"

#include <QFile>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <array>

using namespace vqscope;
using namespace vqscope::test;

class MaskFileTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(m_folder.isValid()); }

  void npy_csv_and_png_hold_the_same_mask() {
    const QByteArray cells("\1\0\0\1\1\0\1\1\1", 9);
    QImage image(3, 3, QImage::Format_Mono);
    image.setColorTable({qRgb(0, 0, 0), qRgb(255, 255, 255)});
    for (int i = 0; i < 9; ++i) image.setPixel(i % 3, i / 3, static_cast<uint>(cells[i]));
    const QString png = m_folder.filePath("mask.png");
    QVERIFY(image.save(png));
    const std::string header = npy_header("|b1", std::array<Index, 2>{3, 3});
    const QString npy = writtenFile(m_folder, "mask.NPY", QByteArray::fromStdString(header) + cells);
    for (const QString& path : {png, npy, writtenFile(m_folder, "mask.csv", "1,0,0\n1,1,0\n1,1,1\n")}) {
      const auto dump = readMaskFile(path);
      QVERIFY2(dump, qPrintable(path));
      for (Index i = 0; i < 9; ++i) QCOMPARE(dump->mask->visible(i / 3, i % 3), cells[static_cast<int>(i)] != 0);
    }
  }

  void faults_name_the_file() {
    const QString missing = m_folder.filePath("none.npy");
    COMPARE_ERROR(readMaskFile(missing), "cannot read " + missing.toStdString() + ": No such file or directory");
    COMPARE_ERROR(readMaskFile(m_folder.path()),
                  "cannot read " + m_folder.path().toStdString() + ": it is a directory");
    const QString text = writtenFile(m_folder, "mask.csv", "1,x\n");
    COMPARE_ERROR(readMaskFile(text), text.toStdString() + ": line 1, column 2: \"x\", wanted a number");
    const QString other = writtenFile(m_folder, "mask.pkl", "1");
    COMPARE_ERROR(readMaskFile(other),
                  other.toStdString() + ": the extension is \"pkl\", allowed are npy, csv, txt, tsv and png");
    const QString broken = writtenFile(m_folder, "mask.png", "no image");
    QVERIFY(readMaskFile(broken).error().message.starts_with(broken.toStdString() + ": not a PNG image: "));
  }

  /// Qt tells formats by their contents: eight million rows of 80 bytes of text, called .png.
  void other_images_called_png() {
    for (const QByteArray& bytes : {QByteArray("P1\n1 8000000\n0 1"), QByteArray("/* XPM */\nstatic char*x[]={\"1 8000000 1 1\"};"),
                                    QByteArray("<svg width='9' height='8000000'/>")}) {
      const QString path = writtenFile(m_folder, "other.png", bytes);
      COMPARE_ERROR(readMaskFile(path), path.toStdString() + ": not a PNG image: it does not begin as one");
    }
  }

  void png_headers_that_lie() {
    QImage image(8, 8, QImage::Format_Grayscale8);
    image.fill(255);
    const QString whole = m_folder.filePath("whole.png");
    QVERIFY(image.save(whole));
    QFile file(whole);
    QVERIFY(file.open(QIODevice::ReadOnly));
    QByteArray bytes = file.readAll();
    bytes.replace(16, 8, QByteArray("\0\0\0\1\0\x7a\x12\0", 8));
    const QString tall = writtenFile(m_folder, "tall.png", bytes);
    COMPARE_ERROR(readMaskFile(tall), tall.toStdString() +
                                          ": the image is damaged: its header says that it has 1 x 8000000 pixels, "
                                          "which PNG cannot hold in " + std::to_string(bytes.size()) + " bytes");
    bytes.replace(16, 8, QByteArray("\x7f\xff\xff\xff\x7f\xff\xff\xff", 8));
    const QString huge = writtenFile(m_folder, "huge.png", bytes);
    COMPARE_ERROR(readMaskFile(huge), huge.toStdString() +
                                          ": the image has 2147483647 x 2147483647 pixels, as many as 128 MiB hold "
                                          "are read; save the mask as .npy");
  }

  void names_that_are_not_utf8() {
    const std::string path = m_folder.path().toStdString() + "/\xff.csv";
    QVERIFY(write_whole_file(path, "1,0\n1,1\n"));
    const auto dump = readMaskFile(textOfBytes(path));
    QVERIFY(dump && !dump->mask->visible(0, 1));
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(MaskFileTest)
#include "mask_file_test.moc"
