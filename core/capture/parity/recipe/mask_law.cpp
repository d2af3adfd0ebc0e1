// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/capture/parity/recipe/mask_law.h"

namespace vqscope {

TensorBlock mask_of(const MaskLaw& law, const LayerSample& sample) {
  TensorBlock mask({std::ssize(sample.samples), 1, std::ssize(sample.rows), sample.keys});
  for (std::size_t entry = 0; entry < sample.samples.size(); ++entry)
    for (std::size_t i = 0; i < sample.rows.size(); ++i) {
      const Index own = sample.rows[i] + sample.past;
      const Index last = law.bottom_right ? own : sample.rows[i];
      const auto row = mask.row(static_cast<Index>(entry), 0, static_cast<Index>(i));
      for (Index key = 0; key < sample.keys; ++key) {
        const auto k = static_cast<std::size_t>(key);
        bool sees = !law.causal || key <= last;
        sees = sees && (law.window == 0 || key > last - law.window);
        sees = sees && (law.chunk == 0 || key / law.chunk == last / law.chunk);
        if (law.documents && !sample.documents.empty())
          sees = sees && sample.documents[entry][k] == sample.documents[entry][static_cast<std::size_t>(own)];
        if (law.padding && !sample.padded.empty())
          sees = sees && !sample.padded[entry][k] && !sample.padded[entry][static_cast<std::size_t>(own)];
        row[k] = sees != law.inverted ? 1.0F : 0.0F;
      }
    }
  return mask;
}

}  // namespace vqscope
