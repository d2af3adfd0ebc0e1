// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/dialect.h"
#include "core/lint/contract_case.h"

namespace vqscope {
namespace {

constexpr const char* unsaid = "unsaid";

constexpr const char* wanted = "What is wanted";  // the form begins with it
constexpr const char* positions = "Positions and labels";
constexpr const char* handover = "How it is handed over";
constexpr const char* rotary = "Rotary angles";

ParameterSpec choice(const char* name, const char* label, const char* group, const char* help,
                     std::vector<Choice> choices) {
  const std::string first = choices.front().id;
  return {.name = name,
          .label = label,
          .group = group,
          .help = help,
          .kind = ParameterKind::choice,
          .fallback = first,
          .choices = std::move(choices)};
}

ParameterSpec flag(const char* name, const char* help) {
  return {.name = name, .group = handover, .help = help, .kind = ParameterKind::boolean, .fallback = false};
}

/// A number that is not said at -1.
ParameterSpec count(const char* name, const char* label, const char* group, const char* help) {
  return {.name = name,
          .label = label,
          .group = group,
          .help = help,
          .fallback = Index{-1},
          .minimum = -1,
          .maximum = 2147483648.0,
          .unit = "tokens",
          .automatic = "not said"};
}

ParameterSpec array(const char* name, const char* help, double minimum, const char* group = positions) {
  return {.name = name,
          .group = group,
          .help = help,
          .kind = ParameterKind::integer_list,
          .fallback = std::vector<Index>{},
          .minimum = minimum,
          .maximum = 4294967296.0,
          .automatic = "not given"};
}

ParameterSpec dialect_parameter() {
  std::vector<Choice> choices{{unsaid, "not said"}};
  for (const auto& dialect : dialects()) choices.push_back({dialect.id, dialect.title});
  return choice("dialect", "Library", handover, "What the mask is handed to.", std::move(choices));
}

ParameterSpec window_meaning_parameter() {
  std::vector<Choice> choices{{unsaid, "the dialect's own"}};
  for (const auto& meaning : window_meanings()) choices.push_back({meaning.id, meaning.title + ": " + meaning.rule});
  return choice("window_meaning", "Window means", handover, "What the library means by its window.",
                std::move(choices));
}

std::vector<ParameterSpec> rope_parameters() {
  const std::vector<Choice> layouts{
      {unsaid, "not said"}, {"half_split", "i with i + d/2"}, {"interleaved", "2i, 2i + 1"}};
  const std::vector<Choice> scalings{{unsaid, "not said"}, {"default", ""}, {"linear", ""},   {"dynamic", ""},
                                     {"ntk", ""},          {"yarn", ""},    {"longrope", ""}, {"llama3", ""}};
  return {choice("q_pair_layout", "Pairs of q", rotary, "Which dimensions of q turn together.", layouts),
          choice("k_pair_layout", "Pairs of k", rotary, "Which dimensions of k turn together.", layouts),
          choice("q_rope_type", "Scaling of q", rotary, "Scaling of q's angles.", scalings),
          choice("k_rope_type", "Scaling of k", rotary, "Scaling of k's angles.", scalings),
          choice("rope_gather", "Gathered by", rotary, "By what the rotary table is gathered.",
                 {{unsaid, "not said"}, {"position", "by position_ids"}, {"column", "by the tensor's column"}})};
}

}  // namespace

std::vector<ParameterSpec> contract_parameters() {
  std::vector<ParameterSpec> specs{
      choice("objective", "Objective", wanted, "What is learned, and so what a query may see.",
             {{"automatic", "as the mask says"},
              {"causal", "a query sees itself and what is before it"},
              {"prefix", "the prefix both ways, the rest causal"},
              {"bidirectional", "everything that is real"},
              {"cross", "everything real of another sequence"},
              {"causal_spans", "causal, and each span, as an image, sees itself both ways"}}),
      {.name = "window",
       .label = "Window",
       .group = wanted,
       .help = "Keys that a query is wanted to see at most, itself counted.",
       .fallback = Index{-1},
       .minimum = -1,
       .maximum = 2147483648.0,
       .unit = "tokens",
       .automatic = "as the mask says; 0: no window"},
      count("window_left", "Window behind", wanted,
            "Keys behind the query that it is wanted to see at most: the left side of a two-sided window."),
      count("window_right", "Window ahead", wanted,
            "Keys ahead of the query that it is wanted to see at most: of encoders, or a look-ahead."),
      count("chunk", "Chunk", wanted, "Length of the chunks of positions that a query does not see beyond."),
      {.name = "sinks",
       .label = "Sinks",
       .group = wanted,
       .help = "Leading positions that every query is wanted to see in spite of the window.",
       .fallback = Index{0},
       .maximum = 2147483648.0,
       .unit = "tokens"},
      {.name = "prefix_length",
       .label = "Prefix",
       .group = wanted,
       .help = "Leading positions that are wanted to see each other both ways, of any mask.",
       .fallback = Index{-1},
       .minimum = -1,
       .maximum = 2147483648.0,
       .unit = "tokens",
       .automatic = "as the mask says"},
      array("span_ids", "Span, as an image, of each key, -1 where it is in none: it sees itself both ways.", -1,
            wanted),
      {.name = "sparse",
       .label = "Sparse",
       .group = wanted,
       .help = "Keys are masked on purpose in ways that no number here says: dilated, strided, random.",
       .kind = ParameterKind::boolean,
       .fallback = false},
      array("position_ids", "Positions that the model is given, of the queries, of all tokens, or of three axes.", 0),
      array("q_position_ids", "Positions by which the queries are turned.", 0),
      array("kv_position_ids", "Positions by which the keys are turned.", 0),
      {.name = "first_position",
       .label = "First position",
       .group = positions,
       .help = "Position of a sequence's first token: 0, or 2 in RoBERTa and OPT.",
       .fallback = Index{0},
       .maximum = 2147483648.0},
      array("cache_positions",
            "Position of the token in each slot of the cache, -1 where it is empty: of a ring, or after eviction.", -1),
      array("labels", "Targets of the queries, -100 where there is no loss.", -100),
      choice("labels_are", "Labels are", positions, "Which token labels[q] is.",
             {{unsaid, "not said"},
              {"aligned", "what query q is taught: the next token"},
              {"shifted", "token q, and the loss shifts labels by one, as in Hugging Face"},
              {"masked", "token q, which the input hides: masked language models"}}),
      array("input_ids", "Tokens of the queries, to compare the labels with.", 0),
      array("loss_mask", "1 where a query's loss counts, 0 where it does not.", 0),
      dialect_parameter(),
      window_meaning_parameter(),
      count("window_argument", "Window given", handover, "The number that the library is given for its window."),
      count("window_argument_right", "Window right", handover,
            "The right one of the two numbers that the library is given for its window."),
      choice("true_means", "True means", handover, "What True means in the tensor that is handed over.",
             {{unsaid, "not said"}, {"attends", "visible"}, {"masked", "not visible"}}),
      choice("values", "Values", handover, "What the tensor that is handed over holds.",
             {{unsaid, "not said"},
              {"boolean", "True and False"},
              {"additive", "0 and a large negative number"},
              {"zero_one", "floats 0 and 1"}}),
      {.name = "masked_value",
       .label = "Masked value",
       .group = handover,
       .help = "What is added where a key is masked, as -1e9 or -inf; several numbers between blanks or commas.",
       .kind = ParameterKind::text,
       .fallback = std::string(),
       .automatic = "not said, or the file's own",
       .most_items = 1024},
      {.name = "alibi_bias",
       .label = "ALiBi bias",
       .group = handover,
       .help = "What ALiBi adds to the last query's scores, a number a key, or one that is broadcast.",
       .kind = ParameterKind::real_list,
       .fallback = std::vector<double>{},
       .minimum = -1e30,
       .maximum = 1e30,
       .automatic = "not given"},
      choice("dtype", "Scores in", handover, "The number format of the scores.",
             {{"float32", ""}, {"float16", ""}, {"bfloat16", ""}}),
      flag("is_causal", "is_causal=True is given."),
      choice("attn_mask", "Mask beside it", handover,
             "Whether is_causal=True is given beside the mask or stands for it.",
             {{"given", "the mask is handed over too"}, {"none", "is_causal=True alone"}}),
      flag("summed", "Causal and padding are planes of finfo.min that are added."),
      count("block_mask_q_length", "Block mask's queries", handover, "Queries that the block mask was made for."),
      count("block_mask_kv_length", "Block mask's keys", handover, "Keys that the block mask was made for."),
      count("block_mask_batch", "Block mask's B", handover,
            "Rows of the batch that the block mask was made for, 1 for None."),
      count("block_mask_heads", "Block mask's H", handover, "Heads that the block mask was made for, 1 for None."),
      count("batch_size", "Batch", handover, "Rows of the batch."),
      array("cu_seqlens", "Cumulative lengths that a kernel for packed sequences is given.", 0, handover)};
  for (auto& spec : rope_parameters()) specs.push_back(std::move(spec));
  return specs;
}

}  // namespace vqscope
