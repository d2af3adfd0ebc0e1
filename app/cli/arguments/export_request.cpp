// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/arguments/export_request.h"

#include "app/cli/arguments/apply_setting.h"
#include "app/cli/arguments/export_arguments.h"
#include "app/cli/arguments/mask_arguments.h"
#include "app/cli/arguments/qkv/tensor_arguments.h"
#include "app/cli/arguments/samples.h"
#include "app/cli/arguments/token_arguments.h"
#include "app/cli/figures.h"
#include "app/process/console.h"
#include "core/base/text.h"
#include "core/catalogue/registry.h"
#include "core/io/bytes/path_text.h"
#include "core/mask/map/read_visible.h"
#include "core/mask/preset/imported_preset.h"
#include "core/mask/preset/mask_import.h"
#include "core/mask/preset/presets.h"
#include "core/mask/preset/text_mask.h"
#include "core/method/compared.h"
#include "core/method/free_name.h"
#include "core/sequence/query_layout.h"
#include "core/session/session_json.h"
#include "core/session/shown_page.h"
#include "core/session/subject/subject_tensors.h"

#include <algorithm>

namespace vqscope {
namespace {

bool shows(const PageInfo& info, const Method& method) {
  return std::ranges::count(info.fields, method.id) + std::ranges::count(info.curves, method.id) > 0;
}

/// A page of the session; with the method itself, if it takes the session's tensors.
ShownPage pageFor(const Session& session, const std::string& id, const Method& method) {
  PageState kept = *find_page(session, id);
  if (has_tensors(session.subject) && find_spec(method.parameters, "k_tensor")) kept.method = method.id;
  return shown_page(kept, session.subject);
}

/// The page in front if it shows the method, else the method's own page, else the first page that
/// shows it.
std::optional<ShownPage> pageOf(const Session& session, const Method& method) {
  const auto* home = page_of(method);
  std::vector<std::string> ids{session.current, home ? home->id : std::string()};
  for (const auto& info : page_infos()) ids.push_back(info.id);
  for (const auto& id : ids)
    if (const auto* info = find_page_info(id); info && shows(*info, method)) return pageFor(session, id, method);
  return std::nullopt;
}

/// A page may have other initial values than the method's defaults. Without a session, only the
/// defaults are used.
ShownPage pageWithoutSession(const Method& method) {
  ShownPage state;
  state.values = state.other = default_values(method.parameters);
  return state;
}

/// The parameters that exist once `settings` are applied, in any order of the settings. A name that
/// the text already uses belongs to the text. Settings that cannot be applied are refused later.
std::vector<ParameterSpec> specsAfter(const std::vector<Setting>& settings, const Method& method,
                                      ParameterValues values) {
  const auto own = parameters_of(method, values);
  for (const auto& setting : settings) {
    const auto* meant = find_meant(own, setting.name, method.id);
    if (meant && find_spec(method.parameters, meant->name)) (void)applySetting(setting, own, method.id, values);
  }
  return parameters_of(method, values);
}

/// Some values add parameters, which can then be set. `before`: the parameters before a mask's file
/// was read.
Result<void> applyAll(const std::vector<Setting>& settings, const Method& method, const ParameterValues& before,
                      ParameterValues& values) {
  std::vector<ParameterSpec> former = parameters_of(method, before);
  std::vector<Setting> left = settings;
  // A name may become free once another has a value: `if window is not None`.
  for (bool first = true; first || !left.empty(); first = false) {
    const auto specs = specsAfter(left, method, values);
    std::vector<Setting> unknown;
    for (const bool brought : {false, true}) {
      for (const auto& setting : left) {
        const auto* meant = find_meant(specs, setting.name, method.id);
        const bool isOwn = meant && find_spec(method.parameters, meant->name);
        if (!meant && brought) unknown.push_back(setting);
        if (!meant || isOwn == brought) continue;
        if (auto applied = applySetting(setting, specs, method.id, values); !applied) return applied;
      }
      values = completed_values(parameters_of(method, values), values, former);
      former = parameters_of(method, values);
    }
    if (unknown.size() == left.size() && !unknown.empty()) {
      if (has_mask_text(values))
        if (auto readable = check_mask_text(values); !readable) return readable;
      if (auto applied = applySetting(unknown.front(), specs, method.id, values); !applied) return applied;
      unknown.erase(unknown.begin());
    }
    left = std::move(unknown);
  }
  return {};
}

std::optional<Range> resolved(const std::optional<PartialRange>& range, Index size) {
  if (!range) return std::nullopt;
  return Range{range->begin.value_or(0), range->end.value_or(size)};
}

Result<std::optional<Rect>> blockOf(const ExportArguments& arguments, ExportRequest& request) {
  if (!arguments.rows && !arguments.cols) return std::optional<Rect>();
  if (!request.method->field())
    return invalid(std::string(arguments.rows ? "--rows" : "--cols") + " is for matrices, " + request.method->id +
                   " is a set of curves");
  if (auto made = makeField(request, {}); !made) return made.error();
  const Extent extent = request.field->extent();
  const auto block = block_within(extent, resolved(arguments.rows, extent.rows), resolved(arguments.cols, extent.cols));
  if (!block) return block.error();
  return std::optional<Rect>(*block);
}

/// The names of the masks' files: short if they differ in that form.
FigureSides sidesOf(const ExportArguments& arguments) {
  const std::string a = arguments.mask.value_or(std::string());
  const std::string b = arguments.minusMask.value_or(std::string());
  const auto shortName = [](const std::string& path) { return std::string(file_name(path)); };
  if (shortName(a) != shortName(b)) return {shortName(a), shortName(b)};
  return {a, b};
}

Result<void> applyLook(const ExportArguments& arguments, ExportRequest& request) {
  const auto figure = presetFigure(arguments, arguments.session);
  if (!figure) return figure.error();
  request.figure = *figure;
  request.force = arguments.force;
  request.npy = {.flat = arguments.flat, .float32 = arguments.float32, .additive = arguments.additive};
  applyFigure(arguments, request.figure);
  request.labels = arguments.labels;
  if (arguments.aggregate) request.look.aggregate = *arguments.aggregate;
  if (arguments.square) request.look.keep_aspect = true;
  if (arguments.axes) request.look.axes[request.method->id] = *arguments.axes;
  if (arguments.colourMap) request.look.colour_map = *arguments.colourMap;
  for (const auto& [name, value] : request.values.map()) request.look.values.set(name, value);
  if (arguments.minusMask) request.sides = sidesOf(arguments);
  return {};
}

/// The matrix to subtract has the values of the first one, except for those set by --minus-mask and
/// --minus.
Result<void> applyMinus(const std::vector<Setting>& minus, const Import& mask, ExportRequest& request) {
  if (minus.empty() && !mask) return {};
  const Method& method = *request.method;
  if (!method.field()) return invalid("--minus is for matrices, " + method.id + " is a set of curves");
  ParameterValues other = request.values;
  if (auto applied = applyImport(mask, other); !applied) return applied;
  if (auto applied = applyAll(minus, method, request.values, other); !applied) return applied;
  if (auto checked = check_method_values(method, other); !checked) return checked;
  request.look.compare = CompareMode::difference;
  request.look.other = std::move(other);
  return {};
}

/// A setting without effect is an error, unless the matrix that --minus subtracts uses it.
Result<void> checkUsed(const std::vector<Setting>& settings, const std::vector<Setting>& minusSettings,
                       const ExportRequest& request) {
  const Method& method = *request.method;
  const auto minus = subtrahend(method, request.look);
  const auto specs = parameters_of(method, request.values);
  const auto minusSpecs = minus ? parameters_of(method, *minus) : std::vector<ParameterSpec>();
  for (const auto& setting : minusSettings)
    if (const auto* spec = find_meant(minusSpecs, setting.name, method.id))
      if (auto used = check_relevant(*spec, *minus); !used) return used;
  for (const auto& setting : settings) {
    if (setting.inherited) continue;
    // With other values, a text may not use one of its free names.
    const auto* spec = find_meant(specs, setting.name, method.id);
    auto used = spec ? check_relevant(*spec, request.values) : Result<void>();
    if (!used && !(minus && check_relevant(*spec, *minus))) return used;
  }
  return {};
}

/// Labels have no mean.
Result<void> checkAggregate(Aggregate aggregate, const ExportRequest& request) {
  const auto valid = aggregates_of(*request.method, subtrahend(*request.method, request.look).has_value());
  if (std::ranges::count(valid, aggregate) > 0) return {};
  const auto name = [](Aggregate each) { return aggregate_names()[static_cast<std::size_t>(each)]; };
  std::string names;
  for (const Aggregate each : valid) names += (names.empty() ? "" : ", ") + name(each);
  return invalid("--aggregate is " + name(aggregate) + " but must be one of " + names + ": the cells of " +
                 request.method->id + " are labels");
}

Result<void> checkAdditive(const ExportArguments& arguments, const ExportRequest& request) {
  if (!arguments.additive) return {};
  if (request.method->id != "visibility" || subtrahend(*request.method, request.look))
    return invalid("--additive is for the mask of visibility, not for " +
                   (request.method->id == "visibility" ? std::string("a difference") : request.method->id));
  for (const auto& path : arguments.outputs)
    if (file_suffix(path) != "npy") return invalid("--additive is for .npy, " + shown_path(path) + " was given");
  return {};
}

/// Refuses options that do not apply to this method.
Result<void> checkLook(const ExportArguments& arguments, const ExportRequest& request) {
  const auto refused = [&](const char* option) {
    return invalid(std::string(option) + " is for matrices, " + request.method->id + " is a set of curves");
  };
  const bool matrix = request.method->field() != nullptr;
  if (arguments.aggregate && !matrix) return refused("--aggregate");
  if (arguments.aggregate)
    if (auto shown = checkAggregate(*arguments.aggregate, request); !shown) return shown;
  if (arguments.colourMap && !matrix) return refused("--colour-map");
  if (arguments.square && !matrix) return refused("--square");
  if (arguments.axes && matrix) return invalid("--log is for curves, " + request.method->id + " is a matrix");
  if (auto fits = checkAdditive(arguments, request); !fits) return fits;
  if (arguments.tests && request.method->id != "mask_test")
    return invalid("--tests is for mask_test, " + request.method->id + " has no tests");
  if (arguments.colourMap && subtrahend(*request.method, request.look))
    return invalid("--colour-map does not apply to a difference, whose colours show which side is larger");
  return {};
}

}  // namespace

ExportRequest requestOf(const Method& method, const ShownPage& page) {
  ExportRequest request{.method = &method, .values = carried_values(method, page.values), .look = page};
  if (method.field()) request.look.method = method.id;
  request.figures = commandFigures();
  return request;
}

namespace {

/// Initial values.
struct StartingPage {
  ShownPage page;
  TokenTexts tokens;
};

Result<StartingPage> startingPage(const Method& method, const std::optional<std::string>& path) {
  if (!path) return StartingPage{pageWithoutSession(method), {}};
  const auto opened = read_session(*path);
  if (!opened) return opened.error();
  const auto page = pageOf(opened->session, method);
  if (!page) return invalid(shown_path(*path) + ": no page of a session shows " + method.id);
  if (!opened->notes.empty()) noteOfInput(shown_path(*path) + ": " + summary(opened->notes));
  return StartingPage{*page, opened->session.subject.tokens};
}

/// Documents that are set alone make the sequence as long as they are.
void followDocuments(const std::vector<Setting>& settings, ParameterValues& values) {
  const auto sets = [&](std::string_view name) { return std::ranges::count(settings, name, &Setting::name) > 0; };
  if (!sets("document_lengths") || sets("q_length") || !values.find("q_length")) return;
  if (pads_by_itself(values)) return;
  if (const auto length = q_length_of_documents(values)) values.set("q_length", *length);
}

void warnOfText(const ParameterValues& values, const std::optional<std::string>& file) {
  for (const auto& warning : mask_text_warnings(values)) warnOfInput(errorOfText(invalid(warning), file).message);
}

/// Values of an imported mask that the method has: a method that tests a mask over its own
/// sequences takes as many leading tokens as it can.
void keepOwnValues(const Method& method, ParameterValues& values) {
  values = carried_values(method, values);
  const ParameterSpec* length = find_spec(method.parameters, "q_length");
  if (length && static_cast<double>(values.integer("q_length")) > length->maximum)
    values.set("q_length", static_cast<Index>(length->maximum));
}

/// Of a batch one sample.
Result<MethodArguments> oneSample(const MethodArguments& arguments, const Method& method) {
  const bool isMask = find_spec(method.parameters, "mask_text") != nullptr;
  if (!isMask && arguments.batchFile) return invalid("--batch-file is for masks, " + method.id + " is not a mask");
  const bool isOne = arguments.isOneSample || !isMask;
  auto one = isOne ? Result<MethodArguments>(arguments) : oneSampleOf(arguments);
  if (one && one->tokenizer.empty()) one->tokenizer = tokenizerOf(*one);
  return one;
}

/// `minusMask`: the mask to compare with.
Result<ExportRequest> requestWithValues(const MethodArguments& arguments, const Method& method, const Import& mask,
                                        const Import& minusMask) {
  const auto start = startingPage(method, arguments.session);
  if (!start) return start.error();
  const auto tokens = tokenTexts(arguments, start->tokens);
  if (!tokens) return tokens.error();
  ExportRequest request = requestOf(method, start->page);
  request.tokens = *tokens;
  if (auto applied = applyPreset(arguments.preset, method, request.values); !applied) return applied.error();
  const ParameterValues before = arguments.preset ? request.values : start->page.values;
  applyShape(minusMask, request.values);
  if (auto applied = applyImport(mask, request.values); !applied) return applied.error();
  if (has_imported_mask(request.values)) keepOwnValues(method, request.values);
  const auto namesMask = [specs = parameters_of(method, request.values), &method](const Setting& setting) {
    const auto* meant = find_meant(specs, setting.name, method.id);
    return meant && meant->name == "mask";
  };
  if (mask && std::ranges::any_of(arguments.settings, namesMask))
    return invalid("--mask FILE and --set mask=… conflict; use one of them");
  std::vector<Setting> settings = arguments.settings;
  std::erase_if(settings, [](const Setting& setting) { return setting.stated; });
  if (auto applied = applyAll(settings, method, before, request.values); !applied) return applied.error();
  followDocuments(arguments.settings, request.values);
  if (auto checked = check_method_values(method, request.values); !checked) return checked.error();
  if (!arguments.isFurtherSample) warnOfText(request.values, arguments.mask);
  return request;
}

}  // namespace

Result<ExportRequest> pointRequest(const MethodArguments& given) {
  const auto method = require_method(given.method);
  if (!method) return method.error();
  MethodArguments arguments = given;
  if (auto taken = takeTensors(arguments, **method); !taken) return taken.error();
  const auto one = oneSample(arguments, **method);
  if (!one) return one.error();
  const auto masks = readMasks(*one, std::nullopt, **method);
  if (!masks) return masks.error();
  auto request = requestWithValues(*one, **method, (*masks)[0], {});
  return request ? request : errorOfText(request.error(), arguments.mask);
}

Result<ExportRequest> methodRequest(const MethodArguments& arguments) {
  const auto method = require_method(arguments.method);
  if (!method) return method.error();
  const auto one = oneSample(arguments, **method);
  if (!one) return one.error();
  auto request = pointRequest(*one);
  if (!request) return request;
  if (auto used = checkUsed(one->settings, {}, *request); !used) return used.error();
  return request;
}

Result<ExportRequest> comparedRequest(const ComparedArguments& given) {
  const auto found = require_method(given.method);
  if (!found) return found.error();
  const Method& method = **found;
  ComparedArguments arguments = given;
  if (auto taken = takeTensors(arguments, method); !taken) return taken.error();
  const auto one = oneSample(arguments, method);
  if (!one) return one.error();
  const auto masks = readMasks(*one, arguments.minusMask, method);
  if (!masks) return masks.error();
  auto request = requestWithValues(*one, method, (*masks)[0], (*masks)[1]);
  if (!request) return errorOfText(request.error(), arguments.mask);
  const auto& second = arguments.minusMask ? arguments.minusMask : arguments.mask;
  if (auto applied = applyMinus(arguments.minus, (*masks)[1], *request); !applied)
    return errorOfText(applied.error(), second);
  if (const auto minus = subtrahend(method, request->look))
    if (minus->find("mask_text") && *minus->find("mask_text") != *request->values.find("mask_text"))
      warnOfText(*minus, second);
  if (auto used = checkUsed(one->settings, arguments.minus, *request); !used) return used.error();
  return request;
}

Result<ExportRequest> exportRequest(const ExportArguments& arguments) {
  auto request = comparedRequest(arguments);
  if (!request) return request;
  if (auto fits = checkLook(arguments, *request); !fits) return fits.error();
  auto block = blockOf(arguments, *request);
  if (!block) return block.error();
  request->cells = *block;
  if (auto applied = applyLook(arguments, *request); !applied) return applied.error();
  return request;
}

Result<void> makeField(ExportRequest& request, const Work& work) {
  if (request.field || !request.method->field()) return {};
  auto made = make_compared_field(*request.method, request.values, subtrahend(*request.method, request.look), work);
  if (!made) return made.error();
  request.field = std::move(*made);
  return {};
}

Result<std::shared_ptr<const Mask>> maskOf(const Method& method, const ParameterValues& values) {
  const auto field = make_field(method, values);
  if (!field) return field.error();
  auto mask = mask_of(*field);
  assert(mask);
  return mask;
}

}  // namespace vqscope
