// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/start/file_opener.h"

#include "app/window/main_window.h"
#include "tests/support/environment.h"
#include "tests/support/test_main.h"
#include "tests/support/written_file.h"
#include "widgets/parts/message_bar.h"

#include <QTest>
#include <QToolButton>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <utility>

using namespace vqscope;
using namespace vqscope::test;

namespace {

/// A file that is not read to its end before finish(): a pipe whose writer has not closed it.
class EndlessFile {
 public:
  explicit EndlessFile(const QString& path) : m_path(path) {
    if (::mkfifo(qPrintable(path), 0600) == 0) m_writer = ::open(qPrintable(path), O_RDWR | O_CLOEXEC);
  }
  EndlessFile(const EndlessFile&) = delete;
  EndlessFile& operator=(const EndlessFile&) = delete;
  ~EndlessFile() { finish("{}"); }

  bool isOpen() const { return m_writer >= 0; }
  QString path() const { return m_path; }
  void finish(const QByteArray& bytes) {
    if (m_writer < 0) return;
    [[maybe_unused]] const auto written = ::write(m_writer, bytes.constData(), static_cast<std::size_t>(bytes.size()));
    ::close(std::exchange(m_writer, -1));
  }

 private:
  QString m_path;
  int m_writer = -1;
};

}  // namespace

class FileOpenerTest : public test::TestCase {
  Q_OBJECT

 private slots:
  /// The person goes on working meanwhile, and can stop it.
  void whatLastsIsAnnouncedAndStopped() {
    EndlessFile slow(m_folder->filePath("slow.json"));
    QVERIFY(slow.isOpen());
    m_window->openFile(slow.path());
    QVERIFY(m_window->isBusy());
    QTRY_COMPARE_WITH_TIMEOUT(message()->sentence(), QString("Reading slow.json"), 60000);
    bench().showPage("masks");
    QCOMPARE(message()->sentence(), QString("Reading slow.json"));
    const Session before = bench().session();
    message()->findChild<QToolButton*>()->click();
    QCOMPARE(message()->sentence(), QString());
    settle();
    QVERIFY(bench().session() == before);
  }

  /// Whether the reader of the former request has stopped or not.
  void theNewestRequestWins() {
    EndlessFile slow(m_folder->filePath("slow.json"));
    m_window->openFile(slow.path());
    m_window->openFile(writtenFile(*m_folder, "m.csv", "1,0\n1,1\n"));
    settle();
    QVERIFY2(message()->sentence().startsWith("m.csv: "), qPrintable(message()->sentence()));
    const Session before = bench().session();
    slow.finish(R"({"model_type": "llama", "hidden_size": 64, "num_attention_heads": 4, "num_hidden_layers": 2})");
    m_window->openFile(m_folder->filePath("none.json"));
    settle();
    QVERIFY2(message()->sentence().contains("none.json"), qPrintable(message()->sentence()));
    QVERIFY2(bench().session() == before, "neither the former request nor the failed one");
  }

  void aNewSessionIsNewerThanAFile() {
    EndlessFile slow(m_folder->filePath("slow.json"));
    m_window->openFile(slow.path());
    bench().setSession(default_session());
    settle();
    QCOMPARE(bench().session().subject.model, std::string());
  }

  /// The file of the program's start replaces a session that is not saved, which is offered.
  void theFileOfTheStartSetsTheLastSessionAside() {
    const QString path = m_folder->filePath("other.vqscope");
    QVERIFY(write_session(default_session(), path.toStdString()));
    ShownPage next = bench().page("buckets");
    next.values.set("q_length", Index{77});
    QVERIFY(bench().edit("Change q_length", next));
    m_window->open(OpenedFiles{{path}, OpenedAs::session});
    settle();
    QCOMPARE(bench().session(), default_session());
    const auto offer = m_window->keeper().offer();
    QVERIFY(offer);
    QCOMPARE(shown_page(offer->opened.document.session, "buckets").values.integer("q_length"), Index{77});
  }

 private:
  void beforeEach() override {
    m_folder = std::make_unique<QTemporaryDir>();
    keepStateIn(*m_folder);
    m_window = std::make_unique<MainWindow>();
    m_window->restoreSaved();
    m_window->show();
    settle();
  }
  void afterEach() override { m_window.reset(); }

  void settle() { QTRY_VERIFY_WITH_TIMEOUT(!m_window->isBusy(), 120000); }
  MessageBar* message() const { return m_window->findChild<MessageBar*>(); }
  Workbench& bench() const { return m_window->workbench(); }

  std::unique_ptr<QTemporaryDir> m_folder;
  std::unique_ptr<MainWindow> m_window;
};

VQSCOPE_TEST(FileOpenerTest)
#include "file_opener_test.moc"
