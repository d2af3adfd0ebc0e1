// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/paths.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QProcess>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;
using namespace vqscope::test;

namespace {

const QByteArray small_sizes =
    " --set d_model=32 --set n_heads=2 --set d_ff=32 --set n_layers=1 --set batch_rows=4 --set length=16 --set steps=5";
const QByteArray sweep =
    " sweep vq_error_vs_length --set n_code=8 --set train_keys=256 --set length_max=256 --vary seed=0:40 --out disk/s";

/// A script in the folder, where `disk` is a file system of this many KiB, and $V the program.
struct Script {
  QByteArray out;
  QByteArray err;
  int status = -1;

  Script(const QTemporaryDir& folder, int size, const QByteArray& script) {
    QDir(folder.path()).mkdir("disk");
    QProcess process;
    process.setWorkingDirectory(folder.path());
    auto environment = QProcessEnvironment::systemEnvironment();
    environment.insert("V", programPath());
    environment.insert("XDG_DATA_HOME", folder.filePath("data"));
    process.setProcessEnvironment(environment);
    const QByteArray mount = "mount -t tmpfs -o size=" + QByteArray::number(size) + "k none disk || exit 99\n";
    process.start("unshare", {"-rm", "sh", "-c", mount + script});
    if (!process.waitForFinished(120000)) return;
    out = process.readAllStandardOutput();
    err = process.readAllStandardError();
    status = process.exitCode();
  }
};

}  // namespace

/// A disk that is full in the middle of the work: one sentence, former files as they were, what was
/// measured is kept, and once there is room the same command ends well.
class FullDiskTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void initTestCase() {
    const QTemporaryDir folder;
    if (Script(folder, 16, "exit 7").status != 7)
      QSKIP("needs a mount namespace of its own, which is not allowed here");
  }

  /// The weights need 22 KiB.
  void aTraining() {
    const QTemporaryDir folder;
    const Script s(folder, 16,
                   "printf old > disk/w.safetensors\n"
                   "$V run train_model" +
                       small_sizes +
                       " --keep kept --out disk/w.safetensors disk/w.csv\n"
                       "echo $?; cat disk/w.safetensors; echo; ls -A disk; ls kept/files/*");
    QCOMPARE(s.out, QByteArray("2\nold\nw.safetensors\nw.csv\nw.safetensors\n"));
    QVERIFY2(
        s.err.startsWith("vqscope: cannot write disk/w.safetensors: the disk is full; the files are in kept/files/"),
        s.err.constData());
    QCOMPARE(s.err.count('\n'), 1);
    QCOMPARE(QDir(folder.filePath("kept")).entryList({"*.json"}, QDir::Files).size(), 1);
  }

  void fullDiskFailsTheRun() {
    const QTemporaryDir folder;
    const Script s(
        folder, 16,
        "$V run train_model" + small_sizes + " --keep disk/kept --out disk/w.safetensors\necho $?; ls -A disk");
    QVERIFY2(s.out.startsWith("2\n") && !s.out.contains("w.safetensors"), s.out.constData());
    QVERIFY2(s.err.endsWith("cannot write disk/w.safetensors: the disk is full\n"), s.err.constData());
  }

  /// The results are written all the same.
  void keptRuns() {
    const QTemporaryDir folder;
    const Script s(folder, 16,
                   "head -c 64k /dev/zero > disk/fill 2>/dev/null\n"
                   "$V run train_model" +
                       small_sizes + " --keep disk/kept --out w.csv\necho $?; wc -l < w.csv");
    QVERIFY2(s.out.startsWith("the model did not learn: its loss is ") && s.out.endsWith("\n0\n6\n"),
             s.out.constData());
    QVERIFY2(s.err.startsWith("vqscope: warning: the run is not kept: cannot write disk/kept"), s.err.constData());
  }

  void aSweep() {
    const QTemporaryDir folder;
    const Script s(folder, 16,
                   "$V" + sweep +
                       "\necho $?\n"
                       "mount -o remount,size=4m disk\n"
                       "$V" +
                       sweep +
                       "\necho $?\n"
                       "$V merge disk/s --out disk/t.csv\necho $?; ls -A disk/s | grep -c json\n");
    QCOMPARE(s.out, QByteArray("2\n0\n0\n42\n"));  // 41 points and the sweep itself
    const auto lines = s.err.split('\n');
    QVERIFY2(lines[0].startsWith("vqscope: cannot write disk/s/") && lines[0].endsWith(": the disk is full"),
             s.err.constData());
    QVERIFY2(lines[1].startsWith("vqscope: 41 points: ") && !lines[1].contains(" 41 computed"), s.err.constData());
    QCOMPARE(lines[2], QByteArray("vqscope: 41 of 41 points are in the table"));
  }

  void aTable() {
    const QTemporaryDir folder;
    const Script s(folder, 4096,
                   "$V" + sweep +
                       "\nprintf old > disk/t.csv\n"
                       "head -c 5000k /dev/zero > disk/fill 2>/dev/null\n"
                       "$V merge disk/s --out disk/t.csv\necho $?; cat disk/t.csv; ls -A disk");
    QCOMPARE(s.out, QByteArray("2\noldfill\ns\nt.csv\n"));
    QVERIFY2(s.err.endsWith("vqscope: cannot write disk/t.csv: the disk is full\n"), s.err.constData());
  }
};

VQSCOPE_TEST(FullDiskTest)
#include "full_disk_test.moc"
