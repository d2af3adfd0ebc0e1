// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/attention/vq_attention_run.h"

#include "core/attention/checks.h"
#include "core/attention/codebook.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <thread>

namespace vqscope {
namespace {

/// Of the authors' own LayerNorm, under the root.
constexpr double norm_epsilon = 1e-6;

template <class T>
using Named = std::array<std::pair<std::string_view, T>, 4>;

constexpr std::array<std::pair<std::string_view, AttentionForm>, 3> forms{{{"linear", AttentionForm::vq_linear},
                                                                           {"quadratic", AttentionForm::vq_quadratic},
                                                                           {"exact", AttentionForm::exact}}};
constexpr Named<CacheReduction> reductions{{{"serial_scan", CacheReduction::serial_scan},
                                            {"matmul", CacheReduction::matmul},
                                            {"associative_scan", CacheReduction::associative_scan},
                                            {"input_scan", CacheReduction::input_scan}}};
constexpr Named<HeadType> head_types{
    {{"any", HeadType::any}, {"shga", HeadType::shga}, {"mqa", HeadType::mqa}, {"mha", HeadType::mha}}};

template <class Names>
auto meaning(const Names& names, std::string_view id) {
  return std::ranges::find(names, id, [](const auto& pair) { return pair.first; })->second;
}

int threads_of(Index wanted) {
  return wanted > 0 ? static_cast<int>(wanted) : static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
}

/// As a matrix with or without heads.
TensorView view_of(const Tensor& tensor) {
  const auto& shape = tensor.shape;
  if (shape.empty()) return {};
  const std::size_t heads = shape.size() - 2;
  return {tensor.values, heads == 1 ? shape[0] : 1, shape[heads], shape[heads + 1]};
}

Result<void> check_rank(const char* name, const Tensor& tensor, const char* rows, const char* cols) {
  const std::size_t rank = tensor.shape.size();
  if (rank == 2 || rank == 3) return {};
  std::string shape;
  for (const Index size : tensor.shape) shape += (shape.empty() ? "" : ", ") + to_text(size);
  const std::string matrix = std::string(rows) + ", " + cols + "]";
  return invalid(std::string(name) + " is [" + shape + "], must be [" + matrix + " or [heads, " + matrix +
                 (rank > 3 ? "; FILE:NAME[0] picks the first of a leading dimension" : ""));
}

/// LayerNorm of each row without gain or bias, `centred`, or without subtracting the mean; then times d_k^(-1/4).
void normalise_rows(Tensor& tensor, bool centred) {
  const auto width = static_cast<std::size_t>(tensor.shape.back());
  const double scale = std::pow(static_cast<double>(width), -0.25);
  for (auto rest = std::span(tensor.values); !rest.empty(); rest = rest.subspan(width)) {
    const auto row = rest.first(width);
    double mean = 0, square = 0;
    if (centred)
      for (const float x : row) mean += static_cast<double>(x) / static_cast<double>(width);
    for (const float x : row) square += (static_cast<double>(x) - mean) * (static_cast<double>(x) - mean);
    const double factor = scale / std::sqrt(square / static_cast<double>(width) + norm_epsilon);
    for (float& x : row) x = static_cast<float>((static_cast<double>(x) - mean) * factor);
  }
}

double bytes_of(const VqAttentionTensors& tensors) {
  double numbers = 0;
  for (const auto* tensor : {&tensors.q, &tensors.k, &tensors.v, &tensors.codebook, &tensors.gate})
    numbers += static_cast<double>(tensor->values.size());
  return 4 * numbers;
}

}  // namespace

std::vector<ParameterSpec> vq_attention_parameters() {
  const std::vector<Relevance> vq{{"form", {"linear", "quadratic"}}};
  const std::vector<Relevance> linear{{"form", {"linear"}}};
  return {
      {.name = "form",
       .help = "How attention is computed.",
       .kind = ParameterKind::choice,
       .fallback = std::string("linear"),
       .choices = {{"linear", "VQ attention in time linear in T (theorem 3.7)"},
                   {"quadratic", "VQ attention by its definition (3.1)"},
                   {"exact", "softmax attention with the keys as they are"}}},
      {.name = "n_code",
       .help = "Codewords of a codebook that is learnt; those of a given one.",
       .fallback = Index{512},
       .minimum = 1,
       .maximum = 1048576,
       .logarithmic = true,
       .relevant = vq},
      {.name = "block_len",
       .help = "Tokens of a block of the linear form; the result does not depend on it.",
       .fallback = Index{512},
       .minimum = 1,
       .maximum = 1048576,
       .logarithmic = true,
       .relevant = linear},
      {.name = "reduction",
       .help = "How the linear form gets the cache that each block sees; the result does not depend on it.",
       .kind = ParameterKind::choice,
       .fallback = std::string("serial_scan"),
       .choices = {{"serial_scan", "one block after the other"},
                   {"matmul", "each block from all before it"},
                   {"associative_scan", "blocks merged pair by pair"},
                   {"input_scan", "all the work one block at a time"}},
       .relevant = linear},
      {.name = "head_type",
       .help = "What the heads must be.",
       .kind = ParameterKind::choice,
       .fallback = std::string("any"),
       .choices = {{"any", "heads of q a multiple of those of k"},
                   {"shga", "one head with a gate"},
                   {"mqa", "one head of keys and values"},
                   {"mha", "as many heads of keys and values as of queries"}}},
      {.name = "causal",
       .help = "Whether a query sees the keys up to its own alone.",
       .kind = ParameterKind::boolean,
       .fallback = true},
      {.name = "agg_cache",
       .help = "Whether blocks before the previous one are seen through the cache; false: not at all.",
       .kind = ParameterKind::boolean,
       .fallback = true,
       .relevant = linear},
      {.name = "normalize",
       .help = "What is done to q and k; a given codebook is for keys after it.",
       .kind = ParameterKind::choice,
       .fallback = std::string("none"),
       .choices = {{"none", "nothing, scores are q·k"},
                   {"paper", "LayerNorm without gain or bias, then times d_k^(-1/4)"},
                   {"paper_code", "the same without subtracting the mean, as the authors' code does"}}},
      {.name = "gamma",
       .help = "How much of counts and sums stays at each step of learning a codebook.",
       .kind = ParameterKind::real,
       .fallback = 0.99,
       .minimum = 0,
       .maximum = 0.99999,
       .relevant = vq},
      {.name = "iterations",
       .help = "Steps of learning a codebook; 0: the keys that k-means++ chooses.",
       .fallback = Index{100},
       .minimum = 0,
       .maximum = 1000000,
       .relevant = vq},
      {.name = "seed",
       .help = "Of the first codewords that are drawn among the keys.",
       .fallback = Index{0},
       .minimum = 0,
       .maximum = 9007199254740991,
       .relevant = vq},
      {.name = "compare",
       .help = "Whether the exact form is computed too, and how far the output is from it.",
       .kind = ParameterKind::boolean,
       .fallback = false},
      {.name = "threads",
       .help = "Threads; the result does not depend on them.",
       .fallback = Index{0},
       .minimum = 0,
       .maximum = 1024,
       .automatic = "as many as the machine runs at once"},
  };
}

VqAttentionRun::VqAttentionRun(const ParameterValues& values) : m_values(values) {
  m_options = {.form = meaning(forms, values.choice("form")),
               .causal = values.boolean("causal"),
               .head_type = meaning(head_types, values.choice("head_type")),
               .block_len = values.integer("block_len"),
               .reduction = meaning(reductions, values.choice("reduction")),
               .agg_cache = values.boolean("agg_cache"),
               .threads = threads_of(values.integer("threads"))};
}

Result<VqAttentionRun> VqAttentionRun::make(VqAttentionTensors tensors, const ParameterValues& values,
                                            double memory_limit) {
  if (auto checked = check_values(vq_attention_parameters(), values); !checked) return checked.error();
  VqAttentionRun run(values);
  run.m_tensors = std::move(tensors);
  if (auto checked = run.check(memory_limit); !checked) return checked.error();
  run.normalise();
  return run;
}

AttentionInput VqAttentionRun::input() const {
  AttentionInput in;
  in.q = view_of(m_tensors.q);
  in.k = view_of(m_tensors.k);
  in.v = view_of(m_tensors.v);
  in.codebook = view_of(m_tensors.codebook);
  in.gate = view_of(m_tensors.gate);
  return in;
}

Result<void> VqAttentionRun::check(double memory_limit) const {
  const auto& [q, k, v, codebook, gate] = m_tensors;
  if (auto checked = check_rank("q", q, "T", "d_k"); !checked) return checked;
  if (auto checked = check_rank("k", k, "T", "d_k"); !checked) return checked;
  if (auto checked = check_rank("v", v, "T", "d_v"); !checked) return checked;
  if (!codebook.shape.empty())
    if (auto checked = check_rank("codebook", codebook, "n_code", "d_k"); !checked) return checked;
  if (!gate.shape.empty())
    if (auto checked = check_rank("gate", gate, "T", "d_v"); !checked) return checked;
  // Without a codebook as yet, only the exact form can be asked for.
  AttentionOptions exact = m_options;
  exact.form = AttentionForm::exact;
  if (auto checked = check_attention(input(), exact); !checked) return checked;
  if (m_options.form != AttentionForm::exact)
    if (auto checked = check_codebook(); !checked) return checked;
  if (auto checked = check_memory(memory_limit); !checked) return checked;
  // Before q and k are normalised, which would spread a NaN over its row.
  return check_finite(input(), exact);
}

Result<void> VqAttentionRun::check_codebook() const {
  const Index n_code = m_values.integer("n_code");
  const AttentionInput in = input();
  if (!needs_codebook()) {
    if (auto checked = check_attention(in, m_options); !checked) return checked;
    if (in.codebook.rows == n_code) return {};
    return invalid("n_code is " + to_text(n_code) + ", codebook is " + shape_text(in.codebook) + ": it has " +
                   to_text(in.codebook.rows) + " codewords");
  }
  if (n_code <= in.k.rows) return {};
  return invalid("n_code is " + to_text(n_code) + ", a codebook for the " + to_text(in.k.rows) +
                 " keys of k can have at most " + to_text(in.k.rows) + " codewords");
}

Result<void> VqAttentionRun::check_memory(double limit) const {
  AttentionInput in = input();
  double needed = bytes_of(m_tensors);
  if (needs_codebook()) {
    in.codebook = {{}, in.k.heads, m_values.integer("n_code"), in.k.cols};
    needed += 4 * static_cast<double>(in.k.heads * in.k.cols) * static_cast<double>(in.codebook.rows);
  }
  needed += attention_memory(in, m_options);
  if (m_values.boolean("compare")) {
    AttentionOptions exact = m_options;
    exact.form = AttentionForm::exact;
    needed += attention_memory(in, exact);
  }
  if (limit <= 0 || needed <= limit) return {};
  return Error{Errc::too_large, "attention over " + to_text(in.q.rows) + " tokens needs " + byte_count(needed) +
                                    " of memory with its tensors, this machine has " + byte_count(limit)};
}

void VqAttentionRun::normalise() {
  const std::string& how = m_values.choice("normalize");
  if (how == "none") return;
  normalise_rows(m_tensors.q, how == "paper");
  normalise_rows(m_tensors.k, how == "paper");
}

bool VqAttentionRun::needs_codebook() const {
  return m_options.form != AttentionForm::exact && m_tensors.codebook.shape.empty();
}

Result<void> VqAttentionRun::learn(const Work& work) {
  const TensorView k = view_of(m_tensors.k);
  const CodebookOptions options{.n_code = m_values.integer("n_code"),
                                .gamma = m_values.real("gamma"),
                                .steps = m_values.integer("iterations"),
                                .seed = static_cast<std::uint64_t>(m_values.integer("seed")),
                                .threads = m_options.threads};
  Tensor codebook{{k.heads, options.n_code, k.cols}, {}};
  for (Index head = 0; head < k.heads; ++head) {
    const Work part{
        [&](double fraction) { work.report((static_cast<double>(head) + fraction) / static_cast<double>(k.heads)); },
        work.stop};
    const auto learnt = learn_codebook(k.matrix(head), options, part);
    if (!learnt) return learnt.error();
    codebook.values.insert(codebook.values.end(), learnt->codewords.begin(), learnt->codewords.end());
  }
  m_tensors.codebook = std::move(codebook);
  return {};
}

Result<AttentionOutput> VqAttentionRun::attend(const Work& work) const {
  assert(!needs_codebook());
  return attention(input(), m_options, work);
}

Result<OutputDifference> VqAttentionRun::compare(const AttentionOutput& output, const Work& work) const {
  AttentionOptions options = m_options;
  options.form = AttentionForm::exact;
  const auto exact = attention(input(), options, work);
  if (!exact) return exact.error();
  OutputDifference difference;
  const TensorView q = view_of(m_tensors.q);
  const auto width = static_cast<std::size_t>(m_tensors.v.shape.back());
  for (std::size_t i = 0; i < output.values.size(); ++i) {
    const double apart = std::abs(static_cast<double>(output.values[i]) - static_cast<double>(exact->values[i]));
    const auto row = static_cast<Index>(i / width);
    if (apart > difference.largest) difference = {apart, row / q.rows, row % q.rows};
  }
  return difference;
}

std::vector<Index> VqAttentionRun::output_shape() const {
  std::vector<Index> shape = m_tensors.q.shape;
  shape.back() = m_tensors.v.shape.back();
  return shape;
}

std::vector<Index> VqAttentionRun::codes_used(const AttentionOutput& output) const {
  std::vector<Index> used;
  const auto rows = static_cast<std::size_t>(view_of(m_tensors.k).rows);
  for (auto rest = std::span(output.shortcodes); !rest.empty(); rest = rest.subspan(rows)) {
    std::vector<std::int32_t> codes(rest.begin(), rest.begin() + static_cast<std::ptrdiff_t>(rows));
    std::ranges::sort(codes);
    codes.erase(std::unique(codes.begin(), codes.end()), codes.end());
    used.push_back(static_cast<Index>(codes.size()));
  }
  return used;
}

}  // namespace vqscope
