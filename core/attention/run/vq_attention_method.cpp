// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/methods.h"

#include "core/attention/codebook/keys.h"
#include "core/attention/run/attention_run.h"
#include "core/base/sentence.h"
#include "core/encoding/own/own_rotation.h"
#include "core/mask/import/imported_mask.h"
#include "core/mask/preset/mask_import.h"
#include "core/method/qkv/head_layout.h"
#include "core/method/qkv/tensor_lengths.h"

#include <algorithm>
#include <chrono>

namespace vqscope {
namespace {

constexpr const char* mask_input = "mask_file";
constexpr Index fewest_sampled = 4;  // queries of a head whose errors say something

/// Runs steps one after another and records the fraction of progress and the time of each.
class Steps {
 public:
  explicit Steps(const Work& work) : m_work(work) {}

  /// The result of `step`, which takes a Work.
  template <class Step>
  auto run(const char* name, double fraction, const Step& step) {
    const auto begin = std::chrono::steady_clock::now();
    auto done = step(Work{[&](double part) { m_work.report(m_before + part * fraction); }, m_work.stop});
    m_before += fraction;
    m_seconds.emplace_back(name, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    return done;
  }

  std::vector<std::pair<std::string, double>> take_seconds() { return std::move(m_seconds); }

 private:
  const Work& m_work;
  double m_before = 0;
  std::vector<std::pair<std::string, double>> m_seconds;
};

/// Of q, k and v; empty if one is missing or has another number of dimensions than 2 or 3, which is
/// refused later.
std::vector<NamedShape> qkv_of(const RunShapes& shapes) {
  std::vector<NamedShape> all;
  for (const char* name : {"q", "k", "v"}) {
    const auto found = shapes.find(name);
    if (found == shapes.end() || found->second.size() < 2 || found->second.size() > 3) return {};
    all.push_back({name, found->second});
  }
  return all;
}

std::vector<NamedShape> shapes_of(const RunInputs& inputs) {
  RunShapes shapes;
  for (const auto& [name, tensor] : inputs) shapes.emplace(name, tensor.shape);
  return qkv_of(shapes);
}

VqAttentionTensors tensors_of(RunInputs& inputs) {
  const auto take = [&](const char* name) {
    const auto found = inputs.find(name);
    return found == inputs.end() ? Tensor() : std::move(found->second);
  };
  return {take("q"), take("k"), take("v"), take("codebook"), take("gate"), take("key_valid")};
}

/// "12.6", or "9.1 to 12.6" where heads differ.
template <class Number>
std::string range_text(const std::vector<Number>& all, int digits) {
  const auto [least, most] = std::ranges::minmax(all);
  const std::string first = to_text(static_cast<double>(least), digits);
  return least == most ? first : first + " to " + to_text(static_cast<double>(most), digits);
}

/// How the codewords are used, by head of k.
void add_code_use(const std::vector<CodeUse>& all, Index n_code, ParameterValues& facts, std::string& summary) {
  if (all.empty()) return;
  std::vector<Index> used;
  std::vector<double> perplexity;
  for (const CodeUse& use : all) {
    used.push_back(use.used);
    perplexity.push_back(use.perplexity);
  }
  summary = fmt::format("perplexity {}, codes used {} of {}", range_text(perplexity, 6), range_text(used, 9), n_code);
  facts.set("codewords", n_code);
  facts.set("codes_used", std::move(used));
  facts.set("perplexity", std::move(perplexity));
}

/// Names the codewords without a key: `dead_codes.head_0`.
void add_dead_codes(const std::vector<CodeUse>& all, RunResult& result) {
  for (std::size_t head = 0; head < all.size(); ++head) {
    if (all[head].dead.empty()) continue;
    result.facts.set(fmt::format("dead_codes.head_{}", head), all[head].dead);
    const std::string of_head = all.size() > 1 ? fmt::format("key head {}: ", head) : std::string();
    result.remarks.push_back(of_head + dead_codes_sentence(all[head]));
  }
}

ParameterValues facts_of(const VqAttentionRun& run, const AttentionOutput& output) {
  ParameterValues facts;
  facts.set("kernels", std::string(output.kernels));
  facts.set("padded_tokens", output.padded);
  if (const auto hypothesis = run.hypothesis()) facts.set("hypothesis", hypothesis->sentence);
  return facts;
}

std::vector<std::string> remarks_of(const VqAttentionRun& run, Index padded, Index block_len) {
  std::vector<std::string> all;
  const std::string block = fmt::format("block_len {}", block_len);
  if (const auto hypothesis = run.hypothesis()) all.push_back(fmt::format("with {}, {}", block, hypothesis->sentence));
  if (padded > 0)
    all.push_back(fmt::format("{} does not divide {} tokens: the last block is padded by {}", block,
                              run.output_shape().end()[-2], padded));
  return all;
}

void add_difference(const AttentionDifference& difference, ParameterValues& facts, std::string& summary) {
  facts.set("difference_from_exact.largest", difference.largest);
  facts.set("difference_from_exact.head", difference.head);
  facts.set("difference_from_exact.token", difference.token);
  facts.set("output_error", difference.output_error);
  facts.set("output_error_by_head", difference.output_error_by_head);
  std::string text = "error " + to_text(difference.output_error, 6);
  if (const auto& variation = difference.total_variation) {
    facts.set("total_variation", variation->mean);
    facts.set("total_variation_by_head", variation->by_head);
    text += ", total variation " + to_text(variation->mean, 6);
  }
  summary = summary.empty() ? text : text + ", " + summary;
}

/// What the answer is about: "4 heads, causal, scores q·k / √d". `heads`: of q before one is chosen.
std::string conditions_of(const ParameterValues& values, const RunFiles& files, Index heads) {
  const Index head = values.integer("head");
  std::vector<std::string> all;
  if (heads > 1) all.push_back(head < 0 ? fmt::format("{} heads", heads) : fmt::format("head {} of {}", head, heads));
  const bool has_mask = !trimmed(values.text("mask")).empty();
  const auto file = files.find(mask_input);
  const std::string path = file == files.end() ? std::string() : file->second.path;
  if (!path.empty())
    all.push_back("with the mask " + path.substr(path.rfind('/') + 1));
  else
    all.emplace_back(values.boolean("causal") ? (has_mask ? "causal with the mask" : "causal")
                                              : (has_mask ? "with the mask" : "not causal"));
  all.emplace_back(score_words(norm_of(values)));
  return join(all, ", ");
}

/// What the codewords cost, before the summary's numbers.
void add_answer(const VqAttentionRun& run, const AttentionDifference& difference, NeededCodes needed,
                ParameterValues& facts, std::string& summary) {
  if (needed.count) facts.set("n_code_for_10_percent", *needed.count);
  VqAnswer answer{.n_code = facts.integer("codewords"),
                  .output_error = difference.output_error,
                  .needed = std::move(needed),
                  .keys = run.keys(),
                  .conditions = facts.text("conditions")};
  if (difference.total_variation) answer.total_variation = difference.total_variation->mean;
  const std::string sentence = answer_sentence(answer);
  facts.set("answer", sentence);
  summary = fmt::format("{} ({})", sentence, summary);
}

/// The comparison with exact attention, and the codewords that 10 % needs, unless a codebook is
/// given.
Result<void> compare(const VqAttentionRun& run, const AttentionOutput& output, bool learns, Steps& steps,
                     ParameterValues& facts, std::string& summary) {
  const auto exact = steps.run("exact", 0.15, [&](const Work& part) { return run.exact(part); });
  if (!exact) return exact.error();
  const auto apart = steps.run("compare", 0.1, [&](const Work& part) { return run.compare(output, *exact, part); });
  if (!apart) return apart.error();
  add_difference(*apart, facts, summary);
  if (!facts.find("codewords")) return {};
  NeededCodes needed;
  if (learns) {
    auto found = steps.run("needed_codes", 0.1,
                           [&](const Work& part) { return run.needed_codes(apart->output_error, *exact, part); });
    if (!found) return found.error();
    needed = std::move(*found);
  }
  add_answer(run, *apart, std::move(needed), facts, summary);
  return {};
}

/// The comparison over some queries, where all would take too long.
Result<void> compare_sample(const VqAttentionRun& run, const AttentionOutput& output, const ParameterValues& values,
                            Steps& steps, RunResult& result, std::string& summary) {
  const Index queries = run.sampled_queries(), length = run.output_shape().end()[-2];
  const std::string limit =
      fmt::format("exact attention would exceed most_seconds, {}", plain_text(values.real("most_seconds")));
  if (queries < fewest_sampled || !run.is_softmax() || output.shortcodes.empty()) {
    result.remarks.push_back("the error is not measured: " + limit);
    return {};
  }
  const auto apart =
      steps.run("compare", 0.35, [&](const Work& part) { return run.compare_sample(output, queries, part); });
  if (!apart) return apart.error();
  result.remarks.push_back(
      fmt::format("the error is measured over {} of {} queries of each head: {}", queries, length, limit));
  result.facts.set("compared_queries", queries);
  add_difference(*apart, result.facts, summary);
  add_answer(run, *apart, {}, result.facts, summary);
  return {};
}

/// The mask of a file; null: none is given.
Result<std::shared_ptr<const Mask>> mask_of(const ParameterValues& values, const RunFiles& files, const Work& work) {
  const auto file = files.find(mask_input);
  if (file == files.end()) return std::shared_ptr<const Mask>();
  if (!trimmed(values.text("mask")).empty())
    return invalid("mask and {} are given but must be one of them", mask_input);
  const auto import = import_mask(file->second.path, {.stop = work.stop});
  if (!import) return import.error();
  if (import->is_text()) return invalid("{} is a text but must be cells; mask=TEXT takes a text", mask_input);
  if (std::ranges::any_of(import->leading, [](Index size) { return size > 1; }))
    return invalid("{} differs by sample or head but must be one for all; FILE:NAME[0] takes the first", mask_input);
  return std::shared_ptr<const Mask>(std::get<std::shared_ptr<const ImportedMask>>(import->mask));
}

/// q, k and v with their heads first; `remarks` say how they were read.
Result<void> order_heads(const ParameterValues& values, RunInputs& inputs, std::vector<std::string>& remarks) {
  const auto shapes = shapes_of(inputs);
  if (shapes.empty()) return {};
  const auto chosen = choose_layout(shapes, values.choice("tensor_layout"));
  if (!chosen) return chosen.error();
  if (auto sentence = layout_sentence(shapes[0], *chosen); !sentence.empty()) remarks.push_back(std::move(sentence));
  if (chosen->layout == HeadLayout::heads_first) return {};
  for (const char* name : {"q", "k", "v", "gate"})
    if (const auto found = inputs.find(name); found != inputs.end())
      put_heads_first(found->second.shape, found->second.values);
  return {};
}

/// An output of the exact form has no error, without a comparison.
void add_exactness(const VqAttentionRun& run, Index heads, ParameterValues& facts, std::string& summary) {
  AttentionDifference none{.output_error_by_head = std::vector<double>(static_cast<std::size_t>(heads))};
  if (run.is_softmax()) none.total_variation = TotalVariation{0, none.output_error_by_head};
  add_difference(none, facts, summary);
}

double bytes_of_shape(const std::vector<Index>& shape) {
  double bytes = sizeof(float);
  for (const Index size : shape) bytes *= static_cast<double>(size);
  return bytes;
}

Result<RunResult> make(RunRequest request, const ParameterValues& given, const Work& work) {
  Steps steps(work);
  ParameterValues values = given;
  if (request.files.contains(mask_input) && values.choice("form") == "linear")
    values.set("form", std::string("quadratic"));  // the linear form takes no mask
  std::vector<std::string> layout;
  if (auto ordered = order_heads(values, request.inputs, layout); !ordered) return ordered.error();
  const auto& shape = request.inputs["q"].shape;
  const std::string conditions = conditions_of(values, request.files, shape.size() == 3 ? shape[0] : 1);
  auto mask = mask_of(values, request.files, work);
  if (!mask) return mask.error();
  auto run = steps.run("check", 0.05, [&](const Work& part) {
    VqAttentionTensors tensors = tensors_of(request.inputs);
    tensors.mask = std::move(*mask);
    return VqAttentionRun::make(std::move(tensors), values, request.memory, part);
  });
  if (!run) return run.error();
  if (request.accept)
    if (auto accepted = request.accept("npy", bytes_of_shape(run->output_shape())); !accepted) return accepted.error();
  const bool learns = run->needs_codebook();
  if (learns)
    if (auto done = steps.run("learn", 0.3, [&](const Work& part) { return run->learn(part); }); !done)
      return done.error();
  auto output = steps.run("attention", 0.3, [&](const Work& part) { return run->attend(part); });
  if (!output) return output.error();
  RunResult result{.threads = run->threads(),
                   .facts = facts_of(*run, *output),
                   .remarks = remarks_of(*run, output->padded, values.integer("block_len"))};
  result.facts.set("conditions", conditions);
  if (auto rotation = rotation_sentence(values); !rotation.empty()) {
    if (values.choice("form") != "exact")
      rotation += "; " + rotation_order_sentence(rotation_order_of(values), values.integer("block_len"));
    result.facts.set("rotation", rotation);
    layout.push_back(std::move(rotation));
  }
  result.remarks.insert(result.remarks.begin(), layout.begin(), layout.end());
  std::string summary;
  const std::vector<CodeUse> use = run->code_use(*output);
  add_code_use(use, values.integer("n_code"), result.facts, summary);
  add_dead_codes(use, result);
  if (auto losses = run->commit_losses(*output); !losses.empty()) result.facts.set("commit_loss", std::move(losses));
  if (run->compares()) {
    if (auto compared = compare(*run, *output, learns, steps, result.facts, summary); !compared)
      return compared.error();
  } else if (values.choice("form") == "exact") {
    add_exactness(*run, run->heads(), result.facts, summary);
  } else if (auto sampled = compare_sample(*run, *output, values, steps, result, summary); !sampled) {
    return sampled.error();
  }
  if (!summary.empty()) result.facts.set("summary", std::move(summary));
  result.seconds = steps.take_seconds();
  result.contents["npy"] = Tensor{run->output_shape(), std::move(output->values)};
  return result;
}

/// Codewords that are learnt must be fewer than the keys to save anything.
constexpr Index keys_of_a_codeword = 4;

/// A codebook determines n_code, q and k the numbers of heads. Few keys lower n_code. Tensors of
/// `qkv` are a model's: their scores are divided by √d, unless a codebook for keys as they are is
/// given.
ImpliedValues implied_by(const RunShapes& shapes, const ParameterValues& set) {
  ImpliedValues implied;
  const auto codebook = shapes.find("codebook");
  if (codebook != shapes.end() && codebook->second.size() >= 2)
    implied.values.set("n_code", codebook->second.end()[-2]);
  const auto all = qkv_of(shapes);
  const auto chosen =
      all.empty() ? Result<ChosenLayout>(invalid("no shapes")) : choose_layout(all, set.choice("tensor_layout"));
  if (!chosen) return implied;
  if (all[0].shape.size() == 3) implied.values.set("num_heads", heads_of(all[0].shape, chosen->layout));
  if (all[1].shape.size() == 3) implied.values.set("num_key_value_heads", heads_of(all[1].shape, chosen->layout));
  const Index keys = tokens_of(all[1].shape, chosen->layout);
  if (codebook != shapes.end() || keys < 1) return implied;
  const bool is_model = shapes.contains("qkv");
  if (is_model) {
    implied.values.set("normalize", std::string(norm_of_tensors));
    implied.values.set("n_code", codewords_for_tensors);
    implied.values.set("block_len", std::min(keys, set.integer("block_len")));  // one block needs no padding
  }
  if (keys > (is_model ? codewords_for_tensors : set.integer("n_code"))) return implied;
  const Index n_code = std::max<Index>(keys / keys_of_a_codeword, 1);
  implied.values.set("n_code", n_code);
  if (set.choice("form") != "exact")
    implied.sentences["n_code"] =
        fmt::format("n_code is {}, a quarter of the {} keys; --set n_code=N sets it", n_code, keys);
  return implied;
}

}  // namespace

Method vq_attention_method() {
  return {
      .id = "vq_attention",
      .title = "Attention over tensors of your own",
      .help =
          "The output of exact attention, or of attention with vector-quantised keys. Scores are q·k; nothing "
          "scales them unless normalize says so. Tensors from --array qkv=FILE are taken as a model's: normalize is "
          "scale, scores are q·k / √d.",
      .citation = {"Lingle 2023, Transformer-VQ, definition 3.1 and theorem 3.7",
                   "transformer-vq/transformer_vq, nn/vq.py and nn/attn.py"},
      .parameters = vq_attention_parameters(),
      .recipe = RunRecipe{
          .inputs =
              {{.name = "q", .help = "[T, d_k], [heads, T, d_k] or [T, heads, d_k]", .required = true, .rank = 3},
               {.name = "k", .help = "as q; several heads of q can share one of k", .required = true, .rank = 3},
               {.name = "v", .help = "[T, d_v], or with the heads of k", .required = true, .rank = 3},
               {.name = "codebook",
                .help = "[n_code, d_k] or [heads of k, n_code, d_k]; without a codebook one is learnt from k"},
               {.name = "gate", .help = "gate of q's shape with d_v; the output is multiplied by it", .rank = 3},
               {.name = "key_valid",
                .help = "[T], bool or numbers: no query sees the keys where it is 0",
                .flags = true},
               {.name = mask_input,
                .help =
                    "a mask [T, T] in the place of the causal one, FILE or FILE:NAME; form=linear is then quadratic",
                .file = true}},
          .outputs = {{"npy", "the output [heads, T, d_v] as float32, [T, d_v] if q has no heads or one is chosen"},
                      {"json",
                       "a report with parameters, tensors, kernels, seconds, machine, error, total variation, use of "
                       "the codes"}},
          .answers = true,
          .implied = implied_by,
          .make = make}};
}

}  // namespace vqscope
