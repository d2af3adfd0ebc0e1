// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/whole_file.h"
#include "core/session/session_json.h"
#include "tests/app/program.h"
#include "tests/support/paths.h"
#include "tests/support/test_main.h"
#include "widgets/parts/text.h"

#include <QDir>
#include <QProcess>
#include <QTest>

#include <filesystem>
#include <memory>

using namespace vqscope;
using namespace vqscope::test;

class FilesTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// Whatever the locale, the bytes of an argument are the name of the file.
  void namesThatAreNotUtf8() {
    for (const char* locale : {"C", "C.UTF-8"}) {
      QCOMPARE(shell("export t5_bucket --set q_length=2 --out \"$(printf 'a\\377.csv')\"", locale).err, QByteArray());
      QVERIFY(read_text(path("a\xff.csv"), 1000));
      QVERIFY(write_whole_file(path("m\xfe.py"), "return q_idx >= kv_idx\n"));
      QCOMPARE(shell("row 1 --set q_length=2 --mask \"$(printf 'm\\376.py')\"", locale).status, 0);
      QCOMPARE(shell("row 1 --mask \"$(printf 'none\\376.py')\"", locale).err,
               QByteArray("vqscope: cannot read none\ufffd.py: No such file or directory\n"));
      QVERIFY(write_session(default_session(), path("s\xfe.vqscope")));
      QCOMPARE(shell("list t5_bucket", locale).status, 0);
      QCOMPARE(
          shell("export t5_bucket --session \"$(printf 's\\376.vqscope')\" --set q_length=2 --out b.csv", locale).err,
          QByteArray());
    }
  }

  void messagesShortenLongArguments() {
    const QString word(26'000, 'x');
    const QList<QStringList> all{{"export", word},
                                 {"export", "t5_bucket", "--set", word + "=1", "--out", "a.csv"},
                                 {"export", "t5_bucket", "--set", "q_length=" + word, "--out", "a.csv"},
                                 {"export", "t5_bucket", "--out", word + ".csv"},
                                 {"export", "t5_bucket", "--out", word},
                                 {"export", "t5_bucket", "--dpi", word, "--out", "a.png"},
                                 {"export", "t5_bucket", "--session", word, "--out", "a.csv"},
                                 {"row", word},
                                 {"row", "1", "--mask", word + ".npy"},
                                 {"row", "1", "--mask", word},
                                 {"row", "1", "--set", "mask=" + word},
                                 {"row", "1", "--set", "mask_text=" + word},
                                 {"check", "--rule", word},
                                 {"dialects", "--snippet", word},
                                 {"config", word},
                                 {"list", word},
                                 {"list", "--" + word},
                                 {"run", word},
                                 {"run", "vq_attention", "--array", "q=" + word + ".npy", "--out", "o.npy"},
                                 {"run", "vq_attention", "--array", word + "=q.npy", "--out", "o.npy"},
                                 {"--" + word},
                                 {word}};
    for (const auto& arguments : all) {
      const auto outcome = runProgram(*m_folder, arguments);
      const QByteArray shown = arguments.join(' ').left(60).toUtf8() + ": " + outcome.err.left(600);
      QVERIFY2(outcome.status == 2, shown.constData());
      QVERIFY2(outcome.err.startsWith("vqscope: ") && outcome.err.size() <= 420, shown.constData());
      QVERIFY2(outcome.err.count('\n') == 1, shown.constData());
    }
    QCOMPARE(namesIn(*m_folder), QStringList());
  }

  void severalFilesThroughAFolderThatIsReadOnly() {
    QDir(m_folder->path()).mkdir("sub");
    QVERIFY(write_whole_file(path("a.csv"), "old"));
    QFile::setPermissions(m_folder->filePath("sub"), QFile::ReadOwner | QFile::ExeOwner);
    const auto outcome =
        runProgram(*m_folder, {"export", "t5_bucket", "--set", "q_length=2", "--out", "a.csv", "sub/b.csv"});
    QFile::setPermissions(m_folder->filePath("sub"), QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    if (outcome.status == 0) QSKIP("this user may write everywhere");
    QCOMPARE(outcome.err, QByteArray("vqscope: cannot write sub/b.csv: Permission denied\n"));
    QCOMPARE(*read_text(path("a.csv"), 100), std::string("old"));
  }

  void withoutADisplayAFileInTheWay() {
    QVERIFY(write_whole_file(path("vqscope-default-session"), "a file"));
    const auto outcome = runProgram(*m_folder, {});
    QCOMPARE(outcome.status, 2);
    QVERIFY2(outcome.err.startsWith("vqscope: cannot write vqscope-default-session/"), outcome.err.constData());
    QCOMPARE(outcome.err.count('\n'), 1);
    QCOMPARE(namesIn(*m_folder), QStringList{"vqscope-default-session"});
  }

 private:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }
  /// Qt cannot remove names that are not UTF-8.
  void afterEach() override { std::filesystem::remove_all(path("")); }

  std::string path(const std::string& name) const { return m_folder->path().toStdString() + "/" + name; }
  Outcome shell(const QString& arguments, const char* locale) const {
    return runProgram(*m_folder, {}, [&](QProcess& process) {
      auto environment = process.processEnvironment();
      environment.insert("LC_ALL", locale);
      process.setProcessEnvironment(environment);
      process.setProgram("/bin/sh");
      process.setArguments({"-c", "exec " + programPath() + " " + arguments});
    });
  }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(FilesTest)
#include "files_test.moc"
