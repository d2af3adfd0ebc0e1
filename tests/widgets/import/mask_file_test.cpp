// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/mask_file.h"

#include "core/io/npy.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

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

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(MaskFileTest)
#include "mask_file_test.moc"
