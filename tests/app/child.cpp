// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/app/child.h"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>

namespace vqscope::test {
namespace {

/// A child that never ends is a failure, not a test that hangs.
constexpr unsigned mostSeconds = 100;

/// An unnamed file that collects the output of a stream.
class Kept {
 public:
  Kept() : m_file(std::tmpfile()) {}
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() { std::fclose(m_file); }

  void takeFrom(int stream) const { ::dup2(::fileno(m_file), stream); }
  std::string text() const {
    std::string all;
    std::rewind(m_file);
    for (int c = std::fgetc(m_file); c != EOF; c = std::fgetc(m_file)) all += static_cast<char>(c);
    return all;
  }

 private:
  std::FILE* m_file;
};

}  // namespace

Ended inAChild(const std::function<int()>& act) {
  std::fflush(nullptr);  // the child would write what is left in the buffers once more
  const Kept out;
  const Kept err;
  const pid_t child = ::fork();
  if (child == 0) {
    out.takeFrom(STDOUT_FILENO);
    err.takeFrom(STDERR_FILENO);
    // Qt Test has handlers of its own.
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGABRT, SIGSEGV, SIGALRM}) std::signal(number, SIG_DFL);
    ::alarm(mostSeconds);
    const int status = act();
    std::fflush(nullptr);
    ::_exit(status);
  }
  int status = 0;
  if (child < 0 || ::waitpid(child, &status, 0) != child) return {};
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status), out.text(), err.text()};
}

}  // namespace vqscope::test
