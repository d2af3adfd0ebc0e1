// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/help.h"

namespace vqscope {

std::string_view mainHelp() {
  return R"(VQScope shows how attention knows about position.

  vqscope [FILE...]                            the workbench, with sessions (.vqscope)
  vqscope list [METHOD] [--json]               methods with parameters, ranges, defaults and sources
  vqscope export METHOD [options] --out FILE   numbers (.csv .npy .json) or a figure (.png .svg .pdf)
  vqscope export --help                        the options of export
  vqscope check [options]                      what is wrong with a mask and its positions; exit 1 with findings
  vqscope check --help                         the options of check
  vqscope --version

Example: vqscope export t5_bucket --set q_length=64 --out buckets.csv buckets.png
)";
}

std::string_view exportHelp() {
  return R"(vqscope export METHOD [options] --out FILE...

  --set NAME=VALUE      a parameter (vqscope list METHOD shows them); may be repeated
  --minus NAME=VALUE    subtract the same matrix with this parameter instead; may be repeated
  --array NAME=1,2,3    a parameter that is a list of integers
  --session FILE        take the values from a session first
  --rows A:B --cols A:B the block of rows A to B - 1 and columns A to B - 1; A or B may be left out
  --aggregate HOW       what a pixel shows of the cells under it: mean, min or max
  --colour-map NAME     viridis, cividis, magma, diverging or twilight
  --dpi N               dots to the inch of a figure, 36 to 1200
  --force               also write a file of more than 2 GiB
  --out FILE...         .csv .npy .json hold numbers, .png .svg .pdf a figure; several are written all or none

Exit status: 0 done; 2 refused, with one line on stderr and nothing written; 130 interrupted.
)";
}

std::string_view checkHelp() {
  return R"(vqscope check [options]

Holds a mask, its positions and the way it is handed to a kernel against a contract, and prints a line a finding.

  --set NAME=VALUE      a parameter of the mask (vqscope list visibility) or of the contract; may be repeated
  --array NAME=1,2,3    position_ids, labels, loss_mask or another list; may be repeated
  --session FILE        take the mask's values from a session first
  --objective NAME      causal, prefix, bidirectional or cross; else as the mask says
  --window N            keys that a query is wanted to see at most, itself counted; 0: no window
  --rule ID             check this rule alone; may be repeated
  --strict              warnings count as findings
  --json                findings and rules for machines
  --list-rules          every rule and every parameter of the contract, with what it asks and where it comes from

Exit status: 0 clean, warnings allowed; 1 findings; 2 refused, with one line on stderr; 130 interrupted.

Example: vqscope check --set mask=sliding_window --set sliding_window=129 --window 128
)";
}

std::string_view listHelp() {
  return R"(vqscope list [METHOD] [--json]

Every method, or one, with its parameters, their ranges and defaults, and where it comes from.
)";
}

}  // namespace vqscope
