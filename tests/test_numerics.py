"""Numerical methods against closed forms, published tables and their own symmetries."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from spit_train.numerics import (
    Floats,
    beta_cdf,
    beta_quantile,
    bisect,
    chi2_tail,
    climb,
    continued_fraction,
    t_quantile,
)

pytestmark = pytest.mark.plain

shapes = st.floats(0.5, 500)
shares = st.floats(0.001, 0.999)


@given(st.integers(1, 40), st.integers(0, 40), shares)
def test_a_beta_of_whole_numbers_is_a_sum_of_binomials(k: int, more: int, x: float) -> None:
    """I_x(k, n - k + 1) is the chance of k or more successes in n."""
    n = k + more
    total = math.fsum(math.comb(n, j) * x**j * (1 - x) ** (n - j) for j in range(k, n + 1))
    assert beta_cdf(x, k, n - k + 1) == pytest.approx(total, abs=1e-12)


@given(shares, shapes, shapes)
def test_a_beta_quantile_undoes_the_beta(share: float, a: float, b: float) -> None:
    x = beta_quantile(share, a, b)
    assert beta_cdf(x, a, b) == pytest.approx(share, abs=1e-9)
    assert beta_cdf(1 - x, b, a) == pytest.approx(1 - share, abs=1e-9)


def test_a_beta_ends() -> None:
    assert (beta_cdf(0, 2, 3), beta_cdf(1, 2, 3), beta_cdf(-1, 2, 3), beta_cdf(2, 2, 3)) == (0, 1, 0, 1)


@given(st.floats(0.01, 100))
def test_chi_square_of_two_degrees_is_exponential(x: float) -> None:
    assert chi2_tail(x, 2) == pytest.approx(math.exp(-x / 2), rel=1e-12)


@given(st.floats(0.001, 30))
def test_chi_square_of_one_degree_is_a_square_of_a_normal(x: float) -> None:
    assert chi2_tail(x, 1) == pytest.approx(math.erfc(math.sqrt(x / 2)), rel=1e-10)


@pytest.mark.parametrize(("x", "degrees", "tail"), [(14.067, 7, 0.05), (18.475, 7, 0.01), (124.342, 100, 0.05)])
def test_chi_square_tables(x: float, degrees: int, tail: float) -> None:
    assert chi2_tail(x, degrees) == pytest.approx(tail, abs=1e-5)
    assert chi2_tail(0, degrees) == 1


@pytest.mark.parametrize(
    ("share", "degrees", "t"), [(0.975, 1, 12.7062), (0.975, 10, 2.2281), (0.95, 30, 1.6973), (0.005, 5, -4.0321)]
)
def test_student_tables(share: float, degrees: int, t: float) -> None:
    assert t_quantile(share, degrees) == pytest.approx(t, abs=1e-4)


def test_a_continued_fraction() -> None:
    golden = (1 + math.sqrt(5)) / 2
    assert continued_fraction(1, lambda _: 1, lambda _: 1) == pytest.approx(golden, rel=1e-14)
    with pytest.raises(ArithmeticError, match="no convergence"):
        continued_fraction(1, lambda _: -1, lambda _: 1)  # goes round in a circle


@given(st.floats(-5, 5))
def test_bisection_finds_where_a_function_passes_0(root: float) -> None:
    assert bisect(lambda x: (x - root) ** 3, -7, 6) == pytest.approx(root, abs=1e-12)
    assert bisect(lambda x: x - root, -7, 6, precision=0.1) == pytest.approx(root, abs=0.1)


@given(st.floats(-15, 15), st.floats(-15, 15))
def test_climbing_finds_the_top_from_afar(x: float, y: float) -> None:
    """Of -log cosh, whose slope is so flat far away that a whole step would go too far."""

    def derivatives(place: Floats) -> tuple[Floats, Floats]:
        slope = np.tanh(np.array([x, y]) - place)
        return slope, np.diag(1 - slope**2)

    top, bend = climb(derivatives, np.zeros(2))
    assert top == pytest.approx([x, y], abs=1e-9)
    assert bend == pytest.approx(np.eye(2), abs=1e-9)
