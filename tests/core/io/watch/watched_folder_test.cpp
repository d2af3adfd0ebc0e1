// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/watch/watched_folder.h"

#include "core/io/bytes/byte_source.h"
#include "core/io/watch/completeness.h"
#include "tests/core/io/tensor/tensor_bytes.h"
#include "tests/support/compare.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"

#include <QDir>
#include <QFileInfo>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A NumPy file of a boolean matrix.
QByteArray npyOf(int rows, int cols) {
  QByteArray header =
      QStringLiteral("{'descr': '|b1', 'fortran_order': False, 'shape': (%1, %2), }").arg(rows).arg(cols).toLatin1();
  header = header.leftJustified(117, ' ') + '\n';
  return QByteArray("\x93NUMPY\x01\x00\x76\x00", 10) + header + QByteArray(rows * cols, '\1');
}

/// A safetensors file of one vector.
QByteArray safetensorsOf(const std::vector<float>& numbers) {
  const auto bytes = static_cast<qsizetype>(numbers.size() * sizeof(float));
  const QByteArray header = QStringLiteral(R"({"a":{"dtype":"F32","shape":[%1],"data_offsets":[0,%2]}})")
                                .arg(numbers.size())
                                .arg(bytes)
                                .toLatin1();
  return QByteArray(1, static_cast<char>(header.size())) + QByteArray(7, '\0') + header +
         QByteArray(reinterpret_cast<const char*>(numbers.data()), bytes);
}

Completeness completenessOf(const QByteArray& bytes, const QString& name) {
  return completeness_of(source_of(bytes.toStdString()), name.toStdString());
}

/// A folder that is looked at every 100 ms of a clock that the test moves.
class Looks {
 public:
  explicit Looks(const QTemporaryDir& folder) : m_watched(folder.path().toStdString()) {}

  /// Names of what arrives, damaged ones with "!".
  QStringList next(Index milliseconds = 100) {
    m_now += milliseconds;
    QStringList names;
    const auto arrived = m_watched.look(m_now);
    if (!arrived) return {QString::fromStdString(arrived.error().message)};
    for (const auto& each : *arrived)
      names << QFileInfo(QString::fromStdString(each.path)).fileName() + (each.damaged ? "!" : "");
    return names;
  }
  std::size_t size() const { return m_watched.size(); }

 private:
  WatchedFolder m_watched;
  Index m_now = 0;
};

void setModified(const QString& path, int seconds) {
  QFile file(path);
  if (file.open(QIODevice::ReadWrite))
    file.setFileTime(QDateTime::fromSecsSinceEpoch(1'700'000'000 + seconds), QFileDevice::FileModificationTime);
}

}  // namespace

class WatchedFolderTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// No part of a file is taken as whole.
  void sizes_in_headers() {
    QList<std::pair<QString, QByteArray>> files{{"m.npy", npyOf(3, 4)}};
    for (const char* name : {"nested.pt", "nested_old.pt", "batch_encoding.pt", "arrays.pkl"}) {
      QFile file(dataPath(QStringLiteral("torch/") + name));
      QVERIFY(file.open(QIODevice::ReadOnly));
      files.emplace_back(name, file.readAll());
    }
    const std::vector<float> numbers{1, 2, 3};
    files.emplace_back("t.safetensors", safetensorsOf(numbers));
    for (const auto& [name, bytes] : files)
      for (qsizetype part = 0; part <= bytes.size(); ++part) {
        const auto found = completenessOf(bytes.left(part), name);
        const QByteArray place = (name + " " + QString::number(part)).toUtf8();
        QVERIFY2((found == Completeness::whole) == (part == bytes.size()), place);
      }
    QCOMPARE(completenessOf("PK\x03\x04 and no directory", "m.npz"), Completeness::partial);
    QCOMPARE(completenessOf("def mask_mod(b, h, q, k):", "m.py"), Completeness::unknown);
  }

  void a_file_arrives_once() {
    const QTemporaryDir folder;
    Looks looks(folder);
    QCOMPARE(looks.next(), QStringList());
    writtenFile(folder, "a.npy", npyOf(2, 2));
    QCOMPARE(looks.next(), QStringList());
    QCOMPARE(looks.next(), QStringList{"a.npy"});
    QCOMPARE(looks.next(), QStringList());
    writtenFile(folder, "a.npy", npyOf(3, 2));
    looks.next();
    QCOMPARE(looks.next(), QStringList{"a.npy"});
    QFile::remove(folder.filePath("a.npy"));
    QCOMPARE(looks.next(), QStringList());
    QCOMPARE(looks.size(), std::size_t{0});
    writtenFile(folder, "a.npy", npyOf(2, 3));
    looks.next();
    QCOMPARE(looks.next(), QStringList{"a.npy"});
  }

  void half_a_file_is_waited_for() {
    const QTemporaryDir folder;
    Looks looks(folder);
    looks.next();
    writtenFile(folder, "a.npy", npyOf(4, 4).left(130));
    for (int i = 0; i < 20; ++i) QCOMPARE(looks.next(), QStringList());
    writtenFile(folder, "a.npy", npyOf(4, 4));
    looks.next();
    QCOMPARE(looks.next(), QStringList{"a.npy"});
    writtenFile(folder, "b.npy", npyOf(4, 4).left(130));
    looks.next();
    QCOMPARE(looks.next(4900), QStringList());
    QCOMPARE(looks.next(), QStringList{"b.npy!"});
    QCOMPARE(looks.next(9000), QStringList());
  }

  void a_text_settles() {
    const QTemporaryDir folder;
    Looks looks(folder);
    looks.next();
    writtenFile(folder, "m.py", "def mask_mod(b, h, q, k):\n");
    looks.next();
    QCOMPARE(looks.next(299), QStringList());
    writtenFile(folder, "m.py", "def mask_mod(b, h, q, k):\n  return q >= k\n");
    QCOMPARE(looks.next(), QStringList());
    QCOMPARE(looks.next(299), QStringList());
    QCOMPARE(looks.next(1), QStringList{"m.py"});
  }

  void names_of_unfinished_files() {
    const QTemporaryDir folder;
    Looks looks(folder);
    looks.next();
    for (const char* name : {".a.npy", "a.npy.tmp", "a.npy~", "a.npy.part"}) writtenFile(folder, name, npyOf(2, 2));
    QDir(folder.path()).mkdir("b.npy");
    looks.next();
    QCOMPARE(looks.next(), QStringList());
    QFile::rename(folder.filePath("a.npy.tmp"), folder.filePath("a.npy"));
    looks.next();
    QCOMPARE(looks.next(), QStringList{"a.npy"});
  }

  /// Of the files of the first look the newest that is whole, then what is written later.
  void files_that_are_there_already() {
    const QTemporaryDir folder;
    setModified(writtenFile(folder, "a.npy", npyOf(2, 2)), 30);
    setModified(writtenFile(folder, "b.npy", npyOf(2, 2)), 20);
    setModified(writtenFile(folder, "c.npy", npyOf(2, 2).left(100)), 40);
    Looks looks(folder);
    looks.next();
    QCOMPARE(looks.next(), QStringList{"a.npy"});
    QCOMPARE(looks.next(), QStringList());
    setModified(writtenFile(folder, "c.npy", npyOf(2, 2)), 50);
    setModified(writtenFile(folder, "b.npy", npyOf(3, 2)), 45);
    looks.next();
    QCOMPARE(looks.next(), (QStringList{"b.npy", "c.npy"}));
  }

  /// 1,000 updates are reported one by one and remembered as one file.
  void many_updates() {
    const QTemporaryDir folder;
    Looks looks(folder);
    looks.next();
    for (int i = 0; i < 1000; ++i) {
      setModified(writtenFile(folder, "m.npy", npyOf(2, 2 + i % 2)), i);
      looks.next();
      QCOMPARE(looks.next(), QStringList{"m.npy"});
      QCOMPARE(looks.size(), std::size_t{1});
    }
  }

  void a_folder_that_is_not_there() {
    WatchedFolder none("/none/at/all");
    COMPARE_ERROR(none.look(0), "cannot watch /none/at/all: No such file or directory");
  }
};

VQSCOPE_TEST(WatchedFolderTest)
#include "watched_folder_test.moc"
