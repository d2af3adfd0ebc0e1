// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/run/attention_run.h"

#include "core/attention/codebook/keys.h"
#include "core/attention/forms/attention_forms.h"
#include "core/attention/forms/form_parts.h"
#include "core/attention/rows.h"
#include "core/base/guard.h"
#include "core/base/sentence.h"
#include "core/method/qkv/head_layout.h"
#include "core/method/qkv/tensor_lengths.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// Heads assumed for a q without a dimension of heads, which is one of them, unless given.
constexpr Index heads_of_a_matrix = 8;

/// View of a matrix with or without heads.
TensorView view_of(const Tensor& tensor) {
  const auto& shape = tensor.shape;
  if (shape.empty()) return {};
  const std::size_t heads = shape.size() - 2;
  return {tensor.values, heads == 1 ? shape[0] : 1, shape[heads], shape[heads + 1]};
}

Result<void> check_rank(const char* name, const Tensor& tensor, const char* rows, const char* cols) {
  const std::size_t rank = tensor.shape.size();
  if (rank == 2 || rank == 3) return {};
  const std::string matrix = fmt::format("{}, {}]", rows, cols);
  return invalid("{} is {} but must be [{} or [heads, {}{}", name, shape_words(tensor.shape), matrix, matrix,
                 rank > 3 ? "; FILE:NAME[0] selects index 0 of the leading dimension" : "");
}

/// Valid rows of a head; if `valid` is empty, all rows.
std::vector<float> valid_rows(const TensorView& tensor, Index head, const std::vector<std::uint8_t>& valid) {
  std::vector<float> rows;
  for (Index i = 0; i < tensor.rows; ++i)
    if (valid.empty() || valid[static_cast<std::size_t>(i)] != 0)
      rows.insert(rows.end(), tensor.row(head, i), tensor.row(head, i) + tensor.cols);
  return rows;
}

/// Head `head` of a tensor of `heads` heads alone, without the dimension of heads; other tensors
/// stay as they are.
void keep_head(Tensor& tensor, Index heads, Index head) {
  if (tensor.shape.size() != 3 || tensor.shape[0] != heads) return;
  const auto size = static_cast<std::ptrdiff_t>(tensor.shape[1] * tensor.shape[2]);
  tensor.values = {tensor.values.begin() + head * size, tensor.values.begin() + (head + 1) * size};
  tensor.shape.erase(tensor.shape.begin());
}

/// Without the total variation.
AttentionDifference output_difference(std::span<const float> output, std::span<const float> exact,
                                      const AttentionInput& in) {
  AttentionDifference difference;
  std::vector<SquaredDistance> heads(static_cast<std::size_t>(in.q.heads));
  for (std::size_t i = 0; i < output.size(); ++i) {
    const double apart = std::abs(static_cast<double>(output[i]) - static_cast<double>(exact[i]));
    const Index row = static_cast<Index>(i) / in.v.cols;
    heads[static_cast<std::size_t>(row / in.q.rows)].add(output[i], static_cast<double>(exact[i]));
    if (apart <= difference.largest) continue;
    difference.largest = apart;
    difference.head = row / in.q.rows;
    difference.token = row % in.q.rows;
  }
  SquaredDistance all;
  for (const SquaredDistance& head : heads) {
    difference.output_error_by_head.push_back(head.relative());
    all.add(head);
  }
  difference.output_error = all.relative();
  return difference;
}

}  // namespace

double SquaredDistance::relative() const { return sizes > 0 ? std::sqrt(errors / sizes) : 0; }

VqAttentionRun::VqAttentionRun(const ParameterValues& values)
    : m_values(values), m_options(vq_attention_options(values)) {}

Result<VqAttentionRun> VqAttentionRun::make(VqAttentionTensors tensors, const ParameterValues& values,
                                            double memory_limit, const Work& work) {
  if (auto checked = check_values(vq_attention_parameters(), values); !checked) return checked.error();
  return guarded([&]() -> Result<VqAttentionRun> {
    VqAttentionRun run(values);
    run.m_memory_limit = memory_limit;
    run.m_tensors = std::move(tensors);
    // A bias is a function of the distance to earlier keys: it keeps the causal mask beside this one.
    if (run.m_tensors.mask && values.choice("bias") == "none") run.m_options.causal = false;
    if (auto taken = run.take_key_valid(); !taken) return taken.error();
    if (auto checked = run.check(work); !checked) return checked.error();
    run.normalise();
    auto& [q, k, v, codebook, gate, key_valid, mask] = run.m_tensors;
    if (auto rotated =
            run.m_rotation.apply(run.input(AttentionForm::exact), q.values, k.values, run.m_options.block_len, work);
        !rotated)
      return rotated.error();
    return run;
  });
}

Result<void> VqAttentionRun::take_key_valid() {
  const Tensor& flags = m_tensors.key_valid;
  if (flags.shape.empty()) return {};
  if (flags.shape.size() != 1) return invalid("key_valid has {} dimensions but must have 1: [T]", flags.shape.size());
  for (const float flag : flags.values) m_key_valid.push_back(flag != 0 ? 1 : 0);
  return {};
}

AttentionInput VqAttentionRun::input(AttentionForm form) const {
  AttentionInput in;
  in.q = view_of(m_tensors.q);
  in.k = view_of(m_tensors.k);
  in.v = view_of(m_tensors.v);
  in.codebook = view_of(m_tensors.codebook);
  in.gate = view_of(m_tensors.gate);
  in.key_valid = m_key_valid;
  in.mask = m_tensors.mask.get();
  in.rotation = m_rotation.of(in);
  if (!m_bias) return in;
  in.bias = form == AttentionForm::vq_linear ? m_linear_bias : m_bias->whole();
  if (form != AttentionForm::vq_linear && !in.mask) in.mask = m_bias->mask().get();
  return in;
}

Result<void> VqAttentionRun::take_bias(const Work& work) {
  const AttentionInput in = input(AttentionForm::exact);
  auto bias = ChosenBias::make(
      m_values, {.length = in.k.rows, .window = m_options.block_len, .heads = in.q.heads, .d_k = in.q.cols}, work);
  if (!bias) return bias.error();
  if (bias->none()) return {};
  if (!m_options.causal && m_options.form == AttentionForm::vq_linear && !bias->only_sinks())
    return invalid("causal is false: without the causal mask the linear form takes neither bias nor mask");
  m_options.near_window = m_options.block_len;
  if (m_options.form == AttentionForm::vq_linear) {
    auto linear = bias->for_linear_form();
    if (!linear) return linear.error();
    m_linear_bias = std::move(*linear);
  }
  m_bias = std::make_shared<const ChosenBias>(std::move(*bias));
  return {};
}

Result<void> VqAttentionRun::check(const Work& work) {
  const auto& [q, k, v, codebook, gate, key_valid, mask] = m_tensors;
  if (auto checked = check_rank("q", q, "T", "d_k"); !checked) return checked;
  if (auto checked = check_rank("k", k, "T", "d_k"); !checked) return checked;
  if (auto checked = check_rank("v", v, "T", "d_v"); !checked) return checked;
  if (!codebook.shape.empty())
    if (auto checked = check_rank("codebook", codebook, "n_code", "d_k"); !checked) return checked;
  if (!gate.shape.empty())
    if (auto checked = check_rank("gate", gate, "T", "d_v"); !checked) return checked;
  // There is no codebook yet, so only the exact form can be checked.
  AttentionOptions exact = m_options;
  exact.form = AttentionForm::exact;
  if (auto checked = check_attention(input(exact.form), exact); !checked) return checked;
  if (auto taken = take_heads(); !taken) return taken;
  if (auto taken = take_bias(work); !taken) return taken;
  if (auto checked = check_attention(input(exact.form), exact); !checked) return checked;
  if (m_options.form != AttentionForm::exact)
    if (auto checked = check_codebook(); !checked) return checked;
  auto rotation = RunRotation::make(m_values, q.shape.back(), input(exact.form).q.rows);
  if (!rotation) return rotation.error();
  m_rotation = std::move(*rotation);
  if (auto checked = m_rotation.check(m_options, m_tensors.mask != nullptr, m_values.choice("weights")); !checked)
    return checked;
  if (auto checked = check_memory(); !checked) return checked;
  if (auto checked = check_time(); !checked) return checked;
  // Check before normalising q and k, which would spread a NaN over its row.
  return check_finite(input(exact.form), exact);
}

/// The head and the number of heads that the bias takes; other heads leave the tensors.
Result<void> VqAttentionRun::take_heads() {
  const Index given = m_values.integer("num_heads"), head = m_values.integer("head");
  const Index given_kv = m_values.integer("num_key_value_heads");
  const TensorView q = view_of(m_tensors.q), k = view_of(m_tensors.k);
  if (m_tensors.q.shape.size() == 2) {
    m_values.set("num_heads", given > 0 ? given : heads_of_a_matrix);
    m_values.set("head", std::max<Index>(head, 0));
    return {};
  }
  if (given > 0 && given != q.heads)
    return invalid("num_heads is {}, q is [{}, {}, {}]: num_heads must be {}, the heads of q", given, q.heads, q.rows,
                   q.cols, q.heads);
  if (given_kv > 0 && given_kv != k.heads)
    return invalid("num_key_value_heads is {}, k is {}: num_key_value_heads must be {}, the heads of k", given_kv,
                   shape_words(m_tensors.k.shape), k.heads);
  m_values.set("num_heads", q.heads);
  if (head < 0) {
    m_values.set("head", Index{0});
    return {};
  }
  if (head >= q.heads)
    return invalid("head is {}, q is [{}, {}, {}]: head must be 0 to {}", head, q.heads, q.rows, q.cols, q.heads - 1);
  const Index kv_heads = k.heads, kv_head = head / (q.heads / kv_heads);
  m_first_head = head;
  for (Tensor* tensor : {&m_tensors.q, &m_tensors.gate}) keep_head(*tensor, q.heads, head);
  for (Tensor* tensor : {&m_tensors.k, &m_tensors.v, &m_tensors.codebook}) keep_head(*tensor, kv_heads, kv_head);
  return {};
}

Result<void> VqAttentionRun::check_codebook() const {
  const Index n_code = m_values.integer("n_code");
  const AttentionInput in = input(m_options.form);
  if (!needs_codebook()) {
    if (auto checked = check_attention(in, m_options); !checked) return checked;
    if (in.codebook.rows == n_code) return {};
    return invalid("n_code is {}, codebook is {}, which has {} codewords", n_code, shape_text(in.codebook),
                   in.codebook.rows);
  }
  if (n_code <= in.k.rows) return {};
  return invalid("n_code is {}, a codebook for the {} keys of k must have at most {} codewords", n_code, in.k.rows,
                 in.k.rows);
}

void VqAttentionRun::normalise() {
  for (Tensor* tensor : {&m_tensors.q, &m_tensors.k})
    normalize_rows(tensor->values, tensor->shape.back(), norm_of(m_values));
}

bool VqAttentionRun::needs_codebook() const {
  return m_options.form != AttentionForm::exact && m_tensors.codebook.shape.empty();
}

CodebookOptions VqAttentionRun::codebook_options() const {
  return {.n_code = m_values.integer("n_code"),
          .gamma = m_values.real("gamma"),
          .steps = m_values.integer("iterations"),
          .batch = batch_for_tensors,
          .seed = static_cast<std::uint64_t>(m_values.integer("seed")),
          .threads = m_options.threads};
}

Result<void> VqAttentionRun::learn(const Work& work) {
  auto codebook = guarded([&] { return learnt_codebook(m_values.integer("n_code"), work); });
  if (!codebook) return codebook.error();
  m_tensors.codebook = std::move(*codebook);
  return {};
}

Result<Tensor> VqAttentionRun::learnt_codebook(Index n_code, const Work& work) const {
  const TensorView k = view_of(m_tensors.k);
  CodebookOptions options = codebook_options();
  options.n_code = n_code;
  // Threads that take a head each need not wait for each other at every step.
  std::vector<Scratch> workers(k.heads > 1 ? static_cast<std::size_t>(std::max(options.threads, 1)) : 1);
  if (k.heads > 1) options.threads = 1;
  std::vector<Result<LearntCodebook>> learnt(static_cast<std::size_t>(k.heads), cancelled());
  share_out(workers, k.heads, k.heads > 1 ? work : Work{{}, work.stop}, 0, k.heads, [&](Index head, const Scratch&) {
    const std::vector<float> keys = valid_rows(k, head, m_key_valid);
    learnt[static_cast<std::size_t>(head)] =
        learn_codebook({keys.data(), static_cast<Index>(keys.size()) / k.cols, k.cols, k.cols}, options,
                       k.heads > 1 ? Work{{}, work.stop} : work);
  });
  if (work.stop.stop_requested()) return cancelled();
  Tensor codebook{{k.heads, options.n_code, k.cols}, {}};
  for (const auto& head : learnt) {
    if (!head) return head.error();
    codebook.values.insert(codebook.values.end(), head->codewords.begin(), head->codewords.end());
  }
  return codebook;
}

Result<AttentionOutput> VqAttentionRun::attend_over(AttentionInput input, const Work& work) const {
  if (!m_rotation.is_late() || m_options.form == AttentionForm::exact) return attention(input, m_options, work);
  AttentionOptions encoding = m_options;
  encoding.form = AttentionForm::vq_quadratic;
  const auto codes = shortcodes(input, encoding, {.stop = work.stop});
  if (!codes) return codes.error();
  const std::vector<float> codewords = m_rotation.codewords(input, *codes, work.stop);
  input.rotation.codewords = {codewords, input.k.heads, input.k.rows, input.k.cols};
  return attention(input, m_options, work);
}

Result<AttentionOutput> VqAttentionRun::attend(const Work& work) const {
  assert(!needs_codebook());
  return guarded([&] { return attend_over(input(m_options.form), work); });
}

Result<AttentionOutput> VqAttentionRun::exact(const Work& work) const {
  AttentionOptions options = m_options;
  options.form = AttentionForm::exact;
  return guarded([&] { return attention(input(options.form), options, work); });
}

Result<AttentionDifference> VqAttentionRun::compare(const AttentionOutput& output, const AttentionOutput& exact,
                                                    const Work& work) const {
  AttentionInput in = input(AttentionForm::exact);
  AttentionDifference difference = output_difference(output.values, exact.values, in);
  difference.head += m_first_head;
  const bool is_exact = m_options.form == AttentionForm::exact;
  if (m_options.weights != WeightFunction::softmax || (!is_exact && output.shortcodes.empty())) return difference;
  difference.total_variation = TotalVariation{0, std::vector<double>(static_cast<std::size_t>(in.q.heads))};
  if (is_exact) return difference;
  auto variation = guarded([&]() -> Result<TotalVariation> {
    const std::vector<float> keys = quantised_keys(input(m_options.form), output.shortcodes);
    const std::vector<float> rotated = m_rotation.codewords(input(m_options.form), output.shortcodes, work.stop);
    in.rotation.codewords = {rotated, in.k.heads, in.k.rows, in.k.cols};
    return mean_total_variation(in, {keys, in.k.heads, in.k.rows, in.k.cols}, m_options, work);
  });
  if (!variation) return variation.error();
  difference.total_variation = std::move(*variation);
  return difference;
}

Index VqAttentionRun::sampled_queries() const {
  const Index length = view_of(m_tensors.q).rows;
  const double whole = seconds_of_comparison(), limit = m_values.real("most_seconds");
  return whole <= limit ? length : static_cast<Index>(static_cast<double>(length) * limit / whole);
}

Result<AttentionDifference> VqAttentionRun::compare_sample(const AttentionOutput& output, Index queries,
                                                           const Work& work) const {
  return guarded([&]() -> Result<AttentionDifference> {
    AttentionInput in = input(AttentionForm::exact);
    const std::vector<float> keys = quantised_keys(input(m_options.form), output.shortcodes);
    const std::vector<float> rotated = m_rotation.codewords(input(m_options.form), output.shortcodes, work.stop);
    in.rotation.codewords = {rotated, in.k.heads, in.k.rows, in.k.cols};
    auto difference =
        sampled_difference(in, {keys, in.k.heads, in.k.rows, in.k.cols}, m_options, output.values, queries, work);
    if (difference) difference->head += m_first_head;
    return difference;
  });
}

Result<double> VqAttentionRun::output_error_of(Index n_code, const AttentionOutput& exact, const Work& work) const {
  const auto codebook = learnt_codebook(n_code, {{}, work.stop});
  if (!codebook) return codebook.error();
  AttentionInput in = input(m_options.form);
  in.codebook = view_of(*codebook);
  const auto output = attend_over(in, {{}, work.stop});
  if (!output) return output.error();
  SquaredDistance distance;
  for (std::size_t i = 0; i < exact.values.size(); ++i)
    distance.add(output->values[i], static_cast<double>(exact.values[i]));
  return distance.relative();
}

Result<NeededCodes> VqAttentionRun::needed_codes(double error, const AttentionOutput& exact, const Work& work) const {
  const auto fits = [&](Index n_code) { return m_memory_limit <= 0 || memory_of(n_code) <= m_memory_limit; };
  const CodeSearch search{.known = m_values.integer("n_code"),
                          .error = error,
                          .most = keys(),
                          .seconds = [&](Index n_code) { return fits(n_code) ? seconds_of_codes(n_code) : HUGE_VAL; },
                          .most_seconds = m_values.real("most_seconds") - seconds_of_work()};
  return guarded(
      [&] { return search_needed_codes(search, [&](Index n_code) { return output_error_of(n_code, exact, work); }); });
}

Index VqAttentionRun::keys() const {
  return m_key_valid.empty() ? view_of(m_tensors.k).rows
                             : static_cast<Index>(std::ranges::count(m_key_valid, std::uint8_t{1}));
}

std::vector<Index> VqAttentionRun::output_shape() const {
  std::vector<Index> shape = m_tensors.q.shape;
  shape.back() = m_tensors.v.shape.back();
  return shape;
}

std::vector<CodeUse> VqAttentionRun::code_use(const AttentionOutput& output) const {
  std::vector<CodeUse> use;
  const auto rows = static_cast<std::size_t>(view_of(m_tensors.k).rows);
  for (auto rest = std::span(output.shortcodes); !rest.empty(); rest = rest.subspan(rows))
    use.push_back(vqscope::code_use(rest.first(rows), view_of(m_tensors.codebook).rows));
  return use;
}

std::vector<double> VqAttentionRun::commit_losses(const AttentionOutput& output) const {
  const TensorView k = view_of(m_tensors.k), codebook = view_of(m_tensors.codebook);
  std::vector<double> losses;
  for (Index head = 0; head < k.heads && !output.shortcodes.empty(); ++head) {
    double sum = 0, keys = 0;
    for (Index j = 0; j < k.rows; ++j) {
      const Index code = output.shortcodes[static_cast<std::size_t>(head * k.rows + j)];
      if (code < 0) continue;
      sum += squared_distance(k.row(head, j), codebook.row(std::min(head, codebook.heads - 1), code), k.cols);
      ++keys;
    }
    losses.push_back(keys > 0 ? sum / keys : 0);
  }
  return losses;
}

}  // namespace vqscope
