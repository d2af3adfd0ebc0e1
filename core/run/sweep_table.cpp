// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep_table.h"

#include "core/base/sentence.h"
#include "core/export/csv.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/number_text.h"
#include "core/io/json/json_reader.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>

namespace vqscope {
namespace {

/// Files that may be runs, folder by folder, sorted by name.
Result<std::vector<std::string>> run_files(const std::vector<std::string>& folders) {
  std::vector<std::string> paths;
  for (const auto& folder : folders) {
    std::error_code failed;
    std::vector<std::string> here;
    for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end;
         entry.increment(failed))
      if (const auto& path = entry->path(); path.extension() == ".json" && path.filename() != "sweep.json")
        here.push_back(path.string());
    if (failed) return Error{Errc::io, fmt::format("{}: {}", shortened(folder, 200), failed.message())};
    std::ranges::sort(here);
    paths.insert(paths.end(), here.begin(), here.end());
  }
  return paths;
}

Result<StoredRun> run_of(const std::string& path) {
  const auto text = read_text(path, most_json_bytes);
  if (!text) return text.error();
  return read_run(*text);
}

/// The file of each point's run. A file is read again when its rows are written, because a sweep
/// need not fit in memory.
class FoundRuns {
 public:
  FoundRuns(const Sweep& sweep, MergeReport& report, const std::stop_token& stop) : m_report(report) {
    const auto count = static_cast<Index>(point_count(sweep));
    for (Index i = 0; i < count && !stop.stop_requested(); ++i)
      m_paths.emplace(sweep_point(sweep, i).id, std::string());
    report.points = count;
  }

  void add(const std::string& path) {
    const auto run = run_of(path);
    if (!run) {
      m_report.damaged.push_back(fmt::format("{}: {}", path, run.error().message));
      return;
    }
    const auto point = m_paths.find(run->id);
    if (point == m_paths.end()) {
      m_report.foreign.push_back(path);
    } else if (point->second.empty()) {
      point->second = path;
    } else {
      const auto first = run_of(point->second);
      const bool same = first && *first == *run;
      (same ? m_report.doubled : m_report.differing).push_back(fmt::format("{} and {}", point->second, path));
    }
  }

  const std::string& path(const std::string& id) const { return m_paths.at(id); }

 private:
  MergeReport& m_report;
  std::map<std::string, std::string> m_paths;  ///< by id; empty: not found yet
};

/// RFC 4180.
class CsvRows : public RowSink {
 public:
  CsvRows(const Sweep& sweep, ByteSink& sink) : m_sweep(sweep), m_sink(sink) {}

  Result<void> begin(const std::string& x_name) override {
    m_text.append("point");
    for (const auto& varied : m_sweep.varied) add_cell(varied.name);
    add_cell("series");
    add_cell(x_name);
    m_text.append(",value\n");
    return {};
  }

  Result<void> add(const MergedRow& row) override {
    if (row.point.id != m_id) begin_point(row.point);
    m_text.append(m_begin + "," + csv_text(row.series) + ",");
    if (row.x) m_text.append_number(*row.x);
    m_text.append(',');
    m_text.append_number(row.value);
    m_text.append('\n');
    return m_text.full() ? m_text.flush(m_sink) : Result<void>();
  }

  Result<void> finish() { return m_text.flush(m_sink); }

 private:
  void add_cell(const std::string& text) { m_text.append("," + csv_text(text)); }
  void begin_point(const SweepPoint& point) {
    m_id = m_begin = point.id;
    for (const auto& varied : m_sweep.varied) m_begin += "," + csv_text(format_value(*point.values.find(varied.name)));
  }

  const Sweep& m_sweep;
  ByteSink& m_sink;
  TextBuffer m_text;
  std::string m_id;
  std::string m_begin;  ///< beginning of each row of the point
};

Result<void> add_run(const SweepPoint& point, const StoredRun& run, RowSink& rows) {
  for (const auto& [name, value] : run.facts)
    if (auto added = rows.add({point, name, std::nullopt, value}); !added) return added;
  for (const auto& curve : run.curves)
    for (std::size_t i = 0; i < run.x.size(); ++i)
      if (auto added = rows.add({point, curve.name, run.x[i], curve.y[i]}); !added) return added;
  return {};
}

}  // namespace

Result<MergeReport> merge_rows(const Sweep& sweep, const std::vector<std::string>& folders, RowSink& rows,
                               const std::stop_token& stop) {
  MergeReport report;
  const auto files = run_files(folders);
  if (!files) return files.error();
  FoundRuns found(sweep, report, stop);
  for (const auto& path : *files) {
    if (stop.stop_requested()) return cancelled();
    found.add(path);
  }
  bool begun = false;
  for (Index i = 0; i < report.points; ++i) {
    if (stop.stop_requested()) return cancelled();
    const SweepPoint point = sweep_point(sweep, i);
    const std::string& path = found.path(point.id);
    if (path.empty()) {
      report.missing.push_back(point_text(sweep, point));
      continue;
    }
    const auto run = run_of(path);
    if (!run) return Error{Errc::io, fmt::format("{}: {}", shortened(path, 200), run.error().message)};
    if (!begun)
      if (auto started = rows.begin(run->x_name); !started) return started.error();
    begun = true;
    if (auto added = add_run(point, *run, rows); !added) return added.error();
  }
  if (!begun) return invalid("no point of the sweep is finished");
  return report;
}

Result<MergeReport> merge_sweep(const Sweep& sweep, const std::vector<std::string>& folders, ByteSink& table,
                                const std::stop_token& stop) {
  CsvRows rows(sweep, table);
  auto report = merge_rows(sweep, folders, rows, stop);
  if (!report) return report;
  if (auto finished = rows.finish(); !finished) return finished.error();
  return report;
}

}  // namespace vqscope
