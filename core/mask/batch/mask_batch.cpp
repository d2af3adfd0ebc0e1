// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/batch/mask_batch.h"

#include "core/base/sentence.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/mask/import/stored_shape.h"

#include <algorithm>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

namespace vqscope {
namespace {

/// Read in about half a minute.
constexpr double most_cells = 4294967296.0;  // 2^32

/// Of [B, q, k]: broadcasting aligns shapes at their last dimension, so that B would meet the heads.
constexpr const char* no_dimension_of_heads = "for scores [B, H, q, k] after unsqueeze(1)";

using Masks = std::vector<std::shared_ptr<const MaskImport>>;

/// Which masks of a file with these leading dimensions the options leave: B, H, and how many of
/// each.
MaskBatch batch_of(const std::vector<Index>& leading, const ImportOptions& options) {
  MaskBatch batch;
  const bool by_head = leading.size() == 1 && options.head && !options.batch;
  if (!leading.empty()) (by_head ? batch.heads : batch.samples) = leading[0];
  if (leading.size() > 1) batch.heads = leading[1];
  batch.samples_checked = options.batch ? 1 : batch.samples;
  batch.heads_checked = options.head ? 1 : batch.heads;
  return batch;
}

const ImportedMask& cells_of_import(const MaskImport& import) { return *std::get<1>(import.mask); }

bool are_equal(const MaskImport& a, const MaskImport& b) {
  return cells_of_import(a) == cells_of_import(b) && a.warnings == b.warnings && a.sentence == b.sentence;
}

/// Adds a mask; one that is equal to a former one shares its object.
void append_mask(MaskImport import, Masks& masks, Masks& known) {
  const auto equal = std::ranges::find_if(known, [&](const auto& other) { return are_equal(*other, import); });
  masks.push_back(equal != known.end() ? *equal
                                       : known.emplace_back(std::make_shared<const MaskImport>(std::move(import))));
}

Result<Masks> read_all_masks(const MaskInput& input, ImportOptions options, const MaskBatch& batch) {
  const bool all_samples = batch.samples_checked > 1;
  const bool all_heads = batch.heads_checked > 1;
  Masks masks;
  Masks known;
  for (Index i = 0; i < batch.samples_checked * batch.heads_checked; ++i) {
    if (all_samples) options.batch = i / batch.heads_checked;
    if (all_heads) options.head = i % batch.heads_checked;
    auto import = import_mask(input, options);
    if (!import) return import.error();
    const std::uint64_t intervals = cells_of_import(*import).runs().size();
    const std::size_t before = known.size();
    append_mask(std::move(*import), masks, known);
    if (known.size() > before) options.most_intervals -= std::min(options.most_intervals, intervals);
  }
  return masks;
}

/// A reading with the polarity that more masks show by their cells, and how many show it for the
/// same reason; nullptr if none does.
std::pair<const ImportedReading*, std::ptrdiff_t> voted_reading(const Masks& masks) {
  const auto guesses = [&](ImportedPolarity polarity) {
    return [polarity](const auto& mask) {
      return mask->reading.decided == PolaritySource::guessed && mask->reading.polarity == polarity;
    };
  };
  using enum ImportedPolarity;
  const auto visible = std::ranges::count_if(masks, guesses(visible_true));
  const auto masked = std::ranges::count_if(masks, guesses(masked_true));
  const auto first = std::ranges::find_if(masks, guesses(masked > visible ? masked_true : visible_true));
  if (first == masks.end()) return {nullptr, 0};
  const ImportedReading& voted = (*first)->reading;
  return {&voted, std::ranges::count_if(masks, [&](const auto& mask) { return mask->reading.why == voted.why; })};
}

/// Masks that are not read alike, read as most of those that show their polarity.
Masks read_alike(const Masks& masks) {
  const auto [voted, votes] = voted_reading(masks);
  if (!voted) return masks;
  const auto is_read = [voted = voted](const auto& mask) { return mask->reading.why == voted->why; };
  if (std::ranges::all_of(masks, is_read)) return masks;
  const std::string evidence = fmt::format("in {} of {} masks {}", votes, masks.size(), voted->evidence);
  Masks alike;
  Masks known;
  for (const auto& mask : masks) append_mask(read_import_as(*mask, *voted, evidence), alike, known);
  return alike;
}

/// The cells that are 1 in the file.
std::shared_ptr<const ImportedMask> on_cells(const MaskImport& import) {
  const auto& mask = std::get<1>(import.mask);
  const bool inverted = import.reading.polarity == ImportedPolarity::masked_true;
  return inverted ? mask->inverted() : mask;
}

bool has_truth_values(const ImportedReading& reading) {
  using enum ImportedKind;
  return reading.kind == boolean || reading.kind == zero_one || reading.kind == zero_one_float;
}

/// The padding of an attention mask [B, T]; empty: it is a mask.
std::vector<SamplePadding> padding_of_samples(const MaskImport& import, const ImportOptions& options) {
  if (!import.leading.empty() || !has_truth_values(import.reading)) return {};
  const Extent extent = cells_of_import(import).extent();
  if (extent.rows == options.q_length) return {};
  const auto on = on_cells(import);
  if (!is_attention_mask(*on)) return {};
  // 1 is a real token unless the user says otherwise.
  return sample_padding(options.polarity == ImportedPolarity::masked_true ? *on->inverted() : *on);
}

/// The padding of a mask [B, 1, 1, T] or [B, 1, T], whose one row is that of all queries; empty: the row is that
/// of one query. `inverted`: of the cells that are masked.
std::vector<SamplePadding> padding_of_rows(const MaskBatch& batch, bool inverted) {
  std::vector<SamplePadding> all;
  bool pads = false;
  for (const auto& mask : batch.masks) {
    const auto other = inverted ? cells_of_import(*mask).inverted() : nullptr;
    const ImportedMask& row = other ? *other : cells_of_import(*mask);
    if (row.extent().rows != 1 || row.runs().intervals_of(0).size() != 1) return {};
    const auto padding = sample_padding(row).front();
    const KeyInterval real = row.runs().intervals_of(0).front();
    if (real.begin != 0 && real.end != row.extent().cols) return {};
    pads = pads || padding.padding > 0;
    all.push_back(padding);
  }
  return pads ? all : std::vector<SamplePadding>();
}

Result<MaskBatch> read_planes(const MaskInput& input, const ImportOptions& options, MaskImport first) {
  MaskBatch batch = batch_of(first.leading, options);
  batch.shape = first.leading;
  const Extent extent = cells_of_import(first).extent();
  batch.shape.insert(batch.shape.end(), {extent.rows, extent.cols});
  if (batch.samples_checked * batch.heads_checked == 1) {
    batch.masks = {std::make_shared<const MaskImport>(std::move(first))};
  } else {
    auto masks = read_all_masks(input, options, batch);
    if (!masks) return masks.error();
    batch.masks = read_alike(*masks);
  }
  return batch;
}

/// A leading dimension of 1 serves every index.
Result<void> check_indices(const std::vector<Index>& shape, const ImportOptions& options) {
  if (shape.size() < 3 || shape.size() > 4) return {};
  const MaskBatch batch = batch_of({shape.begin(), shape.end() - 2}, options);
  if (batch.samples > 1)
    if (auto fits = check_index("--batch", options.batch, batch.samples, "sample"); !fits) return fits;
  return batch.heads == 1 ? Result<void>() : check_index("--head", options.head, batch.heads, "head");
}

/// Refuses masks that take minutes to read, before any is read.
Result<void> check_cells(const std::vector<Index>& shape, const ImportOptions& options, const std::string& path) {
  if (shape.size() < 3 || shape.size() > 4) return {};
  const MaskBatch batch = batch_of({shape.begin(), shape.end() - 2}, options);
  double cells = static_cast<double>(batch.samples_checked) * static_cast<double>(batch.heads_checked);
  for (const Index side : {shape[shape.size() - 2], shape.back()}) cells *= static_cast<double>(side);
  if (cells <= most_cells) return {};
  return too_large(
      "{} has the shape {}: {} masks of {} x {} are more than are read at once; choose a slice with "
      "--batch N{}, or name it: {}[0]",
      shown_input(path), NpyHeader{.shape = shape}.shape_text(), batch.samples_checked * batch.heads_checked,
      shape[shape.size() - 2], shape.back(), shape.size() == 4 ? ", --head N or both" : "",
      shown_input(path) + (path.find(':') == std::string::npos ? ":" : ""));
}

}  // namespace

Result<void> check_index(const char* option, const std::optional<Index>& index, Index count, const char* what) {
  if (!index || *index < count) return {};
  if (count == 1) return invalid("{} is {} but must be 0: there is one {}", option, *index, what);
  return invalid("{} is {} but must be 0 to {}: there are {} {}s", option, *index, count - 1, count, what);
}

std::size_t MaskBatch::different() const { return std::set(masks.begin(), masks.end()).size(); }

bool MaskBatch::serves_all_queries() const {
  if (shape.size() < 3 || masks.empty()) return false;
  return shape[shape.size() - 2] == 1 && cells_of_import(*masks.front()).extent().rows > 1;
}

std::string MaskBatch::broadcast() const {
  if (shape.size() < 3) return {};  // also of a text, which has no cells
  return mask_broadcast_text(shape, masks.empty() ? 1 : cells_of_import(*masks.front()).extent().rows);
}

Result<MaskBatch> read_mask_batch(const std::string& path, const ImportOptions& options) {
  auto opened = open_mask(path);
  if (!opened) return opened.error();
  MaskInput input = std::move(*opened);
  if (auto found = find_cells(input); !found) return found.error();
  if (input.tensor) {
    if (auto fits = check_indices(input.tensor->shape, options); !fits) return fits.error();
    if (auto fits = check_cells(input.tensor->shape, options, path); !fits) return fits.error();
  }
  auto first = import_mask(input, options);
  if (!first) return first.error();
  if (auto checked = refuse_vectors(path, *first, options); !checked) return checked.error();
  if (first->is_text()) return MaskBatch{.masks = {std::make_shared<const MaskImport>(std::move(*first))}};
  if (auto padding = padding_of_samples(*first, options); !padding.empty()) {
    const Extent extent = cells_of_import(*first).extent();
    return MaskBatch{.shape = {extent.rows, extent.cols},
                     .samples = extent.rows,
                     .samples_checked = options.batch ? 1 : extent.rows,
                     .padding = std::move(padding),
                     .zero_is_real = options.polarity == ImportedPolarity::masked_true};
  }
  auto batch = read_planes(input, options, std::move(*first));
  const auto has_one_row = [](const MaskBatch& read) {
    const std::size_t rank = read.shape.size();
    return rank >= 3 && read.shape[rank - 2] == 1 && (rank == 4 || read.heads == 1);
  };
  if (!batch || !has_one_row(*batch) || options.q_length > 0) return batch;
  auto padding = padding_of_rows(*batch, false);
  const bool is_inverted = padding.empty() && !options.polarity;
  if (is_inverted) padding = padding_of_rows(*batch, true);
  if (padding.empty() || batch->heads_checked > 1) return batch;
  ImportOptions of_all = options;
  of_all.q_length = batch->shape.back();
  auto again = import_mask(input, of_all);
  if (!again) return again.error();
  auto served = read_planes(input, of_all, std::move(*again));
  if (!served) return served;
  // Rows that are padding if True is masked: the masks of all queries must show that it is.
  const auto shown = served->masks.front()->reading.polarity;
  if (is_inverted && shown == batch->masks.front()->reading.polarity) return batch;
  served->shape = batch->shape;
  if (batch->samples_checked == batch->samples) served->padding = std::move(padding);
  return served;
}

bool reads_as_attention_mask(const MaskImport& import) {
  return !import.is_text() && !padding_of_samples(import, {}).empty();
}

std::string attention_mask_sentence(const std::string& path, const MaskBatch& batch) {
  return fmt::format("{} [{}, {}] is read as the attention_mask of {} sample{} of {} tokens, {} for a real token",
                     shown_input(path), batch.shape[0], batch.shape[1], batch.samples, batch.samples == 1 ? "" : "s",
                     batch.shape[1], batch.zero_is_real ? 0 : 1);
}

std::string mask_batch_sentence(const std::string& path, const MaskBatch& batch) {
  const std::string shown = shown_input(path);
  if (batch.is_attention_mask())
    return fmt::format("{}; give --set q_length={} to read it as a mask of so many queries",
                       attention_mask_sentence(path, batch), batch.shape[0]);
  std::vector<std::string> parts;
  if (batch.samples > 1) parts.push_back(fmt::format("{} samples", batch.samples));
  if (batch.heads > 1) parts.push_back(fmt::format("{} heads", batch.heads));
  if (batch.masks.size() > 1) parts.push_back(fmt::format("{} different masks", batch.different()));
  if (const auto broadcast = batch.broadcast(); !broadcast.empty()) parts.push_back(broadcast);
  if (batch.shape.size() == 3 && batch.samples > 1) parts.emplace_back(no_dimension_of_heads);
  const std::string all = join(parts, ", ") + (batch.masks.size() > 1 ? "; the first" : "");
  const std::string shape = batch.shape.size() < 3 ? "" : " " + mask_shape_text(batch.shape);
  return shown + shape + ": " + all + (all.empty() ? "" : ": ") + batch.masks.front()->sentence;
}

std::vector<std::string> mask_batch_warnings(const MaskBatch& batch) {
  std::vector<std::string> all;
  for (const auto& mask : batch.masks)
    for (const auto& warning : mask->warnings)
      if (std::ranges::count(all, warning) == 0) all.push_back(warning);
  return all;
}

}  // namespace vqscope
