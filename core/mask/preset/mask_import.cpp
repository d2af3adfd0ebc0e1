// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/preset/mask_import.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/io/tensor/tensor_file.h"
#include "core/mask/import/mask_array.h"
#include "core/mask/import/stored_shape.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/free_name.h"

#include <algorithm>
#include <array>

namespace vqscope {
namespace {

constexpr std::size_t longest_text_file = std::size_t{1} << 20;

Result<MaskImport> import_text(const MaskInput& input) {
  const std::string name = shown_input(input.path);
  if (input.file->size() > longest_text_file)
    return Error{Errc::too_large, name + " has more than 1 MiB, the limit for the text of a mask", {}};
  std::string text(static_cast<std::size_t>(input.file->size()), '\0');
  if (auto read = input.file->read(0, text); !read) return within(name, read.error());
  if (constexpr std::string_view mark = "\xef\xbb\xbf"; text.starts_with(mark)) text.erase(0, mark.size());
  return MaskImport{std::move(text), "a mask written as code", {}};
}

/// "mask.npz:mask [3, 1, 8, 8] (one for all heads)": the name without its folders, the shape of the
/// whole tensor and its broadcast.
std::string source_of(const MaskInput& input, const ReadMask& imported) {
  constexpr std::size_t longest_source = 200;
  std::vector<Index> shape = imported.leading;
  const Extent extent = imported.mask->extent();
  shape.insert(shape.end(), {imported.stored_rows, extent.cols});
  const std::string broadcast = mask_broadcast_text(shape, extent.rows);
  const std::string tensor = tensor_path_text(input.name);
  const bool is_named = !input.name.name.empty();
  const std::string name = fmt::format("{}{}{}", shown_input(file_name(input.name.file)), is_named ? ":" : "", tensor);
  return fmt::format("{} {}{}", shortened(name, longest_source), mask_shape_text(shape),
                     broadcast.empty() ? "" : fmt::format(" ({})", broadcast));
}

MaskImport import_of(const ReadMask& imported, std::string source) {
  MaskFile file = mask_file(imported.reading, std::move(source));
  for (const Index size : imported.leading) file.masks *= size;
  const ImportedReading& reading = imported.reading;
  return {imported.mask, reading.why, reading.warnings, reading, imported.leading, std::move(file)};
}

}  // namespace

bool is_mask_file(const std::string& path) {
  using enum FileKind;
  if (const auto input = open_mask(path)) return input->known.kind != text || file_suffix(path) != "vqscope";
  return std::ranges::count(std::array{"py", "npy", "npz", "safetensors", "pt", "pth", "csv", "tsv", "txt", "png"},
                            file_suffix(path)) > 0;
}

Result<MaskImport> import_mask(const std::string& path, const ImportOptions& options) {
  const auto input = open_mask(path);
  return input ? import_mask(*input, options) : input.error();
}

Result<MaskImport> import_mask(const MaskInput& input, const ImportOptions& options) {
  if (input.known.kind == FileKind::text) return import_text(input);
  auto imported = read_mask_file(input, options);
  if (!imported) return imported.error();
  return import_of(*imported, source_of(input, *imported));
}

bool masks_nothing(const MaskImport& import) {
  if (import.is_text() || import.reading.kind != ImportedKind::bias) return false;
  const ImportedMask& mask = *std::get<1>(import.mask);
  const Extent extent = mask.extent();
  std::vector<Range> row;
  for (Index q = 0; q < extent.rows; ++q) {
    mask.row(q, row);
    if (row.size() != 1 || row.front() != Range{0, extent.cols}) return false;
  }
  return true;
}

Result<void> refuse_vectors(const std::string& path, const MaskImport& import, const ImportOptions& options) {
  if (import.is_text() || options.polarity || options.threshold) return {};
  const Extent extent = std::get<1>(import.mask)->extent();
  if (extent.rows == 1 || extent.rows == extent.cols || !masks_nothing(import)) return {};
  return invalid(
      "{} has {}, and none of them masks a cell; vectors q, k or v are for run vq_attention --array qkv=FILE; "
      "--polarity or --threshold reads a mask",
      shown_path(path), numbers_text(import));
}

std::string numbers_text(const MaskImport& import) {
  const Extent extent = std::get<1>(import.mask)->extent();
  std::string text;
  for (const Index size : import.leading) text += fmt::format("{} x ", size);
  return fmt::format("{}{} x {} numbers", text, extent.rows, extent.cols);
}

MaskImport read_import_as(const MaskImport& import, const ImportedReading& of_the_file, const std::string& evidence) {
  const ReadMask imported{std::get<1>(import.mask), import.reading, import.leading};
  return import_of(read_as(imported, of_the_file, evidence), import.file->source);
}

Result<ParameterValues> with_import(const ParameterValues& values, const MaskImport& import) {
  if (!import.is_text()) return with_imported_mask(values, *std::get<1>(import.mask), import.file);
  ParameterValues all = values;
  all.set("mask", std::string(text_mask_id));
  all.set("mask_text", std::get<0>(import.mask));
  return all;
}

Result<void> read_array_file(const ParameterSpec& spec, const std::string& path, ParameterValues& values) {
  const auto tensor = open_tensor(path, TensorUse::cells);
  if (!tensor) return tensor.error();
  const auto& shape = tensor->shape;
  const std::string_view free = free_name_of(spec.name);
  if (free.empty() ? shape.size() != 1 : shape.empty())
    return in_file(tensor->name.file,
                   invalid("the array has shape {}, a list has one dimension", tensor->header.shape_text()));
  const auto items_of = [&]<class T>(T) -> Result<void> {
    auto items = read_values<T>(*tensor, static_cast<std::uint64_t>(spec.most_items));
    if (!items) return items.error();
    values.set(spec.name, std::move(*items));
    return {};
  };
  if (!free.empty()) {
    const bool is_table = shape.size() > 1;
    if (is_table || values.find(array_shape_key(free)))
      values.set(array_shape_key(free), is_table ? shape : std::vector<Index>());
    const bool is_bool = tensor->header.dtype.kind == NpyKind::boolean;
    if (is_bool || values.find(array_truth_key(free))) values.set(array_truth_key(free), is_bool);
  }
  return spec.kind == ParameterKind::real_list ? items_of(double{}) : items_of(Index{});
}

}  // namespace vqscope
