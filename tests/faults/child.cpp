// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/child.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>

namespace vqscope::faults {
namespace {

using Clock = std::chrono::steady_clock;

constexpr double longest_run = 60;  // seconds; a program that takes longer hangs

std::vector<char*> pointers(const Words& words) {
  std::vector<char*> all;
  for (const auto& word : words) all.push_back(const_cast<char*>(word.c_str()));
  all.push_back(nullptr);
  return all;
}

/// Bytes of both pipes until they end or `end` is reached; false: it was reached.
bool collect(const std::array<int, 2>& pipes, Outcome& outcome, Clock::time_point end) {
  std::array<pollfd, 2> waiting{{{pipes[0], POLLIN, 0}, {pipes[1], POLLIN, 0}}};
  for (int open = 2; open > 0;) {
    const auto left = std::chrono::ceil<std::chrono::microseconds>(end - Clock::now()).count();
    if (left <= 0) return false;
    const timespec time{left / 1'000'000, left % 1'000'000 * 1000};
    ppoll(waiting.data(), waiting.size(), &time, nullptr);
    for (std::size_t i = 0; i < waiting.size(); ++i) {
      if (waiting[i].fd < 0 || waiting[i].revents == 0) continue;
      char bytes[4096];
      const auto count = read(waiting[i].fd, bytes, sizeof bytes);
      if (count > 0) (i == 0 ? outcome.out : outcome.err).append(bytes, static_cast<std::size_t>(count));
      if (count > 0) continue;
      waiting[i].fd = -1;
      --open;
    }
  }
  return true;
}

}  // namespace

Outcome run(const Words& command, const std::string& folder, const Words& settings, std::optional<double> kill_after) {
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0) std::abort();
  const auto words = pointers(command);
  const auto start = Clock::now();
  const pid_t child = fork();
  if (child == 0) {
    dup2(out[1], STDOUT_FILENO);
    dup2(err[1], STDERR_FILENO);
    for (const char* name : {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}) unsetenv(name);
    for (const auto& setting : settings) putenv(const_cast<char*>(setting.c_str()));
    if (chdir(folder.c_str()) == 0) execv(words[0], words.data());
    _exit(127);
  }
  close(out[1]);
  close(err[1]);
  Outcome outcome;
  const auto limit =
      std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(kill_after.value_or(longest_run)));
  if (!collect({out[0], err[0]}, outcome, start + limit)) kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  close(out[0]);
  close(err[0]);
  outcome.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  if (WIFEXITED(status)) outcome.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status);
  return outcome;
}

}  // namespace vqscope::faults
