// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/export_request.h"
#include "app/cli/arguments/option_table.h"
#include "app/process/console.h"
#include "core/encoding/snippet/encoding_snippet.h"

namespace vqscope {
namespace {

struct SnippetArguments : MethodArguments {
  SnippetLibrary library = SnippetLibrary::torch;
};

OptionTable<SnippetArguments> snippetOptions() {
  return {
      settingOption<SnippetArguments>("--set", &SnippetArguments::settings, false,
                                      "a parameter (vqscope list METHOD shows them); may be repeated"),
      settingOption<SnippetArguments>("--array", &SnippetArguments::settings, true,
                                      "a parameter that is a list, or NAME=FILE or NAME=FILE:NAME; may be repeated"),
      {{"--session", "FILE", "start from the values of a session"},
       taking<SnippetArguments>(&SnippetArguments::session)},
      {{"--library", "NAME", "torch (if not given) or numpy", false, "torch numpy"},
       [](SnippetArguments& arguments, const std::string& name) -> Result<void> {
         const auto library = snippet_library(name);
         if (!library) return library.error();
         arguments.library = *library;
         return {};
       }}};
}

Result<void> takeMethod(SnippetArguments& arguments, const std::string& word) {
  if (!arguments.method.empty()) return invalid("unexpected argument \"" + shortened(word) + "\": one METHOD only");
  arguments.method = word;
  return {};
}

int runSnippet(const std::vector<std::string>& arguments) {
  SnippetArguments parsed;
  if (auto read = readArguments<SnippetArguments>(parsed, arguments, snippetOptions(), takeMethod); !read)
    return fail(read.error());
  if (parsed.help) return print(helpOf(snippetCommand()));
  if (parsed.method.empty()) return fail(invalid("snippet needs a METHOD (vqscope list --survey shows encodings)"));
  const auto request = methodRequest(parsed);
  if (!request) return fail(request.error());
  const auto python = encoding_snippet(*request->method, request->values, parsed.library);
  return python ? print(*python) : fail(python.error());
}

}  // namespace

const Command& snippetCommand() {
  static const Command command{.usage = "snippet METHOD [options]",
                               .summary = "Python that computes a position encoding, to copy",
                               .run = runSnippet,
                               .about = R"(
Prints a Python program for PyTorch or NumPy that computes what the method shows with these values, as `result`.
)",
                               .ending = R"(
Exit status: 0 done; 2 refused, with one line on stderr.

Example: vqscope snippet rope_cos --set rope_type=yarn --set factor=8 --library numpy
)",
                               .options = [] { return linesOf(snippetOptions()); }};
  return command;
}

}  // namespace vqscope
