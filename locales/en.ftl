# The words of Couloir's reports, maps, legends and layers. Engine and QGIS plugin read this file; see docs/translations.md.

## Words used in many places

rocks =
    { $count ->
        [one] { $count } rock
       *[other] { $count } rocks
    }
rocks-word = rocks
cells-word = cells
crossings = crossings
trajectories =
    { $count ->
        [one] { $count } trajectory
       *[other] { $count } trajectories
    }
and-then = { $first }; { $next }
share = share
mean = mean
max = max
median = median
not-given = not given
file = file
input = input
value = value
quantity = quantity
class = class
per-year = per year
years = { $years } years
scenario = scenario
scenarios = Scenarios
maps = Maps
mass = mass
velocity = velocity
jump-height = jump height
run-out = run-out
ground = ground
centre-of-mass = centre of mass
unit-rotation = rev/s
unit-share = share
with-barriers = with barriers
without-barriers = without barriers

## Head and signatures

rockfall-simulation = Rockfall simulation
study-office = Office
study-author = Author
study-client = Client
study-plan_number = Plan number
study-version = Version
study-date = Date
study-status = Status
study-draft = Draft
study-final = Final
sign-prepared = Prepared by, date
sign-checked = Checked by, date
sign-inputs = Inputs and release frequencies confirmed by, date
sign-released = Released by, date

## Report

chapter-run = What was run
chapter-maps = Maps
chapter-hazard = Hazard classification
chapter-figures = The rocks in figures
chapter-profile = Profiles
chapter-lines = Lines and barriers
chapter-parameters = Parameters
chapter-reproduce = How to reproduce
chapter-meaning = What the numbers mean
project-as-run = The project file as it was run. Keys that are not in it have their documented default.
picture-removed = { $caption } (The picture { $file } was removed.)
key-rocks = rocks released
key-energy = largest energy of a rock, p95
key-jump = largest jump of a rock, p95
key-runout = run-out, p95
no-warnings = The run gave no warnings.
warnings-title = Warnings: read before use
releases-per-year = releases per year
rocks-simulated = rocks simulated
how-they-ended = How the trajectories ended
contact-solver = Contact solver, all trajectories: { $counts }.
solver-solves = solves
solver-not-converged = not converged
solver-restitution-reduced = restitution reduced
solver-pushed-out = pushed out
stop-reason = stop reason
stop-at-rest = at rest
stop-left-terrain = left terrain
stop-nodata = no height (nodata)
stop-max-time = longest time
stop-max-distance = longest distance
stop-barrier = held by a barrier
stop-diverged = diverged
reached = Rocks pass { $cells } cells ({ $hectares } ha). In { $share } % of them fewer than { $least } rocks pass: quantiles there rest on few values and change with the seed (layer sample_size_warning). Release more rocks where that matters.
no-classification = The project asks for none. `couloir classify` adds one to this run folder.
figure-mass = mass (kg)
figure-energy = largest kinetic energy (kJ)
figure-velocity = largest velocity (m/s)
figure-jump = largest jump height (m)
figure-rotation = largest rotation (rev/s)
figure-runout = run-out, horizontal (m)
figure-energy-line = energy line angle (°)
of-each-rock = of each rock
distribution-of-rocks = Distribution over all rocks; every rock counts once with its largest value.
no-profile = No trajectory moved far enough for a profile.
profile-steepest = Trajectory { $trajectory }: { $rock }, { $mass } kg. Of all rocks with at least the median run-out this one has the steepest line from start to end, { $angle }°. Height exaggerated as the axes show.
profile-farthest = Trajectory { $trajectory }: { $rock }, { $mass } kg. Of all rocks this one ran farthest, { $runout } m in a straight line; line from start to end { $angle }°.
profile-steepest-title = The steepest path
profile-farthest-title = The farthest path
profile-energy-and-velocity = Kinetic energy (translational and rotational) and velocity along it.
same-bytes = With the files below, { $engine } { $version } (revision { $revision }) gives the same bytes on any number of threads:
this-run = This run: { $threads ->
        [one] { $threads } thread
       *[other] { $threads } threads
    }, { $seconds } s, { $system }, { $processor }. Hashes of all results are in manifest.json.
role-project = project
role-terrain = terrain
role-release = release
role-ground = ground
role-forest = forest
role-lines = lines
role-barriers = barriers
role-objects = objects
role-rocks = rocks
role-classification = classification
role-restitution = restitution
barrier-sheet = Barrier sheet: { $project }
made-with =
    { $engine } { $version }, seed { $seed }, project { $project }, { $rocks ->
        [one] { $rocks } rock
       *[other] { $rocks } rocks
    }, { $crs }.
meaning-passage = Passage: a rock whose centre of mass crosses a cell; it counts once per cell, with its largest value there.
meaning-quantities = Kinetic energy: translational plus rotational. Jump height: smallest vertical distance between rock and ground. Run-out: horizontal distance from start to end.
meaning-quantile = p95: 95 % of the rocks passing stay at or below it. It says nothing about how often a rock passes: that is the reach probability (per rock released) or, with release frequencies, the frequency per year.
meaning-return-period = Return period: from the release frequencies or return periods of the scenarios that the user gives, never from reach alone; the rule of the hazard map stands in chapter 3.
meaning-barrier = Barrier: a rock is held where its centre of mass crosses at or below the top and its energy is within the capacity.
meaning-limits = The simulation knows the terrain model, ground classes, forest and rocks it was given, and nothing else. Fragmentation, changes of the ground by earlier rocks and damage to the forest are not part of it.

## What was run

setting-terrain = Terrain
setting-crs = Coordinate system
setting-contact = Contact model
setting-integrator = Rotation integrator
setting-time-step = Time step
setting-gravity = Gravity
setting-seed = Seed
setting-rocks = Rocks
setting-releases = Releases
setting-ground = Ground
setting-forest = Forest
terrain-of = { $file }: { $cells } cells of { $size } m; E { $west } to { $east }, N { $south } to { $north }
rock-look = { $shape } ({ $corners } corners, sphericity { $sphericity }, faces meet at { $edge }°)
release-of =
    { $name }: { $features ->
        [one] { $features } feature
       *[other] { $features } features
    }, { $rocks } rocks per position
ground-of = default class { $class }, { $layers ->
        [one] { $layers } layer
       *[other] { $layers } layers
    } on top
forest-none = none
forest-of = default { $class }, { $layers ->
        [one] { $layers } layer
       *[other] { $layers } layers
    }

## Maps and legends

map-footer = { $crs }   E { $west } – { $east }   N { $south } – { $north } m   cell { $cell } m   contours { $contours } m
map-of-layer = { $title }. Layer { $layer }.tif.
overlay-release = release area
map-kinetic-energy-kj-p95 = Kinetic energy, 95 % quantile of the rocks passing
map-kinetic-energy-kj-max = Kinetic energy, largest of the rocks passing
map-jump-height-m-p95 = Jump height, 95 % quantile of the rocks passing
map-velocity-ms-p95 = Velocity, 95 % quantile of the rocks passing
map-reach-probability = Reach probability: passages per rock released
map-passages = Number of rocks passing
map-deposits = Rocks that came to rest
map-energy-line-angle-deg = Energy line angle
legend-kinetic-energy-kj-p95 = Kinetic energy p95 (kJ)
legend-kinetic-energy-kj-max = Kinetic energy max (kJ)
legend-jump-height-m-p95 = Jump height p95 (m)
legend-velocity-ms-p95 = Velocity p95 (m/s)
legend-reach-probability = Passages per rock released
legend-passages = Rocks passing
legend-deposits = Rocks at rest
legend-energy-line-angle-deg = Angle (°)
map-intensity = Intensity, scenario { $scenario }
map-reduced = reduced: a pixel shows the highest class of { $cells } × { $cells } cells
map-hazard = Hazard zones
few-rocks = few rocks
about-the-same = about the same (± { $amount })
rarer-than-300-years = rarer than every 300 years
every-100-to-300-years = every 100 to 300 years
every-30-to-100-years = every 30 to 100 years
every-10-to-30-years = every 10 to 30 years
every-1-to-10-years = every 1 to 10 years
more-than-once-a-year = more than once a year

## Layers

quantity-energy = kinetic energy
quantity-velocity = velocity
quantity-jump = jump height
quantity-rotation = rotation
layer-name-statistic = { $quantity }, { $statistic }
layer-name-mean = mean
layer-name-p50 = median
layer-name-p90 = 90 % quantile
layer-name-p95 = 95 % quantile
layer-name-p99 = 99 % quantile
layer-name-max = maximum
layer-name-p95-lower = 95 % quantile, lower bound
layer-name-p95-upper = 95 % quantile, upper bound
layer-name-passages = number of rocks passing
layer-name-deposits = rocks at rest
layer-name-source-cells = source cells
layer-name-reach-probability = reach probability
layer-name-reach-probability-local = reach probability, local
layer-name-energy-line-angle-deg = energy line angle
layer-name-sample-size-warning = few rocks (quantiles uncertain)
layer-name-frequency-above = frequency ≥ { $energy } kJ
layer-passages = Number of rocks that passed the cell; each counts once
layer-deposits = Number of rocks that came to rest in the cell or were held by a barrier there
layer-source-cells = Number of source cells whose rocks passed the cell
layer-reach-probability = Passages divided by all rocks released
layer-reach-probability-local = Passages divided by the rocks released from the source cells that reach the cell
layer-energy-line-angle-deg = Smallest angle below the horizontal of the line from a rock's start to the ground at the cell's centre, over the rocks that passed
layer-mean = Mean of the largest { $quantity } of each rock in the cell
layer-max = Largest { $quantity } of any rock in the cell
layer-p95-lower = Lower 95 % confidence bound of the 95 % quantile of the largest { $quantity } of each rock in the cell (order statistics)
layer-p95-upper = Upper 95 % confidence bound of the 95 % quantile of the largest { $quantity } of each rock in the cell (order statistics); none below 72 passages
layer-quantile = { $percent } % quantile of the largest { $quantity } of each rock in the cell; relative error at most { $error } %
layer-sample-size-warning = 1 where fewer than { $least } rocks passed and quantiles mean little, else 0
layer-frequency-above = Passages per year with at least { $energy } kJ
layer-reach-square = Rocks that enter the square of { $width } m around the cell, each counted once, divided by all rocks released
layer-years-cell = Years between two rocks of at least { $energy } kJ that pass the cell
layer-years-square = Years between two rocks of at least { $energy } kJ that enter the square of { $width } m around the cell, each counted once
layer-name-reach-square = reach probability, squares of { $width } m
layer-name-years-cell = return period from { $energy } kJ (years)
layer-name-years-square = return period from { $energy } kJ, squares of { $width } m (years)
layer-pooled = All scenarios pooled
layer-intensity = Intensity class (0 none, then { $classes })
layer-hazard = Hazard zone (0 none, then { $classes })

## Hazard classification

legend-intensity = Intensity: { $classes } (p{ $quantile } of the kinetic energy).
legend-intensity-title = Intensity (energy, p{ $quantile })
any-energy = any energy
rule-scenario = Return period: that of the scenario wherever it reaches ({ $periods }). The most severe zone of all scenarios counts.
rule-passages = Return period: one over the yearly frequency of { $place }: { $which }.
rule-exceedance = passages at or above the lower limit of each intensity, all scenarios together
rule-scenario-quantile = passages of the scenarios whose quantile has the intensity
rule-reference-width = rocks entering a square of { $width } m
rule-cell = rocks passing a cell of the DEM
rule-least-reach = Cells that less than { $share } % of a scenario's rocks pass are left out.
rule-every-cell = Every cell that a rock of a scenario passes counts.
not-in-hazard-map = not in the hazard map
return-period-years = return period (years)
zone = zone
name = name
meaning = meaning
matrix-corner = intensity \ return period

## Schemes that are built in

scheme-swiss-name = Swiss hazard matrix (rockfall)
scheme-swiss-intensity-weak = weak
scheme-swiss-intensity-medium = medium
scheme-swiss-intensity-strong = strong
scheme-swiss-zone-residual = residual hazard
scheme-swiss-zone-yellow = low hazard
scheme-swiss-zone-blue = moderate hazard
scheme-swiss-zone-red = considerable hazard
scheme-swiss-meaning-residual = rarer than 300 years
scheme-swiss-meaning-yellow = notice area
scheme-swiss-meaning-blue = building under conditions
scheme-swiss-meaning-red = no new buildings
scheme-austria-intensity-low = low
scheme-austria-intensity-medium = medium
scheme-austria-intensity-high = high
scheme-austria-zone-residual = rarer than the design event
scheme-austria-zone-yellow = yellow zone
scheme-austria-zone-red = red zone
scheme-austria-meaning-residual = rarer than 150 years
scheme-austria-meaning-yellow = building under conditions
scheme-austria-meaning-red = no permanent settlement
scheme-norway-name = Norwegian safety classes (nominal yearly probability)
scheme-norway-intensity-any-rock = any rock
scheme-norway-zone-s3 = 1/1000 to 1/5000 per year
scheme-norway-zone-s2 = 1/100 to 1/1000 per year
scheme-norway-zone-s1 = more than 1/100 per year
scheme-norway-meaning-s3 = safety class S3 not allowed
scheme-norway-meaning-s2 = safety classes S2 and S3 not allowed
scheme-norway-meaning-s1 = no safety class allowed

## Lines and barriers

no-lines = The project has neither recording lines nor barriers.
no-rock-crosses = No rock crosses it.
distribution-of-crossings = Distribution over all crossings of the whole line.
fate-title = what happens at the barrier
fate-stopped = held, wholly below the top
fate-partly-above = held, partly above the top
fate-broke-through = too strong, broke through
fate-passed-over = passed over the top
segment = segment
from-to = from–to (m)
energy-p50 = energy p50
column-p95 = p95
column-p99 = p99
max-kj = max (kJ)
velocity-p95 = velocity p95 (m/s)
height-p95 = height p95
max-m = max (m)
all-segments = all
too-few-crossings = * fewer than { $least } crossings: too few for a p95 to rely on.
empty-segments =
    { $count ->
        [one] No rock crosses the other segment.
       *[other] No rock crosses the other { $count } segments.
    }
crossings-of = Crossings { $variant }
dimensioning-sheet = Dimensioning sheet, { $standard }
no-bound = no bound: too few rocks
upper-bound = at most { $value } with 95 % confidence
characteristic-energy = characteristic energy, p{ $percent } of { $rocks ->
        [one] { $rocks } rock
       *[other] { $rocks } rocks
    }
characteristic-height = characteristic height of the centre of mass, p{ $percent }
factor-on-energy = on energy
factor-on-velocity = on velocity (energy squared, height once)
factor-on-height = on height
factor-on-resistance = on the barrier's energy
factor-from-project = set in the project
factor-default = default
factor-assumed = ASSUMPTION, editable
factor-gamma-tr = trajectory simulation: 1.02 back-analysed, 1.10 from literature
factor-gamma-dp = topography: 1.02 detailed survey, 1.10 coarse
factor-gamma-vol = block survey: 1.02 detailed, 1.10 coarse
factor-gamma-density = unit weight of the rock
factor-gamma-risk = consequences of failure: 1.00 to 1.20
factor-gamma-barrier = energy class proved at the maximum energy level
factor-gamma-energy = energy; consequence class CC1 1.00, CC2 1.05, CC3 1.15
factor-gamma-height = height; consequence class CC1 1.05, CC2 1.10, CC3 1.30
factor-gamma-resistance = energy class; depends on consequence class
beyond-classes = beyond 4500 kJ
design-energy = design energy
required-energy = required energy level
required-energy-how = design energy × factor on the barrier
smallest-class = smallest class of EAD 340059 that holds
design-height = design height
freeboard = freeboard
freeboard-how = at least half the rock
required-height = required height
required-height-how = design height + freeboard
retained-share = share of rocks such a barrier retains

## Axes

axis-along-path = distance along the path (m)
axis-distance = distance (m)
axis-horizontal-distance = horizontal distance (m)
axis-height = height (m)
axis-energy = kinetic energy (kJ)
axis-velocity = velocity (m/s)
axis-jump = jump height (m)
axis-rotation = rotation (rev/s)
axis-reach = share of the rocks
axis-frequency = passages per year
axis-angle = angle (°)
axis-centre-height = height of centre (m)
axis-lowest-height = height of lowest point (m)
panel-energy = Kinetic energy
panel-velocity = Velocity
panel-jump = Jump height
panel-rotation = Rotation
panel-reach = Reach probability
panel-frequency = Frequency
panel-rocks = Rocks
panel-energy-line = Energy line
panel-height = Height

## Profile, difference and comparison pages

profile-title = Profile
profile-caption = Terrain and layers along the line; gaps: no rock passed.
profile-no-heights = no heights: the DEM of the run was moved or changed
profile-outside = no value: the line lies outside the run's area, { $extent }
run-in-folder = run, { $folder }
line-number = line { $number }
track-profile-title = Trajectory profile
track-profile-caption = Height of the centre of mass, and its values, over the horizontal distance from the first record.
difference-title = Difference of two runs
difference-folder = folder
difference-name = title
difference-engine = engine
difference-finished = finished
difference-grid = grid
key-figures = Key figures
difference-projects = What differs in the projects
difference-none = The projects are the same.
difference-stopped = Rocks stopped: { $reason }
difference-map = { $layer }: B minus A
difference-legend = B minus A
map-word = map
smallest = smallest
largest = largest
cells-less = cells less
cells-more = cells more
difference-note = Maps show B − A. Where only one run has rocks, the other counts as 0 (angles: only where both have rocks); where neither has, there is no value. Quantiles of few rocks differ by chance: compare runs with many rocks, or with the same seed.
area-reached = Area reached
largest-in-area = { $layer }, largest in the area
area-above = Area with { $layer } above { $limit } kJ
hazard-zone-of = Hazard zone { $zone } ({ $scheme })
models-title = Models side by side
models-of = { $title }: models
models-intro = The same { $releases } releases (seed { $seed }) through the models { $models }. Differences are taken from { $first }. What each model assumes and where it is known to be wrong: docs/models.md. Engine { $engine } { $version }.
models-distributions = Distributions
models-ks = KS distance: largest difference between the cumulative distributions, from the first model; probability: chance of a distance as large if both models were equal. With the same releases the samples are paired, so the probability is conservative.
models-cumulative = Share of rocks at or below a value, per model
models-cost = Cost
models-where = Where they differ
models-difference = Difference, { $unit }
models-reach = Reach probability of model { $other } minus that of { $one }; 0 where a model has no passage
models-energy = 95 % quantile of the kinetic energy of model { $other } minus that of { $one }
model = model
standard-deviation = std. dev.
ks-distance = KS distance
ks-probability = probability
share-of-rocks = share of rocks
value-energy = largest kinetic energy
value-velocity = largest velocity
value-jump = largest jump height
steps = steps
simulation-seconds = simulation, s
microseconds-per-step = µs per step
relative = relative

## Warnings and notes. The engine says them in these English words; `texts::translated` knows them by these.

note-of-classification = classification { $name }: { $note }
note-of-line = line { $name }: { $note }
note-parts-missing = { $rocks } of { $of } rocks are missing, whose parts were not there (merge --allow-missing): counts, probabilities and yearly frequencies are too low, and places may look safe that are not; for a look only
partial-title = PARTIAL ({ $there } of { $all } rocks) { $title }
note-limited = only { $released } of { $planned } planned rocks were released (--limit), each standing for { $weight } in yearly frequencies: a quick look, not a result to hand in
note-left-terrain-one = 1 rock left the terrain model while moving: run-out is cut off at its edge; use a larger DEM
note-left-terrain = { $count } rocks left the terrain model while moving: run-out is cut off at its edge; use a larger DEM
note-nodata-one = 1 rock ended at cells without height: fill the gaps of the DEM
note-nodata = { $count } rocks ended at cells without height: fill the gaps of the DEM
note-fast-contacts = { $rocks } of { $of } rocks ({ $share }) touch the ground at more than { $limit } m/s, the fastest at { $fastest } m/s (trajectory { $trajectory }, at ({ $x }, { $y })): rocks of field experiments stay below about 30 m/s; look whether the ground there is softer or rougher than the project says (class, scarring, roughness)
note-high-jumps = { $rocks } of { $of } rocks ({ $share }) jump more than { $limit } m, the highest { $highest } m (trajectory { $trajectory }, at ({ $x }, { $y })): look whether there is a cliff or an error of the DEM
note-flat-energy-lines = { $rocks } of { $of } rocks ({ $share }) run farther than an energy line of { $limit }° lets rocks run, the farthest to { $flattest }° (trajectory { $trajectory }, at ({ $x }, { $y })): look whether the ground on the way takes too little energy (class, scarring, roughness)
note-creeping-rocks = { $rocks } of { $of } rocks ({ $share }) move more slowly than { $slow } m/s for more than { $limit } s, the longest for { $longest } s (trajectory { $trajectory }, at ({ $x }, { $y })): they creep on ground that takes hardly any energy, and their run-out means little; look at the friction there
note-left-over-north = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, over its northern edge, the first at ({ $x }, { $y }): run-out is cut off there; use a DEM that reaches farther north
note-left-over-east = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, over its eastern edge, the first at ({ $x }, { $y }): run-out is cut off there; use a DEM that reaches farther east
note-left-over-south = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, over its southern edge, the first at ({ $x }, { $y }): run-out is cut off there; use a DEM that reaches farther south
note-left-over-west = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, over its western edge, the first at ({ $x }, { $y }): run-out is cut off there; use a DEM that reaches farther west
note-ended-in-hole = { $rocks } of { $of } rocks ({ $share }) ended at a hole of the DEM (cells without height inside it), the first at ({ $x }, { $y }): fill it with `couloir prepare` (--fill-holes)
note-max-time-one = 1 rock still moved at stop.max_time_s: raise it
note-max-time = { $count } rocks still moved at stop.max_time_s: raise it
note-max-distance-one = 1 rock ended at stop.max_distance_m: raise it or leave it out
note-max-distance = { $count } rocks ended at stop.max_distance_m: raise it or leave it out
note-diverged = { $count } trajectories diverged and are in no statistic: numbers { $numbers }; look at one with `couloir trace`
note-diverged-variant = { $count } trajectories diverged and are in no statistic ({ $variant }): numbers { $numbers }; look at one with `couloir trace`
note-tracks-thinned = { $written } of { $all } trajectories are in the trajectory files, spread evenly over the releases (outputs.max_trajectories = { $most }); layers and deposits hold all of them
note-points-interval = the point records are taken every { $seconds } s; layers hold the largest values on the whole path, which may be larger
note-layer-outside = { $key }: the layer ({ $name }) does not overlap the DEM and has no effect
note-release-flat = { $key }: { $flat } of { $total } cells under the release features are flatter than { $limit }°; rocks may stay where they are, check the layer or use `{ $hint }`
note-release-nodata = { $key }: { $cells } of { $total } cells under the release features have no height (nodata) and release nothing; { $remedy }
note-remedy-fill = fill the holes with `couloir prepare`
note-release-beside-nodata = { $key }: { $cells } of { $total } cells under the release features border on cells without height: rocks from there may end at once; look at the DEM there
note-release-outside = { $key }: { $outside } of { $total } release features reach beyond the DEM; only the part on it releases rocks
note-feature-without-value = feature { $id } of layer { $layer } has no value in attribute { $attribute } and is left out
note-codes-without-class = { $key }: { $cells } cells have codes without a class ({ $codes }) and keep the weaker class; name them under `codes`
note-roughness-unused = the ground's roughness has no effect with `simulation.contact: rocfall3` and `lumped`, whose rocks see the terrain model only
note-raster-gaps = { $key }: raster { $raster } has no value in { $gaps } of { $cells } cells, which keep the weaker source, the first at ({ $x }, { $y }); fill it there if rocks get that far
note-outside-polygons = { $key }: { $cells } of { $total } cells lie in no polygon of layer { $layer } and keep the built-in value
note-release-without-ground = { $release }: { $positions } positions have no ground below them (nodata or outside the DEM) and release nothing
note-no-position = { $release }: no position was found for this placement
note-feature-without-geometry = feature { $id } of '{ $layer }' has no geometry and is left out
note-polygon-repaired = polygon { $id } of '{ $layer }' was repaired: { $fault }
note-dem-unit = DEM '{ $file }' says its heights are in units of { $found } m; the declared unit of { $declared } m is used instead
note-format-full = '{ $file }' reached the size limit of its format after { $features } features; the rest is left out: choose GeoPackage
note-quantile-of-few = The { $percent } % quantile rests on { $rocks } rocks only; below { $needed } not even the largest of them bounds it with 95 % confidence. Release more rocks before using these values.
note-beyond-classes = The required energy of { $energy } kJ is beyond the largest tabulated class (4500 kJ): class 8 kits or another kind of protection need a proof of their own.
note-freeboard-raised = The freeboard was raised to half the height of the rocks.
note-factors-assumed = Assumed, to be checked against the standard's own text and set in the project (lines.dimensioning.factors): { $factors }.
note-sheet-limits = Every simulated rock counts alike; the elongation of the net, its foundations and the wear by smaller rocks are not part of this sheet.
note-no-hazard-map = No hazard map: the project gives no release frequency, and reach alone is not a return period. Set frequency_per_year under each release (rocks per year from each feature) and run again; the intensity maps below need none.
note-no-hazard-map-scenario = No hazard map: the project gives no release frequency, and reach alone is not a return period. Set frequency_per_year under each release (rocks per year from each feature), or classification.scenario_return_periods_years, and run again; the intensity maps below need none.
note-scenarios-left-out = The hazard map leaves out what has no frequency_per_year: { $scenarios }. It understates the hazard there.
note-scenarios-left-out-period = The hazard map leaves out what has no frequency_per_year and no return period: { $scenarios }. It understates the hazard there.
note-frequency-of-cell = Frequencies are those of rocks whose centre passes a cell of the DEM; a larger object is hit more often. Set reference_width_m in a scheme of your own to refer them to an object's width.

## Where the schemes come from

scheme-swiss-source = Federal practice: intensity weak < 30 kJ, medium 30–300 kJ, strong ≥ 300 kJ; return periods 30, 100 and 300 years. The return period is that of the scenario, wherever it reaches; the most severe zone of all scenarios counts. Assumption to confirm with the authority: medium intensity at a return period of at most 30 years is red.
scheme-norway-source = Building regulations TEK17 § 7-3: the largest nominal yearly probability is 1/100 for safety class S1, 1/1000 for S2 and 1/5000 for S3; any rock counts. Assumption to confirm with the authority: the probability refers to a square of 30 m.

## Edges, inputs, locator

cut-off = The map is cut off: { $places }. Beyond these edges nothing is known of reach and energy; use a larger terrain model before the map is handed in.
legend-cut-off = cut off: rocks left the terrain model
cut-off-west =
    { $count ->
        [one] { $count } rock left the terrain model here (west)
       *[other] { $count } rocks left the terrain model here (west)
    }
cut-off-east =
    { $count ->
        [one] { $count } rock left the terrain model here (east)
       *[other] { $count } rocks left the terrain model here (east)
    }
cut-off-south =
    { $count ->
        [one] { $count } rock left the terrain model here (south)
       *[other] { $count } rocks left the terrain model here (south)
    }
cut-off-north =
    { $count ->
        [one] { $count } rock left the terrain model here (north)
       *[other] { $count } rocks left the terrain model here (north)
    }
locator = Position in the terrain model
map-input-ground = Input: ground classes
map-input-forest = Input: forest
class-ground-extra-soft = extra soft
class-ground-soft = soft
class-ground-medium-soft = medium soft
class-ground-medium = medium
class-ground-medium-hard = medium hard
class-ground-hard = hard
class-ground-extra-hard = extra hard
class-ground-snow = snow
class-forest-none = none
class-forest-open = open
class-forest-medium = medium
class-forest-dense = dense

## Interactive page. What stands in ‹ › is filled in by the page.

open-interactive = Open the interactive map and the view in space (interactive.html)
page-all-scenarios = all scenarios together
page-scenario = Scenario
page-layer = Layer
page-map = Map
page-space = 3D view
page-draw-line = Draw a line
page-whole = Whole map
page-report = Back to the report
page-cell = Cell
page-line = Line
page-help = Drag to move the map, turn the wheel to zoom, click a cell for its numbers.
page-line-help = Drag from one end of the line to the other.
page-coordinates = Coordinates (E / N)
page-height = Ground height
page-no-rock = No rock of this scenario passes here.
page-coarse = Every cell of the page shows the largest values of ‹cells› × ‹cells› cells of the terrain model.
page-rocks = rocks
page-length = Length
page-no-tracks = This run keeps no trajectories (outputs.trajectories).
page-crossing-rocks = Rocks crossing
page-of-tracks = Of the ‹count› trajectories in this page (‹all› rocks released); every rock counts once with its largest energy at the line, interpolated between the vertices of its thinned path. Height: centre of mass above ground.
page-energy-median = Energy, median
page-energy-p95 = Energy, 95 % quantile
page-energy-max = Energy, maximum
page-height-p95 = Height, 95 % quantile
page-cut-off = cut off: rocks left the terrain model
page-no-webgl = This browser cannot draw in 3D (no WebGL).
page-play = Play
page-pause = Pause
page-rock-energy = Energy of the falling rocks

## More warnings

note-empty-collar = { $raster }: { $share } of the cells have no height; they lie around a complete piece of terrain, as reprojecting or cutting out leaves them, and are no holes to fill: rocks that get there leave the terrain
note-terrain-missing = { $raster }: { $share } of the cells have no height and are connected to the raster's edge: a part of the terrain is missing there, and rocks that get there leave it; look for the missing tiles
note-holes-one = { $raster }: 1 hole inside has no height ({ $share } of the cells), the largest with { $cells } cells, { $across } cells across, around ({ $place }): rocks stop there; fill those that are small with `couloir prepare` (--fill-holes)
note-holes = { $raster }: { $holes } holes inside have no height ({ $share } of the cells), the largest with { $cells } cells, { $across } cells across, around ({ $place }): rocks stop there; fill those that are small with `couloir prepare` (--fill-holes)
note-outside-area-of-use = { $what } has coordinates x { $west } to { $east }, y { $south } to { $north }, outside the area of use of { $crs } ({ $area }); they are used all the same, as --force insists
note-raster-outside = { $key }: the raster ({ $raster }) does not overlap the DEM and has no effect
note-fields-shortened = '{ $path }': shapefiles hold at most 10 characters, shortened field names: { $names }
note-texts-cut = '{ $path }': { $texts } texts were cut to 254 bytes
note-remedy-beyond-edge = { $cells } of them lie beyond the terrain's edge: use a larger DEM or cut the layer back
cut-off-inside =
    { $count ->
        [one] { $count } rock left the terrain model here (missing heights)
       *[other] { $count } rocks left the terrain model here (missing heights)
    }
solver-pushed-out-of-the-ground = pushed out of the ground
solver-steps-with-contact = steps with contact

## Names of layers in lists

list-lines = Lines and barriers (histograms: point at them)
list-show-histograms = Show histograms
list-crossings = Crossings of lines (energy, kJ)
list-objects = Objects at risk (largest energy, kJ)
list-object-lines = Roads and lines at risk (largest energy, kJ)
object-not-hit = not hit
list-deposits-by-mass = Deposits (size: mass)
list-impacts = Impacts on the ground
list-points = Rocks along their way (velocity, m/s)
list-trajectories-by-energy = Trajectories (largest energy, kJ)
list-by-energy = energy (kJ)
list-by-velocity = velocity (m/s)
list-deposits = Deposits
list-trajectories = Trajectories
list-outermost = Outermost line of all rocks
label-uncertain = uncertain: other rocks may give another zone
list-uncertain = Uncertain zones
list-confidence = Confidence of the zones
list-as-raster = { $title }, as raster
list-scenario = Scenario { $name }
list-all-rocks = All rocks
list-scheme-swiss = Swiss scheme
list-scheme-austria = Austrian scheme
list-scheme-norway = Norwegian scheme
list-difference = Difference: { $layer }
intensity-word = Intensity

# Zones as they are drawn.
legend-drawn = Drawn: gaps below { $gaps } m closed, tongues below { $tongues } m taken off, smallest area { $area } m².
rule-least-reach-width = Intensity and reach are those of an object { $width } m wide around the cell. Left out is where less than { $share } % of the scenario's rocks enter it (of a release area longer than 100 m: of the rocks of 100 m).
rule-every-rock-width = Intensity and reach are those of an object { $width } m wide around the cell; every rock counts.
within-tolerance = { $years } (within 1 % of { $limit }: counts as { $limit })
drawn-m2 = drawn (m²)
drawn-ha = drawn (ha)
computed-m2 = computed (m²)
zones-drawn = Drawn zones: gaps narrower than { $gaps } m closed, tongues narrower than { $tongues } m taken off, patches and holes below { $area } m² merged with their neighbours, outlines smoothed by less than half a cell. Of { $computed } m² computed, { $less } m² ({ $share } %) are drawn less severe (at most { $most } % are allowed) and { $more } m² more severe. The cells as computed are in hazard.tif. All rocks stay within { $outermost } m² (outermost_line.gpkg).
zones-confidence = Confidence: on average { $mean } % of resampled halves of the rocks give a cell of a zone the same zone; on { $area } m² less than { $below } % do (hazard_uncertain.gpkg, hazard_confidence.tif).
layer-confidence = Share of { $halves } resampled halves of the rocks that give the cell the same hazard zone
all-scenarios = all scenarios
scenario-named = scenario { $name }
map-of-scenario = Scenario { $scenario }: { $map }
line-title-scenario = Line { $name } ({ $length } m), { $scenario }
barrier-title-scenario = Barrier { $name } ({ $length } m), { $scenario }: height { $height } m, capacity { $capacity } kJ
no-such-barrier = no such barrier

chapter-enough = Enough rocks?
chapter-objects = Objects at risk
rocks-not-asked = The run has a fixed number of rocks; whether the map would change with more was not asked (--until-stable).
rocks-converged = Converged to { $share } %: after { $rocks } rocks the zones of two independent halves differ on { $share } % of the zoned area (at most { $most } % were asked for).
rocks-not-converged = Not converged: after { $rocks } rocks the zones of two independent halves differ on { $share } % of the zoned area (at most { $most } % were asked for), or another measure below is not met.
rocks-asked-for = asked for
zones-differ = zones differ (%)
p95-known-to = p95 of the energy ± (%)
lines-differ = energies at lines differ (%)
rocks-curve = Measures after each batch of rocks; dashed: the zones' difference that was asked for.
object = object
hits-per-year = hits per year
object-energy-p95 = energy p95 (kJ)
object-energy-max = energy max (kJ)
object-height-max = lowest point max (m)
vehicle-hits-per-year = vehicles hit per year
no-object-hit = No rock hits an object.
objects-note = { $shown } of { $all } rows, the hardest hit first; all are in objects/objects.csv and .gpkg.

# Schemes to be filled in, and what a settled map is asked.
scheme-austria-name = Austria (to be filled in)
scheme-austria-source = The regulation on hazard zone plans (WLV-GZPV 2021, as that of 1976) knows a design event of 150 years and red and yellow zones for torrents and avalanches; rockfall is marked as a brown indicative area (Hinweisbereich), without energy limits. Published practice takes the 95 % quantile of each scenario as its design value (as ONR 24810 does at a structure).
note-austria-to-fill-in = the energy limits (30 and 300 kJ) and the zone of each class are examples, not those of a regulation: agree on them with the authority and state them in a scheme of your own
note-scheme-frame = the scheme "{ $scheme }" is a frame: { $what }
note-cells-decide = the scheme "{ $scheme }" takes the frequency of rocks that pass one cell of the DEM ({ $cell } m): on cells half as wide it is about half, and zones change with it; set reference_width_m in the scheme or under classification
note-square-of-cells = the scheme "{ $scheme }" refers to an object { $width } m wide, but the nearest square of whole cells of { $cell } m is { $side } m wide: reach and frequency are those of { $side2 } m
note-first-tracks = { $written } of { $all } trajectories are in the trajectory files, those of the first rounds over all release positions (outputs.max_trajectories = { $most }); layers and deposits hold all of them
note-not-converged = the map has not converged: after { $rocks } rocks the zones of two independent halves differ on { $zones } % of the zoned area ({ $zones2 } % asked for), p95 of the energy is known to ± { $p95 } % ({ $p952 } %), energies at lines differ by { $lines } % ({ $lines2 } %)
note-no-such-height = No barrier of the required height of { $required } m exists: net fences are built up to about { $highest } m. Look for another place or another kind of protection.
note-of-line-pooled = line { $name }, all scenarios pooled: { $note }
note-pilot = pilot: { $note }
note-unusual-value = { $key }: { $value } is out of the usual range { $range }
note-angular-shape = all rocks have one very angular shape ({ $shape }: sphericity { $sphericity }, faces meet at { $edge }° in the mean): such rocks stop early, and run-out may be far too short; use `shape: natural` unless the blocks at the site are like that
note-round-shape = all rocks have one very round shape ({ $shape }: sphericity { $sphericity }, faces meet at { $edge }° in the mean): such rocks roll on, and run-out may be far too long; use `shape: natural` unless the blocks at the site are like that
note-coarse-cells = the DEM's cells ({ $cell } m) are much larger than the rocks (from { $rock } m): the terrain is too smooth for them, use a finer DEM if there is one
note-too-much-memory = the run needs about { $needed } GB of memory, but { $who } allows { $available } GB: release fewer rocks, cut the DEM with `couloir clip`, compute it in parts (`--shard`), or insist with `--force`
note-no-return-period = classification: { $release } has no `frequency_per_year` and its scenario no return period; without one it is not in the hazard map, only in the intensity maps
note-stretched-crs = { $crs } stretches distances: slopes and run-out will be wrong; use a national grid or UTM
note-steps-between-cells = { $raster }: neighbouring cells differ by { $step } m at ({ $place }), and as much as no slope explains in { $places } places: look whether that is a cliff, or a value such as 0 that means no height (declare it as nodata)
note-terrain-on-demand = terrain.dem has { $cells } cells: heights are read where rocks get, not all of them; `couloir check` looks at all (of up to 17,000 million), for holes, missing parts and steps
note-changed-since-prepared = { $files }: no longer what `couloir prepare` wrote according to { $list }, and used as found; if nobody edited that, it is damaged: prepare the folder again
note-map-too-large = no zones were made: rocks pass so much of this map ({ $cells } cells together) that they cannot be drawn in one piece; classify parts of it, each with a project of its own
note-one-thread = only one thread works: { $why }
note-collar-north = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, to the north into the collar without height that reprojecting or cutting out leaves, the first at ({ $x }, { $y }): run-out is cut off there; use a DEM that reaches farther north
note-missing-north = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, to the north where a part of it has no height, the first at ({ $x }, { $y }): run-out is cut off there; look for the missing tiles of the DEM
note-collar-east = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, to the east into the collar without height that reprojecting or cutting out leaves, the first at ({ $x }, { $y }): run-out is cut off there; use a DEM that reaches farther east
note-missing-east = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, to the east where a part of it has no height, the first at ({ $x }, { $y }): run-out is cut off there; look for the missing tiles of the DEM
note-collar-south = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, to the south into the collar without height that reprojecting or cutting out leaves, the first at ({ $x }, { $y }): run-out is cut off there; use a DEM that reaches farther south
note-missing-south = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, to the south where a part of it has no height, the first at ({ $x }, { $y }): run-out is cut off there; look for the missing tiles of the DEM
note-collar-west = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, to the west into the collar without height that reprojecting or cutting out leaves, the first at ({ $x }, { $y }): run-out is cut off there; use a DEM that reaches farther west
note-missing-west = { $rocks } of { $of } rocks ({ $share }) left the terrain model while moving, to the west where a part of it has no height, the first at ({ $x }, { $y }): run-out is cut off there; look for the missing tiles of the DEM
zone-id-red = red
zone-id-blue = blue
zone-id-yellow = yellow
zone-id-residual = residual

# Names that a filled-in form gives.
form-barrier = Barrier
form-line = Recording line
form-objects = Objects
form-scenario = Scenario { $number }
form-scenario-twice = Two scenarios are called “{ $name }”: give each a name of its own.
form-scenario-years = The return period of the scenario “{ $name }” is “{ $years }”, expected a number of years such as 100.
