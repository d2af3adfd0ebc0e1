// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/attention/tensor_view.h"
#include "core/base/index.h"

#include <cstdint>
#include <span>
#include <stop_token>
#include <string_view>
#include <vector>

namespace vqscope {

/// A map φ from keys to the codewords of a codebook (Transformer-VQ, corollary 2.3).
enum class CodeChoice {
  nearest,         ///< VQ(k; C)
  second_nearest,  ///< the nearest but one; of one codeword that one
  random           ///< each codeword as likely as any other, whatever the key
};
inline constexpr CodeChoice code_choices[]{CodeChoice::nearest, CodeChoice::second_nearest, CodeChoice::random};

/// "nearest", "second_nearest", "random".
std::string_view name_of(CodeChoice choice);

/// The code that φ gives each key [keys, d_k]. `nearest` [keys] are those of VQ. Undefined after a
/// stop.
std::vector<std::int32_t> chosen_codes(CodeChoice choice, const StridedMatrix& keys, const StridedMatrix& codewords,
                                       std::span<const std::int32_t> nearest, std::uint64_t seed,
                                       const std::stop_token& stop = {});

/// The codewords of codes, [codes, d_k].
std::vector<float> codewords_of(std::span<const std::int32_t> codes, const StridedMatrix& codewords);

}  // namespace vqscope
