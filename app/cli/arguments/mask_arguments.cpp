// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/mask_arguments.h"

#include "app/process/console.h"
#include "core/base/sentence.h"
#include "core/base/text.h"
#include "core/io/bytes/file_source.h"
#include "core/io/bytes/path_text.h"
#include "core/mask/language/code/true_line.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"

#include <algorithm>

namespace vqscope {
namespace {

/// The given q_length, for an imported mask whose single row applies to all queries.
Index givenLength(const std::vector<Setting>& settings) {
  Index length = 0;
  for (const auto& setting : settings)
    if (setting.name == "q_length") length = std::max<Index>(0, parse_count(setting.value).value_or(0));
  return length;
}

/// Reads a mask file and prints to stderr how its cells were read.
Result<MaskImport> readMask(const MethodArguments& arguments, const std::string& path, const Method& method) {
  if (!find_spec(method.parameters, "mask_text"))
    return invalid("--mask is for masks, " + method.id + " is not a mask");
  auto import = import_mask(path, importOptionsOf(arguments));
  if (!import || import->is_text()) return import;
  if (auto checked = refuse_vectors(path, *import, arguments.imported); !checked) return checked.error();
  noteOfInput(shown_path(path) + ": " + import->sentence);
  for (const auto& warning : import->warnings) warnOfInput(warning);
  return import;
}

/// A line of the text states that True is masked, so that sessions and the editor keep it.
void readTrueAsMasked(MaskImport& import) {
  std::string& text = std::get<0>(import.mask);
  if (!language::is_true_masked(text)) text += fmt::format("\n{}\n", language::true_is_masked_line);
}

}  // namespace

Error errorOfText(const Error& error, const std::optional<std::string>& file) {
  return file ? text_error_in(shortened(shown_input(*file)), error) : error;
}

ImportOptions importOptionsOf(const MethodArguments& arguments) {
  ImportOptions options = arguments.imported;
  options.q_length = givenLength(arguments.settings);
  return options;
}

bool hasImportOptions(const ImportOptions& options) {
  return options.polarity || options.threshold || options.batch || options.head;
}

Result<std::array<Import, 2>> readMasks(const MethodArguments& arguments, const std::optional<std::string>& minusMask,
                                        const Method& method) {
  std::array<Import, 2> all;
  bool cells = false;
  for (std::size_t i = 0; i < 2; ++i) {
    const auto& path = i == 0 ? arguments.mask : minusMask;
    if (!path) continue;
    if (i == 0 && arguments.opened) {
      all[i] = *arguments.opened;
      cells = cells || !all[i]->is_text();
      continue;
    }
    auto import = readMask(arguments, *path, method);
    if (!import) return import.error();
    cells = cells || !import->is_text();
    all[i] = std::move(*import);
  }
  if (hasImportOptions(arguments.imported) && !cells) {
    const bool isText = all[0] || all[1];
    const bool isAboutCells = arguments.imported.threshold || arguments.imported.batch || arguments.imported.head;
    if (!isText) return invalid("--polarity, --threshold, --batch and --head need --mask FILE, which is missing");
    if (isAboutCells) return invalid("--threshold, --batch and --head are for cells, the mask is a text");
    if (arguments.imported.polarity == ImportedPolarity::masked_true)
      for (Import& import : all)
        if (import) readTrueAsMasked(*import);
  }
  return all;
}

Result<void> applyImport(const Import& import, ParameterValues& values) {
  if (!import) return {};
  auto applied = with_import(values, *import);
  if (!applied) return applied.error();
  values = std::move(*applied);
  return {};
}

void applyShape(const Import& import, ParameterValues& values) {
  if (import && !import->is_text()) values = with_sequence(values, std::get<1>(import->mask)->extent());
}

}  // namespace vqscope
