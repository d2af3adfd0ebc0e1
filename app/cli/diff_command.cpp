// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/diff_command.h"

#include "app/cli/arguments/export_request.h"
#include "app/cli/help.h"
#include "app/cli/output/progress_line.h"
#include "app/process/console.h"
#include "app/process/interrupts.h"
#include "core/mask/mask_difference.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

namespace vqscope {
namespace {

struct DiffArguments : ComparedArguments {
  bool json = false;
};

const OptionTable<DiffArguments>& options() {
  static const OptionTable<DiffArguments> all = [] {
    auto table = methodOptions<DiffArguments>();
    addMinusOptions(table);
    table["--json"] = flagOption(&DiffArguments::json);
    return table;
  }();
  return all;
}

Result<DiffArguments> parseArguments(const QStringList& arguments) {
  auto parsed = readMaskArguments<DiffArguments>("diff", arguments, options());
  if (!parsed) return parsed;
  if (!parsed->help && parsed->minus.empty() && !parsed->minusMask)
    return invalid("diff needs the second mask: --minus NAME=VALUE or --minus-mask FILE");
  return parsed;
}

Result<MaskComparison> differenceOf(const ExportRequest& request) {
  const auto first = maskOf(*request.method, request.values);
  if (!first) return first.error();
  const auto second = maskOf(*request.method, *subtrahend(*request.method, request.look));
  if (!second) return second.error();
  Interrupts interrupts;
  ProgressLine line;
  return compare_masks(**first, **second,
                       {.progress = [&](double fraction) { line.show(fraction); }, .stop = interrupts.token()});
}

std::string asJson(const MaskComparison& difference) {
  QJsonObject object{{"equal", difference.equal()},
                     {"complete", difference.complete},
                     {"rows_compared", static_cast<qint64>(difference.rows)},
                     {"only_first", static_cast<qint64>(difference.only_first)},
                     {"only_second", static_cast<qint64>(difference.only_second)},
                     {"first", QJsonValue::Null},
                     {"summary", QString::fromStdString(difference.sentence())}};
  if (difference.first)
    object["first"] = QJsonObject{{"row", qint64{difference.first->q}},
                                  {"key", qint64{difference.first->kv}},
                                  {"visible_in", difference.first_sees ? "first" : "second"}};
  return QJsonDocument(object).toJson().toStdString();
}

}  // namespace

int runDiff(const QStringList& arguments) {
  const auto parsed = parseArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(diffHelp());
  const auto request = comparedRequest(*parsed);
  if (!request) return fail(request.error());
  const auto difference = differenceOf(*request);
  if (!difference) return fail(difference.error());
  if (difference->equal() && !difference->complete) return fail({Errc::too_large, difference->sentence()});
  const int status = print(parsed->json ? asJson(*difference) : difference->sentence() + "\n");
  if (status != exitDone) return status;
  return difference->equal() ? exitDone : exitFindings;
}

}  // namespace vqscope
