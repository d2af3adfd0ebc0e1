// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/sweep_folder.h"

#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/whole_file.h"
#include "core/io/json/json_reader.h"
#include "core/run/run_store.h"

#include <chrono>
#include <filesystem>
#include <set>
#include <system_error>

namespace vqscope {
namespace {

constexpr const char* sweep_name = "sweep.json";

Error in_file(const std::string& path, const Error& error) { return within(shortened(path, 200), error); }

/// Whether the folder has this sweep; false if it has none.
Result<bool> has_sweep(const std::string& folder, const std::string& text) {
  const std::string path = folder + "/" + sweep_name;
  std::error_code failed;
  if (!std::filesystem::exists(path, failed)) return false;
  const auto there = read_text(path, most_json_bytes);
  if (!there) return in_file(path, there.error());
  if (*there == text) return true;
  return invalid("{} belongs to another sweep; choose another folder", shortened(path, 200));
}

/// Names of files that may be runs of points: there may be many points but few files.
std::set<std::string> file_names(const std::string& folder) {
  std::set<std::string> names;
  std::error_code failed;
  for (std::filesystem::directory_iterator entry(folder, failed), end; !failed && entry != end; entry.increment(failed))
    names.insert(entry->path().filename().string());
  return names;
}

}  // namespace

std::string run_path(const std::string& folder, const std::string& id) { return folder + "/" + id + ".json"; }

std::string default_sweep_folder(const Sweep& sweep) {
  const std::string runs = default_run_folder();
  if (runs.empty()) return runs;
  const auto data = std::filesystem::path(runs).parent_path();
  return (data / "sweeps" / (sweep.method->id + "-" + sweep_id(sweep))).string();
}

Result<void> begin_sweep(const std::string& folder, const Sweep& sweep) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed)
    return Error{Errc::io, fmt::format("{}: cannot create the folder: {}", shortened(folder, 200), failed.message())};
  const std::string text = sweep_text(sweep);
  const auto there = has_sweep(folder, text);
  if (!there) return there.error();
  return *there ? Result<void>() : write_whole_file(folder + "/" + sweep_name, text, FileUse::record);
}

Result<Sweep> open_sweep(const std::string& folder, const FindMethod& find) {
  const std::string path = folder + "/" + sweep_name;
  const auto text = read_text(path, most_json_bytes);
  if (!text) return in_file(path, text.error());
  auto sweep = read_sweep(*text, find);
  if (!sweep) return in_file(path, sweep.error());
  return sweep;
}

std::optional<double> finished_seconds(const std::string& folder, const SweepPoint& point) {
  const auto text = read_text(run_path(folder, point.id), most_json_bytes);
  const auto run = text ? read_run(*text) : Result<StoredRun>(text.error());
  return run && run->complete && run->id == point.id ? std::optional(run->seconds) : std::nullopt;
}

Result<std::vector<std::optional<double>>> finished_points(const std::string& folder, const Sweep& sweep,
                                                           const std::stop_token& stop) {
  const auto there = has_sweep(folder, sweep_text(sweep));
  if (!there) return there.error();
  std::vector<std::optional<double>> seconds(static_cast<std::size_t>(point_count(sweep)));
  if (!*there) return seconds;
  const auto names = file_names(folder);
  for (std::size_t i = 0; i < seconds.size(); ++i) {
    if (stop.stop_requested()) return cancelled();
    const SweepPoint point = sweep_point(sweep, static_cast<Index>(i));
    if (names.contains(point.id + ".json")) seconds[i] = finished_seconds(folder, point);
  }
  return seconds;
}

Result<double> carry_out(const std::string& folder, const Sweep& sweep, const SweepPoint& point,
                         const std::string& version, const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  auto curves = make_curves(*sweep.method, point.values, work);
  if (!curves) {
    if (curves.error().code == Errc::cancelled) return curves.error();
    return within("point " + point_text(sweep, point), curves.error());
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  const std::string text =
      run_text({point.id, sweep.method->id, point.values, std::move(*curves), took.count(), version, time_now()});
  if (text.size() > most_json_bytes)
    return too_large("point {} has results of {}, the limit is {}: request fewer points", point_text(sweep, point),
                     byte_count(static_cast<double>(text.size())), byte_count(static_cast<double>(most_json_bytes)));
  if (auto written = write_whole_file(run_path(folder, point.id), text, FileUse::record); !written)
    return written.error();
  return took.count();
}

}  // namespace vqscope
