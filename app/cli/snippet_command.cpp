// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/export_request.h"
#include "app/cli/arguments/option_table.h"
#include "app/process/console.h"
#include "core/encoding/snippet/encoding_snippet.h"
#include "core/mask/blocks/block_mask_method.h"

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
      maskFileOption<SnippetArguments>("--mask", &SnippetArguments::mask, "block_mask: the mask, as check takes it"),
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

/// The Python of a mask is that of a dialect, which recognises its pattern.
int printBlockMask(const SnippetArguments& arguments) {
  if (arguments.library != SnippetLibrary::torch) return fail(invalid("block_mask has code for torch alone"));
  std::vector<std::string> words{"--snippet=flex_block_lists"};
  if (arguments.mask) words.push_back("--mask=" + *arguments.mask);
  if (arguments.session) words.push_back("--session=" + *arguments.session);
  for (const Setting& setting : arguments.settings)
    words.push_back((setting.array ? "--array=" : "--set=") + setting.name + "=" + setting.value);
  return dialectsCommand().run(words);
}

int runSnippet(const std::vector<std::string>& arguments) {
  SnippetArguments parsed;
  if (auto read = readArguments<SnippetArguments>(parsed, arguments, snippetOptions(), takeMethod); !read)
    return fail(read.error());
  if (parsed.help) return print(helpOf(snippetCommand()));
  if (parsed.method.empty()) return fail(invalid("snippet needs a METHOD (vqscope list --survey shows encodings)"));
  if (parsed.method == block_mask_method().id) return printBlockMask(parsed);
  const auto request = methodRequest(parsed);
  if (!request) return fail(request.error());
  const auto python = encoding_snippet(*request->method, request->values, parsed.library);
  return python ? print(*python) : fail(python.error());
}

}  // namespace

const Command& snippetCommand() {
  static const Command command{.usage = "snippet METHOD [options]",
                               .summary = "Python that computes a position encoding or makes a BlockMask, to copy",
                               .run = runSnippet,
                               .about = R"(
Prints a Python program for PyTorch or NumPy that computes what the method shows with these values, as `result`. Of
block_mask: PyTorch that makes a BlockMask of the lists that vqscope export block_mask writes.
)",
                               .ending = R"(
Exit status: 0 done; 2 refused, with one line on stderr.

Example: vqscope snippet rope_cos --set rope_type=yarn --set factor=8 --library numpy
         vqscope snippet block_mask --mask mask.py --set q_length=4096
)",
                               .options = [] { return linesOf(snippetOptions()); }};
  return command;
}

}  // namespace vqscope
