// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/import/mask_file.h"

#include "core/io/bytes/whole_file.h"
#include "core/io/npy/npy_writer.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/import/png_image.h"
#include "widgets/parts/file_name.h"

#include <QBuffer>
#include <QImage>
#include <QTemporaryDir>
#include <QTest>

#include <array>
#include <filesystem>

using namespace vqscope;
using namespace vqscope::test;

namespace {

std::string pngBytes() {
  QImage image(8, 8, QImage::Format_Grayscale8);
  image.fill(255);
  QByteArray bytes;
  QBuffer buffer(&bytes);
  buffer.open(QIODevice::WriteOnly);
  image.save(&buffer, "png");
  return bytes.toStdString();
}

std::string bigEndian(std::uint32_t value) {
  std::string bytes;
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift & 0xff);
  return bytes;
}

/// The checksum of PNG, bit by bit.
std::uint32_t checksum(const std::string& bytes) {
  std::uint32_t sum = 0xffffffff;
  for (const char byte : bytes) {
    sum ^= static_cast<unsigned char>(byte);
    for (int bit = 0; bit < 8; ++bit) sum = sum >> 1 ^ ((sum & 1) != 0 ? 0xedb88320U : 0U);
  }
  return ~sum;
}

std::string withSize(std::string bytes, std::uint32_t width, std::uint32_t height) {
  bytes.replace(16, 8, bigEndian(width) + bigEndian(height));
  return bytes.replace(29, 4, bigEndian(checksum(bytes.substr(12, 17))));
}

}  // namespace

class MaskFileTest : public test::TestCase {
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
    COMPARE_ERROR(readMaskFile(text), text.toStdString() + ": line 1, column 2: \"x\", expected a number");
    const QString other = writtenFile(m_folder, "mask.pkl", "1");
    COMPARE_ERROR(
        readMaskFile(other),
        other.toStdString() + ": the extension is \"pkl\", must be npy, npz, safetensors, csv, txt, tsv or png");
    const QString broken = writtenFile(m_folder, "mask.png", "no image");
    QVERIFY(readMaskFile(broken).error().message.starts_with(broken.toStdString() + ": not a PNG image: "));
  }

  /// Qt tells formats by their contents: eight million rows of 80 bytes of text, called .png.
  void other_images_called_png() {
    for (const QByteArray& bytes :
         {QByteArray("P1\n1 8000000\n0 1"), QByteArray("/* XPM */\nstatic char*x[]={\"1 8000000 1 1\"};"),
          QByteArray("<svg width='9' height='8000000'/>")}) {
      const QString path = writtenFile(m_folder, "other.png", bytes);
      COMPARE_ERROR(readMaskFile(path), path.toStdString() + ": not a PNG image: the signature is missing");
    }
  }

  void png_headers_that_lie() {
    const std::string bytes = pngBytes();
    const auto said = [&](std::uint32_t width, std::uint32_t height) {
      const QString path = writtenFile(m_folder, "lies.png", QByteArray::fromStdString(withSize(bytes, width, height)));
      return readMaskFile(path).error().message.substr(path.toStdString().size());
    };
    COMPARE_TEXT(said(1, 900'000),
                 ": the PNG image is damaged: its header says that it has 1 x 900000 pixels, which it "
                 "cannot hold in " +
                     std::to_string(bytes.size()) + " bytes");
    COMPARE_TEXT(said(1, 8'000'000),
                 ": the image has 1 x 8000000 pixels, must have at most 1000000 rows and columns; "
                 "save the mask as .npy");
    COMPARE_TEXT(said(0x7fffffff, 0x7fffffff),
                 ": the image has 2147483647 x 2147483647 pixels, which need more than the limit of 128 MiB; "
                 "save the mask as .npy");
    COMPARE_TEXT(said(8, 9), ": the PNG image is damaged: its pixels are cut short");
  }

  /// Whatever byte is another, Qt is not asked.
  void damaged_png() {
    const std::string whole = pngBytes();
    for (std::size_t at = 0; at < whole.size(); ++at) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 0x10);
      const auto image = readPng(bytes);
      QVERIFY2(!image || image->extent == (Extent{8, 8}), std::to_string(at).c_str());
      QVERIFY(!readPng(whole.substr(0, at)));
    }
  }

  void names_that_are_not_utf8() {
    const std::string path = m_folder.path().toStdString() + "/\xff.csv";
    QVERIFY(write_whole_file(path, "1,0\n1,1\n"));
    const auto dump = readMaskFile(textOfBytes(path));
    QVERIFY(dump && !dump->mask->visible(0, 1));
    // A folder of Qt's cannot remove such a name.
    QVERIFY(std::filesystem::remove(path));
  }

 private:
  QTemporaryDir m_folder;
};

VQSCOPE_TEST(MaskFileTest)
#include "mask_file_test.moc"
