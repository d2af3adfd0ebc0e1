// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/experiment/setting/vq_answer.h"

#include "core/attention/methods.h"
#include "core/attention/run/needed_codes.h"
#include "core/base/random.h"
#include "core/base/sentence.h"
#include "core/base/shared_computation.h"
#include "core/experiment/setting/vq_setting.h"
#include "core/experiment/setting/vq_tokens.h"
#include "core/io/bytes/file_source.h"
#include "core/io/tensor/tensor_file.h"
#include "core/mask/preset/mask_beside.h"
#include "core/method/qkv/head_layout.h"
#include "core/method/run_result.h"

#include <algorithm>
#include <map>

namespace vqscope {
namespace {

constexpr std::size_t kept_answers = 2;  // A and B; each keeps its tokens
constexpr double gibibyte = 1024.0 * 1024 * 1024;

const Method& run_method() {
  static const Method method = vq_attention_method();
  return method;
}

std::string text_of(const ParameterValues& values, std::string_view name) {
  const auto* value = values.find(name);
  return value ? std::get<std::string>(*value) : std::string();
}

bool is_given(const ParameterValues& values, std::string_view bias) {
  const std::string text = text_of(values, bias);
  return !text.empty() && text != "none";
}

/// Values of the run: those of the experiment that it has too. Every head is measured.
ParameterValues run_values(const ParameterValues& values, bool has_heads) {
  ParameterValues run = carried_values(run_method(), values);
  if (values.find("n_code_max")) run.set("n_code", values.integer("n_code_max"));
  if (values.find("steps")) run.set("iterations", values.integer("steps"));
  // With a bias or a mask the linear form is not always exact.
  const bool linear = !is_given(values, "bias") && !is_given(values, "mask") &&
                      rotation_order_of(values) != RotationOrder::quantise_first;
  run.set("form", std::string(linear ? "linear" : "quadratic"));
  run.set("tensor_layout", std::string("heads_first"));
  if (!has_heads) return run;
  for (const auto& [name, automatic] : {std::pair("head", Index{-1}), {"num_heads", 0}, {"num_key_value_heads", 0}})
    run.set(name, automatic);
  return run;
}

/// The tensors that the values name, by the names of the run's inputs.
using Stored = std::map<std::string, StoredTensor>;

Result<Stored> find_tensors(const ParameterValues& values, double memory) {
  Stored stored;
  double bytes = 0;
  for (const auto& [input, parameter] :
       {std::pair("q", "q_tensor"), {"k", "k_tensor"}, {"v", "v_tensor"}, {"codebook", "codebook_tensor"}}) {
    const std::string text = text_of(values, parameter);
    if (text.empty()) continue;
    auto tensor = open_tensor(text);
    if (!tensor) return tensor.error();
    double size = sizeof(float);
    for (const Index length : tensor->shape) size *= static_cast<double>(length);
    bytes += size;
    stored.emplace(input, std::move(*tensor));
  }
  if (bytes > memory) return too_large("the tensors need {}, more than {}", byte_count(bytes), byte_count(memory));
  return stored;
}

/// The first tokens of every head.
void keep_tokens(Index count, Tensor& tensor) {
  const Index tokens = tensor.shape.end()[-2], cols = tensor.shape.back();
  if (count >= tokens) return;
  const Index heads = tensor.shape.size() == 3 ? tensor.shape[0] : 1;
  for (Index head = 1; head < heads; ++head)
    std::copy_n(tensor.values.begin() + head * tokens * cols, count * cols,
                tensor.values.begin() + head * count * cols);
  tensor.values.resize(static_cast<std::size_t>(heads * count * cols));
  tensor.shape.end()[-2] = count;
}

/// Values that no file gives.
Tensor sampled_values(const Tensor& keys, const ParameterValues& values) {
  Tensor sampled{keys.shape, {}};
  SeededRandom random(static_cast<std::uint64_t>(values.integer("seed")) + 2);
  for (std::size_t i = 0; i < keys.values.size(); ++i) sampled.values.push_back(static_cast<float>(random.normal()));
  return sampled;
}

const char* length_name(const ParameterValues& values) { return values.find("length_max") ? "length_max" : "q_length"; }

Result<RunInputs> read_inputs(const ParameterValues& values, const Stored& stored, const Work& work) {
  std::vector<NamedShape> shapes;
  for (const char* name : {"q", "k", "v"})
    if (const auto found = stored.find(name); found != stored.end()) shapes.push_back({name, found->second.shape});
  const auto layout = choose_layout(shapes, values.choice("tensor_layout"));
  if (!layout) return layout.error();
  RunInputs inputs;
  for (const auto& [name, tensor] : stored) {
    auto numbers = read_tensor(tensor, work.stop);
    if (!numbers) return numbers.error();
    Tensor read{tensor.shape, std::move(*numbers)};
    if (name != "codebook") {
      if (layout->layout == HeadLayout::tokens_first) put_heads_first(read.shape, read.values);
      keep_tokens(values.integer(length_name(values)), read);
    }
    inputs.emplace(name, std::move(read));
  }
  if (!inputs.contains("v")) inputs.emplace("v", sampled_values(inputs.at("k"), values));
  return inputs;
}

/// The error of the head that pictures show, of several.
std::string head_words(const ParameterValues& values, const ParameterValues& facts) {
  const auto* errors = facts.find("output_error_by_head");
  const Index head = values.integer("head");
  if (!errors) return {};
  const auto& all = std::get<std::vector<double>>(*errors);
  if (std::ssize(all) < 2 || head >= std::ssize(all)) return {};
  std::string words =
      fmt::format(" Head {}, which is shown: {}", head, output_error_words(all[static_cast<std::size_t>(head)]));
  if (const auto* variation = facts.find("total_variation_by_head"))
    words += ", " + to_text(std::get<std::vector<double>>(*variation)[static_cast<std::size_t>(head)], 2);
  return words + ".";
}

/// Gives the run the mask of the file, if one mask of all heads is for the tokens that are shown, and
/// no other is chosen.
bool take_mask(const ParameterValues& values, const MaskBeside& beside, RunRequest& request) {
  const auto& queries = request.inputs.at("q").shape;
  const Index tokens = queries.end()[-2];
  if (!beside.same_in_all_heads || beside.extent.rows != tokens || beside.extent.cols != tokens) return false;
  if (is_given(values, "mask")) return false;
  const auto name = parse_tensor_name(beside.path);
  auto file = name ? open_file(name->file) : Result<std::shared_ptr<const ByteSource>>(name.error());
  if (!file) return false;
  request.files.emplace("mask_file", RunFile{beside.path, std::move(*file)});
  return true;
}

constexpr double most_memory = gibibyte;

Result<std::string> measured_answer(const ParameterValues& values, RunInputs inputs, const Work& work) {
  const bool has_heads = inputs.at("q").shape.size() == 3;
  RunRequest request{.inputs = std::move(inputs), .memory = most_memory};
  const auto beside = mask_beside(text_of(values, "q_tensor"), {}, work);
  const bool applies = beside && take_mask(values, *beside, request);
  const auto run = make_run(run_method(), std::move(request), run_values(values, has_heads), work);
  if (!run) return run.error();
  const auto* sentence = run->facts.find("answer");
  if (!sentence) return std::string();
  std::string text = std::get<std::string>(*sentence) + "." + head_words(values, run->facts);
  if (const auto* queries = run->facts.find("compared_queries"))
    text += fmt::format(" Measured at {} queries of each head, for time.", grouped(std::get<Index>(*queries)));
  if (applies) text += " Pictures are causal.";
  if (beside && !applies) text += fmt::format(" The mask {} is not applied.", beside->title);
  return text;
}

Result<std::string> answer_of_all_heads(const ParameterValues& values, const Work& work) {
  const auto stored = find_tensors(values, most_memory);
  if (!stored) return stored.error();
  auto inputs = read_inputs(values, *stored, work);
  if (!inputs) return inputs.error();
  return measured_answer(values, std::move(*inputs), work);
}

/// Of the head that is shown, where all would take too long or too much memory.
Result<std::string> answer_of_head(const ParameterValues& values, const VqTokens& tokens, const Work& work) {
  RunInputs inputs{{"q", {{tokens.length, tokens.d_k}, tokens.queries}},
                   {"k", {{tokens.length, tokens.d_k}, tokens.keys}}};
  if (tokens.n_code > 0) inputs["codebook"] = {{tokens.n_code, tokens.d_k}, tokens.codewords};
  if (tokens.d_v > 0) inputs["v"] = {{tokens.length, tokens.d_v}, tokens.values};
  for (const char* name : {"q", "k", "v"})
    if (inputs.contains(name)) keep_tokens(values.integer(length_name(values)), inputs.at(name));
  if (tokens.d_v == 0) inputs["v"] = sampled_values(inputs.at("k"), values);
  auto answer = measured_answer(values, std::move(inputs), work);
  if (!answer || tokens.heads < 2) return answer;
  return fmt::format("{} That is head {} alone: all {} would take too long or too much memory.", *answer, tokens.head,
                     tokens.heads);
}

bool asks(const ParameterValues& values) {
  return (values.find("n_code") || values.find("n_code_max")) && values.find("q_tensor") &&
         values.choice("data") == "tensors";
}

/// What is shown of an experiment does not change the answer.
ParameterValues key_values(const ParameterValues& values) {
  ParameterValues key;
  for (const auto& [name, value] : values.map())
    if (name != "form" && name != "function" && name != "weights" && name != "shown") key.set(name, value);
  return key;
}

}  // namespace

Result<std::string> vq_answer(const ParameterValues& values, const Work& work) {
  if (!asks(values)) return std::string();
  // The tokens are those of the files as they are now.
  const auto tokens = read_tokens(values, true);
  if (!tokens) return tokens.error();
  struct Answer {
    std::string text;
    std::shared_ptr<const VqTokens> tokens;  ///< kept, so that its address names it
  };
  static SharedComputation<std::pair<ParameterValues, const VqTokens*>, Answer> known(kept_answers);
  const auto answer = known.get({key_values(values), tokens->get()}, work,
                                [values, tokens = *tokens](const Work& part) -> Result<Answer> {
                                  auto text = answer_of_all_heads(values, part);
                                  if (!text && text.error().code == Errc::too_large && tokens->heads > 1)
                                    text = answer_of_head(values, *tokens, part);
                                  if (!text) return text.error();
                                  return Answer{std::move(*text), tokens};
                                });
  if (!answer) return answer.error();
  return (*answer)->text;
}

std::string vq_remark(const ParameterValues& values, const Work& work) {
  const auto answered = vq_answer(values, work);
  std::string answer = answered ? *answered : std::string();
  if (!answered && answered.error().code == Errc::too_large)
    answer = "What codewords cost is not measured: " + answered.error().message + ".";
  const std::string setting = setting_remark(values, work, answer.empty());
  return answer + (answer.empty() || setting.empty() ? "" : " ") + setting;
}

}  // namespace vqscope
