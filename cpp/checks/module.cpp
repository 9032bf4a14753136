// What verification needs. Includes nothing from the folder above: a verdict must not share code
// with what it judges.
#include <nanobind/nanobind.h>

NB_MODULE(_checks, m) {
    m.doc() = "Compiled checks; use them through sfumato.kernels.checks.";
}
