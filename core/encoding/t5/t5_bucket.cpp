// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/encoding/t5/t5_bucket.h"

#include "core/base/sentence.h"
#include "core/encoding/methods.h"
#include "core/method/curve_set.h"
#include "core/method/shared/number_type.h"
#include "core/sequence/query_layout.h"

#include <algorithm>
#include <cmath>

namespace vqscope {
namespace {

/// In torch's order: logarithm, divide, multiply, truncate, each in float32. Folding the constants
/// or working in double moves ties: the defaults at distance 64 would become bucket 13.
Index logarithmic_float32(Index n, Index max_exact, Index max_distance, Index buckets) {
  const float ratio = std::log(static_cast<float>(n) / static_cast<float>(max_exact));
  const auto whole = static_cast<float>(std::log(static_cast<double>(max_distance) / static_cast<double>(max_exact)));
  return static_cast<Index>(ratio / whole * static_cast<float>(buckets));
}

/// With real numbers: a quotient within 1e-15 of a whole number is that number (long double carries
/// 1e-18).
Index logarithmic_exact(Index n, Index max_exact, Index max_distance, Index buckets) {
  const long double ratio = std::log(static_cast<long double>(n) / static_cast<long double>(max_exact));
  const long double whole = std::log(static_cast<long double>(max_distance) / static_cast<long double>(max_exact));
  return static_cast<Index>(std::floor(ratio / whole * static_cast<long double>(buckets) + 1e-15L));
}

/// The same steps as in float32 with each result rounded to `type`, as torch has them for a tensor
/// of that type. What is beyond the type's numbers is in the last bucket.
Index logarithmic_rounded(Index n, Index max_exact, Index max_distance, Index buckets, const NumberType& type) {
  const double quotient = type.rounded(type.rounded(static_cast<double>(n)) / static_cast<double>(max_exact));
  if (!std::isfinite(quotient)) return buckets;
  const double ratio = type.rounded(std::log(quotient));
  const double whole = std::log(static_cast<double>(max_distance) / static_cast<double>(max_exact));
  const double bucket = type.rounded(type.rounded(ratio / whole) * static_cast<double>(buckets));
  return bucket < static_cast<double>(buckets) ? static_cast<Index>(bucket) : buckets;
}

Index logarithmic(T5Arithmetic arithmetic, Index n, Index max_exact, Index max_distance, Index buckets) {
  switch (arithmetic) {
    case T5Arithmetic::hf_float32: return logarithmic_float32(n, max_exact, max_distance, buckets);
    case T5Arithmetic::exact: return logarithmic_exact(n, max_exact, max_distance, buckets);
    case T5Arithmetic::float64: return logarithmic_rounded(n, max_exact, max_distance, buckets, number_type("float64"));
    case T5Arithmetic::bfloat16:
      return logarithmic_rounded(n, max_exact, max_distance, buckets, number_type("bfloat16"));
    case T5Arithmetic::float16: return logarithmic_rounded(n, max_exact, max_distance, buckets, number_type("float16"));
  }
  return 0;
}

std::string signed_text(Index value) { return (value > 0 ? "+" : "") + to_text(value); }

std::string why_distance(const T5Buckets& t5, Index n) {
  const Index me = t5.max_exact();
  const std::string distance = to_text(n);
  if (n < me) return fmt::format("{} < max_exact {}, so the distance is the bucket: {}", distance, me, distance);
  const std::string rest = to_text(t5.per_direction() - me);
  if (n >= t5.max_distance)
    return fmt::format("{} ≥ max_distance {}, so the last bucket: {}", distance, t5.max_distance,
                       t5.distance_bucket(n));
  return fmt::format("{} ≥ max_exact {}, so the logarithmic half: {} + ⌊ln({}/{}) / ln({}/{}) · {}⌋ = {}", distance, me,
                     me, distance, me, t5.max_distance, me, rest, t5.distance_bucket(n));
}

class T5Field : public StepField {
 public:
  T5Field(Extent extent, Index past_len, const T5Buckets& t5) : StepField(extent, past_len, t5.steps()), m_t5(t5) {}

  CellReport report(Index row, Index col) const override {
    const Index relative = relative_position(row, col);
    const Index bucket = m_t5.bucket(relative);
    return {{{"q", to_text(row)},
             {"k", to_text(col)},
             {"relative_position", signed_text(relative)},
             {"bucket", to_text(bucket)},
             {"covers", covers(relative)}},
            why(relative)};
  }

 private:
  std::string why(Index relative) const {
    if (!m_t5.bidirectional && relative > 0) return "k is ahead of q, and one direction alone counts: bucket 0";
    const Index n = std::abs(relative);
    std::string text = why_distance(m_t5, n);
    if (relative <= 0) return text;
    return fmt::format("{}; k is ahead of q, so +{}", text, m_t5.per_direction());
  }

  /// The distances that share the cell's bucket.
  std::string covers(Index relative) const {
    if (!m_t5.bidirectional && relative > 0) return "every k ahead of q";
    const Index bucket = m_t5.distance_bucket(std::abs(relative));
    const Index first = m_t5.first_distance(bucket);
    if (bucket == m_t5.per_direction() - 1) return fmt::format("{} and beyond", first);
    const Index last = m_t5.first_distance(bucket + 1) - 1;
    return first == last ? to_text(first) : fmt::format("{} … {}", first, last);
  }

  T5Buckets m_t5;
};

const Citation t5_bucket_citation{"Raffel et al. 2020, Exploring the Limits of Transfer Learning, section 2.1",
                                  "Hugging Face transformers, T5 _relative_position_bucket"};

Result<void> check_buckets(const ParameterValues& values) { return t5_buckets_from(values).check(); }

Result<std::shared_ptr<const Field>> make_bucket_field(const ParameterValues& values, const Work&) {
  const auto layout = own_query_layout(values);
  if (!layout) return layout.error();
  return std::shared_ptr<const Field>(std::make_shared<T5Field>(Extent{layout->q_length(), layout->kv_length()},
                                                                layout->past_len(), t5_buckets_from(values)));
}

Categories bucket_categories(const ParameterValues& values) {
  const T5Buckets t5 = t5_buckets_from(values);
  const Index past = t5.per_direction();
  Categories all{t5.num_buckets, past, {}};
  const auto add = [&](Index first, const char* what) { all.groups.push_back({first, to_text(first) + " · " + what}); };
  add(0, "past, exact");
  add(t5.max_exact(), "past, log");
  if (!t5.bidirectional) return all;
  add(past, "future, exact");
  add(past + t5.max_exact(), "future, log");
  return all;
}

Result<CurveSet> make_staircase(const ParameterValues& values, const Work&) {
  const T5Buckets t5 = t5_buckets_from(values);
  const double me = static_cast<double>(t5.max_exact());
  const double clamp = static_cast<double>(t5.first_distance(t5.per_direction() - 1));
  const Index reach = t5.max_distance + std::max<Index>(t5.max_distance / 4, 2);
  CurveSet set{.x_name = "relative_position",
               .x_title = "relative position k − q (tokens)",
               .y_title = "bucket",
               .formula =
                   "n below max_exact: n, then max_exact + floor(ln(n/max_exact) / ln(max_distance/max_exact) "
                   "· (buckets − max_exact)), at most buckets − 1",
               .steps = true,
               .integer = true};
  set.curves = {{"bucket", {}}};
  const auto add = [&](Index relative) {
    set.x.push_back(static_cast<double>(relative));
    set.curves[0].y.push_back(static_cast<double>(t5.bucket(relative)));
  };
  add(-reach);
  const StepFunction steps = t5.steps();
  for (std::size_t s = 1; s < steps.start.size(); ++s)
    if (steps.start[s] > -reach && steps.start[s] < reach) add(steps.start[s]);
  add(reach);
  const double edge = static_cast<double>(reach);
  set.segments = {{-edge, -clamp, "clamp"}, {-clamp, -me, "log"}, {-me, t5.bidirectional ? me : 0, "exact"}};
  if (t5.bidirectional) set.segments.insert(set.segments.end(), {{me, clamp, "log"}, {clamp, edge, "clamp"}});
  set.facts = {{"max_exact", me}, {"clamp_distance", clamp}};
  return set;
}

}  // namespace

std::vector<ParameterSpec> t5_bucket_parameters() {
  const std::string group = "T5 bucket";
  return {
      make_parameter("num_buckets", group, "Total number of buckets. Bidirectional: half of them for each direction.",
                     {.default_value = Index{32}, .minimum = 2, .maximum = 4096, .logarithmic = true}),
      make_parameter(
          "max_distance", group, "Distances of at least max_distance share the last bucket of their direction.",
          {.default_value = Index{128}, .minimum = 2, .maximum = 2147483648.0, .logarithmic = true, .unit = "tokens"}),
      make_parameter(
          "bidirectional", group,
          "True (encoder): half of the buckets are for keys after the query. False (decoder): all keys after "
          "the query share bucket 0.",
          {.default_value = true}),
      make_parameter(
          "precision", group, "Arithmetic used to compute the bucket boundaries.",
          {.default_value = std::string("hf_float32"),
           .choices = {{"hf_float32",
                        "float32, operations ordered as in Hugging Face and torch: what models were trained with"},
                       {"exact", "exact real arithmetic: the formula as written"},
                       {"float64", "float64, operations in the same order; not identical to exact arithmetic"},
                       {"bfloat16", "bfloat16, operations in the same order: code without the cast to float32"},
                       {"float16", "float16, operations in the same order: code without the cast to float32"}}})};
}

T5Arithmetic t5_arithmetic(std::string_view id) {
  if (id == "exact") return T5Arithmetic::exact;
  if (id == "float64") return T5Arithmetic::float64;
  if (id == "bfloat16") return T5Arithmetic::bfloat16;
  if (id == "float16") return T5Arithmetic::float16;
  return T5Arithmetic::hf_float32;
}

T5Buckets t5_buckets_from(const ParameterValues& values) {
  return {values.integer("num_buckets"), values.integer("max_distance"), values.boolean("bidirectional"),
          t5_arithmetic(values.choice("precision"))};
}

Result<void> T5Buckets::check() const {
  if (bidirectional && num_buckets % 2 != 0)
    return invalid("num_buckets is {} but must be even when bidirectional", num_buckets);
  if (per_direction() < 2) return invalid("num_buckets is {} but must be at least 4 when bidirectional", num_buckets);
  if (max_distance <= max_exact())
    return invalid("max_distance is {} but must be above the {} exact buckets that num_buckets = {} gives",
                   max_distance, max_exact(), num_buckets);
  return {};
}

Index T5Buckets::distance_bucket(Index n) const {
  const Index me = max_exact();
  if (n < me) return n;
  return std::min(per_direction() - 1, me + logarithmic(arithmetic, n, me, max_distance, per_direction() - me));
}

Index T5Buckets::bucket(Index relative_position) const {
  if (bidirectional && relative_position > 0) return per_direction() + distance_bucket(relative_position);
  return distance_bucket(std::max<Index>(-relative_position, 0));
}

Index T5Buckets::first_distance(Index bucket) const {
  Index low = 0;
  Index high = 2 * max_distance;  // of the last bucket at the latest, whatever the rounding
  while (low < high) {
    const Index middle = low + (high - low) / 2;
    if (distance_bucket(middle) >= bucket)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

StepFunction T5Buckets::steps() const {
  StepFunction f{{0}, {static_cast<std::int32_t>(per_direction() - 1)}};
  const auto append = [&](Index start, Index value) {
    if (f.value.back() == value) return;
    f.start.push_back(start);
    f.value.push_back(static_cast<std::int32_t>(value));
  };
  // A bucket may be empty: its first distance is then that of the next, and the value there skips
  // it.
  for (Index b = per_direction() - 1; b > 0; --b) append(1 - first_distance(b), distance_bucket(first_distance(b) - 1));
  if (bidirectional)
    for (Index b = 0; b < per_direction(); ++b) {
      const Index start = std::max<Index>(first_distance(b), 1);
      append(start, bucket(start));
    }
  return f;
}

Method t5_bucket_method() {
  auto parameters = sequence_parameters(SequenceUse::lengths, 512);
  for (auto& spec : t5_bucket_parameters()) parameters.push_back(std::move(spec));
  return {.id = "t5_bucket",
          .title = "T5 bucket",
          .category = "buckets",
          .help = "Index of the bucket whose learned bias T5 adds to the score of query q and key k.",
          .citation = t5_bucket_citation,
          .parameters = std::move(parameters),
          .in_force = lengths_in_force,
          .check = check_buckets,
          .recipe = FieldRecipe{.row_title = "query position q",
                                .col_title = "key position k",
                                .value_title = "bucket",
                                .scale = ValueScale::categorical,
                                .related = {"t5_staircase"},
                                .categories = bucket_categories,
                                .make = make_bucket_field}};
}

Method t5_staircase_method() {
  return {.id = "t5_staircase",
          .title = "Bucket by distance",
          .category = "buckets",
          .help = "The bucket against relative position, with the exact half, the logarithmic half and the clamp.",
          .citation = t5_bucket_citation,
          .parameters = t5_bucket_parameters(),
          .check = check_buckets,
          .recipe = CurveRecipe{.make = make_staircase}};
}

}  // namespace vqscope
