// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/help.h"

namespace vqscope {

std::string_view mainHelp() {
  return R"(VQScope shows how attention knows about position.

  vqscope [FILE]                               the workbench, with a session (.vqscope) or a mask (.py .npy .npz .csv .png)
  vqscope list [METHOD] [--json]               methods with parameters, ranges, defaults and sources
  vqscope export METHOD [options] --out FILE   numbers (.csv .npy .json) or a figure (.png .svg .pdf)
  vqscope row N [options]                      which keys query N of a mask sees, and why not the others
  vqscope diff [options]                       where two masks disagree; exit 1 when they do
  vqscope recognise [options]                  describe a mask in a few words and as text
  vqscope check [options]                      lint a mask and its positions; exit 1 if there are findings
  vqscope config FILE|- [--json]               the position encoding that a model's config.json describes
  vqscope dialects [options]                   how to pass a mask to each library, with Python to copy
  vqscope run EXPERIMENT [options] --out FILE  vq_attention: exact and VQ attention over your own tensors
  vqscope COMMAND --help                       the options of COMMAND
  vqscope --version

Example: vqscope export t5_bucket --set q_length=64 --out buckets.csv buckets.png
)";
}

std::string_view exportHelp() {
  return R"(vqscope export METHOD [options] --out FILE...

  --set NAME=VALUE      a parameter (vqscope list METHOD shows them); may be repeated
  --minus NAME=VALUE    subtract the same matrix with this parameter instead; may be repeated
  --array NAME=1,2,3    a parameter that is a list of integers, or NAME=FILE.npy; a free name of a mask's text may be
                        a table there, of integers or truth values
  --mask FILE|-         visibility: a mask_mod in the mask language (.py), whose free integers are set with --set, its
                        arrays with --array, before parameters of the same name (text.NAME is the text's, visibility.NAME
                        the parameter); or cells (.npy .csv .png .npz:NAME .safetensors:NAME; without
                        :NAME where there is one tensor), and stderr says how they were read
  --minus-mask FILE     visibility: subtract this mask
  --name MASK           the mask to use if the text has several
  --polarity HOW        of cells: visible_true or masked_true; --threshold X: additive values above are visible
  --batch N --head N    of an array [batch, head, q, kv]; 0 and 0 if not given
  --session FILE        start from the values of a session
  --rows A:B --cols A:B the block of rows A to B - 1 and columns A to B - 1; A or B may be left out
  --aggregate HOW       summary of the cells under a pixel: mean, min or max
  --colour-map NAME     viridis, cividis, magma, diverging or twilight
  --square              square cells in a figure of a matrix
  --log AXES            logarithmic axes in a figure of curves: none, x, y or xy
  --width W --height H  size of a figure, such as 84mm or 600px (96 to the inch); 800px by 640px if not given
  --dpi N               dots per inch of a figure, 36 to 1200
  --force               also write a file of more than 2 GiB
  --out FILE...         .csv .npy .json hold numbers, .png .svg .pdf a figure; either all files are written or none

Numbers may be written 2M, 4k (M = 1024 x 1024, k = 1024), 2^20, 1e6 or 2_097_152.
Exit status: 0 done; 2 refused, with one line on stderr and nothing written; 130 interrupted.
)";
}

std::string_view checkHelp() {
  return R"(vqscope check [options]

Lints a mask, its positions, its labels and the way it is handed to a kernel, and prints a line a finding, then a line a
question: what to state for a rule to be checked. Questions are no findings.

  --set NAME=VALUE      a parameter of the mask (vqscope list visibility) or of the contract; may be repeated
                        window_left, window_right, chunk, sinks, past_len, labels_are, dialect, dtype, masked_value ...
  --array NAME=1,2,3    position_ids, labels, span_ids, cache_positions, cu_seqlens or another list, or NAME=FILE.npy
  --mask FILE|-         a mask_mod in the mask language (.py), or cells (.npy .csv .png .npz:NAME .safetensors:NAME)
  --name MASK           the mask to use if the text has several
  --polarity HOW        of cells: visible_true or masked_true; --threshold X: additive values above are visible
  --batch N --head N    of an array [batch, head, q, kv]; 0 and 0 if not given
  --session FILE        take the mask's values and what is stated of it from a session first
  --objective NAME      causal, prefix, causal_spans, bidirectional or cross; else as the mask says
  --window N            keys that a query is wanted to see at most, itself counted; 0: no window
  --prefix N            leading positions that are wanted to see each other both ways, of any mask
  --rule ID             check this rule alone; may be repeated
  --strict              warnings count as findings
  --json                findings and rules for machines
  --list-rules          every rule and every parameter of the contract, with what it asks and where it comes from

Exit status: 0 clean, warnings allowed; 1 findings; 2 refused, with one line on stderr; 130 interrupted.

Example: vqscope check --set mask=sliding_window --set sliding_window=129 --window 128
         vqscope check --mask prefix.py --set q_length=6 --objective prefix --prefix 3 --array labels=-100,-100,3,4,5,6
)";
}

std::string_view configHelp() {
  return R"(vqscope config FILE|- [--json]

How a model encodes positions, by its Hugging Face config.json and the defaults of its model_type: encoding, windows and
layers without positions; for RoPE the frequency, wavelength and turns of every pair, which are kept, blended or scaled,
the attention factor, what Hugging Face, vLLM, llama.cpp and the authors' code make of it, and
which keys were read, ignored, misspelt or contradict each other.

  FILE        a config.json; - reads standard input
  --json      for programs

Exit status: 0 clean, notes allowed; 1 errors or warnings; 2 no such file, or no config, with one line on stderr.

Example: vqscope config Llama-3.1-8B/config.json
)";
}

std::string_view dialectsHelp() {
  return R"(vqscope dialects [options]

What each library can say of a mask and what it cannot, what True means there, how its causal flag is aligned when
queries and keys differ in number, and what its window argument has to be.

  --set NAME=VALUE      a parameter of the mask (vqscope list visibility) or of the contract; may be repeated
  --array NAME=1,2,3    a list of integers; may be repeated
  --mask FILE|-         a mask_mod in the mask language
  --session FILE        take the mask's values and what is stated of it from a session first
  --objective NAME      causal, prefix, causal_spans, bidirectional or cross; else as the mask says
  --window N            keys that a query is wanted to see at most, itself counted; 0: no window
  --prefix N            leading positions that are wanted to see each other both ways, of any mask
  --snippet ID          the Python that builds this mask for that library and calls it
  --json                for programs

Exit status: 0 done; 2 refused, with one line on stderr; 130 interrupted.

Example: vqscope dialects --set mask=packed --snippet flex_attention
)";
}

std::string_view runHelp() {
  return R"(vqscope run vq_attention --array q=FILE --array k=FILE --array v=FILE [options] --out FILE...
vqscope run EXPERIMENT [options] --out FILE...

An EXPERIMENT of the page Experiments (vqscope list) is measured and written as export writes it: .csv .npy .json .png
.svg .pdf, with the options of vqscope export.

Attention over tensors of your own, exact or with vector-quantised keys. Scores are q·k; nothing scales them unless
normalize says so. bias and mask add to them; the linear form is refused where they are not one value beyond block_len
(theorem 3.6), with where and by how much; form=quadratic takes any.

  --array NAME=TENSOR   q, k [T, d_k] or [heads, T, d_k]; v [T, d_v] or [heads, T, d_v]; codebook [n_code, d_k], or with
                        the heads of k before it, else one is learnt from k; gate, of the output's shape, multiplies it;
                        key_valid [T], bool or numbers: no query sees the keys where it is 0
  --set NAME=VALUE      a parameter; may be repeated
  --force               also write a file of more than 2 GiB
  --out FILE...         .npy: the output [heads, T, d_v] as float32, [T, d_v] if q has no heads; .json: a report with
                        parameters, tensors, kernels, seconds, machine, codes used; either all files are written or none

A TENSOR is FILE.npy, FILE.npz:NAME or FILE.safetensors:NAME of float16, bfloat16, float32 or float64 numbers; the name
may be left out where the file holds one. FILE:NAME[2] and FILE:NAME[2,-1] pick within leading dimensions (layer, head).

Exit status: 0 done; 2 refused, with one line on stderr and nothing written; 130 interrupted.

Example: vqscope run vq_attention --array q=a.npz:q --array k=a.npz:k --array v=a.npz:v --set n_code=64 --out o.npy
)";
}

std::string_view listHelp() {
  return R"(vqscope list [METHOD] [--json]

Every method, or one, with its parameters, their ranges and defaults, and where it comes from.
)";
}

std::string_view rowHelp() {
  return R"(vqscope row N [options]

Query N of a mask: its visible keys, and for each key what every term of the mask says of it.

  --set NAME=VALUE      a parameter (vqscope list visibility shows them); may be repeated
  --array NAME=1,2,3    a parameter that is a list of integers, or NAME=FILE.npy
  --mask FILE|-         a mask_mod in the mask language (.py), or cells (.npy .csv .png .npz:NAME .safetensors:NAME)
  --name MASK           the mask to use if the text has several
  --polarity HOW        of cells: visible_true or masked_true; --threshold X: additive values above are visible
  --batch N --head N    of an array [batch, head, q, kv]; 0 and 0 if not given
  --session FILE        start from the values of a session
  --keys A:B            list the keys A to B - 1; else those around the first, the last and the query's own
  --dtype TYPE          of the additive mask: float32, float16 or bfloat16
  --fill HOW            what masked keys hold: min, the type's most negative number, or inf, which is -inf
  --json                for programs; ranges of keys are [begin, end)

Exit status: 0 done; 2 refused, with one line on stderr.
)";
}

std::string_view diffHelp() {
  return R"(vqscope diff [options] --minus NAME=VALUE | --minus-mask FILE

Where two masks of one extent disagree: the cells that only one of them sees, both ways, and the first such cell.

  --set NAME=VALUE      a parameter of the first mask (vqscope list visibility); may be repeated
  --array NAME=1,2,3    a parameter that is a list of integers, or NAME=FILE.npy
  --session FILE        start from the values of a session
  --mask FILE|-         a mask_mod in the mask language (.py), or cells (.npy .csv .png .npz:NAME .safetensors:NAME)
  --name MASK           the mask to use if the text has several
  --polarity HOW        of cells: visible_true or masked_true; --threshold X: additive values above are visible
  --batch N --head N    of an array [batch, head, q, kv]; 0 and 0 if not given
  --minus NAME=VALUE    the second mask is the first with this parameter instead; may be repeated
  --minus-mask FILE     the second mask, or its text; the first has the length of its cells unless it is set
  --json                for programs

Exit status: 0 equal; 1 different; 2 refused, with one line on stderr; 130 interrupted.

Example: vqscope diff --set mask=packed --set q_length=4096 --minus-mask dump.npy
)";
}

std::string_view recogniseHelp() {
  return R"(vqscope recognise [options]

What a mask is: "causal ∧ documents [4, 2, 4] ∧ window 128, except 3 cells", the cells that are exceptions, and the mask
as text in the mask language with the arrays that it looks into.

  --set NAME=VALUE      a parameter (vqscope list visibility shows them); may be repeated
  --array NAME=1,2,3    a parameter that is a list of integers, or NAME=FILE.npy
  --session FILE        start from the values of a session
  --mask FILE|-         a mask_mod in the mask language (.py), or cells (.npy .csv .png .npz:NAME .safetensors:NAME)
  --name MASK           the mask to use if the text has several
  --polarity HOW        of cells: visible_true or masked_true; --threshold X: additive values above are visible
  --batch N --head N    of an array [batch, head, q, kv]; 0 and 0 if not given
  --json                for programs, with the arrays whole

Exit status: 0 done, whether or not a description fits; 2 refused, with one line on stderr; 130 interrupted.

Example: vqscope recognise --mask dump.npy
)";
}

}  // namespace vqscope
