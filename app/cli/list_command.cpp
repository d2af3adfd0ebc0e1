// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/list_command.h"

#include "app/cli/help.h"
#include "app/cli/output/method_json.h"
#include "app/process/console.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "widgets/parts/file_name.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <optional>
#include <vector>

namespace vqscope {
namespace {

struct ListArguments {
  bool json = false;
  bool help = false;
  std::vector<const Method*> methods;  ///< empty: all
};

Result<ListArguments> parseArguments(const QStringList& arguments) {
  static const std::vector<std::string> options{"--json", "--help"};
  ListArguments parsed;
  for (const auto& argument : arguments) {
    const std::string name = bytesOf(argument);
    if (argument == "--json") {
      parsed.json = true;
    } else if (argument == "--help" || argument == "-h") {
      parsed.help = true;
    } else if (argument.startsWith('-')) {
      return invalid("unknown option " + shortened(name) + did_you_mean(name, options));
    } else {
      const auto method = require_method(name);
      if (!method) return method.error();
      parsed.methods.push_back(*method);
    }
  }
  if (parsed.methods.empty())
    for (const auto& method : methods()) parsed.methods.push_back(&method);
  return parsed;
}

std::string describe(const EncodingTraits& traits) {
  return std::string("  ") + (traits.relative ? "Relative" : "Absolute") +
         (traits.trainable ? ", trainable" : ", nothing to train") +
         (traits.each_layer ? ", in each layer" : ", at the token embeddings") +
         ". Beyond the training length: " + traits.extrapolation + "\n";
}

std::string describe(const Method& method) {
  std::string text = method.id + "  (" + method.category + ", " + (method.field() ? "matrix" : "curves") + ")\n  " +
                     method.title + ": " + method.help + "\n";
  if (!method.citation.paper.empty()) text += "  Source: " + method.citation.paper + "\n";
  if (!method.citation.reference.empty()) text += "  Follows: " + method.citation.reference + "\n";
  if (method.traits) text += describe(*method.traits);
  for (const auto& spec : method.parameters) text += describe(spec);
  return text;
}

std::string asText(const std::vector<const Method*>& methods) {
  std::string text;
  for (const auto* method : methods) text += (text.empty() ? "" : "\n") + describe(*method);
  return text;
}

std::string asJson(const std::vector<const Method*>& methods) {
  QJsonArray array;
  for (const auto* method : methods) array.append(methodToJson(*method));
  return QJsonDocument(QJsonObject{{"vqscope", VQSCOPE_VERSION}, {"methods", array}}).toJson().toStdString();
}

}  // namespace

std::string describe(const ParameterSpec& spec) {
  std::string text = "    " + spec.name + " = " + format_value(spec.fallback) + "\n        " + spec.help + " " +
                     allowed(spec) + (spec.unit.empty() ? "" : " " + spec.unit);
  if (!spec.automatic.empty()) {
    const bool list = is_number_list(spec.kind);
    text += "; " + (list ? std::string("empty") : to_text(static_cast<Index>(spec.minimum))) + ": " + spec.automatic;
  }
  return text + "\n";
}

int runList(const QStringList& arguments) {
  const auto parsed = parseArguments(arguments);
  if (!parsed) return fail(parsed.error());
  if (parsed->help) return print(listHelp());
  return print(parsed->json ? asJson(parsed->methods) : asText(parsed->methods));
}

}  // namespace vqscope
