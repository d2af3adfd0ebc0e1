// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"

#include "app/cli/arguments/export_request.h"
#include "app/cli/arguments/mask_arguments.h"
#include "app/cli/arguments/samples.h"
#include "app/cli/output/row_output.h"
#include "app/process/console.h"
#include "core/io/bytes/path_text.h"

#include <algorithm>

namespace vqscope {
namespace {

constexpr Index mostKeys = 100'000;

struct RowArguments : MethodArguments {
  std::optional<Index> row;
  std::optional<PartialRange> keys;
  AdditiveFormat format;
  bool filled = false;  ///< whether --fill was given
  bool json = false;
};

Result<void> readRow(RowArguments& arguments, const std::string& given) {
  if (arguments.row)
    return invalid("row expects one row, " + to_text(*arguments.row) + " and " + shortened(given) + " were given");
  arguments.row = parse_index(given);
  return arguments.row ? Result<void>() : refusedOption("the row", given, "a whole number");
}

Result<void> readType(RowArguments& arguments, const std::string& given) {
  const auto names = float_type_names();
  const auto found = std::ranges::find(names, given);
  if (found == names.end()) return refusedOption("--dtype", given, "one of " + join(names, ", "));
  arguments.format.type = static_cast<FloatType>(found - names.begin());
  return {};
}

Result<void> readFill(RowArguments& arguments, const std::string& given) {
  if (given != "min" && given != "inf") return refusedOption("--fill", given, "min or inf");
  arguments.filled = true;
  arguments.format.masked = given == "inf" ? MaskedValue::minus_infinity : MaskedValue::most_negative;
  return {};
}

OptionTable<RowArguments> rowOptions() {
  auto table = methodOptions<RowArguments>();
  table.push_back(
      rangeOption("--keys", &RowArguments::keys,
                  "list the keys A to B - 1; if not given, those around the first, the last and the query's own"));
  table.push_back(tokensOption<RowArguments>(", in a column of their own"));
  table.push_back({{"--dtype", "TYPE", "dtype of the additive mask: float32, float16 or bfloat16", false,
                    "float32 float16 bfloat16"},
                   readType});
  table.push_back(
      {{"--fill", "HOW", "additive value of masked keys: min, the dtype's most negative number, or inf, for -inf",
        false, "min inf"},
       readFill});
  table.push_back(jsonOption<RowArguments>("print JSON; ranges of keys are [begin, end)"));
  return table;
}

Result<RowArguments> parseRowArguments(const std::vector<std::string>& arguments) {
  RowArguments parsed;
  parsed.method = "visibility";
  if (auto read = readArguments<RowArguments>(parsed, arguments, rowOptions(), readRow); !read) return read.error();
  if (!parsed.help && !parsed.row) return invalid("row needs the number of a row: vqscope row 12");
  return parsed;
}

Result<std::vector<Range>> listedKeys(const RowArguments& arguments, const Mask& mask, const RowReport& row) {
  if (!arguments.keys) return keysOfInterest(mask, row);
  const Range keys{arguments.keys->begin.value_or(0), arguments.keys->end.value_or(row.keys)};
  const std::string given = "--keys is " + to_text(keys.begin) + ":" + to_text(keys.end);
  if (keys.begin < 0 || keys.end > row.keys || keys.begin >= keys.end)
    return invalid(given + " but must be a range of at least one key within 0:" + to_text(row.keys));
  if (keys.size() > mostKeys)
    return Error{Errc::too_large, given + ", at most " + to_text(mostKeys) + " keys are listed at once"};
  return std::vector<Range>{keys};
}

Result<RowOutput> outputOf(const RowArguments& arguments, const MethodArguments& one) {
  const auto request = methodRequest(one);
  if (!request) return request.error();
  const auto made = maskOf(*request->method, request->values);
  if (!made) return made.error();
  const auto& mask = *made;
  const Index rows = mask->extent().rows;
  if (*arguments.row < 0 || *arguments.row >= rows)
    return invalid("the row is " + to_text(*arguments.row) + " but must be 0 to " + to_text(rows - 1));
  auto row = row_report(*mask, *arguments.row);
  if (!row) return row.error();
  AdditiveFormat format = arguments.format;
  if (!arguments.filled) format.own = masked_number(*mask);
  return RowOutput{request->method,
                   request->values,
                   mask,
                   std::move(*row),
                   format,
                   {},
                   request->tokens,
                   token_axes(*request->method, request->values).first_query};
}

/// The row in the samples of a batch where it sees other keys than in the first.
Result<void> addElsewhere(const RowArguments& arguments, const Samples& samples, std::size_t first, RowOutput& output) {
  std::vector<RowReport> rows;
  std::vector<std::vector<std::size_t>> cases;
  for (std::size_t i = 0; i < samples.cases.size(); ++i) {
    if (i == first) continue;
    RowReport row;
    if (!samples.cases[i].isPadding) {
      auto other = outputOf(arguments, samples.cases[i].arguments);
      if (!other) return other.error();
      row = std::move(other->row);
      if (row.visible == output.row.visible) continue;
    }
    const auto alike = std::ranges::find_if(
        rows, [&](const RowReport& each) { return each.keys == row.keys && each.visible == row.visible; });
    if (alike == rows.end()) {
      rows.push_back(std::move(row));
      cases.push_back({i});
    } else {
      cases[static_cast<std::size_t>(alike - rows.begin())].push_back(i);
    }
  }
  for (std::size_t i = 0; i < rows.size(); ++i)
    output.elsewhere.push_back({samples.placesOf(samples.withCases(cases[i])), std::move(rows[i])});
  return {};
}

/// The row of the first sample with a real token.
Result<RowOutput> outputOf(const RowArguments& arguments) {
  const auto samples = samplesOf(arguments);
  if (!samples) return samples.error();
  const auto real = std::ranges::find(samples->cases, false, &Samples::Case::isPadding);
  if (real == samples->cases.end()) return invalid("every sample is padding alone");
  const auto first = static_cast<std::size_t>(real - samples->cases.begin());
  auto output = outputOf(arguments, real->arguments);
  if (!output) return output;
  auto listed = listedKeys(arguments, *output->mask, output->row);
  if (!listed) return listed.error();
  output->listed = std::move(*listed);
  const auto alike = samples->withCases({first});
  output->place = samples->placeOf(alike.front());
  if (samples->areSeveral())
    if (auto added = addElsewhere(arguments, *samples, first, *output); !added) return added.error();
  samples->say();
  return output;
}

int runRow(const std::vector<std::string>& arguments) {
  const auto parsed = parseRowArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(helpOf(rowCommand()));
  const auto output = outputOf(*parsed);
  if (!output) return fail(errorOfText(output.error(), parsed->mask));
  return print(parsed->json ? rowAsJson(*output) : rowAsText(*output));
}

}  // namespace

const Command& rowCommand() {
  static const Command command{.usage = "row N [options]",
                               .summary = "the visible keys of query N, and why the others are masked",
                               .run = runRow,
                               .about = R"(
Shows the visible keys of query N, and for each key whether each term of the mask allows it.
)",
                               .ending = R"(
Exit status: 0 done; 2 refused, with one line on stderr.

Example: vqscope row 317 --set mask=packed --set q_length=512 --keys 226:235
         vqscope row 17 --mask mask.py --set q_length=64 --json
)",
                               .options = [] { return linesOf(rowOptions()); }};
  return command;
}

}  // namespace vqscope
