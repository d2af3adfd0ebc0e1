// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/own/rotated_pair.h"
#include "core/encoding/rope/rope_fields.h"
#include "core/encoding/rope/rope_formulas.h"
#include "core/encoding/snippet/python.h"

namespace vqscope {
namespace {

PairLayout layout_of(const ParameterValues& values) {
  return values.find("pair_layout") ? pair_layout_of(values.choice("pair_layout")) : PairLayout::half_split;
}

/// `ramp(fast, slow)`, 0 up to the pair that makes `fast` turns within the training length, 1 from
/// that of `slow` on.
void write_ramp(const RopeScaling& s, bool truncate, PythonText& python) {
  python.line("\n\ndef pair_of_turns(turns):");
  python.line(
      "    return rotary_dim * math.log(trained / (turns * 2 * math.pi)) / (2 * math.log(rope_theta))\n\n\n"
      "def ramp(fast, slow):");
  const bool by_turns = s.rope_type == "yarn" && s.yarn_ramp == YarnRamp::rotation_count;
  if (by_turns) {
    python.line(
        "    turns = trained * inv_freq / (2 * math.pi)\n"
        "    return 1 - ((turns - slow) / (fast - slow)).clip(0, 1)\n\n");
    return;
  }
  python.line(truncate ? "    low, high = math.floor(pair_of_turns(fast)), math.ceil(pair_of_turns(slow))"
                       : "    low, high = pair_of_turns(fast), pair_of_turns(slow)");
  python.line(
      "    low, high = max(low, 0), min(high, rotary_dim - 1)\n"
      "    if low == high:\n"
      "        high += 0.001\n"
      "    return ((i / 2 - low) / (high - low)).clip(0, 1)\n\n");
}

void write_by_parts(const RopeScaling& s, PythonText& python) {
  write_ramp(s, true, python);
  python.line(fmt::format("factor, ntk_factor, extrapolation_factor = {}, {}, {}", to_text(s.factor),
                          to_text(s.ntk_factor), to_text(s.extrapolation_factor)));
  python.line(
      "ntk = (rope_theta * factor ** (rotary_dim / (rotary_dim - 2))) ** (-i / rotary_dim)\n" +
      fmt::format("share = (1 - ramp({}, {})) * ntk_factor\n", to_text(s.beta_0), to_text(s.beta_1)) +
      "scaled = inv_freq / factor * (1 - share) + ntk * share\n" +
      fmt::format("share = (1 - ramp({}, {})) * extrapolation_factor\n", to_text(s.gamma_0), to_text(s.gamma_1)) +
      "inv_freq = scaled * (1 - share) + inv_freq * share");
}

void write_llama3(const RopeScaling& s, PythonText& python) {
  python.line(fmt::format("factor, low_freq_factor, high_freq_factor = {}, {}, {}", to_text(s.factor),
                          to_text(s.low_freq_factor), to_text(s.high_freq_factor)));
  if (s.low_freq_factor == s.high_freq_factor) {
    python.lines(
        "wavelength = 2 * math.pi / inv_freq\n"
        "inv_freq = «m».where(wavelength > trained / low_freq_factor, inv_freq / factor, inv_freq)\n");
    return;
  }
  python.line(
      "turns = trained * inv_freq / (2 * math.pi)\n"
      "kept = ((turns - low_freq_factor) / (high_freq_factor - low_freq_factor)).clip(0, 1)\n"
      "inv_freq = (1 - kept) * inv_freq / factor + kept * inv_freq");
}

void write_longrope(const RopeScaling& s, PythonText& python) {
  const bool is_long = s.seq_len > s.original_max_position_embeddings;
  const auto& list = is_long ? s.long_factor : s.short_factor;
  const std::string name = is_long ? "long_factor" : "short_factor";
  if (list.empty())
    python.line(fmt::format("inv_freq = inv_freq / {}", to_text(is_long ? s.factor : 1.0)));
  else
    python.lines(fmt::format("{} = «m».{}({})\ninv_freq = inv_freq / {}\n", name,
                             python.names().m == "np" ? "array" : "tensor", python_list(list), name));
}

/// inv_freq of the scaling.
void write_scaling(const RopeScaling& s, PythonText& python) {
  const std::string factor = to_text(s.factor);
  if (s.rope_type == "linear") python.line(fmt::format("inv_freq = inv_freq / {}  # position interpolation", factor));
  if (s.rope_type == "ntk")
    python.line(
        fmt::format("inv_freq = (rope_theta * {} ** (rotary_dim / (rotary_dim - 2))) ** (-i / rotary_dim)", factor));
  if (s.rope_type == "dynamic_linear")
    python.line(fmt::format("inv_freq = inv_freq / (max({}, trained) / trained)", s.seq_len));
  if (s.rope_type == "dynamic") {
    python.line(fmt::format("stretch = {} * max({}, trained) / trained - ({} - 1)", factor, s.seq_len, factor));
    python.line("inv_freq = (rope_theta * stretch ** (rotary_dim / (rotary_dim - 2))) ** (-i / rotary_dim)");
  }
  if (s.rope_type == "ntk_by_parts") write_by_parts(s, python);
  if (s.rope_type == "yarn") {
    write_ramp(s, s.truncate, python);
    python.line(fmt::format("interpolated = ramp({}, {})", to_text(s.beta_fast), to_text(s.beta_slow)));
    python.line(fmt::format("inv_freq = inv_freq / {} * interpolated + inv_freq * (1 - interpolated)", factor));
  }
  if (s.rope_type == "longrope") write_longrope(s, python);
  if (s.rope_type == "llama3") write_llama3(s, python);
}

/// `inv_freq` and `attention_factor`.
void write_frequencies(const RopeScaling& s, PythonText& python) {
  python.line(fmt::format("head_dim, rotary_dim, rope_theta = {}, {}, {}", s.head_dim, s.rotated(),
                          python_float(s.rope_theta)));
  if (s.rope_type != "default")
    python.line(
        fmt::format("trained = {}  # tokens; rope_type is {}", s.original_max_position_embeddings, s.rope_type));
  python.lines("i = «m».arange(0, rotary_dim, 2, dtype=«m».float64)\ninv_freq = rope_theta ** (-i / rotary_dim)\n");
  write_scaling(s, python);
  python.line(fmt::format("attention_factor = {}", to_text(rope_frequencies(s).attention_factor)));
}

/// `rotate(x)`, [..., q_length, head_dim] to the same.
void write_rotate(PairLayout layout, PythonText& python) {
  python.line("\n\ndef rotate(x, cos, sin):  # x: [..., tokens, head_dim]; queries and keys alike, values not at all");
  if (layout == PairLayout::head_split) {
    python.lines(
        "    pairs, half = rotary_dim // 2, head_dim // 2\n"
        "    a, b = x[..., :pairs], x[..., half:half + pairs]\n"
        "    turned = (a * cos - b * sin, x[..., pairs:half], b * cos + a * sin, x[..., half + pairs:])\n"
        "    return «cat»(turned, -1)\n\n\n");
    return;
  }
  if (layout == PairLayout::interleaved)
    python.lines(
        "    a, b = x[..., 0:rotary_dim:2], x[..., 1:rotary_dim:2]\n"
        "    turned = «m».stack((a * cos - b * sin, b * cos + a * sin), -1).reshape(*a.shape[:-1], rotary_dim)\n");
  else
    python.lines(
        "    a, b = x[..., :rotary_dim // 2], x[..., rotary_dim // 2:rotary_dim]\n"
        "    turned = «cat»((a * cos - b * sin, b * cos + a * sin), -1)\n");
  python.lines("    return «cat»((turned, x[..., rotary_dim:]), -1)\n\n\n");
}

void write_imports(PythonText& python) { python.line("import math\n"); }

/// cos or sin by dimension of the head: 1 and 0 where nothing is rotated.
void write_by_dimension(const std::string& name, PairLayout layout, PythonText& python) {
  const std::string_view still = name == "cos" ? "ones" : "zeros";
  if (layout == PairLayout::head_split) {
    python.lines(
        fmt::format("rest = «m».{}((q_length, (head_dim - rotary_dim) // 2))\n"
                    "result = «cat»(({}, rest, {}, rest), -1)\n",
                    still, name, name));
    return;
  }
  if (layout == PairLayout::interleaved)
    python.lines(fmt::format("result = «m».stack(({0}, {0}), -1).reshape(q_length, rotary_dim)\n", name));
  else
    python.lines(fmt::format("result = «cat»(({0}, {0}), -1)\n", name));
  python.lines(
      fmt::format("rest = «m».{}((q_length, head_dim - rotary_dim))\nresult = «cat»((result, rest), -1)\n", still));
}

/// The part that differs from the sum of cosines of distances.
void write_sum(const Method& method, const ParameterValues& values, PythonText& python) {
  std::string factor = "attention_factor ** 2 * ";
  std::string angle = "distance";
  std::string weight;
  if (method.id == "rope_with_bias") {
    const bool is_same = values.choice("content") == "same";
    python.line(fmt::format("a, b = {}, {}", to_text(values.real("q_bias")), to_text(values.real("k_bias"))));
    factor += is_same ? "(1 + a) * (1 + b) * " : "a * b * ";
  }
  if (method.id == "rerope_score") {
    const bool is_leaky = values.choice("rerope_type") == "leaky";
    python.line(fmt::format("window = {}", values.integer("window")));
    python.lines(is_leaky
                     ? fmt::format("far = window + (distance - window) / {}\n", to_text(values.real("leaky_factor")))
                     : "far = «m».full_like(distance, window)\n");
    python.lines("effective = «m».where(abs(distance) < window, distance, far)\n");
    angle = "effective";
  }
  if (method.id == "xpos_score") {
    python.line("zeta = (i + 0.4 * head_dim) / (1.4 * head_dim)");
    python.line("# a query at n is multiplied by zeta ** (n / scale_base), a key by zeta ** (-n / scale_base)");
    weight = fmt::format(" * zeta ** (distance[..., None] / {})", to_text(values.real("scale_base")));
  }
  python.lines(fmt::format("result = {}(«m».cos({}[..., None] * inv_freq){}).sum(-1)\n", factor, angle, weight));
  if (method.id == "xpos_score") python.line("result[distance < 0] = math.nan  # a causal mask hides these");
}

/// The rows of q or k before rotation.
std::string vectors_of(const std::string& kind, const std::string& length, Index dims) {
  if (kind == "ones") return fmt::format("«m».ones(({}, {}))", length, dims);
  if (kind == "same") return fmt::format("«normal»((1, {})) + «m».zeros(({}, 1))  # one vector", dims, length);
  return fmt::format("«normal»(({}, {}))  # yours", length, dims);
}

}  // namespace

void write_rope(const Method& method, const ParameterValues& values, PythonText& python) {
  write_imports(python);
  write_positions(values, python);
  write_frequencies(rope_scaling_from(values), python);
  python.lines(
      "angles = «m».outer(positions, inv_freq)\n"
      "cos, sin = attention_factor * «m».cos(angles), attention_factor * «m».sin(angles)\n");
  const PairLayout layout = layout_of(values);
  write_rotate(layout, python);
  python.lines("q = rotate(«normal»((1, 8, q_length, head_dim)), cos, sin)\n");
  const std::string name = method.id == "rope_cos" ? "cos" : "sin";
  if (method.id == "rope_phase")
    python.line("result = angles % (2 * math.pi)");
  else if (values.choice("columns") == "dimensions")
    write_by_dimension(name, layout, python);
  else
    python.line("result = " + name);
}

void write_rope_score(const Method& method, const ParameterValues& values, PythonText& python) {
  write_imports(python);
  write_distances(values, python);
  const bool has_scaling = find_spec(method.parameters, "rope_type") != nullptr;
  write_frequencies(has_scaling
                        ? rope_scaling_from(values)
                        : RopeScaling{.head_dim = values.integer("head_dim"), .rope_theta = values.real("rope_theta")},
                    python);
  write_sum(method, values, python);
}

void write_own_scores(const Method&, const ParameterValues& values, PythonText& python) {
  write_imports(python);
  write_distances(values, python);
  RopeScaling scaling = rope_scaling_from(values);
  const Index dims = scaling.head_dim;
  scaling.head_dim = even_size(dims);
  write_frequencies(scaling, python);
  for (const char* name : {"q", "k"})
    if (const auto& ids = values.integers(std::string(name) + "_position_ids"); !ids.empty()) {
      const std::vector<double> numbers(ids.begin(), ids.end());
      python.lines(fmt::format("{}_pos = «m».{}({}, dtype=«m».float64)\n", name,
                               python.names().m == "np" ? "array" : "tensor", python_list(numbers)));
    }
  write_rotate(layout_of(values), python);
  const std::string& kind = values.choice("vectors");
  for (const char* name : {"q", "k"}) {
    const std::string length = name == std::string("q") ? "q_length" : "kv_length";
    python.lines(fmt::format("{} = {}\n", name, vectors_of(kind, length, dims)));
    const auto& bias = values.reals(std::string(name) + "_bias_vector");
    if (!bias.empty())
      python.lines(fmt::format("{0} = {0} + «m».{1}({2})\n", name, python.names().m == "np" ? "array" : "tensor",
                               python_list(bias)));
    if (dims % 2 != 0)
      python.lines(fmt::format("{0} = «cat»(({0}, «m».zeros(({1}, 1))), -1)  # a dummy coordinate\n", name, length));
    python.lines(
        fmt::format("angles = «m».outer({0}_pos, inv_freq)\n"
                    "{0} = rotate({0}, attention_factor * «m».cos(angles), attention_factor * «m».sin(angles))\n",
                    name));
  }
  python.line("result = q @ k.T");
  if (values.boolean("divide_by_sqrt")) python.line(fmt::format("result = result / math.sqrt({})", dims));
}

void write_rope_2d(const Method& method, const ParameterValues& values, PythonText& python) {
  python.line(fmt::format("patch_rows, patch_cols, head_dim, rope_theta = {}, {}, {}, {}", values.integer("patch_rows"),
                          values.integer("patch_cols"), values.integer("head_dim"),
                          python_float(values.real("rope_theta"))));
  python.lines(
      "patch = «m».arange(patch_rows * patch_cols)\n"
      "row, col = patch // patch_cols, patch % patch_cols\n"
      "i = «m».arange(0, head_dim // 2, 2, dtype=«m».float64)\n"
      "inv_freq = rope_theta ** (-i / (head_dim // 2))\n");
  if (method.id == "rope_2d_phase")
    python.lines(
        "angles = «cat»((row[:, None] * inv_freq, col[:, None] * inv_freq), -1)  # half of the pairs for each axis\n"
        "result = angles % (2 * 3.141592653589793)\n");
  else
    python.lines(
        "down, across = row[:, None] - row[None, :], col[:, None] - col[None, :]\n"
        "result = «m».cos(down[..., None] * inv_freq).sum(-1) + «m».cos(across[..., None] * inv_freq).sum(-1)\n");
}

}  // namespace vqscope
