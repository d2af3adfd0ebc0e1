// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/base/work.h"
#include "core/method/parameter.h"
#include "core/method/run_recipe.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace vqscope {

class Field;
class PythonText;
struct CurveSet;

struct Citation {
  std::string paper;      ///< authors, year, section
  std::string reference;  ///< the implementation whose arithmetic is followed
};

/// How values want to be coloured.
enum class ValueScale { categorical, visibility, cyclic, sequential, diverging };

/// A segment of categories with a name: "8 · past, log".
struct CategoryGroup {
  Index first = 0;
  std::string label;
};

/// The values 0 .. count - 1 of a categorical field: two ramps of colours, the second from `second`
/// on.
struct Categories {
  Index count = 0;
  Index second = 0;  ///< `count` when there is one ramp
  std::vector<CategoryGroup> groups;
  bool alarm = false;  ///< two categories: grey for the usual one, red for the one to look at
};

/// A map that is shown together with others.
struct LinkedMap {
  std::string title;
  std::string method;    ///< id; it has the parameters of the method that names it
  ParameterValues with;  ///< values that stand for those of the form
};

/// A method that is a matrix over rows x columns.
struct FieldRecipe {
  std::string row_title;  ///< what the rows carry: "query position q"
  std::string col_title;
  std::string value_title;
  ValueScale scale = ValueScale::sequential;
  bool difference = false;         ///< cells are differences or errors, whose mean hides the large ones
  bool logarithmic = false;        ///< colours follow the logarithm of the size: errors over many decades
  std::string row_name = "query";  ///< what the row indices count, in a file's corner `query\key`
  /// Meaning of the column indices; empty: key.
  std::function<std::string(const ParameterValues&)> col_name;
  std::vector<std::string> related;  ///< ids of curve methods that explain this one, shown beside it
  std::vector<LinkedMap> linked;     ///< shown in the place of the one map where nothing is compared; empty: the one
  std::function<Categories(const ParameterValues&)> categories;  ///< of a categorical scale
  /// For a matrix of queries and keys of a causal decoder, which never uses later keys: the number
  /// of keys before the first query. Nothing: every cell is used. Pictures mute cells that are not
  /// used; numbers keep them.
  std::function<std::optional<Index>(const ParameterValues&)> decoder_past = {};
  /// For values that stand for learned ones: their description, "random, untrained (seed 0)";
  /// empty: nothing is random.
  std::function<std::string(const ParameterValues&)> untrained = {};
  std::function<Result<std::shared_ptr<const Field>>(const ParameterValues&, const Work&)> make;
  bool make_checks = false;  ///< make() refuses the same values as Method::check, so check need not be called before
};

/// Origin of the numbers of curves, so that their validity is clear.
enum class CurveOrigin {
  geometry,   ///< computed only from the formula; no evidence of a trained model's performance
  measured,   ///< of experiments run here: on drawn data, or in seconds of this machine
  published,  ///< copied from a paper, never computed here
};
std::string name_of(CurveOrigin origin);

/// A method that is a set of curves over one x.
struct CurveRecipe {
  std::function<Result<CurveSet>(const ParameterValues&, const Work&)> make;
  CurveOrigin origin = CurveOrigin::geometry;
  std::string kernels = {};               ///< of measured curves: the inner loops that they come from, "avx2"
  bool clocked = false;                   ///< seconds of this machine: other work beside it would change them
  std::vector<std::string> related = {};  ///< ids of other curve methods, shown beside it
  std::function<std::string(const ParameterValues&)> untrained = {};  ///< as FieldRecipe's
  /// The result in one sentence with its numbers, from the curves alone; empty: none.
  std::function<std::string(const CurveSet&)> verdict = {};
  /// How much there is to compute with these values, in a unit that all methods share, to estimate
  /// the time; empty: not known before.
  std::function<double(const ParameterValues&)> work = {};
};

/// What the survey says of an encoding besides its traits.
struct SurveyNote {
  std::string_view trade_off;
  std::string_view published = {};  ///< results that a paper reports, none of them computed here; empty: none copied
  std::string_view source = {};     ///< of `published`: authors, year, table
  std::string_view curve = {};      ///< series of alibi_table_2 with the published results
  std::string_view positions = {};  ///< of what is neither relative nor absolute: "no positions"
};

/// Traits of a position encoding for the survey's summary.
struct EncodingTraits {
  bool relative = false;      ///< scores depend on key position minus query position alone
  bool trainable = false;     ///< has parameters that are learnt
  bool each_layer = true;     ///< applied in every layer, not once to the token embeddings
  std::string extrapolation;  ///< what is known beyond the trained length, with its source
  SurveyNote note = {};
};

/// A real parameter that a model learns for each head.
struct LearntParameter {
  std::string name;
  double initial_least = 0;  ///< values before training are uniform from here up to initial_most
  double initial_most = 1;
  double least = 0;  ///< a step of training that leaves these bounds ends at them
  double most = 0;
};

/// Traits of an additive bias that depends only on relative position. Features that offer such
/// biases (the prior's curves, the reach by layers, attention, trained models) select methods with
/// these traits.
struct BiasTraits {
  bool zero = false;  ///< adds nothing anywhere: what the others are compared with
  std::vector<LearntParameter> learnt = {};
  /// Writes `result` of `distance`; code to copy has it (core/encoding/snippet). Empty: none.
  std::function<void(const ParameterValues&, PythonText&)> python = {};
};

/// One row of the registry. Forms, `--set`, JSON, validation and documentation all come from it.
struct Method {
  std::string id;
  std::string title;
  std::string category;  ///< the page: buckets, masks, rotary, curves, biases, scores, tables, precision, vq
  std::string help;      ///< one sentence: what the numbers are
  Citation citation;
  std::optional<EncodingTraits> traits;  ///< of a position encoding
  std::optional<BiasTraits> bias = {};   ///< of an additive bias whose cells are a function of relative position
  std::vector<ParameterSpec> parameters;
  /// Those that values bring along: the free names of a mask's text, under keys of their own
  /// (free_name_key). Of the same name as one of `parameters` they stand in its place: an
  /// encoding's own.
  std::function<std::vector<ParameterSpec>(const ParameterValues&)> free_parameters;
  /// Values of parameters that are left automatic, by name; may be empty. Called, like check, at
  /// every edit of a form: both read only values, and do no long work.
  std::function<ParameterValues(const ParameterValues&)> in_force;
  /// Constraints between parameters, e.g. max_distance against num_buckets; may be empty.
  std::function<Result<void>(const ParameterValues&)> check;
  /// One sentence for users on these values, for example whether a hypothesis holds; empty: none,
  /// or stopped. It may compute, so it is not requested while a window is being opened.
  std::function<std::string(const ParameterValues&, const Work&)> remark;
  std::variant<FieldRecipe, CurveRecipe, RunRecipe> recipe;
  /// Measurements of a run that needs no files, as curves: for the window, kept runs and sweeps.
  std::optional<CurveRecipe> run_curves = {};

  const FieldRecipe* field() const { return std::get_if<FieldRecipe>(&recipe); }
  const CurveRecipe* curves() const { return run_curves ? &*run_curves : std::get_if<CurveRecipe>(&recipe); }
  const RunRecipe* run() const { return std::get_if<RunRecipe>(&recipe); }
};

/// All parameters that the method has with these values.
std::vector<ParameterSpec> parameters_of(const Method& method, const ParameterValues& values);

/// The same values with the defaults of what is missing, without names that `specs` do not have.
/// What was left at the default of a `former` spec of another meaning takes the new one's: a text's
/// `window = 512` that was 128. A value that its former spec allowed and the new one does not
/// becomes the nearest allowed one.
ParameterValues completed_values(std::span<const ParameterSpec> specs, const ParameterValues& values,
                                 std::span<const ParameterSpec> former = {});

/// Ranges, names and the method's own check.
Result<void> check_method_values(const Method& method, const ParameterValues& values);

/// Checks, then builds. The method must be of that kind.
Result<std::shared_ptr<const Field>> make_field(const Method& method, const ParameterValues& values,
                                                const Work& work = {});
Result<CurveSet> make_curves(const Method& method, const ParameterValues& values, const Work& work = {});
Result<RunResult> make_run(const Method& method, RunRequest request, const ParameterValues& values,
                           const Work& work = {});

/// The values of `method` taken from another method's by name, defaults elsewhere: complete, and no
/// name too many.
ParameterValues carried_values(const Method& method, const ParameterValues& from);

/// The allowed value nearest to one of another range; the default if there is none.
ParameterValue nearest_value(const ParameterSpec& spec, const ParameterValue& value);

}  // namespace vqscope
