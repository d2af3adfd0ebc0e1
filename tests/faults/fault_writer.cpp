// SPDX-License-Identifier: GPL-3.0-or-later
// Writes the window's files without a window: `fault_writer session FILE`, `fault_writer layout FILE`.

#include "app/process/console.h"
#include "app/process/program.h"
#include "app/window/window_layout.h"
#include "core/session/session_json.h"
#include "widgets/parts/text.h"

#include <string_view>

using namespace vqscope;

namespace {

Result<void> write(std::string_view what, const QString& path) {
  if (what == "session") return write_session(default_session(), bytesOf(path));
  const WindowLayout layout{QRect(10, 10, 1200, 800), false, {{"parameters", {true, 300}}}, "checks", "dark"};
  return writeLayout(layout, path);
}

}  // namespace

int main(int argc, char** argv) {
  speakLastWords();
  if (argc != 3) return exitRefused;
  try {
    const auto written = write(argv[1], textOfBytes(argv[2]));
    return written ? exitDone : fail(written.error());
  } catch (...) {
    return failOfException();
  }
}
