"""The notebooks' kernels start by forking when the tests run them."""

import kernels

kernels.start_by_forking()
