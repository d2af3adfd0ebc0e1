// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/gguf/gguf_architecture.h"
#include "core/config/report/config_ledger.h"
#include "core/io/gguf/gguf.h"

namespace vqscope {

/// The values of a head as the object whose keys they are; arrays that are not kept are left out.
ConfigValue gguf_values(const GgufHead& head);

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

  /// DeepSeek V4: tokens that share an entry of a layer's cache, 0 for a window alone; empty: not given.
  std::vector<double> compress_ratios() const;

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
  void read_sizes();
  void read_windows();
  void tell_window(Index given) const;
  std::vector<bool> pattern() const;
};

}  // namespace vqscope
