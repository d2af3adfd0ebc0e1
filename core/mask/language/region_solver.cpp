// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mask/language/region_solver.h"

#include "core/mask/language/arithmetic.h"

#include <algorithm>

namespace vqscope::language {
namespace {

__extension__ using Wide = __int128;
using Intervals = std::span<const Interval>;

/// Quotients and array pieces that an integer of both query and key may be split into.
constexpr Index most_cases = 256;
/// Nodes in nodes; what is deeper is not solved.
constexpr int deepest = 400;

/// factor * pieces + offset, of the query alone or of the key alone.
struct Part {
  PiecesPtr pieces;  ///< none: 0
  Index factor = 1;
  Index offset = 0;
  Bounds bounds;

  bool is_constant() const { return !pieces; }
  Index first(const ArrayPiece& piece) const { return factor * piece.first + offset; }
  Index slope(const ArrayPiece& piece) const { return piece.range.size() == 1 ? 0 : factor * piece.slope; }
};

/// f(query) + g(key).
struct Sum {
  Part f;
  Part g;
};

/// What an integer is in a part of the cells.
struct Case {
  Region region;
  Sum sum;
};

enum class Relation { at_most, equal };

class Solver {
 public:
  Solver(const BoundProgram& program, const std::vector<PiecesPtr>& pieces, const Region& within, Index budget)
      : m_program(program), m_pieces(pieces) {
    m_combiner.left = budget;
    if (within.strips().size() == 1 && within.strips().front().rows.size() == 1)
      m_row = within.strips().front().rows.begin;
  }

  bool failed() const { return m_failed; }

  /// Empty after a failure.
  Region solve(NodeId id, const Region& within, int depth = 0) {
    if (within.empty() || !spend(static_cast<Index>(within.size())) || depth > deepest) {
      m_failed = m_failed || depth > deepest;
      return {};
    }
    const BoundNode& node = m_program.at(id);
    if (node.op == BoundOp::constant) return node.value != 0 ? within : Region{};
    if (!node.by_kv || !node.by_q) return alone(id, within, depth);
    switch (node.op) {
      case BoundOp::logical_and: return conjunction(id, within, depth);
      case BoundOp::logical_or:
        return joined(solve(node.a, within, depth + 1), solve(node.b, within, depth + 1), Combine::either);
      case BoundOp::logical_xor:
        return joined(solve(node.a, within, depth + 1), solve(node.b, within, depth + 1), Combine::one_of);
      case BoundOp::logical_not: return joined(within, solve(node.a, within, depth + 1), Combine::first_only);
      case BoundOp::select: {
        const Region chosen = solve(node.a, within, depth + 1);
        const Region other = joined(within, chosen, Combine::first_only);
        return joined(solve(node.b, chosen, depth + 1), solve(node.c, other, depth + 1), Combine::either);
      }
      case BoundOp::less:
      case BoundOp::less_equal:
      case BoundOp::equal: return comparison(node, within, depth);
      default: return fail();
    }
  }

 private:
  Region fail() {
    m_failed = true;
    return {};
  }

  bool spend(Index steps) {
    m_combiner.left -= steps + 1;
    if (m_combiner.left < 0) m_failed = true;
    return !m_failed;
  }

  Region joined(const Region& a, const Region& b, Combine how) {
    if (m_failed) return {};
    Region made = m_combiner.combine(a, b, how);
    return spend(0) ? std::move(made) : Region{};
  }

  /// How late a condition is best asked: what narrows the cells cheaply comes first.
  int rank(NodeId id) const {
    const BoundNode& node = m_program.at(id);
    if (!node.by_kv) return 0;
    if (!node.by_q) return 3;
    if (node.op != BoundOp::less && node.op != BoundOp::less_equal && node.op != BoundOp::equal) return 4;
    if (is_split(node.a) || is_split(node.b)) return 5;
    return node.op == BoundOp::equal ? 1 : 2;
  }

  bool is_split(NodeId id) const {
    const BoundNode& node = m_program.at(id);
    if (!node.by_q || !node.by_kv) return false;
    return node.op == BoundOp::modulo || node.op == BoundOp::floor_divide || node.op == BoundOp::element;
  }

  Region conjunction(NodeId id, const Region& within, int depth) {
    std::vector<NodeId> open{id};
    std::vector<NodeId> conditions;
    while (!open.empty()) {
      const BoundNode& node = m_program.at(open.back());
      if (node.op == BoundOp::logical_and) {
        open.back() = node.b;
        open.push_back(node.a);
      } else {
        conditions.push_back(open.back());
        open.pop_back();
      }
      if (!spend(0)) return {};
    }
    std::ranges::stable_sort(conditions, {}, [&](NodeId c) { return rank(c); });
    Region left = within;
    for (const NodeId condition : conditions) left = solve(condition, left, depth + 1);
    return left;
  }

  /// A condition on the query alone or on the key alone.
  Region alone(NodeId id, const Region& within, int depth) {
    const auto part = part_of(id);
    if (!part) return compound_alone(id, within, depth);
    Part negated = *part;
    if (!scale(negated, -1) || !shift(negated, 1)) return fail();
    const bool by_q = m_program.at(id).by_q;
    return restricted(by_q ? Sum{negated, {}} : Sum{{}, negated}, Relation::at_most, 0, within);
  }

  /// Its pieces are too many to keep, perhaps not those of its parts.
  Region compound_alone(NodeId id, const Region& within, int depth) {
    const BoundNode& node = m_program.at(id);
    switch (node.op) {
      case BoundOp::logical_and: return solve(node.b, solve(node.a, within, depth + 1), depth + 1);
      case BoundOp::logical_or:
        return joined(solve(node.a, within, depth + 1), solve(node.b, within, depth + 1), Combine::either);
      case BoundOp::logical_not: return joined(within, solve(node.a, within, depth + 1), Combine::first_only);
      default: return fail();
    }
  }

  /// The function that a node of the query alone, of the key alone or of neither is.
  std::optional<Part> part_of(NodeId id) const {
    const BoundNode& node = m_program.at(id);
    if (node.op == BoundOp::constant) {
      if (!is_moderate(node.bounds)) return std::nullopt;
      return Part{nullptr, 1, node.value, node.bounds};
    }
    const PiecesPtr& pieces = m_pieces[static_cast<std::size_t>(id)];
    if (!pieces) return std::nullopt;
    if (node.by_q && m_row) {
      const Index value = (*pieces)[piece_at(*pieces, *m_row)].at(*m_row);
      return Part{nullptr, 1, value, {value, value}};
    }
    return Part{pieces, 1, 0, node.bounds};
  }

  static bool set_bounds(Part& part, Wide low, Wide high) {
    constexpr Index limit = Index{1} << 60;
    if (low <= -limit || high >= limit) return false;
    part.bounds = {static_cast<Index>(low), static_cast<Index>(high)};
    return true;
  }

  static bool scale(Part& part, Index factor) {
    const auto [low, high] = std::minmax({Wide{part.bounds.low} * factor, Wide{part.bounds.high} * factor});
    const auto product = multiply(part.factor, factor);
    const auto offset = multiply(part.offset, factor);
    if (!product || !offset || !set_bounds(part, low, high)) return false;
    part.factor = *product;
    part.offset = *offset;
    return is_moderate({part.factor, part.factor}) && is_moderate({part.offset, part.offset});
  }

  static bool shift(Part& part, Index by) {
    part.offset += by;
    return is_moderate({part.offset, part.offset}) &&
           set_bounds(part, Wide{part.bounds.low} + by, Wide{part.bounds.high} + by);
  }

  bool add_part(Part& sum, const Part& other) {
    if (other.is_constant()) return shift(sum, other.offset);
    if (sum.is_constant()) {
      const Index offset = sum.offset;
      sum = other;
      return shift(sum, offset);
    }
    if (!spend(static_cast<Index>(sum.pieces->size() + other.pieces->size()))) return false;
    auto pieces = weighted_sum(*sum.pieces, sum.factor, *other.pieces, other.factor);
    if (!pieces) return false;
    Part made{std::make_shared<Pieces>(std::move(*pieces)), 1, 0, {}};
    const Index offset = sum.offset + other.offset;
    if (!set_bounds(made, Wide{sum.bounds.low} - sum.offset + other.bounds.low - other.offset,
                    Wide{sum.bounds.high} - sum.offset + other.bounds.high - other.offset))
      return false;
    if (made.pieces->size() == 1 && made.pieces->front().slope == 0)
      made = {nullptr, 1, made.pieces->front().first, {made.pieces->front().first, made.pieces->front().first}};
    sum = std::move(made);
    return shift(sum, offset);
  }

  /// A node that is one sum everywhere, without a look at any region.
  std::optional<Sum> plain_sum(NodeId id, int depth) {
    const BoundNode& node = m_program.at(id);
    if (depth > deepest || !spend(0)) return std::nullopt;
    if (!node.by_q || !node.by_kv) {
      const auto part = part_of(id);
      if (!part) return std::nullopt;
      return node.by_kv ? Sum{{}, *part} : Sum{*part, {}};
    }
    const bool is_sum = node.op == BoundOp::add || node.op == BoundOp::subtract;
    if (!node.exact || (!is_sum && node.op != BoundOp::negate)) return std::nullopt;
    auto a = plain_sum(node.a, depth + 1);
    if (!a) return std::nullopt;
    if (!is_sum) return scale(a->f, -1) && scale(a->g, -1) ? a : std::nullopt;
    auto b = plain_sum(node.b, depth + 1);
    if (!b) return std::nullopt;
    if (node.op == BoundOp::subtract && (!scale(b->f, -1) || !scale(b->g, -1))) return std::nullopt;
    return add(*b, *a) ? b : std::nullopt;
  }

  // Integers of query and key.

  std::vector<Case> cases(NodeId id, const Region& within, int depth) {
    std::vector<Case> made;
    if (within.empty() || m_failed) return made;
    if (depth > deepest || !spend(static_cast<Index>(within.size()))) return fail(), made;
    const BoundNode& node = m_program.at(id);
    if (!node.by_q || !node.by_kv) {
      const auto part = part_of(id);
      if (!part) return fail(), made;
      made.push_back({within, node.by_kv ? Sum{{}, *part} : Sum{*part, {}}});
      return made;
    }
    if (!node.exact) return fail(), made;
    switch (node.op) {
      case BoundOp::add:
      case BoundOp::subtract: return sums(node, node.op == BoundOp::add ? 1 : -1, within, depth);
      case BoundOp::negate: return scaled(cases(node.a, within, depth + 1), -1);
      case BoundOp::multiply: {
        const bool right = m_program.at(node.b).op == BoundOp::constant;
        if (!right && m_program.at(node.a).op != BoundOp::constant) return fail(), made;
        return scaled(cases(right ? node.a : node.b, within, depth + 1), m_program.at(right ? node.b : node.a).value);
      }
      case BoundOp::absolute: return absolutes(node, within, depth);
      case BoundOp::minimum:
      case BoundOp::maximum: return extremes(node, within, depth);
      case BoundOp::select: {
        const Region chosen = solve(node.a, within, depth + 1);
        made = cases(node.b, chosen, depth + 1);
        append(made, cases(node.c, joined(within, chosen, Combine::first_only), depth + 1));
        return made;
      }
      case BoundOp::to_int: {
        const Region holds = solve(node.a, within, depth + 1);
        append_constant(made, holds, 1);
        append_constant(made, joined(within, holds, Combine::first_only), 0);
        return made;
      }
      case BoundOp::floor_divide:
      case BoundOp::modulo: return quotients(node, within, depth);
      case BoundOp::element: return elements(node, within, depth);
      default: return fail(), made;
    }
  }

  void append(std::vector<Case>& all, std::vector<Case> more) {
    for (Case& c : more) all.push_back(std::move(c));
    if (static_cast<Index>(all.size()) > most_cases) m_failed = true;
  }

  void append_constant(std::vector<Case>& all, Region region, Index value) {
    if (!region.empty()) append(all, {{std::move(region), {{nullptr, 1, value, {value, value}}, {}}}});
  }

  bool add(Sum& sum, const Sum& other) { return add_part(sum.f, other.f) && add_part(sum.g, other.g); }

  std::vector<Case> scaled(std::vector<Case> all, Index factor) {
    for (Case& c : all)
      if (!scale(c.sum.f, factor) || !scale(c.sum.g, factor)) m_failed = true;
    return all;
  }

  std::vector<Case> sums(const BoundNode& node, Index sign, const Region& within, int depth) {
    std::vector<Case> made;
    for (Case& a : cases(node.a, within, depth + 1)) {
      for (Case& b : scaled(cases(node.b, a.region, depth + 1), sign)) {
        if (m_failed || !add(b.sum, a.sum)) return fail(), made;
        append(made, {std::move(b)});
      }
    }
    return made;
  }

  std::vector<Case> absolutes(const BoundNode& node, const Region& within, int depth) {
    std::vector<Case> made;
    for (Case& a : cases(node.a, within, depth + 1)) {
      Region negative = restricted(a.sum, Relation::at_most, -1, a.region);
      Region other = joined(a.region, negative, Combine::first_only);
      Sum inverse = a.sum;
      if (!scale(inverse.f, -1) || !scale(inverse.g, -1)) return fail(), made;
      if (!other.empty()) append(made, {{std::move(other), a.sum}});
      if (!negative.empty()) append(made, {{std::move(negative), std::move(inverse)}});
    }
    return made;
  }

  std::vector<Case> extremes(const BoundNode& node, const Region& within, int depth) {
    std::vector<Case> made;
    for (const Case& a : cases(node.a, within, depth + 1)) {
      for (Case& b : cases(node.b, a.region, depth + 1)) {
        auto difference = difference_of(a.sum, b.sum);
        if (m_failed || !difference) return fail(), made;
        // a <= b.
        Region a_first = restricted(*difference, Relation::at_most, 0, b.region);
        Region b_first = joined(b.region, a_first, Combine::first_only);
        const bool minimum = node.op == BoundOp::minimum;
        if (!a_first.empty()) append(made, {{std::move(a_first), minimum ? a.sum : b.sum}});
        if (!b_first.empty()) append(made, {{std::move(b_first), minimum ? b.sum : a.sum}});
      }
    }
    return made;
  }

  std::optional<Sum> difference_of(const Sum& a, Sum b) {
    if (!scale(b.f, -1) || !scale(b.g, -1) || !add(b, a)) return std::nullopt;
    return b;
  }

  /// What the sum can be within a region: looks at strips, and at whole parts where they have several pieces.
  Bounds range_of(const Sum& sum, const Region& region) {
    const bool one_line = is_line(sum.f) && is_line(sum.g);
    if (!one_line) return {sum.f.bounds.low + sum.g.bounds.low, sum.f.bounds.high + sum.g.bounds.high};
    Bounds found{highest, lowest};
    if (!spend(static_cast<Index>(region.size()))) return {};
    const auto value = [](const Part& part, Index x) {
      return part.is_constant() ? part.offset : part.factor * part.pieces->front().at(x) + part.offset;
    };
    for (const Strip& strip : region.strips())
      for (const Interval& interval : region.intervals(strip))
        for (const Index q : {strip.rows.begin, strip.rows.end - 1})
          for (const Index kv : {interval.lo.at(q), interval.hi.at(q) - 1}) {
            const Index at = value(sum.f, q) + value(sum.g, std::max<Index>(kv, 0));
            found = {std::min(found.low, at), std::max(found.high, at)};
          }
    return found;
  }

  static bool is_line(const Part& part) { return part.is_constant() || part.pieces->size() == 1; }

  /// x // d and x % d by a constant, one case for each quotient.
  std::vector<Case> quotients(const BoundNode& node, const Region& within, int depth) {
    std::vector<Case> made;
    const BoundNode& divisor = m_program.at(node.b);
    if (divisor.op != BoundOp::constant || divisor.value <= 0) return fail(), made;
    const Index d = divisor.value;
    for (const Case& a : cases(node.a, within, depth + 1)) {
      const Bounds range = range_of(a.sum, a.region);
      if (m_failed || range.low > range.high) return fail(), made;
      const Index first = floor_divide(range.low, d);
      const Index last = floor_divide(range.high, d);
      if (last - first >= most_cases) return fail(), made;
      Region left = a.region;
      for (Index k = first; k <= last && !left.empty() && !m_failed; ++k) {
        Region here = restricted(a.sum, Relation::at_most, k * d + d - 1, left);
        left = joined(left, here, Combine::first_only);
        if (node.op == BoundOp::floor_divide) {
          append_constant(made, std::move(here), k);
        } else if (!here.empty()) {
          Sum rest = a.sum;
          if (!shift(rest.f, -k * d)) return fail(), made;
          append(made, {{std::move(here), std::move(rest)}});
        }
      }
    }
    return made;
  }

  /// array[x], one case for each piece of the array that x can come to.
  std::vector<Case> elements(const BoundNode& node, const Region& within, int depth) {
    std::vector<Case> made;
    const BoundArray& array = *m_program.arrays[static_cast<std::size_t>(node.value)];
    for (const Case& a : cases(node.a, within, depth + 1)) {
      const Bounds range = range_of(a.sum, a.region);
      if (m_failed || array.size() == 0 || range.low > range.high) return fail(), made;
      Region left = a.region;
      const auto take = [&](Index last) {
        Region here = restricted(a.sum, Relation::at_most, last, left);
        left = joined(left, here, Combine::first_only);
        return here;
      };
      append_constant(made, take(-1), 0);
      const Index from = std::clamp<Index>(range.low, 0, array.size() - 1);
      for (std::size_t p = array.piece_index(from); p < array.pieces().size() && !left.empty() && !m_failed; ++p) {
        const ArrayPiece& piece = array.pieces()[p];
        if (piece.range.begin > range.high) break;
        Region here = take(piece.range.end - 1);
        if (here.empty()) continue;
        if (!is_moderate({piece.first, piece.first}) || !is_moderate({piece.last(), piece.last()})) return fail(), made;
        if (piece.slope == 0) {
          append_constant(made, std::move(here), piece.first);
        } else {
          Sum value = a.sum;
          if (!shift(value.f, piece.first - piece.range.begin)) return fail(), made;
          append(made, {{std::move(here), std::move(value)}});
        }
      }
      append_constant(made, std::move(left), 0);
    }
    return made;
  }

  // Comparisons.

  Region comparison(const BoundNode& node, const Region& within, int depth) {
    if (auto made = divided(node, within, depth)) return std::move(*made);
    const Relation relation = node.op == BoundOp::equal ? Relation::equal : Relation::at_most;
    const Index limit = node.op == BoundOp::less ? -1 : 0;
    if (const auto left = plain_sum(node.a, depth)) {
      if (const auto right = plain_sum(node.b, depth))
        if (const auto difference = difference_of(*left, *right))
          return restricted(*difference, relation, limit, within);
    }
    Region all;
    for (const Case& a : cases(node.a, within, depth + 1)) {
      for (const Case& b : cases(node.b, a.region, depth + 1)) {
        const auto difference = difference_of(a.sum, b.sum);
        if (m_failed || !difference) return fail();
        const Region part = restricted(*difference, relation, limit, b.region);
        all = joined(all, part, Combine::either);
      }
    }
    return all;
  }

  /// x // d compared with a constant is x compared with a multiple of d.
  std::optional<Region> divided(const BoundNode& node, const Region& within, int depth) {
    const bool left = m_program.at(node.a).op == BoundOp::floor_divide;
    const BoundNode& quotient = m_program.at(left ? node.a : node.b);
    const BoundNode& other = m_program.at(left ? node.b : node.a);
    if (quotient.op != BoundOp::floor_divide || !quotient.by_q || !quotient.by_kv || other.op != BoundOp::constant)
      return std::nullopt;
    const BoundNode& divisor = m_program.at(quotient.b);
    if (divisor.op != BoundOp::constant || divisor.value <= 0) return std::nullopt;
    // The largest quotient that counts as small: everything up to it is x <= quotient * d + d - 1.
    const bool strict = node.op == BoundOp::less;
    const auto upper =
        node.op == BoundOp::equal ? subtract(other.value, 0) : subtract(other.value, (left == strict) ? 1 : 0);
    const auto border = [&](Index q) {
      const auto base = multiply(q, divisor.value);
      return base ? vqscope::language::add(*base, divisor.value - 1) : std::nullopt;
    };
    if (!upper || !border(*upper) || !is_moderate({*border(*upper), *border(*upper)})) return std::nullopt;
    Region all;
    for (const Case& a : cases(quotient.a, within, depth + 1)) {
      if (m_failed) return Region{};
      Region small = restricted(a.sum, Relation::at_most, *border(*upper), a.region);
      if (node.op == BoundOp::equal) {
        const Region smaller = restricted(a.sum, Relation::at_most, *border(*upper) - divisor.value, small);
        small = joined(small, smaller, Combine::first_only);
      } else if (!left) {
        small = joined(a.region, small, Combine::first_only);
      }
      all = joined(all, small, Combine::either);
    }
    return all;
  }

  // f(query) + g(key) against a number.

  /// Where sum <= limit or sum == limit.
  Region restricted(const Sum& sum, Relation relation, Index limit, const Region& within) {
    if (m_failed || within.empty()) return {};
    const Index target = limit - sum.f.offset - sum.g.offset;
    if (sum.f.is_constant() && sum.g.is_constant()) {
      const bool holds = relation == Relation::equal ? target == 0 : 0 <= target;
      return holds ? within : Region{};
    }
    if (sum.g.is_constant()) return by_rows(sum.f, relation, target, within);
    if (sum.f.is_constant()) return by_columns(sum.g, relation, target, within);
    if (relation == Relation::equal && stands(sum.f) && stands(sum.g)) return by_values(sum, target, within);
    return by_boxes(sum, relation, target, within);
  }

  static bool stands(const Part& part) {
    return std::ranges::all_of(*part.pieces, [](const ArrayPiece& p) { return p.slope == 0; });
  }

  /// The x of a piece for which factor * piece <= or == target.
  static Range where(const Part& part, const ArrayPiece& piece, Relation relation, Index target) {
    const Index slope = part.slope(piece);
    const Index first = part.factor * piece.first;
    const Range t = relation == Relation::equal ? where_equal(first, slope, piece.range.size(), target)
                                                : where_at_most(first, slope, piece.range.size(), target);
    return {piece.range.begin + t.begin, piece.range.begin + t.end};
  }

  template <class Body>
  void for_pieces(const Part& part, Range over, const Body& body) {
    for (std::size_t p = piece_at(*part.pieces, over.begin); p < part.pieces->size() && !m_failed; ++p) {
      const ArrayPiece& piece = (*part.pieces)[p];
      if (piece.range.begin >= over.end) break;
      if (spend(0)) body(piece);
    }
  }

  static Range common(Range a, Range b) { return {std::max(a.begin, b.begin), std::min(a.end, b.end)}; }

  Region by_rows(const Part& f, Relation relation, Index target, const Region& within) {
    Region out;
    for (const Strip& strip : within.strips()) {
      const Intervals intervals = within.intervals(strip);
      for_pieces(f, strip.rows, [&](const ArrayPiece& piece) {
        const Range rows = common(where(f, piece, relation, target), strip.rows);
        if (rows.size() > 0 && spend(static_cast<Index>(intervals.size()))) out.append(rows, intervals);
      });
    }
    return out;
  }

  /// The columns where a function of the key fits, each neighbour joined to the next.
  std::vector<Interval> fitting_columns(const Part& g, Relation relation, Index target, Range over) {
    std::vector<Interval> columns;
    for_pieces(g, over, [&](const ArrayPiece& piece) {
      const Range fits = where(g, piece, relation, target);
      if (fits.size() <= 0) return;
      if (!columns.empty() && columns.back().hi.offset == fits.begin)
        columns.back().hi.offset = fits.end;
      else
        columns.push_back({{false, fits.begin}, {false, fits.end}});
    });
    return columns;
  }

  /// Those of sorted standing intervals that touch the columns `over`.
  static Intervals touching(Intervals columns, Range over) {
    const auto first = std::partition_point(columns.begin(), columns.end(),
                                            [&](const Interval& i) { return i.hi.offset <= over.begin; });
    const auto last =
        std::partition_point(first, columns.end(), [&](const Interval& i) { return i.lo.offset < over.end; });
    return {first, last};
  }

  void intersect(Range rows, Intervals a, Intervals b, Region& out) {
    if (!a.empty() && !b.empty()) m_combiner.combine(rows, a, b, Combine::both, out);
    spend(0);
  }

  Region by_columns(const Part& g, Relation relation, Index target, const Region& within) {
    Region out;
    const Range all = within.columns();
    if (all.size() <= 0) return out;
    const auto columns = fitting_columns(g, relation, target, all);
    for (const Strip& strip : within.strips()) {
      const Intervals intervals = within.intervals(strip);
      const Intervals some = touching(columns, hull(strip.rows, intervals));
      if (!spend(static_cast<Index>(some.size()))) return {};
      intersect(strip.rows, intervals, some, out);
    }
    return out;
  }

  /// Equality of what stands still on both sides: pieces of the key by value, looked up for each piece of the query.
  Region by_values(const Sum& sum, Index target, const Region& within) {
    const Range all = within.columns();
    if (all.size() <= 0) return {};
    std::vector<std::pair<Index, Interval>> keys;
    for_pieces(sum.g, all, [&](const ArrayPiece& piece) {
      keys.push_back({sum.g.factor * piece.first, {{false, piece.range.begin}, {false, piece.range.end}}});
    });
    const auto by_value = [](const auto& a, const auto& b) { return a.first < b.first; };
    if (!std::ranges::is_sorted(keys, by_value)) std::ranges::stable_sort(keys, by_value);
    std::vector<Index> values;
    std::vector<Interval> columns;
    for (const auto& [value, interval] : keys) {
      values.push_back(value);
      columns.push_back(interval);
    }
    Region out;
    for (const Strip& strip : within.strips()) {
      const Intervals intervals = within.intervals(strip);
      for_pieces(sum.f, strip.rows, [&](const ArrayPiece& piece) {
        const auto [begin, end] = std::equal_range(values.begin(), values.end(), target - sum.f.factor * piece.first);
        if (begin == end) return;
        const Range rows = common(piece.range, strip.rows);
        const auto first = static_cast<std::size_t>(begin - values.begin());
        const auto count = static_cast<std::size_t>(end - begin);
        const Intervals some = touching(Intervals(columns).subspan(first, count), hull(rows, intervals));
        if (spend(static_cast<Index>(some.size()))) intersect(rows, intervals, some, out);
      });
    }
    return out;
  }

  /// Pieces of the query against those of the key, where the region has them.
  Region by_boxes(const Sum& sum, Relation relation, Index target, const Region& within) {
    Region out;
    for (const Strip& strip : within.strips()) {
      const Intervals intervals = within.intervals(strip);
      for_pieces(sum.f, strip.rows, [&](const ArrayPiece& piece) {
        const Range rows = common(piece.range, strip.rows);
        box_row({rows, sum.f.factor * piece.at(rows.begin), rows.size() == 1 ? 0 : sum.f.slope(piece)}, sum.g, relation,
                target, intervals, out);
      });
      if (m_failed) return {};
    }
    return out;
  }

  /// A line over rows.
  struct RowLine {
    Range rows;
    Index first = 0;
    Index slope = 0;
  };

  /// The columns [lo, hi) of one piece of the key, each end limited to the piece; in `rows` alone where the key does
  /// not matter.
  struct Half {
    Range cols;
    Range rows;
    End lo;
    End hi;
  };

  void box_row(const RowLine& f, const Part& g, Relation relation, Index target, Intervals intervals, Region& out) {
    const Range over = hull(f.rows, intervals);
    if (over.size() <= 0) return;
    std::vector<Half>& halves = m_halves;
    halves.clear();
    for_pieces(g, over, [&](const ArrayPiece& piece) {
      Half half{common(piece.range, over), f.rows, {false, piece.range.begin}, {false, piece.range.end}};
      if (narrow(f, {piece.range, g.factor * piece.first, g.slope(piece)}, relation, target, half))
        halves.push_back(half);
    });
    std::vector<Index>& cuts = m_cuts;
    cuts.assign({f.rows.begin, f.rows.end});
    const auto cut = [&](Index row) {
      if (row > f.rows.begin && row < f.rows.end) cuts.push_back(row);
    };
    for (const Half& half : halves) {
      cut(half.rows.begin);
      cut(half.rows.end);
      for (const End& end : {half.lo, half.hi}) {
        if (!end.moves) continue;
        cut(half.cols.begin - end.offset);
        cut(half.cols.end - end.offset);
      }
    }
    std::ranges::sort(cuts);
    cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
    std::vector<Interval>& columns = m_columns;
    for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
      if (!spend(static_cast<Index>(halves.size()))) return;
      const Range rows{cuts[i], cuts[i + 1]};
      columns.clear();
      for (const Half& half : halves) add_half(half, rows, columns);
      intersect(rows, intervals, columns, out);
    }
  }

  /// Between two cuts an end is wholly left of a piece, in it, or right of it.
  static void add_half(const Half& half, Range rows, std::vector<Interval>& columns) {
    if (half.rows.begin > rows.begin || half.rows.end < rows.end) return;
    const auto limited = [&](const End& end) -> End {
      const Index first = end.at(rows.begin);
      const Index last = end.at(rows.end - 1);
      if (std::max(first, last) <= half.cols.begin) return {false, half.cols.begin};
      if (std::min(first, last) >= half.cols.end) return {false, half.cols.end};
      return end;
    };
    const Interval made{limited(half.lo), limited(half.hi)};
    if (made.lo == made.hi) return;
    if (!columns.empty() && columns.back().hi == made.lo)
      columns.back().hi = made.hi;
    else
      columns.push_back(made);
  }

  /// f + g <= target or == target over a box, as an interval for each row. False: nowhere, or it failed.
  bool narrow(const RowLine& f, const RowLine& g, Relation relation, Index target, Half& half) {
    if (f.slope == 0) {
      const Range t = relation == Relation::equal ? where_equal(g.first, g.slope, g.rows.size(), target - f.first)
                                                  : where_at_most(g.first, g.slope, g.rows.size(), target - f.first);
      half.lo = {false, g.rows.begin + t.begin};
      half.hi = {false, g.rows.begin + t.end};
      return t.size() > 0;
    }
    if (g.slope == 0) {
      const Range t = relation == Relation::equal ? where_equal(f.first, f.slope, f.rows.size(), target - g.first)
                                                  : where_at_most(f.first, f.slope, f.rows.size(), target - g.first);
      half.rows = {f.rows.begin + t.begin, f.rows.begin + t.end};
      return t.size() > 0;
    }
    if (f.slope != -g.slope) return m_failed = true, false;
    // g.slope * (kv - g.begin) - g.slope * (q - f.begin) against what is left.
    const Index room = target - f.first - g.first;
    const Index same = g.rows.begin - f.rows.begin;
    const Index steps = floor_divide(room, g.slope);
    const bool even = floor_modulo(room, g.slope) == 0;
    if (relation == Relation::equal) {
      half.lo = {true, same + steps};
      half.hi = {true, same + steps + 1};
      return even;
    }
    if (g.slope > 0)
      half.hi = {true, same + steps + 1};
    else
      half.lo = {true, same + (even ? steps : steps + 1)};
    return true;
  }

  const BoundProgram& m_program;
  const std::vector<PiecesPtr>& m_pieces;
  Combiner m_combiner;
  std::vector<Half> m_halves;
  std::vector<Index> m_cuts;
  std::vector<Interval> m_columns;
  bool m_failed = false;
  std::optional<Index> m_row;  ///< the only one that is asked for
};

}  // namespace

std::optional<Region> RegionSolver::solve(NodeId root, const Region& within, Index budget) const {
  Solver solver(m_program, m_pieces, within, budget);
  Region solved = solver.solve(root, within);
  return solver.failed() ? std::nullopt : std::optional(std::move(solved));
}

}  // namespace vqscope::language
