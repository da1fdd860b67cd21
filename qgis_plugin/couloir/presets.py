"""Names the engine knows, for drop-down lists, with the numbers people want to see."""

from __future__ import annotations

#: name, μ_min, μ_max, β (1/s), κ (1/m): the engine's built-in ground classes.
GROUND = (
    ("extra_soft", 0.20, 2.0, 50.0, 1.0),
    ("soft", 0.25, 2.0, 100.0, 1.25),
    ("medium_soft", 0.30, 2.0, 125.0, 1.5),
    ("medium", 0.35, 2.0, 150.0, 2.0),
    ("medium_hard", 0.40, 2.0, 175.0, 2.5),
    ("hard", 0.55, 2.0, 185.0, 3.0),
    ("extra_hard", 0.80, 2.0, 200.0, 4.0),
    ("snow", 0.10, 0.35, 150.0, 2.0),
)
#: name, drag (kg/s), height (m).
FOREST = (("none", 0.0, 0.0), ("open", 250.0, 30.0), ("medium", 500.0, 30.0), ("dense", 750.0, 30.0))


def ground_label(index: int) -> str:
    name, mu_min, mu_max, beta, kappa = GROUND[index]
    return f"{name} (μ {mu_min:g}–{mu_max:g}, β {beta:g} 1/s, κ {kappa:g} 1/m)"


def forest_label(index: int) -> str:
    name, drag, height = FOREST[index]
    return f"{name} ({drag:g} kg/s, {height:g} m)" if drag else name
