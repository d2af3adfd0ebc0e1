// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/session/journal.h"

#include "tests/support/session_values.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFileInfo>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace vqscope;

namespace {

Document documentOf(Index length) {
  Document document{default_session(), "/home/me/a.vqscope", true, QDateTime::fromMSecsSinceEpoch(1700000000123)};
  test::set_value(*find_page(document.session, "buckets"), "q_length", length);
  return document;
}

bool operator==(const Document& a, const Document& b) {
  return a.session == b.session && a.path == b.path && a.modified == b.modified && a.when == b.when;
}

QStringList namesIn(const QString& folder) {
  return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot);
}

}  // namespace

class JournalTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void documentsAreRestored() {
    const Document document = documentOf(77);
    const auto opened = documentFromJson(documentToJson(document));
    QVERIFY(opened && opened->notes.empty());
    QVERIFY(opened->document == document);
    // A session without that member is a document of which nothing more is known.
    const auto session = documentFromJson("{\"vqscope\": 1}");
    QVERIFY(session && session->document.path.isEmpty() && !session->document.modified);
  }

  void theStateFolder() {
    qputenv("XDG_STATE_HOME", "/somewhere");
    QCOMPARE(stateFolder(), QString("/somewhere/vqscope"));
    qputenv("XDG_STATE_HOME", "not/absolute");
    QCOMPARE(stateFolder(), QDir::homePath() + "/.local/state/vqscope");
    qunsetenv("XDG_STATE_HOME");
    QCOMPARE(stateFolder(), QDir::homePath() + "/.local/state/vqscope");
  }

  void theNewestStateIsWritten() {
    Journal journal(std::move(*JournalFile::create(folder())));
    QSignalSpy failed(&journal, &Journal::failed);
    for (Index length = 1; length <= 50; ++length) journal.take(documentOf(length));
    journal.wait();
    QVERIFY(journal.isIdle() && failed.isEmpty());
    const auto written = readDocument(journal.file().path());
    QVERIFY(written && written->document == documentOf(50));
    journal.take(documentOf(51));
    journal.wait();
    QVERIFY(readDocument(journal.file().path())->document == documentOf(51));
    journal.file().remove();
    QCOMPARE(namesIn(folder()), QStringList());
  }

  /// Each window has its own; journals of dead windows are distinguished from live ones.
  void deadJournalsAreDistinguishedFromLiveOnes() {
    auto living = std::move(*JournalFile::create(folder()));
    QVERIFY(writeDocument(documentOf(1), living->path()));
    QString dead;
    {
      Journal journal(std::move(*JournalFile::create(folder())));
      journal.take(documentOf(2));
      dead = journal.file().path();
      QVERIFY(dead != living->path());
    }
    JournalFile::create(folder())->reset();  // nothing was written: nothing is offered, nothing stays
    auto left = JournalFile::abandoned(folder());
    QCOMPARE(left.size(), std::size_t{1});
    QCOMPARE(left[0]->path(), dead);
    QVERIFY(left[0]->isWritten() && !left[0]->isStarting());
    QVERIFY(JournalFile::abandoned(folder()).empty());  // it is someone's again
    left.clear();
    QCOMPARE(JournalFile::abandoned(folder()).size(), std::size_t{1});
    JournalFile::abandoned(folder())[0]->remove();
    living->remove();
    QCOMPARE(namesIn(folder()), QStringList());
  }

  void crashAtStartIsMarked() {
    {
      const auto file = std::move(*JournalFile::create(folder()));
      QVERIFY(file->markStart() && file->isStarting());
    }
    const auto left = JournalFile::abandoned(folder());
    QCOMPARE(left.size(), std::size_t{1});
    QVERIFY(left[0]->isStarting() && !left[0]->isWritten());
    left[0]->endStart();
    QVERIFY(!left[0]->isStarting());
  }

  /// Leftovers of a killed writer are removed with the journal.
  void leftoversAreRemoved() {
    const auto file = std::move(*JournalFile::create(folder()));
    const QString stem = QFileInfo(file->path()).completeBaseName();
    for (const char* name : {".%1.vqscope.part", ".%1.vqscope.old", "%1.vqscope", "%1.starting"}) {
      QFile remains(folder() + "/" + QString::fromLatin1(name).arg(stem));
      QVERIFY(remains.open(QIODevice::WriteOnly));
    }
    file->remove();
    QCOMPARE(namesIn(folder()), QStringList());
  }

  void invalidFoldersAreErrors() {
    QFile file(folder());
    QVERIFY(file.open(QIODevice::WriteOnly));
    const auto made = JournalFile::create(folder());
    QVERIFY(!made);
    QVERIFY2(made.error().message.starts_with("cannot create the folder " + folder().toStdString()),
             made.error().message.c_str());
    QVERIFY(JournalFile::abandoned(folder()).empty());
  }

  /// The state before stays, and one message gives the reason.
  void failedWriteIsReported() {
    Journal journal(std::move(*JournalFile::create(folder())));
    QSignalSpy failed(&journal, &Journal::failed);
    QVERIFY(QDir().mkdir(journal.file().path()));
    journal.take(documentOf(1));
    journal.wait();
    QTRY_COMPARE(failed.count(), 1);
    QVERIFY(failed[0][0].toString().contains(journal.file().path()));
  }

 private:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  QString folder() const { return m_folder->filePath("vqscope"); }

  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(JournalTest)
#include "journal_test.moc"
