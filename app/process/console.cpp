// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/process/console.h"

#include "core/base/text.h"
#include "core/io/bytes/file_handle.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cerrno>
#include <cstdio>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace vqscope {
namespace {

/// Our own sentences are shorter; those of a library may be longer.
constexpr std::size_t mostCharacters = 400;

/// Makes a text safe for a terminal: control characters become spaces, and bytes that are not
/// UTF-8, as in file names, become \xff. Tabs stay, because the caret in the next line aligns with
/// them.
std::string printable(std::string_view line) {
  std::string shown;
  for (std::size_t count = 0; !line.empty() && count <= mostCharacters; ++count) {
    const std::size_t bytes = utf8_sequence(line);
    const auto first = static_cast<unsigned char>(line.front());
    const bool control = (first < 0x20 && first != '\t') || first == 0x7f ||
                         (first == 0xc2 && bytes == 2 && static_cast<unsigned char>(line[1]) < 0xa0);
    if (count == mostCharacters)
      shown += "…";
    else if (bytes == 0)
      shown += {'\\', 'x', "0123456789abcdef"[first >> 4], "0123456789abcdef"[first & 15]};
    else
      shown += control ? " " : line.substr(0, bytes);
    line.remove_prefix(std::max<std::size_t>(1, bytes));
  }
  return shown;
}

/// Where output is kept; null: it is written. Progress prints from other threads.
std::mutex captureMutex;
CapturedOutput* capture = nullptr;

void printLine(std::string_view line) {
  const std::string shown = printable(line) + '\n';
  const std::lock_guard lock(captureMutex);
  if (capture)
    capture->err += shown;
  else
    std::fputs(shown.c_str(), stderr);
}

bool keepOutput(std::string_view text) {
  const std::lock_guard lock(captureMutex);
  if (capture) capture->out += text;
  return capture != nullptr;
}

/// Remarks about the input of a command that may still be refused.
class HeldRemarks {
 public:
  void add(std::string line) {
    const std::lock_guard lock(m_mutex);
    m_lines.push_back(std::move(line));
  }
  void show() {
    for (const auto& line : take()) printLine(line);
  }
  void drop() { take(); }

 private:
  std::vector<std::string> take() {
    const std::lock_guard lock(m_mutex);
    return std::exchange(m_lines, {});
  }

  std::mutex m_mutex;
  std::vector<std::string> m_lines;
};

HeldRemarks& heldRemarks() {
  static HeldRemarks all;
  return all;
}

std::atomic<bool> quietly = false;

/// A remark is left out if it is not asked for, or if there is no memory for it.
void remark(const std::function<void()>& show) {
  if (quietly) return;
  try {
    show();
  } catch (const std::bad_alloc&) {
    return;
  }
}

constexpr auto warning = "vqscope: warning: ";
constexpr auto plain = "vqscope: ";

}  // namespace

CapturedOutput::CapturedOutput() {
  const std::lock_guard lock(captureMutex);
  assert(!capture);
  capture = this;
}

CapturedOutput::~CapturedOutput() {
  const std::lock_guard lock(captureMutex);
  capture = nullptr;
}

int print(std::string_view text) {
  showHeld();
  if (keepOutput(text)) return exitDone;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written) return exitDone;
  return fail({Errc::io, std::string("cannot write to standard output: ") + io_reason(errno)});
}

int fail(const Error& error) {
  error.code == Errc::cancelled ? showHeld() : heldRemarks().drop();
  printLine("vqscope: " + error.message);
  for (const auto line : split(error.detail, '\n'))
    if (!error.detail.empty()) printLine(line);
  return error.code == Errc::cancelled ? exitInterrupted : exitRefused;
}

void keepQuiet() { quietly = true; }

bool isQuiet() { return quietly; }

void showHeld() {
  remark([] { heldRemarks().show(); });
}

void warn(const std::string& sentence) {
  showHeld();
  remark([&] { printLine(warning + sentence); });
}

void note(const std::string& sentence) {
  showHeld();
  remark([&] { printLine(plain + sentence); });
}

void warnOfInput(const std::string& sentence) {
  remark([&] { heldRemarks().add(warning + sentence); });
}

void noteOfInput(const std::string& sentence) {
  remark([&] { heldRemarks().add(plain + sentence); });
}

}  // namespace vqscope
