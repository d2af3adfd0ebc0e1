// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/fire/fire_network.h"
#include "core/encoding/snippet/python.h"
#include "core/encoding/t5/t5_bucket.h"
#include "core/field/field.h"
#include "core/relative/relative_function.h"

namespace vqscope {
namespace {

/// The first distance of each bucket of one direction, where real numbers decide.
std::string first_distances(const T5Buckets& buckets) {
  std::vector<double> starts;
  for (Index bucket = 0; bucket < buckets.per_direction(); ++bucket)
    starts.push_back(static_cast<double>(buckets.first_distance(bucket)));
  return python_list(starts);
}

void write_buckets(const ParameterValues& values, PythonText& python) {
  const T5Buckets buckets = t5_buckets_from(values);
  python.line(fmt::format("num_buckets, max_distance = {}, {}", buckets.num_buckets, buckets.max_distance));
  python.line(fmt::format("per_direction, max_exact = {}, {}", buckets.per_direction(), buckets.max_exact()));
  python.line(buckets.bidirectional ? "n = abs(distance)" : "n = distance.clip(0)  # keys ahead share bucket 0");
  if (buckets.arithmetic == T5Arithmetic::hf_float32) {
    python.lines(
        "far = «m».log(n.clip(1) / max_exact)\n"
        "far = far / math.log(max_distance / max_exact) * (per_direction - max_exact)\n"
        "far = (max_exact + far«int»).clip(0, per_direction - 1)\n"
        "bucket = «m».where(n < max_exact, n«int», far)\n");
  } else {
    const std::string array = python.names().m == "np" ? "array" : "tensor";
    python.lines(fmt::format("first = «m».{}({}, dtype=«m».float64)  # the first distance of each bucket\n", array,
                             first_distances(buckets)));
    python.lines("bucket = «m».searchsorted(first, n, side=\"right\") - 1\n");
  }
  if (buckets.bidirectional) python.line("bucket = bucket + per_direction * (distance < 0)  # keys ahead of the query");
}

/// The value of each bucket for the shown head, read off where the bucket occurs; 0 where it never
/// does.
Result<std::vector<double>> shown_table(const Method& method, const ParameterValues& values) {
  const T5Buckets buckets = t5_buckets_from(values);
  const StepFunction steps = buckets.steps();
  const auto field = make_field(method, values);
  if (!field) return field.error();
  const FieldForm shown = (*field)->form();
  const auto* form = std::get_if<RelativeForm>(&shown);
  std::vector<double> table(static_cast<std::size_t>(buckets.num_buckets));
  for (std::size_t s = 0; form && s < steps.value.size(); ++s) {
    const Index at = s == 0 ? steps.start.at(1) - 1 : steps.start[s];
    table[static_cast<std::size_t>(steps.value[s])] = form->function->at(at);
  }
  return table;
}

}  // namespace

void write_t5(const Method& method, const ParameterValues& values, PythonText& python) {
  python.line("import math\n");
  write_distances(values, python);
  if (t5_buckets_from(values).arithmetic == T5Arithmetic::hf_float32)
    python.lines(python.names().m == "np" ? "distance = distance.astype(np.float32)  # as Hugging Face computes\n"
                                          : "distance = distance.float()  # as Hugging Face computes\n");
  write_buckets(values, python);
  if (method.id == "t5_bucket") return python.line("result = bucket");
  const auto table = shown_table(method, values);
  python.lines(fmt::format("table = «m».{}({})  # learned: relative_attention_bias.weight[:, head]\n",
                           python.names().m == "np" ? "array" : "tensor",
                           python_list(table ? *table : std::vector<double>{})));
  python.line("result = table[bucket]  # added to q·k, which T5 does not divide by √d");
}

void write_fire(const Method&, const ParameterValues& values, PythonText& python) {
  const FireNetwork network = fire_from(values);
  const std::string array = python.names().m == "np" ? "«m».array(" : "«m».tensor(";
  write_distances(values, python);
  python.line(fmt::format("c, threshold = {}, {}", to_text(network.c), python_float(network.threshold)));
  python.lines(fmt::format("w1, b1 = {0}{1}), {0}{2})  # learned\n", array, python_list(network.hidden),
                           python_list(network.hidden_bias)));
  python.lines(fmt::format("w2, b2 = {}{}), {}  # learned, of this head\n", array, python_list(network.output),
                           to_text(network.output_bias)));
  python.lines(
      "psi = lambda y: «m».log(1 + c * y)\n"
      "x = psi(distance.clip(0)) / (psi(q_pos.clip(threshold)) + 1e-6)[:, None]\n"
      "result = ((x[..., None] * w1 + b1).clip(0) * w2).sum(-1) + b2\n"
      "result[distance < 0] = float(\"nan\")  # a causal mask hides these\n");
}

}  // namespace vqscope
