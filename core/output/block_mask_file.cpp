// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/output/block_mask_file.h"

#include "core/base/sentence.h"
#include "core/io/bytes/path_text.h"
#include "core/output/exporter.h"

namespace vqscope {
namespace {

constexpr double most_forced = 0x1p32 - 0x1p16;  // an archive's offsets have 32 bits

Result<void> check_size(const BlockMasks& masks, const BlockMaskOptions& options, const std::string& path) {
  const double bytes = block_tensors_bytes(masks, options.trim);
  const double most = options.force ? most_forced : most_export_bytes;
  if (bytes <= most) return {};
  return too_large("{} would have about {}, more than the limit of {}; use larger blocks{}{}", shown_path(path),
                   byte_count(bytes), byte_count(most), options.trim ? "" : " or trim=true",
                   !options.force && bytes <= most_forced ? "; --force writes it anyway" : "");
}

}  // namespace

Result<void> check_block_mask_files(const std::vector<std::string>& paths) {
  for (const auto& path : paths)
    if (const auto suffix = file_suffix(path); suffix != "npz" && suffix != "safetensors")
      return invalid("block_mask is written to .npz or .safetensors, {} was given", shown_path(path));
  return {};
}

Result<void> write_block_mask(const BlockMasks& masks, const BlockMaskOptions& options,
                              const std::vector<std::string>& paths, const std::stop_token& stop) {
  if (auto known = check_block_mask_files(paths); !known) return known;
  if (auto fits = check_size(masks, options, paths.front()); !fits) return fits;
  const auto files = open_whole_files(paths);
  if (!files) return files.error();
  const auto tensors = block_tensors(masks, options.trim, stop);
  for (std::size_t i = 0; i < paths.size(); ++i) {
    WholeFile& file = *(*files)[i];
    auto written =
        file_suffix(paths[i]) == "npz" ? write_npz(tensors, file) : write_streamed_safetensors(tensors, file);
    if (written) written = file.flush();
    if (!written) return written;
  }
  if (stop.stop_requested()) return cancelled();
  return commit(*files);
}

}  // namespace vqscope
