// Schemes that generate candidates: a few numbers of a text, which similar texts probably share (Fetterly,
// Manasse, Najork, Wiener, "A large-scale study of the evolution of Web pages", 2003). The features of
// another scheme verify the candidates.
#pragma once

#include <memory>
#include <string_view>

#include "morph/features/features.h"
#include "morph/features/scheme_spec.h"

namespace akin {

/// The largest number of minima in a signature.
inline constexpr std::uint64_t kMaxMinima = 1024;

/// Makes the scheme that a specification names, for the parameter `of`.
using MakeScheme = Result<std::shared_ptr<const Scheme>> (*)(std::string_view);

/// `minhash(k=84,minima=bins,of=SCHEME)`: k features, the minima with their numbers. Error: invalid_argument.
[[nodiscard]] Result<std::shared_ptr<const Scheme>> minhash_scheme(const SchemeSpec& spec, MakeScheme make);

/// `supershingles(groups=14,size=6,minima=bins,of=SCHEME)`: a feature per group of `size` minima.
[[nodiscard]] Result<std::shared_ptr<const Scheme>> supershingles_scheme(const SchemeSpec& spec,
                                                                         MakeScheme make);

/// `megashingles(groups=6,size=14,minima=bins,of=SCHEME)`: a feature per pair of supershingles.
[[nodiscard]] Result<std::shared_ptr<const Scheme>> megashingles_scheme(const SchemeSpec& spec,
                                                                        MakeScheme make);

}  // namespace akin
