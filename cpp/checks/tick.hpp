// How a long check reports its progress and lets itself be interrupted.
#pragma once

#include <functional>

namespace sfumato::checks {

// Called between blocks of work with the share done, in [0, 1]; it throws to interrupt.
using Tick = std::function<void(double)>;

}  // namespace sfumato::checks
