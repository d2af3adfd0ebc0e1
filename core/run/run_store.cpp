// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/run/run_store.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/bytes/user_folders.h"
#include "core/io/bytes/whole_file.h"
#include "core/io/json/json_reader.h"
#include "core/io/json/json_value.h"
#include "core/run/sweep.h"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <system_error>

namespace vqscope {
namespace {

namespace fs = std::filesystem;

constexpr int most_names = 100'000;  // for runs with equal values that end in the same second

Error of_path(const std::string& path, const std::string& reason) {
  return {Errc::io, fmt::format("{}: {}", shown_path(path), reason)};
}

Result<void> make_folder(const std::string& folder) {
  if (folder.empty())
    return invalid("there is no home folder to keep runs in: set HOME or XDG_DATA_HOME to an absolute path");
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return of_path(folder, "cannot create the folder: " + failed.message());
  return {};
}

/// A name must be a file name in the folder and lead nowhere else.
Result<void> check_name(const std::string& name) {
  if (name.empty() || name.front() == '.' || name.find('/') != std::string::npos ||
      name.find('\0') != std::string::npos)
    return invalid("unknown run {} (vqscope runs lists them)", shortened(name));
  return {};
}

std::string note_path(const std::string& folder, const std::string& name) { return folder + "/" + name + ".note"; }

/// The note in a file; empty if the file is damaged or missing.
RunNote read_note(const std::string& path) {
  const auto text = read_text(path, most_json_bytes);
  const auto json = text ? read_json(*text) : Result<ConfigValue>(text.error());
  RunNote note;
  if (!json) return note;
  if (const auto* title = json->find("title"); title && title->text()) note.title = *title->text();
  if (const auto* words = json->find("note"); words && words->text()) note.note = *words->text();
  return note;
}

Result<KeptRun> read_kept(const std::string& folder, const std::string& name) {
  const std::string path = folder + "/" + name + ".json";
  const auto text = read_text(path, most_json_bytes);
  if (!text) return of_path(path, text.error().message);
  auto run = read_run(*text);
  if (!run) return of_path(path, run.error().message);
  return KeptRun{name, std::move(*run), read_note(note_path(folder, name))};
}

/// Claims the name for this process: the process that creates the lock file owns it. After a crash,
/// an empty file is left that no listing shows.
bool claim(const std::string& stem) {
  const int file = ::open((stem + ".claim").c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0) return false;
  ::close(file);
  return true;
}

/// Moves a run and its note, the note first, so a run is never without its note.
Result<void> move_run(const std::string& from, const std::string& to, const std::string& name) {
  std::error_code failed;
  if (!fs::exists(from + "/" + name + ".json", failed))
    return invalid("unknown run {} (vqscope runs lists them)", shortened(name));
  if (auto made = make_folder(to); !made) return made;
  if (fs::exists(to + "/" + name + ".json", failed))
    return of_path(to + "/" + name + ".json", "already exists; the run was not moved");
  if (fs::exists(note_path(from, name), failed)) fs::rename(note_path(from, name), note_path(to, name), failed);
  if (!failed) fs::rename(from + "/" + name + ".json", to + "/" + name + ".json", failed);
  if (failed) return of_path(from + "/" + name + ".json", "cannot be moved: " + failed.message());
  return {};
}

Result<std::string> text_of(const Run& run) {
  std::string text = run_text(run);
  if (text.size() <= most_json_bytes) return text;
  return too_large("its results have {} but must have at most {}", byte_count(static_cast<double>(text.size())),
                   byte_count(static_cast<double>(most_json_bytes)));
}

}  // namespace

Result<std::string> RunStore::keep(const Run& run) const {
  if (auto made = make_folder(m_folder); !made) return made.error();
  const auto text = text_of(run);
  if (!text) return text.error();
  std::string begin = (run.when.empty() ? time_now() : run.when) + "-" + run.id;
  std::erase_if(begin, [](char c) { return c == ':' || c == '/'; });
  for (int i = 1; i <= most_names; ++i) {
    const std::string name = i == 1 ? begin : begin + "-" + to_text(Index{i});
    const std::string stem = m_folder + "/" + name;
    std::error_code failed;
    if (fs::exists(path(name), failed)) continue;
    if (!claim(stem)) {
      if (fs::exists(stem + ".claim", failed)) continue;
      return of_path(m_folder, "cannot create a file in it");
    }
    // Between the first check and the claim, another process may have kept its run and removed its
    // claim.
    const bool taken = fs::exists(path(name), failed);
    const auto written = taken ? Result<void>() : write_whole_file(path(name), *text);
    fs::remove(stem + ".claim", failed);
    if (taken) continue;
    if (!written) return written.error();
    return name;
  }
  return of_path(m_folder, "too many runs have the name " + shortened(begin));
}

Result<void> RunStore::replace(const std::string& name, const Run& run) const {
  if (auto checked = check_name(name); !checked) return checked;
  const auto text = text_of(run);
  if (!text) return text.error();
  return write_whole_file(path(name), *text);
}

Result<RunListing> RunStore::list() const {
  RunListing listing;
  std::error_code failed;
  if (!fs::exists(m_folder, failed)) return listing;
  for (fs::directory_iterator entry(m_folder, failed), end; !failed && entry != end; entry.increment(failed)) {
    const auto& path = entry->path();
    if (path.extension() != ".json" || path.filename() == "sweep.json") continue;
    auto run = read_kept(m_folder, path.stem().string());
    if (run)
      listing.runs.push_back(std::move(*run));
    else
      listing.damaged.push_back(run.error().message);
  }
  if (failed) return of_path(m_folder, failed.message());
  std::ranges::sort(listing.runs, [](const KeptRun& a, const KeptRun& b) {
    return a.run.when != b.run.when ? a.run.when > b.run.when : a.name < b.name;
  });
  std::ranges::sort(listing.damaged);
  return listing;
}

Result<KeptRun> RunStore::find(const std::string& name) const {
  if (auto checked = check_name(name); !checked) return checked.error();
  std::error_code failed;
  if (!fs::exists(path(name), failed)) return invalid("unknown run {} (vqscope runs lists them)", shortened(name));
  return read_kept(m_folder, name);
}

Result<void> RunStore::annotate(const std::string& name, const RunNote& note) const {
  if (note.title.size() > most_note_bytes || note.note.size() > most_note_bytes)
    return too_large("a run's name and its note have at most {} bytes each", most_note_bytes);
  if (auto found = find(name); !found) return found.error();
  return write_whole_file(note_path(m_folder, name),
                          indented_json(JsonObject{{"title", note.title}, {"note", note.note}}));
}

Result<void> RunStore::remove(const std::string& name) const {
  if (auto checked = check_name(name); !checked) return checked;
  return move_run(m_folder, m_folder + "/deleted", name);
}

Result<void> RunStore::restore(const std::string& name) const {
  if (auto checked = check_name(name); !checked) return checked;
  return move_run(m_folder + "/deleted", m_folder, name);
}

std::string default_run_folder() {
  const char* given = std::getenv("XDG_DATA_HOME");
  if (given && given[0] == '/') return std::string(given) + "/vqscope/runs";
  const std::string home = home_folder();
  return home.empty() ? std::string() : home + "/.local/share/vqscope/runs";
}

std::string time_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  const auto length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return {text, length};
}

Run ended_run(const Method& method, const ParameterValues& values, const CurveSet& curves, double seconds,
              std::string version, bool complete) {
  return {.id = run_id(method, values),
          .method = method.id,
          .values = values,
          .curves = curves,
          .seconds = seconds,
          .version = std::move(version),
          .when = time_now(),
          .complete = complete};
}

bool keeps_runs(const Method& method) {
  if (method.category != "experiments") return false;
  return method.curves() ? method.curves()->origin == CurveOrigin::measured : method.run() != nullptr;
}

Result<void> RunKeeper::keep(const Method& method, const ParameterValues& values, const CurveSet& curves,
                             double seconds, bool complete) {
  const Run run = ended_run(method, values, curves, seconds, m_version, complete);
  if (!m_name.empty()) return m_store.replace(m_name, run);
  auto name = m_store.keep(run);
  if (!name) return name.error();
  m_name = std::move(*name);
  return {};
}

}  // namespace vqscope
