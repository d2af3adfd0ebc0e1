// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/import/mask_array.h"

#include "core/base/parallel.h"
#include "core/base/result.h"
#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/io/bytes/file_source.h"
#include "core/io/npy/npy_runs.h"
#include "core/io/png/png_image.h"
#include "core/io/tensor/csv_table.h"
#include "core/io/tensor/tensor_list.h"
#include "core/io/torch/torch_file.h"
#include "core/mask/import/json_cells.h"
#include "core/mask/language/parse/parse.h"

#include <algorithm>
#include <thread>
#include <utility>

namespace vqscope {
namespace {

/// Cells that a thread reads at once, and how many times it does before they are looked at.
constexpr Index piece_cells = Index{1} << 18;
constexpr Index pieces_of_a_thread = 4;

Result<Index> index_within(const char* name, Index given, Index size) {
  if (size == 1) return Index{0};
  if (given >= 0 && given < size) return given;
  return invalid("{} is {}, the imported mask has {}: allowed are 0 to {}", name, given, size, size - 1);
}

/// The indices of the dimensions before q and kv.
Result<std::vector<Index>> leading_of(const std::vector<Index>& shape, const ImportOptions& options) {
  const std::string shape_text = NpyHeader{.shape = shape}.shape_text();
  if (shape.size() < 2 || shape.size() > 4)
    return invalid("the array has shape {}, a mask is [q, kv], [batch or head, q, kv] or [batch, head, q, kv]",
                   shape_text);
  for (const Index size : shape)
    if (size == 0) return invalid("the array has shape {} and holds no cells", shape_text);
  std::vector<Index> leading;
  const Index batch = options.batch.value_or(0);
  const Index head = options.head.value_or(0);
  if (shape.size() == 3 && batch != 0 && head != 0)
    return invalid("the array has shape {}, choose either batch or head", shape_text);
  if (shape.size() == 2) return leading;
  const bool by_head = shape.size() == 3 && head != 0;
  const auto first = by_head ? index_within("head", head, shape[0]) : index_within("batch", batch, shape[0]);
  if (!first) return first.error();
  leading.push_back(*first);
  if (shape.size() == 3) return leading;
  const auto second = index_within("head", head, shape[1]);
  if (!second) return second.error();
  leading.push_back(*second);
  return leading;
}

ImportedCells cells_of(const NpyDtype& dtype) {
  if (dtype.kind == NpyKind::boolean) return ImportedCells::boolean;
  return dtype.is_real() ? ImportedCells::real : ImportedCells::whole;
}

std::span<const ValueRun> runs_of_row(std::span<const double> values, RunRows& runs) {
  runs.clear();
  append_runs(values, runs);
  return runs.row(0);
}

/// Rows that a thread reads at once.
struct RowPiece {
  Range rows;
  RunRows runs;
  std::vector<char> bytes;
  Result<void> done;
};

/// Reads pieces on several threads, and visits their rows in order.
template <class Visit>
Result<void> each_row(const ByteSource& source, const NpyHeader& header, const NpyPlane& plane, const Visit& visit) {
  const Index height = std::clamp<Index>(piece_cells / plane.cols, 1, plane.rows);
  const Index count = (plane.rows + height - 1) / height;
  const int threads = source.is_shareable() ? static_cast<int>(std::max(1U, std::thread::hardware_concurrency())) : 1;
  std::vector<RowPiece> pieces(static_cast<std::size_t>(std::min<Index>(count, pieces_of_a_thread * threads)));
  for (Index first = 0; first < count; first += std::ssize(pieces)) {
    const Index some = std::min<Index>(std::ssize(pieces), count - first);
    parallel_for(some, threads, [&](Index i) {
      RowPiece& piece = pieces[static_cast<std::size_t>(i)];
      piece.rows = {(first + i) * height, std::min(plane.rows, (first + i + 1) * height)};
      piece.runs.clear();
      piece.done = read_npy_runs(source, header, plane, piece.rows, piece.bytes, piece.runs);
    });
    for (const RowPiece& piece : std::span(pieces).first(static_cast<std::size_t>(some))) {
      if (!piece.done) return piece.done;
      for (Index row = piece.rows.begin; row < piece.rows.end; ++row)
        if (auto seen = visit(row, piece.runs.row(static_cast<std::size_t>(row - piece.rows.begin))); !seen)
          return seen;
    }
  }
  return {};
}

Result<ReadMask> read_array_mask(const ByteSource& source, const NpyHeader& header, const ImportOptions& options) {
  const auto& shape = header.shape;
  const auto leading = leading_of(shape, options);
  if (!leading) return leading.error();
  const NpyPlane plane = npy_plane(header, *leading);
  const auto each = [&](const auto& visit) { return each_row(source, header, plane, visit); };
  auto imported = read_mask_rows({cells_of(header.dtype), {plane.rows, plane.cols}, each}, options);
  if (imported) imported->leading.assign(shape.begin(), shape.end() - 2);
  return imported;
}

Result<ReadMask> read_stored_mask(const StoredTensor& tensor, const ImportOptions& options) {
  auto imported = read_array_mask(*tensor.bytes, tensor.header, options);
  if (imported || imported.error().code == Errc::cancelled) return imported;
  return within(shortened(tensor_name_text(tensor.name), 200), imported.error());
}

/// A text is held in memory, and so is a compressed image.
constexpr std::uint64_t largest_text = std::uint64_t{1} << 30;
constexpr std::uint64_t largest_png = std::uint64_t{1} << 28;

Result<std::string> all_of(const ByteSource& source, const char* what, std::uint64_t most) {
  if (source.size() > most)
    return Error{Errc::too_large, std::string("the ") + what + " has " +
                                      byte_count(static_cast<double>(source.size())) + ", more than the limit of " +
                                      byte_count(static_cast<double>(most)) + "; save it as .npy"};
  std::string bytes(static_cast<std::size_t>(source.size()), '\0');
  if (auto read = source.read(0, bytes); !read) return read.error();
  return bytes;
}

Result<ReadMask> read_csv(const ByteSource& source, const ImportOptions& options) {
  const auto text = all_of(source, "text", largest_text);
  return text ? read_csv_mask(*text, options) : text.error();
}

Result<ReadMask> read_image(const ByteSource& source, const ImportOptions& options) {
  const auto bytes = all_of(source, "image", largest_png);
  if (!bytes) return bytes.error();
  const auto image = read_png(*bytes);
  return image ? read_image_mask(image->pixels, image->extent, options) : image.error();
}

/// Whether a text under a name of tensors is a mask all the same: more than one word that can be read.
bool is_mask_text(const ByteSource& file) {
  std::string text(static_cast<std::size_t>(std::min<std::uint64_t>(file.size(), language::max_text + 1)), '\0');
  return file.read(0, text) && text.size() <= language::max_text && text.find_first_of("=<>(") != std::string::npos &&
         !language::parse(text).error;
}

Result<ReadMask> read_cells(const MaskInput& input, const ImportOptions& options) {
  return input.known.kind == FileKind::png ? read_image(*input.file, options) : read_csv(*input.file, options);
}

}  // namespace

Result<ReadMask> read_npy_mask(const ByteSource& source, const ImportOptions& options) {
  const auto header = read_npy_header(source);
  return header ? read_array_mask(source, *header, options) : header.error();
}

Result<ReadMask> read_tensor_mask(const std::shared_ptr<const ByteSource>& file, const TensorName& name,
                                  const ImportOptions& options) {
  const auto tensor = find_tensor(file, name, TensorUse::cells);
  return tensor ? read_stored_mask(*tensor, options) : tensor.error();
}

Result<ReadMask> read_csv_mask(std::string_view text, const ImportOptions& options) {
  const CsvTable csv(text);
  Extent extent{0, 0};
  auto counted = csv.each([&](Index row, std::span<const double> values) -> Result<void> {
    extent = {row + 1, static_cast<Index>(values.size())};
    return {};
  });
  if (!counted) return counted.error();
  const auto each = [&](const auto& visit) {
    RunRows runs;
    return csv.each([&](Index row, std::span<const double> values) { return visit(row, runs_of_row(values, runs)); });
  };
  return read_mask_rows({ImportedCells::text, extent, each}, options);
}

Result<ReadMask> read_image_mask(std::span<const std::uint8_t> grey, Extent extent, const ImportOptions& options) {
  assert(grey.size() == static_cast<std::size_t>(extent.rows * extent.cols));
  const auto each = [&](const auto& visit) -> Result<void> {
    std::vector<double> values(static_cast<std::size_t>(extent.cols));
    RunRows runs;
    for (Index row = 0; row < extent.rows; ++row) {
      const auto line = grey.subspan(static_cast<std::size_t>(row) * values.size(), values.size());
      std::ranges::copy(line, values.begin());
      if (auto seen = visit(row, runs_of_row(values, runs)); !seen) return seen;
    }
    return {};
  };
  return read_mask_rows({ImportedCells::grey, extent, each}, options);
}

Result<MaskInput> open_mask(const std::string& path) {
  const auto name = parse_tensor_name(path);
  if (!name && name.error().code != Errc::not_found) return name.error();
  MaskInput input{.path = path, .name = name ? *name : TensorName{.file = path, .name = {}, .leading = {}}};
  auto file = open_file(input.name.file);
  if (!file) return file.error();
  input.file = std::move(*file);
  auto known = file_kind(*input.file, input.name.file);
  if (!known) return in_file(input.name.file, known.error());
  input.known = std::move(*known);
  using enum FileKind;
  if (input.known.has_tensors()) return input;
  const auto refused = [&](const Error& error) { return in_file(input.name.file, error); };
  const FileKind kind = input.known.kind;
  if (kind == json) {
    auto cells = npy_of_json(*input.file, input.name.name);
    if (!cells) return refused(cells.error());
    if (*cells) {
      input.file = std::move(*cells);
      input.name.name.clear();
      input.known = {npy, "a mask in JSON"};
      return input;
    }
  }
  if (kind == text && has_tensor_suffix(input.name.file) && !is_mask_text(*input.file))
    return refused(unexpected_kind(input.known, "a NumPy, safetensors or torch file as its name says"));
  if (kind != png && kind != csv && kind != text)
    return refused(
        unexpected_kind(input.known, "a mask: a NumPy, safetensors or torch file, a CSV table, a PNG image or a text"));
  if (const std::string tensor = tensor_path_text(input.name); !tensor.empty())
    return refused(invalid("is {}, which has no names; leave out {}", input.known.what, shortened(tensor)));
  return input;
}

Result<void> find_cells(MaskInput& input) {
  if (!input.known.has_tensors()) return {};
  auto tensor = find_tensor(input.file, input.name, TensorUse::cells);
  if (!tensor) return tensor.error();
  input.tensor = std::make_shared<const StoredTensor>(std::move(*tensor));
  return {};
}

std::vector<ListedTensor> tensors_to_choose(const MaskInput& input) {
  if (!input.known.has_tensors() || !input.name.name.empty()) return {};
  const bool is_pickled = input.known.kind == FileKind::torch || input.known.kind == FileKind::pickle;
  if (is_pickled) {
    const auto opened = TorchFile::open(input.file, input.known.kind);
    if (!opened || opened->is_optimizer_state()) return {};
  }
  auto tensors = list_tensors(input.file, input.name.file, TensorUse::cells);
  return tensors && tensors->size() > 1 ? std::move(*tensors) : std::vector<ListedTensor>();
}

Result<ReadMask> read_mask_file(const MaskInput& input, const ImportOptions& options) {
  if (input.tensor) return read_stored_mask(*input.tensor, options);
  if (input.known.has_tensors()) return read_tensor_mask(input.file, input.name, options);
  auto imported = read_cells(input, options);
  if (imported || imported.error().code == Errc::cancelled) return imported;
  return within(shown_input(input.path), imported.error());
}

}  // namespace vqscope
