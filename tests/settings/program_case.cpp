// SPDX-License-Identifier: GPL-3.0-or-later
#include "settings/program_case.h"

#include "settings/watched_case.h"

#include "core/base/text.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

extern char** environ;

namespace vqscope::settings {
namespace {

constexpr double idle_timeout = 60;  // seconds from an interrupt to the kill

/// A folder that is empty, and gone at the end.
class Folder {
 public:
  Folder() : m_path((std::filesystem::temp_directory_path() / "random_settings_XXXXXX").string()) {
    if (mkdtemp(m_path.data()) == nullptr) std::abort();
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() { std::filesystem::remove_all(m_path); }

  std::string file(const std::string& name) const { return m_path + "/" + name; }
  /// Files there besides `name`.
  std::string others(const std::string& name) const {
    std::string found;
    for (const auto& entry : std::filesystem::directory_iterator(m_path))
      if (entry.path().filename() != name) found += " " + entry.path().filename().string();
    return found;
  }

 private:
  std::string m_path;
};

std::vector<std::string> arguments_of(const Method& method, const ParameterValues& values, const std::string& out) {
  std::vector<std::string> arguments{"vqscope", "export", method.id};
  for (const auto& spec : parameters_of(method, values))
    if (const auto* value = values.find(spec.name); value && *value != spec.default_value) {
      arguments.emplace_back("--set");
      arguments.push_back(spec.name + "=" + format_value(*value).substr(0, 60000));
    }
  arguments.insert(arguments.end(), {"--out", out});
  return arguments;
}

/// Its messages go to `messages`.
std::optional<pid_t> started(const std::string& program, std::vector<std::string> arguments,
                             const std::string& messages) {
  std::vector<char*> words;
  for (auto& argument : arguments) words.push_back(argument.data());
  words.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, messages.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  pid_t child = 0;
  const int failed = posix_spawn(&child, program.c_str(), &files, nullptr, words.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return failed == 0 ? std::optional(child) : std::nullopt;
}

/// Waits until the child ends or a moment comes.
bool ended(pid_t child, double until, int& status) {
  while (waitpid(child, &status, WNOHANG) != child) {
    if (now_seconds() > until) return false;
    usleep(500);
  }
  return true;
}

std::string text_of(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string fault_of(int status, const std::string& messages, bool has_file, bool interrupted) {
  if (WIFSIGNALED(status))
    return interrupted ? std::string() : "it was killed by signal " + to_text(Index{WTERMSIG(status)});
  const int code = WEXITSTATUS(status);
  if (code == 0) return has_file ? std::string() : "exit 0 without a file";
  if (interrupted && code == 130) return has_file ? "an interrupted export left its file" : std::string();
  if (code != 2) return "exit " + to_text(Index{code});
  if (has_file) return "a refused export left its file";
  const auto lines = split(messages, '\n');
  if (messages.empty()) return "exit 2 without a sentence";
  return lines.front().size() > 420 ? "a sentence of " + to_text(static_cast<Index>(lines.front().size())) + " bytes"
                                    : std::string();
}

}  // namespace

ProgramOutcome run_program(const std::string& program, const Method& method, const ParameterValues& values,
                           const std::string& suffix, double interrupt_after) {
  const Folder out;
  const Folder other;
  const std::string name = "numbers." + suffix;
  const std::string messages = other.file("messages");
  ProgramOutcome outcome;
  const double begin = now_seconds();
  const auto child = started(program, arguments_of(method, values, out.file(name)), messages);
  if (!child) return {.failure = "cannot start " + program};
  int status = 0;
  const bool interrupted = !ended(*child, begin + interrupt_after, status);
  if (interrupted) {
    kill(*child, SIGINT);
    const double stopped = now_seconds();
    if (!ended(*child, stopped + idle_timeout, status)) {
      kill(*child, SIGKILL);
      waitpid(*child, &status, 0);
      outcome.failure = "no end after an interrupt";
    }
    outcome.stop_seconds = now_seconds() - stopped;
  }
  outcome.seconds = now_seconds() - begin;
  outcome.refused = WIFEXITED(status) && WEXITSTATUS(status) == 2;
  if (outcome.failure.empty())
    outcome.failure = fault_of(status, text_of(messages), std::filesystem::exists(out.file(name)), interrupted);
  if (const std::string left = out.others(name); outcome.failure.empty() && !left.empty())
    outcome.failure = "it left" + left;
  return outcome;
}

}  // namespace vqscope::settings
