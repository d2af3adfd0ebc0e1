// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/snippet/encoding_snippet.h"

#include "core/encoding/snippet/python.h"

#include <algorithm>

namespace vqscope {
namespace {

struct SnippetWriter {
  std::string_view method;
  void (*write)(const Method&, const ParameterValues&, PythonText&);
};

constexpr SnippetWriter writers[]{
    {"rope_phase", write_rope},
    {"rope_cos", write_rope},
    {"rope_sin", write_rope},
    {"rope_score_field", write_rope_score},
    {"rope_with_bias", write_rope_score},
    {"xpos_score", write_rope_score},
    {"rerope_score", write_rope_score},
    {"rope_own_scores", write_own_scores},
    {"rope_2d_phase", write_rope_2d},
    {"rope_2d_score", write_rope_2d},
    {"t5_bucket", write_t5},
    {"t5_bias", write_t5},
    {"fire", write_fire},
    {"sinusoidal", write_table},
    {"sinusoidal_similarity", write_table},
    {"sinusoidal_shift", write_table},
    {"learned_absolute", write_table},
    {"beta_ary", write_table},
    {"transformer_xl_score", write_learned_scores},
    {"randomized_positions", write_learned_scores},
};

/// Empty: there is none.
std::function<void(const ParameterValues&, PythonText&)> writer_of(const Method& method) {
  if (method.bias && method.bias->python)
    return [&method](const ParameterValues& values, PythonText& python) {
      write_distances(values, python);
      method.bias->python(values, python);
    };
  const auto writer = std::ranges::find(writers, method.id, &SnippetWriter::method);
  if (writer == std::end(writers)) return {};
  return
      [&method, writer](const ParameterValues& values, PythonText& python) { writer->write(method, values, python); };
}

}  // namespace

bool has_snippet(const Method& method) { return writer_of(method) != nullptr; }

Result<std::string> encoding_snippet(const Method& method, const ParameterValues& values, SnippetLibrary library) {
  const auto write = writer_of(method);
  if (!write) return invalid("there is no code to copy for {}, which is not a position encoding", method.id);
  if (auto checked = check_method_values(method, values); !checked) return checked.error();
  PythonText python(library);
  python.lines(fmt::format("# {}: {}\n", method.title, method.citation.paper));
  write(values, python);
  return python.text();
}

}  // namespace vqscope
