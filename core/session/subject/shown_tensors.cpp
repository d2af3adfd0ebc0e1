// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/session/subject/shown_tensors.h"

#include "core/base/sentence.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_file.h"
#include "core/method/qkv/head_layout.h"
#include "core/session/subject/subject_tensors.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace vqscope {
namespace {

/// The file without its folders.
std::string file_of(const std::string& tensor) {
  const auto name = parse_tensor_name(tensor);
  return shortened(shown_path(file_name(name ? name->file : tensor)), 40);
}

}  // namespace

ShownTensors shown_tensors(const Subject& subject) {
  ShownTensors shown;
  std::vector<std::string> files, lost;
  std::string shape;
  for (const auto& parameter : tensor_names()) {
    const auto* value = subject.values.find(parameter);
    const std::string tensor = value ? std::get<std::string>(*value) : std::string();
    if (tensor.empty()) continue;
    const auto stored = open_tensor(tensor);
    auto& named = stored ? files : lost;
    if (const std::string file = file_of(tensor); std::ranges::count(named, file) == 0) named.push_back(file);
    if (stored && shape.empty()) shape = shape_words(stored->shape);
    const std::string words =
        stored ? fmt::format("{} is {}", shortened(shown_path(tensor), 200), shape_words(stored->shape))
               : stored.error().message;
    shown.lines += fmt::format("{}{}: {}", shown.lines.empty() ? "" : "\n", parameter.front(), words);
  }
  if (are_rotated_tensors(subject))
    shown.lines += "\nq and k are what the kernel reads, after RoPE: no view rotates them once more";
  shown.is_lost = !lost.empty();
  if (shown.is_lost) shown.text = join(lost, ", ") + " cannot be read";
  if (shown.is_lost || files.empty()) return shown;
  shown.text = fmt::format("{} · {}", join(files, ", "), shape);
  // Tensors without heads set none.
  if (const auto* head = subject.values.find("head")) shown.text += " · head " + to_text(std::get<Index>(*head));
  return shown;
}

bool are_tensors_there(const Subject& subject) {
  return std::ranges::all_of(tensor_names(), [&](const std::string& parameter) {
    const auto* value = subject.values.find(parameter);
    const auto name = parse_tensor_name(value ? std::get<std::string>(*value) : std::string());
    std::error_code failed;
    return !name || name->file.empty() || std::filesystem::exists(name->file, failed);
  });
}

}  // namespace vqscope
