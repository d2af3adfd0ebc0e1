// SPDX-License-Identifier: GPL-3.0-or-later
// The result of an experiment in one sentence with its numbers.
#pragma once

#include "core/method/curve_set.h"

#include <functional>
#include <string>

namespace vqscope {

struct Method;

/// The sentence of the method's curves, without a full stop; empty: the method has none, or the
/// curves have no number yet. It is made from the curves alone, so a kept run has the same one.
std::string verdict_of(const Method& method, const CurveSet& curves);

/// For curves of any kind: how each goes from its first value to its last, or, of more than four,
/// which ends lowest and which highest.
std::string general_verdict(const CurveSet& curves);

/// What sentences call the model of a curve: "ALiBi" for alibi.
using ModelNames = std::function<std::string(const std::string& id)>;

/// For losses by context length with a mark at the training length: which models keep their loss,
/// and how much the others lose.
std::string extrapolation_verdict(const CurveSet& curves, const ModelNames& name_of);

/// For fractions of correct answers with a mark at the largest size in training.
std::string accuracy_verdict(const CurveSet& curves, const ModelNames& name_of);

/// For errors by length with a mark at the training length: by which factor each grows.
std::string growth_verdict(const CurveSet& curves);

/// For the seconds of two or more ways of the same computation: which is the fastest at the last
/// x, by which factor, and from where on.
std::string speed_verdict(const CurveSet& curves);

}  // namespace vqscope
