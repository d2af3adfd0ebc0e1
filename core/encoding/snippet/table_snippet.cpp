// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/snippet/python.h"

namespace vqscope {
namespace {

void write_sinusoid(const ParameterValues& values, PythonText& python) {
  write_positions(values, python);
  python.line(fmt::format("d_model, base = {}, {}", values.integer("d_model"), python_float(values.real("base"))));
  python.lines("angles = «m».outer(positions, base ** (-«m».arange(0, d_model, 2, dtype=«m».float64) / d_model))\n");
  python.lines(values.choice("layout") == "interleaved"
                   ? "result = «m».stack((«m».sin(angles), «m».cos(angles)), -1).reshape(q_length, d_model)\n"
                   : "result = «cat»((«m».sin(angles), «m».cos(angles)), -1)\n");
  python.line("# x = token_embeddings + result");
}

void write_similarity(const ParameterValues& values, PythonText& python) {
  write_distances(values, python);
  python.lines(fmt::format("inv_freq = 10000.0 ** (-«m».arange(0, {0}, 2, dtype=«m».float64) / {0})\n",
                           values.integer("d_model")));
  python.lines("result = «m».cos(distance[..., None] * inv_freq).sum(-1)\n");
}

void write_shift(const ParameterValues& values, PythonText& python) {
  python.line(fmt::format("d_model, base, shift = {}, {}, {}", values.integer("d_model"),
                          python_float(values.real("base")), values.integer("shift")));
  python.lines(
      "angles = shift * base ** (-«m».arange(0, d_model, 2, dtype=«m».float64) / d_model)\n"
      "result = «m».zeros((d_model, d_model))\n"
      "for pair, angle in enumerate(angles):\n");
  python.line(values.choice("layout") == "interleaved" ? "    a, b = 2 * pair, 2 * pair + 1"
                                                       : "    a, b = pair, pair + d_model // 2");
  python.lines(
      "    result[a, a] = result[b, b] = «m».cos(angle)\n"
      "    result[a, b], result[b, a] = «m».sin(angle), -«m».sin(angle)\n");
}

void write_learned(const ParameterValues& values, PythonText& python) {
  write_positions(values, python);
  python.lines(fmt::format("table = {} * «normal»(({}, {}))  # learned: the values before training\n",
                           to_text(values.real("std")), values.integer("max_position_embeddings"),
                           values.integer("d_model")));
  python.lines("result = table[positions«int»]\n# x = token_embeddings + result\n");
}

void write_digits(const ParameterValues& values, PythonText& python) {
  write_positions(values, python);
  const Index digits = values.integer("head_dim") / 2;
  const double given = values.real("beta");
  if (given != 0) {
    python.line(fmt::format("beta = {}", python_float(given)));
  } else {
    python.line(
        fmt::format("beta = {} ** (2 / {})", python_float(values.real("rope_theta")), values.integer("head_dim")));
    python.line("beta = round(beta) if abs(beta - round(beta)) < 1e-12 * beta else beta");
  }
  python.lines(fmt::format("power = beta ** «m».arange({}, dtype=«m».float64)\n", digits) +
               "whole = «m».round(power)  # 10000 ** 0.5 is 100, not 100.00000000000001\n"
               "power = «m».where(abs(power - whole) < 1e-12 * power, whole, power)\n"
               "result = «m».floor(positions[:, None] / power) % beta\n");
}

void write_transformer_xl(const ParameterValues& values, PythonText& python) {
  python.line(fmt::format("q_length, mem_len, d_head = {}, {}, {}", values.integer("q_length"),
                          values.integer("mem_len"), values.integer("d_head")));
  python.lines(
      "kv_length = mem_len + q_length\n"
      "q, k = «normal»((q_length, d_head)), «normal»((kv_length, d_head))  # yours\n"
      "u, v = «normal»((d_head,)), «normal»((d_head,))  # learned\n"
      "w = «normal»((d_head, d_head)) / d_head ** 0.5  # learned: projects the sinusoids\n"
      "steps = «m».arange(kv_length - 1, -1, -1.0)\n"
      "angles = «m».outer(steps, 10000.0 ** (-«m».arange(0, d_head, 2.0) / d_head))\n"
      "r = «cat»((«m».sin(angles), «m».cos(angles)), -1)\n"
      "content = (q + u) @ k.T\n"
      "place = (q + v) @ (r @ w).T  # by distance kv_length - 1 … 0\n"
      "row, col = «m».arange(q_length)[:, None], «m».arange(kv_length)[None, :]\n"
      "distance = row + mem_len - col\n"
      "place = place[row, (kv_length - 1 - distance).clip(0, kv_length - 1)]\n"
      "result = (content + place) / d_head ** 0.5\n"
      "result[distance < 0] = float(\"nan\")  # a causal mask hides these\n");
}

void write_randomized(const ParameterValues& values, PythonText& python) {
  python.line(fmt::format("q_length, noise_max_length = {}, {}", values.integer("q_length"),
                          values.integer("noise_max_length")));
  python.lines(python.names().m == "np"
                   ? "positions = np.sort(np.random.permutation(noise_max_length)[:q_length])  # for the whole batch\n"
                   : "positions = torch.sort(torch.randperm(noise_max_length)[:q_length])[0]  # for the whole batch\n");
  python.line("result = positions[:, None] - positions[None, :]  # distances for any relative encoding");
}

}  // namespace

void write_table(const Method& method, const ParameterValues& values, PythonText& python) {
  if (method.id == "sinusoidal") return write_sinusoid(values, python);
  if (method.id == "sinusoidal_similarity") return write_similarity(values, python);
  if (method.id == "sinusoidal_shift") return write_shift(values, python);
  if (method.id == "learned_absolute") return write_learned(values, python);
  write_digits(values, python);
}

void write_learned_scores(const Method& method, const ParameterValues& values, PythonText& python) {
  if (method.id == "transformer_xl_score") return write_transformer_xl(values, python);
  write_randomized(values, python);
}

}  // namespace vqscope
