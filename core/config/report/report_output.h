// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/config/report/config_report.h"
#include "core/io/json/json_value.h"

#include <algorithm>

namespace vqscope {

/// The items of one kind that are left to be given away, over all lists of it.
struct ListBudget {
  const char* what;
  std::size_t left;
  std::size_t cut = 0;
  std::size_t all = 0;

  /// Whether a list fits whole; otherwise all of it is cut.
  bool takes(std::size_t count);
  /// Keeps the first items that fit.
  template <class T>
  void shorten(std::vector<T>& items) {
    const std::size_t kept = std::min(items.size(), left);
    all += items.size();
    cut += items.size() - kept;
    left -= kept;
    items.resize(kept);
  }
  /// Adds "4 of 20 ropes are left out" if anything was cut.
  void append_to(std::vector<std::string>& sentences) const;
};

/// Cuts the lists of a report, whose lengths a file decides, so that as JSON they take at most
/// about a megabyte. Lists of published models stay whole. Returns a sentence for each kind of list
/// that was cut.
std::vector<std::string> shorten_lists(ConfigReport& report);

/// Description of layer `number`: "sliding, window 1024; RoPE of sliding_attention; 4 key-value
/// heads of 256".
std::string layer_text(const ConfigReport& report, std::size_t number);

/// A line for each kind of layer, with the numbers of its layers; empty if the layers are not
/// known.
std::string schedule_text(const ConfigReport& report);

/// The cache of the layers for the longest sequence, and which layers read a selection; empty if
/// unknown.
std::string cache_text(const ConfigReport& report);

/// {"ropes": […], "layers": […]}: a member for each field of LayerSchedule; null for what a layer
/// does not have.
JsonObject schedule_json(const LayerSchedule& schedule);

/// {"tokens", "bytes", "bytes_all_full", "layers_not_counted"} of the longest sequence with 16-bit
/// numbers, or null.
JsonValue cache_json(const ConfigReport& report);

/// {"chunk_size", "local_size", "original_max_position_embeddings"}, or null.
JsonValue dual_chunk_json(const std::optional<DualChunk>& chunks);

}  // namespace vqscope
