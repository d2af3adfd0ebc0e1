// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/option_table.h"
#include "app/cli/captures/opened_capture.h"
#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/base/sentence.h"
#include "core/capture/heads/captured_heads.h"

namespace vqscope {
namespace {

struct HeadsArguments {
  bool help = false;
  bool json = false;
  bool csv = false;
  std::string capture;
  std::optional<Index> layer, batch, rows;
};

OptionTable<HeadsArguments> headsOptions() {
  return {{{"--layer", "N", "one layer, by default all"},
           [](HeadsArguments& a, const std::string& text) { return readArrayIndex("--layer", a.layer, text); }},
          {{"--batch", "N", "the sample to read, by default 0"},
           [](HeadsArguments& a, const std::string& text) { return readArrayIndex("--batch", a.batch, text); }},
          {{"--rows", "N", "query rows of each head to read, by default 256"},
           [](HeadsArguments& a, const std::string& text) -> Result<void> {
             if (auto read = readArrayIndex("--rows", a.rows, text); !read) return read;
             if (*a.rows < 1) return refusedOption("--rows", text, "1 or more");
             return {};
           }},
          {{"--csv", "", "print a line of numbers a head"},
           [](HeadsArguments& a, const std::string&) -> Result<void> {
             a.csv = true;
             return {};
           }},
          jsonOption<HeadsArguments>()};
}

Result<HeadsArguments> parseHeadsArguments(const std::vector<std::string>& arguments) {
  HeadsArguments parsed;
  const auto word = [](HeadsArguments& a, const std::string& path) -> Result<void> {
    if (!a.capture.empty() || path.empty()) return invalid("heads expects one CAPTURE, a folder or a file");
    a.capture = path;
    return {};
  };
  if (auto read = readArguments<HeadsArguments>(parsed, arguments, headsOptions(), word); !read) return read.error();
  if (!parsed.help && parsed.capture.empty()) return invalid("heads needs a CAPTURE, a folder or a file");
  if (parsed.csv && parsed.json) return invalid("--csv and --json are two forms, one can be given");
  return parsed;
}

std::string asText(const CapturedHeads& heads) {
  std::string text;
  for (const std::string& line : sentences_of(heads)) text += line + "\n";
  return text + heads_map(heads);
}

int runHeads(const std::vector<std::string>& arguments) {
  constexpr Index someRows = 256;
  const auto parsed = parseHeadsArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(headsCommand()));
  const auto capture = openedCapture(parsed->capture);
  if (!capture) return fail(capture.error());
  const Interrupts interrupts;
  std::optional<ProgressLine> line(std::in_place);
  const auto heads =
      heads_of(*capture, parsed->layer, parsed->batch.value_or(0), parsed->rows.value_or(someRows),
               {.progress = [&line](double fraction) { line->show(fraction); }, .stop = interrupts.token()});
  line.reset();
  if (!heads) return fail(heads.error());
  return print(parsed->csv ? heads_csv(*heads) : parsed->json ? heads_json(*heads) : asText(*heads));
}

}  // namespace

const Command& headsCommand() {
  static const Command command{.usage = "heads CAPTURE [--layer N] [--rows N] [--csv | --json]",
                               .summary = "what each attention head of a capture is for, and how far it looks",
                               .run = runHeads,
                               .about = R"(
Reads the attention weights of a capture, or computes them from its scores or its q and k, and prints how many heads
need more than 1,024 tokens, how many have each role, and a map with a line a layer and a letter a head.

Roles, the first that holds: sink, self, previous (half of the weight on the first token, the own, the one before);
induction and duplicate (0.3 above chance on tokens after earlier equal ones, and on those; needs input_ids); local
(0.9 of what is no sink within 64 tokens); retrieval (0.3 on one key farther than 64 tokens); broad. Rows are spread
evenly over those with 64 keys and more. reach is the least of 1, 2, 4, … last tokens that hold 0.9 of what is no sink.
)",
                               .ending = R"(
Exit status: 0 told; 2 no such capture, or no attention in it, with one line on stderr.

Examples: vqscope heads capture
          vqscope heads capture --layer 3 --csv > heads.csv
)",
                               .options = [] { return linesOf(headsOptions()); }};
  return command;
}

}  // namespace vqscope
