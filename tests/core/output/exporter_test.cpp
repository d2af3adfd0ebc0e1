// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/exporter.h"

#include "core/catalogue/registry.h"
#include "core/field/field.h"
#include "tests/support/compare.h"
#include "tests/support/test_main.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <new>
#include <thread>

using namespace vqscope;
using namespace vqscope::test;

namespace {

ExportRequest buckets() {
  const Method& method = *find_method("t5_bucket");
  ExportRequest request{.method = &method, .values = default_values(method.parameters)};
  request.values.set("q_length", Index{4});
  return request;
}

}  // namespace

class ExporterTest : public test::TestCase {
  Q_OBJECT

 private slots:
  void numbers_need_no_figures() {
    QVERIFY(export_files(buckets(), {path_of("a.csv"), path_of("a.NPY"), path_of("a.json")}, {}, {}));
    QCOMPARE(names(), (QStringList{"a.NPY", "a.csv", "a.json"}));
    QCOMPARE(content("a.csv"), QByteArray("query\\key,0,1,2,3\n0,0,17,18,19\n1,1,0,17,18\n2,2,1,0,17\n3,3,2,1,0\n"));
  }

  void figures_without_a_maker_are_refused_before_anything_is_written() {
    const std::string figure = path_of("b.svg");
    COMPARE_ERROR(export_files(buckets(), {path_of("b.csv"), figure}, {}, {}),
                  "this vqscope makes no figures, such as " + figure + "; .csv, .npy and .json hold the numbers");
    QVERIFY(!names().contains("b.csv"));
  }

  /// It begins before anything is computed, and gets the numbers that are made for all files.
  void figure_maker_is_called_once_per_file() {
    ExportRequest request = buckets();
    std::vector<std::string> calls;
    request.figures.begin = [&] { calls.emplace_back("begin"); };
    request.figures.make = [&](const ExportRequest&, const MadeBefore& made, const std::string& format,
                               std::stop_token) -> Result<std::string> {
      calls.push_back(format + (made.field ? " of a field" : ""));
      return "figure as " + format;
    };
    QVERIFY(export_files(request, {path_of("c.png"), path_of("c.csv"), path_of("c.pdf")}, {}, {}));
    QCOMPARE(calls, (std::vector<std::string>{"begin", "png of a field", "pdf of a field"}));
    QCOMPARE(content("c.pdf"), QByteArray("figure as pdf"));
  }

  void all_files_or_none() {
    ExportRequest request = buckets();
    request.figures.make = [](const ExportRequest&, const MadeBefore&, const std::string&, std::stop_token) {
      return Result<std::string>(invalid("no ink"));
    };
    COMPARE_ERROR(export_files(request, {path_of("d.csv"), path_of("d.png")}, {}, {}), "no ink");
    COMPARE_ERROR(
        export_file(request, path_of("d.xls"), {}, {}),
        "cannot tell a format from " + path_of("d.xls") + ": it must end with .csv, .npy, .json, .png, .svg, .pdf");
    request.values.set("q_length", Index{1} << 20);
    QCOMPARE(export_file(request, path_of("d.npy"), {}, {}).error().code, Errc::too_large);
    QVERIFY(names().filter("d.").isEmpty());
  }

  void size_is_exact_for_npy_and_a_bound_for_texts() {
    ExportRequest request = buckets();
    request.field = make_field(*request.method, request.values).value();
    for (const std::string format : {"npy", "csv", "json"}) {
      const std::string path = path_of("f.") + format;
      QVERIFY(export_file(request, path, {}, {}));
      const auto written = static_cast<double>(QFileInfo(path.c_str()).size());
      const double promised = export_size(request, format);
      QVERIFY2(format == "npy" ? promised == written : promised >= written, format.c_str());
    }
  }

  void progress_rises_to_the_end() {
    ExportRequest request = buckets();
    request.values.set("q_length", Index{2000});
    std::vector<double> fractions;
    QVERIFY(export_files(request, {path_of("g.csv"), path_of("g.npy")}, [&](double done) { fractions.push_back(done); },
                         {}));
    QVERIFY(std::ranges::is_sorted(fractions) && fractions.front() >= 0);
    QCOMPARE(fractions.back(), 1.0);
  }

  void stop_leaves_no_file() {
    std::stop_source stop;
    stop.request_stop();
    QCOMPARE(export_file(buckets(), path_of("e.csv"), {}, stop.get_token()).error().code, Errc::cancelled);
    QVERIFY(!names().contains("e.csv"));
  }

  void offloaded_work_may_throw() {
    const Offload elsewhere = [](const std::function<void()>& work, WhenStopped) { std::thread(work).join(); };
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, run_offloaded(elsewhere, [] { throw std::bad_alloc(); }));
    QVERIFY_THROWS_EXCEPTION(std::bad_alloc, run_offloaded({}, [] { throw std::bad_alloc(); }));
    bool done = false;
    run_offloaded(elsewhere, [&] { done = true; });
    QVERIFY(done);
  }

 private:
  std::string path_of(const char* name) { return m_folder.filePath(name).toStdString(); }
  QStringList names() { return QDir(m_folder.path()).entryList(QDir::Files | QDir::Hidden, QDir::Name); }
  QByteArray content(const char* name) {
    QFile file(m_folder.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }

  QTemporaryDir m_folder;
};

VQSCOPE_TEST(ExporterTest)
#include "exporter_test.moc"
