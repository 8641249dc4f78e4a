"""A claim: a number we publish, the bound it must meet, and the line that shows both."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """One measured value of a row in bench/README.md, named as the row is."""

    name: str
    value: float
    unit: str = "x"
    at_least: float | None = None
    at_most: float | None = None

    @property
    def held(self) -> bool:
        """Tell whether the value meets its bounds."""
        low = self.at_least is None or self.value >= self.at_least
        high = self.at_most is None or self.value <= self.at_most
        return low and high

    def line(self) -> str:
        """Return the line that a run prints for this claim.

        >>> Claim("decay-per-item-numpy", 2.71, at_least=2.3).line()
        'claim | decay-per-item-numpy                     |    2.71 x    | >= 2.3    | held'
        """
        if self.at_least is not None:
            bound = f">= {self.at_least:g}"
        elif self.at_most is not None:
            bound = f"<= {self.at_most:g}"
        else:
            bound = "reported"
        verdict = "held" if self.held else "MISSED"
        value = f"{self.value:7.3g} {self.unit:<4}"
        return f"claim | {self.name:<40} | {value} | {bound:<9} | {verdict}"
