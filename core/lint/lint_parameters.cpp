// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/backend/backend.h"
#include "core/base/sentence.h"
#include "core/lint/lint_case.h"

namespace vqscope {
namespace {

constexpr const char* wanted_group = "Expected mask";  // first group of the form
constexpr const char* positions = "Positions and labels";
constexpr const char* handover = "Backend";
constexpr const char* rotary = "Rotary angles";
constexpr double least_position = -2147483648.0;

ParameterSpec choice(const char* name, const char* label, const char* group, const char* help,
                     std::vector<Choice> choices) {
  const std::string first = choices.front().id;
  return make_parameter(name, group, help, {.label = label, .default_value = first, .choices = std::move(choices)});
}

ParameterSpec flag(const char* name, const char* help) {
  return make_parameter(name, handover, help, {.default_value = false});
}

/// A number that is not set at -1.
ParameterSpec count(const char* name, const char* label, const char* group, const char* help) {
  return make_parameter(name, group, help,
                        {.label = label,
                         .default_value = Index{-1},
                         .minimum = -1,
                         .maximum = 2147483648.0,
                         .unit = "tokens",
                         .automatic = "not set"});
}

ParameterSpec array(const char* name, const char* help, double minimum, const char* group = positions) {
  return make_parameter(
      name, group, help,
      {.default_value = std::vector<Index>{}, .minimum = minimum, .maximum = 4294967296.0, .automatic = "not given"});
}

ParameterSpec backend_parameter() {
  std::vector<Choice> choices{{unset_choice, "not set"}};
  for (const auto& backend : backends()) choices.push_back({backend.id, backend.title});
  return choice("dialect", "Library", handover, "Backend that receives the mask.", std::move(choices));
}

ParameterSpec window_meaning_parameter() {
  std::vector<Choice> choices{{unset_choice, "the library's default"}};
  for (const auto& meaning : window_meanings())
    choices.push_back({meaning.id, fmt::format("{}: {}", meaning.title, meaning.rule)});
  return choice("window_meaning", "Window means", handover, "How the library defines its window argument.",
                std::move(choices));
}

std::vector<ParameterSpec> rope_parameters() {
  // Those of pair_layout, which stands in a room that this one does not see.
  const std::vector<Choice> layouts{{unset_choice, "not set"},
                                    {"half_split", "i with i + d/2"},
                                    {"interleaved", "2i, 2i + 1"},
                                    {"head_split", "i with i + head_dim/2, however few rotate"}};
  const std::vector<Choice> scalings{{unset_choice, "not set"}, {"default", ""}, {"linear", ""},
                                     {"dynamic", ""},           {"ntk", ""},     {"yarn", ""},
                                     {"longrope", ""},          {"llama3", ""}};
  return {choice("q_pair_layout", "Pairs of q", rotary, "Dimensions of q that form a rotated pair.", layouts),
          choice("k_pair_layout", "Pairs of k", rotary, "Dimensions of k that form a rotated pair.", layouts),
          choice("q_rope_type", "Scaling of q", rotary, "RoPE scaling of q.", scalings),
          choice("k_rope_type", "Scaling of k", rotary, "RoPE scaling of k.", scalings),
          choice("rope_gather", "Gathered by", rotary, "Index used to look up the rotary table.",
                 {{unset_choice, "not set"}, {"position", "by position_ids"}, {"column", "by the tensor's column"}})};
}

}  // namespace

std::vector<ParameterSpec> lint_parameters() {
  std::vector<ParameterSpec> specs{
      choice("objective", "Objective", wanted_group, "Training objective; determines which keys a query may see.",
             {{"automatic", "that of the mask"},
              {"causal", "a query sees itself and earlier keys"},
              {"prefix", "bidirectional within the prefix, causal after it"},
              {"bidirectional", "every real key"},
              {"cross", "every real key of another sequence"},
              {"causal_spans", "causal, and bidirectional within each span (an image, for example)"},
              {"block_causal", "its whole block of length chunk, and all blocks before it"},
              {"chunked", "its whole chunk, left_chunks before it and right_frames after it"}}),
      make_parameter("window", wanted_group, "Expected window: number of keys a query may see, including its own.",
                     {.label = "Window",
                      .default_value = Index{-1},
                      .minimum = -1,
                      .maximum = 2147483648.0,
                      .unit = "tokens",
                      .automatic = "as the mask says; 0: no window"}),
      count("window_left", "Window behind", wanted_group,
            "Expected number of keys before the query: the left side of a two-sided window."),
      count("window_right", "Window ahead", wanted_group,
            "Expected number of keys after the query, for encoders or look-ahead."),
      count("chunk", "Chunk", wanted_group,
            "Expected chunk length in positions; a query sees only keys of its own chunk, unless the objective is "
            "block_causal or chunked."),
      make_parameter("left_chunks", wanted_group,
                     "Expected number of whole chunks before the query's own; objective chunked.",
                     {.label = "Chunks before",
                      .default_value = Index{-1},
                      .minimum = -1,
                      .maximum = 2147483648.0,
                      .automatic = "all"}),
      count("left_frames", "Frames before", wanted_group,
            "Expected number of keys before the query's chunk, if not whole chunks; objective chunked."),
      count("right_frames", "Frames ahead", wanted_group,
            "Expected number of keys after the query's chunk; objective chunked."),
      make_parameter("sinks", wanted_group,
                     "Number of attention sinks: leading positions visible to every query regardless of the window.",
                     {.label = "Sinks", .default_value = Index{0}, .maximum = 2147483648.0, .unit = "tokens"}),
      make_parameter("prefix_length", wanted_group,
                     "Expected number of leading positions with bidirectional attention.",
                     {.label = "Prefix",
                      .default_value = Index{-1},
                      .minimum = -1,
                      .maximum = 2147483648.0,
                      .unit = "tokens",
                      .automatic = "that of the mask"}),
      array("span_ids", "Index of each key's bidirectional span (an image, for example), -1 for none.", -1,
            wanted_group),
      make_parameter("sparse", wanted_group,
                     "The mask is intentionally sparse in a way not described above: dilated, strided, random.",
                     {.label = "Sparse", .default_value = false}),
      array("position_ids",
            "position_ids passed to the model: for the queries, for all tokens, or for three axes. "
            "Those of padding do not matter.",
            least_position),
      array("q_position_ids", "Positions at which RoPE rotates the queries.", least_position),
      array("kv_position_ids", "Positions at which RoPE rotates the keys.", least_position),
      make_parameter("first_position", positions,
                     "Position of the first token of a sequence: 0, or 2 in RoBERTa and OPT.",
                     {.label = "First position", .default_value = Index{0}, .maximum = 2147483648.0}),
      array("cache_positions",
            "Position of the token in each cache slot, -1 if empty; for ring caches or after eviction.", -1),
      array("labels", "Labels of the queries, -100 where there is no loss.", -100),
      choice("labels_are", "Labels are", positions, "Alignment of labels[q] with the tokens.",
             {{unset_choice, "not set"},
              {"aligned", "the target of query q: the next token"},
              {"shifted", "token q, and the loss shifts labels by one, as in Hugging Face"},
              {"masked", "token q, masked in the input: masked language models"}}),
      array("input_ids", "Token ids of the queries, compared with the labels.", 0),
      array("loss_mask", "1 where a query contributes to the loss, else 0.", 0),
      backend_parameter(),
      window_meaning_parameter(),
      count("window_argument", "Window given", handover, "Window argument passed to the library."),
      count("window_argument_right", "Window right", handover, "Right-hand window argument passed to the library."),
      choice("true_means", "True means", handover, "Meaning of True in the tensor passed to the library.",
             {{unset_choice, "not set, or that of the file"}, {"attends", "visible"}, {"masked", "not visible"}}),
      choice("values", "Values", handover, "Contents of the tensor passed to the library.",
             {{unset_choice, "not set, or those of the file"},
              {"boolean", "True and False"},
              {"integers", "integers 0 and 1"},
              {"additive", "0 and a large negative number"},
              {"zero_one", "floats 0 and 1"}}),
      make_parameter("masked_value", handover,
                     "Value added for masked keys, such as -1e9 or -inf. Separate several values by spaces or commas.",
                     {.label = "Masked value",
                      .kind = ParameterKind::text,
                      .default_value = std::string(),
                      .automatic = "not set, or that of the file",
                      .most_items = 1024}),
      make_parameter("alibi_bias", handover,
                     "ALiBi bias of the last query: one number per key, or one number to broadcast.",
                     {.label = "ALiBi bias",
                      .default_value = std::vector<double>{},
                      .minimum = -1e30,
                      .maximum = 1e30,
                      .automatic = "not given"}),
      choice("dtype", "Scores in", handover, "Dtype of the scores.",
             {{"float32", ""}, {"float16", ""}, {"bfloat16", ""}}),
      flag("is_causal", "Whether is_causal=True is passed."),
      choice("attn_mask", "Mask beside it", handover, "Whether a mask is passed together with is_causal=True.",
             {{"given", "a mask is passed too"}, {"none", "is_causal=True alone"}}),
      flag("summed", "Causal and padding masks are both filled with finfo.min and added together."),
      count("block_mask_q_length", "Block mask's queries", handover, "Q_LEN for which the block mask was created."),
      count("block_mask_kv_length", "Block mask's keys", handover, "KV_LEN for which the block mask was created."),
      count("block_mask_batch", "Block mask's B", handover, "B for which the block mask was created; 1 for None."),
      count("block_mask_heads", "Block mask's H", handover, "H for which the block mask was created; 1 for None."),
      count("batch_size", "Batch", handover, "Batch size."),
      array("cu_seqlens", "Cumulative sequence lengths passed to a variable-length kernel.", 0, handover)};
  for (auto& spec : rope_parameters()) specs.push_back(std::move(spec));
  return specs;
}

}  // namespace vqscope
