// SPDX-License-Identifier: BSD-3-Clause
#pragma once
/// The names of the mistakes that the program can make on purpose.

#include <optional>
#include <string>
#include <vector>

namespace heat {

enum class Mistake { none, dropped_handle, early_overwrite, missing_wait, overlapping };

/// "dropped-handle" ...; nullopt for another word.
[[nodiscard]] std::optional<Mistake> mistake_named(const std::string& name);
/// All names that mistake_named() knows, for messages.
[[nodiscard]] std::vector<std::string> mistake_names();

/// Two lines for before the run: what is done wrong, and what Waybill will say.
/// Empty for Mistake::none.
[[nodiscard]] std::string announcement(Mistake mistake);

}  // namespace heat
