// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/config/family/model_family_row.h"
#include "core/config/gguf/gguf_architecture.h"
#include "core/config/report/config_ledger.h"
#include "core/config/report/config_report.h"
#include "core/io/bytes/byte_source.h"
#include "core/io/gguf/gguf.h"

#include <algorithm>
#include <unordered_set>

namespace vqscope {

/// The values of a head as the object whose keys they are; arrays that are not kept are left out.
ConfigValue gguf_values(const GgufHead& head);

/// The keys attention.indexer.* of a file.
struct GgufIndexer {
  Index topk = 0;          ///< tokens, or blocks where local_blocks is given; 0: there is no indexer
  Index dim = 0;           ///< numbers of a key
  Index block = 0;         ///< tokens of a block, or of an entry of the indexer
  Index local_blocks = 0;  ///< the last blocks, which are always read
  Index dense = 0;         ///< layers at the beginning that read all keys
};

/// A model's sizes, from the values of a GGUF file and llama.cpp's defaults for them.
struct GgufModel {
  /// Mistakes become findings. All references must outlive the model.
  GgufModel(const ByteSource& file, const GgufHead& its_head, const ConfigObject& its_values);

  const ByteSource& source;
  const GgufHead& head;
  const ConfigObject& values;
  std::string name;  ///< general.architecture
  const GgufArchitecture& architecture;

  Index layers = 0;
  Index trained = 0;         ///< context_length
  std::vector<Index> heads;  ///< by layer, like the next one
  std::vector<Index> kv_heads;
  Index head_dim = 0;          ///< of full layers; 0: not known
  Index local_head_dim = 0;    ///< of layers with a window
  Index window = 0;            ///< keys; 0: no layer has a window
  std::vector<bool> windowed;  ///< by layer: a window or a chunk

  GgufIndexer indexer;
  Index state_numbers = 0;  ///< of a layer with a recurrent state: the state and the inputs of its convolution

  /// Tokens that share an entry of the layer's cache; 0: it is not compressed.
  Index ratio(std::size_t layer) const { return layer < m_ratios.size() ? m_ratios[layer] : 0; }
  /// Whether some layers compress their cache (DeepSeek V4).
  bool compresses() const {
    return std::ranges::any_of(m_ratios, [](Index each) { return each > 0; });
  }
  /// Whether an indexer selects what queries of the layer read.
  bool selects(std::size_t layer) const;

  bool has_tensor(std::string_view tensor) const { return m_tensors.contains(tensor); }
  /// "llama.rope.freq_base".
  std::string key(std::string_view rest) const { return name + "." + std::string(rest); }
  bool has(std::string_view rest) const { return values.has(key(rest)); }
  std::optional<double> number(std::string_view rest, NumberRange range) const {
    return values.number(key(rest), range);
  }
  std::optional<Index> integer(std::string_view rest, NumberRange range) const {
    return values.integer(key(rest), range);
  }

 private:
  std::vector<Index> by_layer(std::string_view rest, Index otherwise) const;
  Index divided_head(Index most) const;
  void read_sizes();
  void read_windows();
  void report_window(Index given) const;
  std::vector<bool> pattern() const;
  void read_ratios();
  void read_indexer();
  void read_state();

  std::unordered_set<std::string_view> m_tensors;  ///< names
  std::vector<Index> m_ratios;                     ///< by layer; empty: not given
};

/// Fills in schedule and layers of the report, whose kind and ropes are known; of two ropes the
/// second is that of layers with a window.
void report_gguf_layers(const GgufModel& model, ConfigReport& report);

/// Whether a layer attends, rather than having a state or neither.
bool gguf_layer_attends(const GgufModel& model, std::size_t layer);

/// Whether an attention layer rotates, in an architecture with RoPE.
bool gguf_layer_rotates(const GgufModel& model, std::size_t layer);

/// The RoPE of full layers, or of all; then that of layers with a window, if it differs. Nothing
/// after an error, which is a finding.
std::vector<RopeUse> read_gguf_ropes(const GgufModel& model);

/// Holds the file's values against the shapes of its tensors: layers, vocabulary, heads and norms.
void check_gguf_tensors(const GgufModel& model);

/// How llama.cpp reads a GGUF file, from its head and the small tensors with factors of RoPE.
/// Damage of the head is an error of one sentence; any other mistake is a finding.
/// `other_parts`: of a model in several files, those beside this one.
Result<ConfigReport> examine_gguf(const ByteSource& source, const std::vector<std::string>& other_parts = {});

}  // namespace vqscope
