// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/target.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace vqscope::faults {
namespace {

namespace fs = std::filesystem;

std::string content(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

std::string former(const std::string& file) { return "what " + file + " was before\n"; }

/// For formats that hold a time or a random number: checks their ends.
bool ends_whole(const std::string& file, const std::string& bytes) {
  static const std::map<std::string, std::string> endings{{".pdf", "%%EOF\n"}, {".svg", "</svg>\n"}, {".json", "}\n"}};
  const auto found = endings.find(fs::path(file).extension());
  return found != endings.end() && bytes.ends_with(found->second);
}

}  // namespace

Stage::Stage(const Target& target, const fs::path& folder) : m_target(target), m_folder(folder) { reset(); }

void Stage::reset() {
  fs::remove_all(m_folder);
  fs::create_directories(m_folder);
  for (const auto& input : m_target.inputs) fs::copy(input, m_folder / fs::path(input).filename());
  if (m_target.former)
    for (const auto& file : m_target.files) std::ofstream(m_folder / file) << former(file);
}

void Stage::learn() {
  for (const auto& file : m_target.files) m_whole[file] = content(m_folder / file);
}

Stage::State Stage::state_of(const std::string& file) const {
  const bool there = fs::exists(m_folder / file);
  if (!there) return m_target.former ? State::torn : State::former;
  const std::string bytes = content(m_folder / file);
  if (m_target.former && bytes == former(file)) return State::former;
  return bytes == m_whole.at(file) || ends_whole(file, bytes) ? State::whole : State::torn;
}

std::string Stage::check_others(bool killed) const {
  Words known = m_target.files;
  for (const auto& input : m_target.inputs) known.push_back(fs::path(input).filename());
  if (killed)
    for (const auto& file : m_target.files)
      for (const char* ending : {".vqscope-part", ".vqscope-old"}) known.push_back("." + file + ending);
  for (const auto& entry : fs::directory_iterator(m_folder))
    if (std::ranges::count(known, entry.path().filename().string()) == 0)
      return "left lying: " + entry.path().filename().string();
  return {};
}

std::string Stage::check_done() const {
  for (const auto& file : m_target.files)
    if (state_of(file) != State::whole) return file + " is not what was to be written";
  return check_others(false);
}

std::string Stage::check_failed() const {
  for (const auto& file : m_target.files)
    if (state_of(file) != State::former) return file + " is not as it was";
  return check_others(false);
}

std::string Stage::check_killed() const {
  for (const auto& file : m_target.files)
    if (state_of(file) == State::torn) return file + " is torn";
  return check_others(true);
}

}  // namespace vqscope::faults
