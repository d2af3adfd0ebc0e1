// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_store.h"

#include "core/base/text.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/user_folders.h"
#include "core/io/bytes/whole_file.h"
#include "core/run/sweep.h"
#include "tests/core/run/test_sweep.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QTemporaryDir>
#include <QTest>

#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Run line_run(Index seed, const std::string& when) {
  ParameterValues values = default_values(line_method().parameters);
  values.set("seed", seed);
  return {.id = run_id(line_method(), values),
          .method = "line",
          .values = values,
          .curves = make_curves(line_method(), values).value(),
          .seconds = 1.5,
          .version = "1.0",
          .when = when};
}

}  // namespace

class RunStoreTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  void kept_run_is_found() {
    QVERIFY(store().list()->runs.empty());
    Run run = line_run(3, "2026-01-31T12:00:00Z");
    run.complete = false;
    const auto name = store().keep(run);
    QVERIFY2(name, name ? "" : name.error().message.c_str());
    QCOMPARE(*name, "2026-01-31T120000Z-" + run.id);
    const auto kept = store().find(*name);
    QVERIFY(kept);
    QCOMPARE(kept->run.values.at("seed"), std::string("3"));
    QCOMPARE(kept->run.values.at("slope"), std::string("1"));
    QCOMPARE(kept->run.when, run.when);
    QCOMPARE(kept->run.version, std::string("1.0"));
    QCOMPARE(kept->run.seconds, 1.5);
    QVERIFY(!kept->run.complete);
    QVERIFY(*read_run(run_text(run)) == kept->run);
  }

  void repeats_in_one_second_are_runs_of_their_own() {
    const Run run = line_run(0, "2026-01-31T12:00:00Z");
    const std::string first = store().keep(run).value();
    QCOMPARE(store().keep(run).value(), first + "-2");
    QCOMPARE(store().list()->runs.size(), std::size_t{2});
  }

  /// The caller adds that the run is not kept.
  void a_large_run_is_refused() {
    Run run = line_run(0, "2026-01-31T12:00:00Z");
    run.curves.x.assign(3000000, 1.5);
    run.curves.curves.front().y.assign(3000000, 2.5);
    const auto kept = store().keep(run);
    QVERIFY(!kept);
    const std::string& message = kept.error().message;
    QVERIFY2(message.starts_with("its results have ") && message.ends_with(" but must have at most 4 MiB"),
             message.c_str());
  }

  void continued_run_stays_one_run() {
    Run run = line_run(0, "2026-01-31T12:00:00Z");
    run.complete = false;
    const auto name = store().keep(run).value();
    run.complete = true;
    run.seconds = 7;
    QVERIFY(store().replace(name, run));
    const auto runs = store().list()->runs;
    QCOMPARE(runs.size(), std::size_t{1});
    QVERIFY(runs[0].run.complete);
    QCOMPARE(runs[0].run.seconds, 7.0);
  }

  void the_newest_comes_first() {
    QVERIFY(store().keep(line_run(0, "2026-01-01T00:00:00Z")));
    QVERIFY(store().keep(line_run(1, "2026-01-03T00:00:00Z")));
    QVERIFY(store().keep(line_run(2, "2026-01-02T00:00:00Z")));
    const auto runs = store().list()->runs;
    QCOMPARE(runs[0].run.values.at("seed") + runs[1].run.values.at("seed") + runs[2].run.values.at("seed"),
             std::string("120"));
  }

  void damaged_runs_are_named_and_skipped() {
    QVERIFY(store().keep(line_run(0, "2026-01-01T00:00:00Z")));
    QVERIFY(write_whole_file(store().path("half"), "{\"vqscope_run\": 1,"));
    QVERIFY(write_whole_file(store().path("other"), "{}"));
    const auto listing = store().list();
    QVERIFY(listing);
    QCOMPARE(listing->runs.size(), std::size_t{1});
    QCOMPARE(listing->damaged.size(), std::size_t{2});
    QVERIFY(listing->damaged[0].find("half.json: ") != std::string::npos);
    QVERIFY(listing->damaged[1].ends_with("other.json: it is not a run of vqscope (\"vqscope_run\": 1 or 2)"));
  }

  void note_keeps_the_results() {
    const auto name = store().keep(line_run(0, "2026-01-01T00:00:00Z")).value();
    const auto before = read_text(store().path(name), 1 << 20).value();
    QVERIFY(store().annotate(name, {"baseline", "line 1\nline \"2\""}));
    QCOMPARE(store().find(name)->note, (RunNote{"baseline", "line 1\nline \"2\""}));
    QCOMPARE(read_text(store().path(name), 1 << 20).value(), before);
    const auto long_one = store().annotate(name, {std::string(5000, 'x'), {}});
    QVERIFY(!long_one);
    QCOMPARE(long_one.error().message, std::string("a run's name and its note have at most 4096 bytes each"));
  }

  void restored_run_keeps_its_note() {
    const auto name = store().keep(line_run(0, "2026-01-01T00:00:00Z")).value();
    QVERIFY(store().annotate(name, {"baseline", {}}));
    QVERIFY(store().remove(name));
    QVERIFY(store().list()->runs.empty());
    QVERIFY(!store().remove(name));
    QVERIFY(store().restore(name));
    QCOMPARE(store().find(name)->note.title, std::string("baseline"));
  }

  void names_cannot_leave_the_folder() {
    for (const char* name : {"", "../x", ".x", "a/b", "none"}) {
      for (const auto& refused : {store().remove(name), store().restore(name), store().annotate(name, {})}) {
        QVERIFY(!refused);
        QCOMPARE(refused.error().message, "unknown run " + shortened(name) + " (vqscope runs lists them)");
      }
    }
  }

  void unwritable_folder_is_an_error() {
    QVERIFY(write_whole_file(folder() + "/file", "x"));
    const auto kept = RunStore(folder() + "/file/runs").keep(line_run(0, "2026-01-01T00:00:00Z"));
    QVERIFY(!kept);
    QVERIFY(kept.error().message.find("cannot create the folder") != std::string::npos);
  }

  /// A process that keeps runs is killed at any moment: every run that is listed is whole, and the
  /// reported ones exist.
  void a_crash_leaves_whole_runs() {
    for (int trial = 0; trial < 20; ++trial) {
      int channel[2];
      QCOMPARE(::pipe(channel), 0);
      const pid_t child = ::fork();
      if (child == 0) {
        for (Index seed = 0; seed < 1000; ++seed) {
          if (!store().keep(line_run(seed, "2026-01-01T00:00:00Z"))) ::_exit(1);
          if (::write(channel[1], "x", 1) != 1) ::_exit(1);
        }
        ::_exit(0);
      }
      ::close(channel[1]);
      char byte = 0;
      for (int i = 0; i <= trial; ++i) QCOMPARE(::read(channel[0], &byte, 1), ssize_t{1});
      ::kill(child, SIGKILL);
      ::waitpid(child, nullptr, 0);
      std::size_t kept = static_cast<std::size_t>(trial) + 1;
      while (::read(channel[0], &byte, 1) == 1) ++kept;
      ::close(channel[0]);
      m_known += kept;
      const auto listing = store().list();
      QVERIFY(listing && listing->damaged.empty());
      QVERIFY(listing->runs.size() >= m_known);
      m_known = listing->runs.size();
    }
  }

  /// Without HOME, runs are in the home of the account, and never in the root folder.
  void runs_are_in_the_home_of_the_account() {
    const QByteArray home = qgetenv("HOME"), data = qgetenv("XDG_DATA_HOME");
    qunsetenv("XDG_DATA_HOME");
    qputenv("HOME", "/home/me");
    QCOMPARE(default_run_folder(), std::string("/home/me/.local/share/vqscope/runs"));
    qunsetenv("HOME");
    const std::string account = home_folder();
    QCOMPARE(default_run_folder(), account.empty() ? "" : account + "/.local/share/vqscope/runs");
    const auto kept = RunStore("").keep(line_run(1, "2026-01-01T00:00:00Z"));
    QVERIFY(!kept && kept.error().message.starts_with("there is no home folder to keep runs in"));
    qputenv("HOME", home);
    data.isNull() ? qunsetenv("XDG_DATA_HOME") : qputenv("XDG_DATA_HOME", data);
  }

 private:
  std::string folder() const { return m_folder->path().toStdString(); }
  RunStore store() const { return RunStore(folder() + "/data/runs"); }
  std::unique_ptr<QTemporaryDir> m_folder;
  std::size_t m_known = 0;
};

VQSCOPE_TEST(RunStoreTest)
#include "run_store_test.moc"
