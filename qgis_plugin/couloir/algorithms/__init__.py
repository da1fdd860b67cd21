"""The Processing algorithms, one file each."""

from .barrier import BarrierReport
from .classify import ClassifyHazard
from .compare import CompareRuns
from .layout import HazardMapLayout
from .merge import MergeRuns
from .prepare import PrepareArea
from .profile import TrajectoryProfile
from .release import FindReleaseAreas
from .run import RunSimulation
from .score import ScoreRun

ALGORITHMS = (
    PrepareArea, FindReleaseAreas, RunSimulation, ClassifyHazard, BarrierReport, MergeRuns, CompareRuns, ScoreRun,
    TrajectoryProfile, HazardMapLayout,
)  # fmt: skip
