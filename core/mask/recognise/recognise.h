// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/index.h"
#include "core/base/result.h"
#include "core/mask/mask_difference.h"
#include "core/mask/recognise/recognised_preset.h"
#include "core/method/parameter.h"

#include <memory>
#include <stop_token>

namespace vqscope {

class Mask;
struct Recognition;

/// The result of recognise() for a mask, computed on first use and kept. Shared by copies;
/// thread-safe.
class KeptRecognition {
 public:
  KeptRecognition();

  /// Null where nothing is found within `most_steps`, or after a stop. A mask other than the last
  /// one is recognised anew, and so is one whose search ended early, once there are more steps for
  /// it.
  std::shared_ptr<const Recognition> of(const std::shared_ptr<const Mask>& mask, Index most_steps,
                                        const std::stop_token& stop = {}) const;

 private:
  struct State;
  std::shared_ptr<State> m_state;
};

/// Neighbouring cells of a row that a description gets wrong.
struct MaskException {
  Index q = 0;
  Range keys;
  bool sees_nothing = false;  ///< the whole row is masked: `keys` are those that the description shows
};

/// The shortest description of a mask that was found. `recognise` prints it, the window shows it,
/// and backends and the linter's guesses of objectives use it.
struct Recognition {
  bool fits = false;          ///< few enough cells are exceptions
  bool inverted = false;      ///< the description is that of the masked cells
  bool searched_all = false;  ///< no shape, pattern or preset was left out because the steps were over
  /// The whole description of a conjunction; beside another pattern the lengths, documents, padding
  /// and blind queries.
  MaskShape shape;
  MaskPattern pattern;
  std::uint64_t exception_count = 0;          ///< cells that the description gets wrong, exactly
  std::vector<MaskCell> exceptions;           ///< the first of them, row by row
  std::vector<MaskException> exception_runs;  ///< the same cells and more of them, by runs
  bool has_all_runs = true;                   ///< exception_runs are all exceptions
  std::vector<std::string> terms;             ///< of the pattern, then of the shape
  /// "causal ∧ documents [4, 2, 4] ∧ window 128, except 3 cells"
  std::string sentence;
  /// A FlexAttention body, when it fits; of an inverted mask that of its inverse.
  std::string text;
  std::vector<NamedArray> arrays;
  /// The presets that make the same cells, the likeliest first.
  std::vector<RecognisedPreset> presets;

  bool is_exact() const { return fits && !inverted && exception_count == 0; }
};

struct RecogniseOptions {
  std::uint64_t most_exceptions = 64;  ///< more than these, or than one cell in fifty, and nothing fits
  std::size_t listed_exceptions = 32;
  Index most_steps = most_steps_of_an_answer;  ///< of reading, of searching, and of comparing
  std::optional<Extent> corner;                ///< of the first queries and keys alone
  std::stop_token stop;
};

/// Offsets, borders and lengths are voted for by all rows, so a few wrong cells do not sway them;
/// combinations are then improved one condition at a time, compared interval by interval, and the
/// one with the least numbers and exceptions wins. Where that is no exact conjunction, patterns are
/// proposed from the rows and compared in the same way. Errc::cancelled once a stop is requested,
/// Errc::too_large where the rows are too many to look at.
Result<Recognition> recognise(const Mask& mask, const RecogniseOptions& options = {});

/// For a mask that fits: a text with the recognised cells, also if the shape is of the masked
/// cells.
std::string mask_text_of(const Recognition& found);

/// `visibility`'s values with that text as the mask and the arrays that it looks into, over a
/// sequence of the mask's lengths. The exceptions are not in it.
ParameterValues recognised_as_text(const ParameterValues& values, const Recognition& found);

}  // namespace vqscope
