// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/option_table.h"
#include "app/cli/mcp/line_reader.h"
#include "app/cli/mcp/mcp_server.h"
#include "app/process/console.h"

#include <fcntl.h>
#include <unistd.h>
#include <cerrno>
#include <cstdio>

namespace vqscope {
namespace {

/// Standard input and output for the messages alone: commands find an empty input, and an output that leads nowhere.
struct Streams {
  FileHandle in{::dup(STDIN_FILENO)};
  FileHandle out{::dup(STDOUT_FILENO)};

  bool takeOver() const {
    const FileHandle nothing = open_handle("/dev/null", O_RDWR);
    return in && out && nothing && ::dup2(nothing.number(), STDIN_FILENO) >= 0 &&
           ::dup2(nothing.number(), STDOUT_FILENO) >= 0;
  }
};

bool writeLine(const FileHandle& file, const std::string& line) {
  const std::string bytes = line + "\n";
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t count = ::write(file.number(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    done += static_cast<std::size_t>(count);
  }
  return true;
}

struct McpArguments {
  bool help = false;
};

int runMcp(const std::vector<std::string>& arguments) {
  McpArguments parsed;
  const OptionAction<McpArguments> refuse = [](McpArguments&, const std::string& word) -> Result<void> {
    return invalid("unexpected argument \"" + shortened(word) + "\": mcp takes none");
  };
  if (auto read = readArguments<McpArguments>(parsed, arguments, {}, refuse); !read) return fail(read.error());
  if (parsed.help) return print(helpOf(mcpCommand()));
  Streams streams;
  if (!streams.takeOver()) return fail({Errc::io, "the standard streams cannot be opened: " + io_reason(errno)});
  LineReader reader(std::move(streams.in), mostMessageBytes);
  while (const auto line = reader.next()) {
    if (!line->isTooLong && trimmed(line->text).empty()) continue;
    const std::string answer = line->isTooLong ? answerToLongMessage() : answerToMessage(line->text);
    if (!answer.empty() && !writeLine(streams.out, answer)) return exitDone;
  }
  return exitDone;
}

}  // namespace

const Command& mcpCommand() {
  static const Command command{.usage = "mcp",
                               .summary = "a server of the Model Context Protocol on standard input and output",
                               .run = runMcp,
                               .about = R"(
Answers the Model Context Protocol, one message of JSON-RPC 2.0 a line, until the input ends. An agent starts it; it needs
no network. Its tools are check, recognise, row, compare, config, block_mask, export and list, with the limits of the
commands. export answers with a picture where this vqscope makes figures.
)",
                               .ending = R"(
Exit status: 0 at the end of the input; 2 refused, with one line on stderr.

Example: claude mcp add vqscope -- vqscope mcp
)"};
  return command;
}

}  // namespace vqscope
