// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/cgroup.h"

#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <limits>
#include <sstream>

using namespace vqscope;

class CgroupTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void least_limit_of_version_2_counts() {
    write("memory.max", "max\n");
    write("slurm/memory.max", "4294967296\n");
    write("slurm/step/memory.max", "max\n");
    QCOMPARE(limit("0::/slurm/step\n"), 4294967296.0);
    QCOMPARE(limit("0::/\n"), none);
    QCOMPARE(limit("0::/other\n"), none);
  }

  /// The path is that of the host, which a container does not see.
  void limit_of_version_1_in_a_container() {
    write("memory/memory.limit_in_bytes", "1073741824\n");
    QCOMPARE(limit("12:cpu,cpuacct:/docker/1\n9:memory:/docker/1\n1:name=systemd:/docker/1\n"), 1073741824.0);
    QCOMPARE(limit("9:cpu,memory:/\n"), 1073741824.0);
    QCOMPARE(limit("12:cpu:/docker/1\n"), none);
  }

  void nothing_to_read_is_no_limit() {
    QCOMPARE(limit(""), none);
    QCOMPARE(limit("0::/a\nwords\n"), none);
    write("memory.max", "");
    QCOMPARE(limit("0::/\n"), none);
  }

 private:
  static constexpr double none = std::numeric_limits<double>::infinity();

  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  void write(const QString& name, const char* text) {
    const QString path = m_folder->filePath(name);
    QDir().mkpath(QFileInfo(path).path());
    QFile file(path);
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(text);
  }

  double limit(const char* groups) {
    std::istringstream own(groups);
    return cgroup_memory(own, m_folder->path().toStdString());
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(CgroupTest)
#include "cgroup_test.moc"
