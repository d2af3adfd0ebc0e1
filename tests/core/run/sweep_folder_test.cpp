// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep_folder.h"

#include "core/base/fingerprint.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/whole_file.h"
#include "core/run/run_file.h"
#include "core/run/sweep_table.h"
#include "tests/core/run/test_sweep.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <limits>

using namespace vqscope;
using namespace vqscope::test;

namespace {

Result<const Method*> find_line(std::string_view id) {
  if (id == "line") return &line_method();
  return invalid("no method " + std::string(id));
}

/// Computes every point of `shard`'s; the number of those that were not there yet.
int carried_out(const std::string& folder, const Sweep& sweep, Index first = 0, Index every = 1) {
  int done = 0;
  for (Index i = first; i < static_cast<Index>(point_count(sweep)); i += every) {
    const SweepPoint point = sweep_point(sweep, i);
    if (is_finished(folder, point)) continue;
    if (!carry_out(folder, sweep, point, "1.0", {})) return -1;
    ++done;
  }
  return done;
}

/// A run that was edited by hand, with the checksum of its new text.
std::string signed_again(std::string text) {
  const std::size_t place = text.find("\"checksum\": \"") + 13;
  text.replace(place, 16, "0000000000000000");
  Fingerprint fingerprint;
  fingerprint.add(text);
  return text.replace(place, 16, fingerprint.text());
}

struct Merged {
  std::string table;
  MergeReport report;
};

Merged merged(const Sweep& sweep, const std::vector<std::string>& folders) {
  StringSink sink;
  auto report = merge_sweep(sweep, folders, sink);
  return report ? Merged{sink.text(), std::move(*report)} : Merged{report.error().message, {}};
}

}  // namespace

class SweepFolderTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void beforeEach() override { m_folder = std::make_unique<QTemporaryDir>(); }

  void a_sweep_is_read_as_it_was_written() {
    Sweep sweep = line_sweep();
    sweep.fixed.set("kind", std::string("bent"));
    sweep.varied.push_back({"sizes", {std::vector<Index>{1, 2}, std::vector<Index>{}}});
    const auto read = read_sweep(sweep_text(sweep), find_line);
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(sweep_text(*read), sweep_text(sweep));
    for (Index i = 0; i < 12; ++i) QCOMPARE(sweep_point(*read, i).id, sweep_point(sweep, i).id);
  }

  void a_damaged_sweep_is_refused_data() {
    QTest::addColumn<std::string>("text");
    QTest::addColumn<std::string>("message");
    const auto add = [](const char* tag, const std::string& text, const std::string& message) {
      QTest::newRow(tag) << text << message;
    };
    add("other file", "{}", "it is not a sweep of vqscope (\"vqscope_sweep\": 1 or 2)");
    add("method", R"({"vqscope_sweep": 1, "method": "curve"})", "no method curve");
    add("nothing set", R"({"vqscope_sweep": 1, "method": "line"})", "\"set\" is missing or invalid");
    add("name", R"({"vqscope_sweep": 1, "method": "line", "set": {"tilt": "1"}})", "unknown parameter tilt of line");
    add("value", R"({"vqscope_sweep": 1, "method": "line", "set": {"seed": "x"}})",
        "seed is x but must be an integer from 0 to 1000");
    add("vary", R"({"vqscope_sweep": 1, "method": "line", "set": {}, "vary": [1]})", "\"vary\" is missing or invalid");
  }
  void a_damaged_sweep_is_refused() {
    QFETCH(std::string, text);
    QFETCH(std::string, message);
    const auto read = read_sweep(text, find_line);
    QVERIFY(!read);
    QCOMPARE(read.error().message, message);
  }

  void finished_points_are_skipped() {
    const Sweep sweep = line_sweep();
    QVERIFY(begin_sweep(folder(), sweep));
    QCOMPARE(carried_out(folder(), sweep, 0, 4), 2);
    QVERIFY(begin_sweep(folder(), sweep));
    QCOMPARE(carried_out(folder(), sweep), 4);
    QCOMPARE(carried_out(folder(), sweep), 0);
  }

  void partial_file_is_computed_again() {
    const Sweep sweep = line_sweep();
    QVERIFY(begin_sweep(folder(), sweep));
    const SweepPoint point = sweep_point(sweep, 1);
    QVERIFY(carry_out(folder(), sweep, point, "1.0", {}));
    const auto path = run_path(folder(), point.id);
    const std::string whole = read_text(path, 1 << 20).value();
    for (std::size_t length = 0; length + 2 < whole.size(); length += 11) {
      QVERIFY(write_whole_file(path, whole.substr(0, length)));
      QVERIFY2(!is_finished(folder(), point), qPrintable(QString::number(length)));
    }
    QVERIFY(write_whole_file(path, whole));
    QVERIFY(is_finished(folder(), point));
  }

  void a_changed_digit_is_damage() {
    Sweep sweep = line_sweep();
    sweep.varied = {{"slope", {2.0}}, {"seed", {Index{0}, Index{5}}}};
    QVERIFY(begin_sweep(folder(), sweep));
    QCOMPARE(carried_out(folder(), sweep), 2);
    const SweepPoint point = sweep_point(sweep, 1);
    const auto path = run_path(folder(), point.id);
    std::string text = read_text(path, 1 << 20).value();
    text[text.find('7')] = '9';
    QVERIFY(write_whole_file(path, text));
    QVERIFY(!is_finished(folder(), point));
    const MergeReport report = merged(sweep, {folder()}).report;
    QVERIFY(!report.complete());
    QCOMPARE(report.missing, (std::vector<std::string>{"slope=2 seed=5"}));
    QCOMPARE(
        report.damaged,
        (std::vector<std::string>{path + ": it does not match its checksum: it was changed or damaged after it was "
                                         "written"}));
    QCOMPARE(carried_out(folder(), sweep), 1);
    QVERIFY(merged(sweep, {folder()}).report.complete());
  }

  /// Whatever byte changes, no other result is read.
  void every_changed_byte_is_detected() {
    Run run{.id = "00", .method = "line", .values = {}, .curves = {}, .seconds = 1.5, .version = "1.0"};
    run.curves.x_name = "length";
    run.curves.x = {1, 2};
    run.curves.curves = {{"y", {0.25, 17}}};
    const std::string text = run_text(run);
    const auto whole = read_run(text);
    QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
    for (std::size_t i = 0; i < text.size(); ++i)
      for (const char other : {'3', '-', 'x'}) {
        std::string changed = text;
        changed[i] = other;
        const auto read = read_run(changed);
        QVERIFY2(!read || *read == *whole, changed.c_str());
      }
  }

  void runs_of_older_versions_have_no_checksum() {
    const auto read = read_run(R"({"vqscope_run": 1, "id": "0", "method": "line", "x_name": "length", "x": [1],
                                   "curves": [], "facts": []})");
    QVERIFY2(read, read ? "" : read.error().message.c_str());
  }

  void points_are_not_written_through_a_link() {
    const Sweep sweep = line_sweep();
    QVERIFY(begin_sweep(folder(), sweep));
    const std::string precious = folder() + "/precious";
    QVERIFY(write_whole_file(precious, "mine"));
    const SweepPoint point = sweep_point(sweep, 0);
    std::filesystem::create_symlink(precious, run_path(folder(), point.id));
    QVERIFY(carry_out(folder(), sweep, point, "1.0", {}));
    QCOMPARE(read_text(precious, 100).value(), std::string("mine"));
    QVERIFY(is_finished(folder(), point));
  }

  void other_sweep_in_the_folder_is_refused() {
    Sweep sweep = line_sweep();
    QVERIFY(begin_sweep(folder(), sweep));
    sweep.varied.pop_back();
    const auto other = begin_sweep(folder(), sweep);
    QVERIFY(!other);
    QCOMPARE(other.error().message, folder() + "/sweep.json belongs to another sweep; choose another folder");
  }

  void stop_leaves_no_file() {
    const Sweep sweep = line_sweep();
    std::stop_source stop;
    stop.request_stop();
    QVERIFY(begin_sweep(folder(), sweep));
    const auto done =
        carry_out(folder(), sweep, sweep_point(sweep, 0), "1.0", {.progress = {}, .stop = stop.get_token()});
    QVERIFY(!done);
    QVERIFY(done.error().code == Errc::cancelled);
    QCOMPARE(QDir(m_folder->path()).entryList(QDir::Files), QStringList{"sweep.json"});
  }

  /// By hand: y = slope · x + seed.
  void a_table() {
    Sweep sweep = line_sweep();
    sweep.varied = {{"slope", {2.0}}, {"seed", {Index{0}, Index{5}}}};
    QVERIFY(begin_sweep(folder(), sweep));
    QCOMPARE(carried_out(folder(), sweep), 2);
    const auto [table, report] = merged(sweep, {folder()});
    const std::string a = sweep_point(sweep, 0).id, b = sweep_point(sweep, 1).id;
    QCOMPARE(table, "point,slope,seed,series,length,value\n" + a + ",2,0,at_one,,2\n" + a + ",2,0,y,0,0\n" + a +
                        ",2,0,y,1,2\n" + a + ",2,0,y,2,4\n" + b + ",2,5,at_one,,7\n" + b + ",2,5,y,0,5\n" + b +
                        ",2,5,y,1,7\n" + b + ",2,5,y,2,9\n");
    QVERIFY(report.complete());
    QCOMPARE(report.points, Index{2});
  }

  void table_does_not_depend_on_who_computed_it() {
    const Sweep sweep = line_sweep();
    QVERIFY(begin_sweep(folder(), sweep));
    QCOMPARE(carried_out(folder(), sweep), 6);
    const std::string once = merged(sweep, {folder()}).table;
    const std::string a = folder() + "/a", b = folder() + "/b";
    QVERIFY(begin_sweep(a, sweep) && begin_sweep(b, sweep));
    QCOMPARE(carried_out(a, sweep, 1, 2), 3);
    QCOMPARE(carried_out(b, sweep, 0, 2), 3);
    QCOMPARE(merged(sweep, {a, b}).table, once);
    QCOMPARE(merged(sweep, {b, a}).table, once);
  }

  void missing_and_doubled_points_are_named() {
    const Sweep sweep = line_sweep();
    QVERIFY(begin_sweep(folder(), sweep));
    QCOMPARE(carried_out(folder(), sweep, 0, 2), 3);
    const auto path_of = [&](Index i) { return run_path(folder(), sweep_point(sweep, i).id); };
    const auto copy = [&](Index i, const std::string& name, const std::string& from, const std::string& to) {
      auto text = QString::fromStdString(read_text(path_of(i), 1 << 20).value());
      text.replace(QString::fromStdString(from), QString::fromStdString(to));
      return write_whole_file(folder() + "/" + name, signed_again(text.toStdString()));
    };
    QVERIFY(copy(0, "z1.json", "\"version\": \"1.0\"", "\"version\": \"2.0\""));
    QVERIFY(copy(2, "z2.json", "\"at_one\"", "\"at_two\""));
    QVERIFY(copy(4, "z3.json", sweep_point(sweep, 4).id, "0123456789abcdef"));
    QVERIFY(write_whole_file(folder() + "/z4.json", "{"));
    const MergeReport report = merged(sweep, {folder()}).report;
    QCOMPARE(report.missing, (std::vector<std::string>{"slope=1 seed=1", "slope=2 seed=0", "slope=2 seed=2"}));
    QCOMPARE(report.doubled, (std::vector<std::string>{path_of(0) + " and " + folder() + "/z1.json"}));
    QCOMPARE(report.differing, (std::vector<std::string>{path_of(2) + " and " + folder() + "/z2.json"}));
    QCOMPARE(report.foreign, (std::vector<std::string>{folder() + "/z3.json"}));
    QCOMPARE(report.damaged.size(), std::size_t{1});
    QVERIFY(!report.complete());
  }

  void no_table_without_finished_points() {
    const Sweep sweep = line_sweep();
    QVERIFY(begin_sweep(folder(), sweep));
    QCOMPARE(merged(sweep, {folder()}).table, std::string("no point of the sweep is finished"));
  }

  void gaps_round_trip() {
    constexpr double gap = std::numeric_limits<double>::quiet_NaN();
    Run run{.id = "00", .method = "line", .values = {}, .curves = {}, .seconds = 1.5, .version = "1.0"};
    run.curves.x_name = "length";
    run.curves.x = {1, 2};
    run.curves.curves = {{"y", {0.1, gap}}};
    run.curves.facts = {{"crossover", gap}};
    const auto read = read_run(run_text(run));
    QVERIFY2(read, read ? "" : read.error().message.c_str());
    QCOMPARE(read->curves[0].y[0], 0.1);
    QVERIFY(std::isnan(read->curves[0].y[1]) && std::isnan(read->facts[0].second));
    QVERIFY(*read == *read_run(run_text(run)));
  }

 private:
  std::string folder() const { return m_folder->path().toStdString(); }
  std::unique_ptr<QTemporaryDir> m_folder;
};

VQSCOPE_TEST(SweepFolderTest)
#include "sweep_folder_test.moc"
