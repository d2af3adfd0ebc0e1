// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/store/capture_place.h"

#include "core/capture/store/dump/dump_files.h"
#include "core/capture/store/name_map.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_name.h"

#include <filesystem>
#include <system_error>

namespace vqscope {
namespace {

/// As train_model writes it.
constexpr std::string_view file_of_layers = ".capture.safetensors";
/// Names that are looked at before a folder counts as no capture.
constexpr int most_names = 10'000;

/// A file without names of its tensors, as .npy, is no layer.
std::optional<LayerFile> layer_of_name(const std::string& name) {
  const std::string suffix = file_suffix(name);
  if (!has_tensor_suffix(name) || suffix == "npy" || suffix == "csv" || suffix == "tsv") return std::nullopt;
  return layer_file_of(name.substr(0, name.size() - suffix.size() - 1));
}

bool is_dump_name(const std::string& name) {
  if (!has_tensor_suffix(name)) return false;
  const DumpFile file = dump_file_of(name);
  // SGLang has the tensors of all layers in one file a step.
  return foreign_tensor_of(file.name) || (file.step && !layer_file_of(file.name) && name.starts_with("Pass"));
}

bool is_there(const std::filesystem::path& path) {
  std::error_code failed;
  return std::filesystem::exists(path, failed);
}

/// Files of layers, or of a dump, up to `enough`.
int layers_within(const std::filesystem::path& folder, int enough) {
  std::error_code failed;
  int found = 0, seen = 0;
  for (std::filesystem::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
    const std::string name = at->path().filename().string();
    if (!name.starts_with('.') && (layer_of_name(name) || is_dump_name(name))) ++found;
    if (found == enough || ++seen == most_names) break;
  }
  return found;
}

bool is_capture_folder(const std::filesystem::path& folder, int layers) {
  if (is_there(folder / "capture.json") || is_there(folder / name_map_file)) return true;
  if (is_there(folder / "config.json")) return false;
  return layers_within(folder, layers) == layers || (layers == 1 && has_dump_folders(folder.string()));
}

}  // namespace

std::optional<CapturePlace> find_capture(const std::string& path) {
  std::error_code failed;
  const std::filesystem::path place(path);
  if (std::filesystem::is_directory(place, failed))
    return is_capture_folder(place, 1) ? std::optional(CapturePlace{.folder = path, .step = {}, .layer = {}})
                                       : std::nullopt;
  if (path.ends_with(file_of_layers) && is_there(place)) return CapturePlace{path, {}, {}};
  const auto layer = layer_of_name(place.filename().string());
  const std::filesystem::path folder = place.has_parent_path() ? place.parent_path() : std::filesystem::path(".");
  if (!layer || !is_there(place) || !is_capture_folder(folder, 2)) return std::nullopt;
  return CapturePlace{folder.string(), layer->step, layer->layer};
}

}  // namespace vqscope
