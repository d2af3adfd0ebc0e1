// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/file_source.h"

#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;

class ReadTextTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void a_text_as_long_as_it_may_be() {
    const QTemporaryDir folder;
    const std::string path = folder.filePath("text").toStdString();
    QFile file(QString::fromStdString(path));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(QByteArray(200'000, 'x')) == 200'000);
    file.close();
    QVERIFY(*read_text(path, 200'000) == std::string(200'000, 'x'));
    COMPARE_ERROR(read_text(path, 199'999), "it has more than 195 KiB");
  }

  /// Its size is known beforehand: nothing of it is read.
  void a_file_beyond_all_memory() {
    const QTemporaryDir folder;
    QFile file(folder.filePath("holes"));
    QVERIFY(file.open(QIODevice::WriteOnly));
    if (!file.resize(qint64{1} << 42)) QSKIP("no sparse files of 4 TiB here");
    COMPARE_ERROR(read_text(file.fileName().toStdString(), std::size_t{512} << 20), "it has more than 512 MiB");
  }

  void device_folder_and_missing_file_are_errors() {
    COMPARE_ERROR(read_text("/dev/zero", 1'000'000), "it is a device");
    COMPARE_ERROR(read_text(QTemporaryDir().path().toStdString() + "/none", 1), "No such file or directory");
    COMPARE_ERROR(read_text("/", 1), "it is a directory");
  }
};

VQSCOPE_TEST(ReadTextTest)
#include "read_text_test.moc"
