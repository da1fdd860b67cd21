# The words of Couloir's reports, maps, legends and layers. Engine and QGIS plugin read this file; see docs/translations.md.

## Words used in many places

rocks =
    { $count ->
        [one] { $count } Stein
       *[other] { $count } Steine
    }
rocks-word = Steine
cells-word = Zellen
crossings = Durchgänge
trajectories =
    { $count ->
        [one] { $count } Sturzbahn
       *[other] { $count } Sturzbahnen
    }
and-then = { $first }; { $next }
share = Anteil
mean = Mittel
max = max.
median = Median
not-given = nicht angegeben
file = Datei
input = Grundlage
value = Wert
quantity = Grösse
class = Klasse
per-year = pro Jahr
years = { $years } Jahre
scenario = Szenario
scenarios = Szenarien
maps = Karten
mass = Masse
velocity = Geschwindigkeit
jump-height = Sprunghöhe
run-out = Reichweite
ground = Gelände
centre-of-mass = Schwerpunkt
unit-rotation = U/s
unit-share = Anteil
with-barriers = mit Schutznetzen
without-barriers = ohne Schutznetze

## Head and signatures

rockfall-simulation = Steinschlagsimulation
study-office = Büro
study-author = Bearbeitung
study-client = Auftraggeber
study-plan_number = Plan-Nr.
study-version = Version
study-date = Datum
study-status = Status
study-draft = Entwurf
study-final = Definitiv
sign-prepared = Erstellt durch, Datum
sign-checked = Geprüft durch, Datum
sign-inputs = Grundlagen und Ausbruchhäufigkeiten bestätigt durch, Datum
sign-released = Freigegeben durch, Datum

## Report

chapter-run = Was gerechnet wurde
chapter-maps = Karten
chapter-hazard = Gefahrenbeurteilung
chapter-figures = Die Steine in Zahlen
chapter-profile = Längenprofile
chapter-lines = Linien und Schutznetze
chapter-parameters = Parameter
chapter-reproduce = Nachvollziehbarkeit
chapter-meaning = Was die Zahlen bedeuten
project-as-run = Die Projektdatei, wie sie gerechnet wurde. Was nicht darin steht, hat seinen dokumentierten Standardwert.
picture-removed = { $caption } (Das Bild { $file } wurde entfernt.)
key-rocks = Steine ausgelöst
key-energy = grösste Energie eines Steins, p95
key-jump = grösste Sprunghöhe eines Steins, p95
key-runout = Reichweite, p95
no-warnings = Der Lauf ergab keine Warnungen.
warnings-title = Warnungen: vor Gebrauch lesen
releases-per-year = Ausbrüche pro Jahr
rocks-simulated = simulierte Steine
how-they-ended = Wie die Sturzbahnen endeten
contact-solver = Kontaktlöser, alle Sturzbahnen: { $counts }.
solver-solves = Lösungen
solver-not-converged = nicht konvergiert
solver-restitution-reduced = Stosszahl herabgesetzt
solver-pushed-out = herausgeschoben
stop-reason = Ende durch
stop-at-rest = zur Ruhe gekommen
stop-left-terrain = Geländemodell verlassen
stop-nodata = keine Höhe (nodata)
stop-max-time = längste Dauer
stop-max-distance = grösste Distanz
stop-barrier = vom Schutznetz gehalten
stop-diverged = divergiert
reached = Steine durchqueren { $cells } Zellen ({ $hectares } ha). In { $share } % davon sind es weniger als { $least } Steine: Quantile beruhen dort auf wenigen Werten und ändern sich mit dem Startwert (Layer sample_size_warning). Wo es darauf ankommt, mehr Steine auslösen.
no-classification = Das Projekt verlangt keine. `couloir classify` fügt diesem Lauf eine hinzu.
figure-mass = Masse (kg)
figure-energy = grösste kinetische Energie (kJ)
figure-velocity = grösste Geschwindigkeit (m/s)
figure-jump = grösste Sprunghöhe (m)
figure-rotation = grösste Rotation (U/s)
figure-runout = Reichweite, horizontal (m)
figure-energy-line = Pauschalgefälle (°)
of-each-rock = je Stein
distribution-of-rocks = Verteilung über alle Steine; jeder Stein zählt einmal mit seinem grössten Wert.
no-profile = Keine Sturzbahn ist lang genug für ein Längenprofil.
profile-steepest = Sturzbahn { $trajectory }: { $rock }, { $mass } kg. Von allen Steinen mit mindestens der mittleren Reichweite (Median) hat dieser das steilste Pauschalgefälle, { $angle }°. Überhöht, wie die Achsen zeigen.
profile-farthest = Sturzbahn { $trajectory }: { $rock }, { $mass } kg. Von allen Steinen lief dieser am weitesten, { $runout } m Luftlinie; Pauschalgefälle { $angle }°.
profile-steepest-title = Steilste Sturzbahn
profile-farthest-title = Weiteste Sturzbahn
profile-energy-and-velocity = Kinetische Energie (Translation und Rotation) und Geschwindigkeit entlang der Bahn.
same-bytes = Mit den Dateien unten ergibt { $engine } { $version } (Revision { $revision }) dieselben Bytes, mit beliebig vielen Threads:
this-run = Dieser Lauf: { $threads ->
        [one] { $threads } Thread
       *[other] { $threads } Threads
    }, { $seconds } s, { $system }, { $processor }. Die Prüfsummen aller Resultate stehen in manifest.json.
role-project = Projekt
role-terrain = Gelände
role-release = Ausbruch
role-ground = Untergrund
role-forest = Wald
role-lines = Linien
role-barriers = Schutznetze
role-objects = Objekte
role-rocks = Steine
role-classification = Klassierung
role-restitution = Stossgesetz
barrier-sheet = Bemessungsblatt Schutznetze: { $project }
made-with =
    { $engine } { $version }, Startwert { $seed }, Projekt { $project }, { $rocks ->
        [one] { $rocks } Stein
       *[other] { $rocks } Steine
    }, { $crs }.
meaning-passage = Durchgang: ein Stein, dessen Schwerpunkt eine Zelle durchquert; er zählt einmal je Zelle, mit seinem grössten Wert dort.
meaning-quantities = Kinetische Energie: Translation plus Rotation. Sprunghöhe: kleinster senkrechter Abstand zwischen Stein und Boden. Reichweite: horizontale Distanz vom Start bis zum Ende.
meaning-quantile = p95: 95 % der durchquerenden Steine bleiben darunter oder erreichen ihn gerade. Wie oft ein Stein durchquert, sagt die Erreichenswahrscheinlichkeit (je ausgelösten Stein) oder, mit Ausbruchhäufigkeiten, die Häufigkeit pro Jahr.
meaning-return-period = Wiederkehrperiode: aus den Ausbruchhäufigkeiten oder Wiederkehrperioden der Szenarien, die der Bearbeiter angibt, nie aus der Reichweite allein; die Regel der Gefahrenkarte steht in Kapitel 3.
meaning-barrier = Schutznetz: Ein Stein wird gehalten, wenn sein Schwerpunkt höchstens auf der Oberkante durchgeht und seine Energie die Kapazität nicht übersteigt.
meaning-limits = Die Simulation kennt Geländemodell, Untergrundklassen, Wald und Steine, wie sie ihr gegeben wurden, und sonst nichts. Fragmentierung, Veränderung des Bodens durch frühere Steine und Schäden am Wald sind nicht berücksichtigt.

## What was run

setting-terrain = Gelände
setting-crs = Koordinatensystem
setting-contact = Kontaktmodell
setting-integrator = Integrator der Rotation
setting-time-step = Zeitschritt
setting-gravity = Erdbeschleunigung
setting-seed = Startwert (Zufall)
setting-rocks = Steine
setting-releases = Ausbruchgebiete
setting-ground = Untergrund
setting-forest = Wald
terrain-of = { $file }: { $cells } Zellen von { $size } m; E { $west } bis { $east }, N { $south } bis { $north }
rock-look = { $shape } ({ $corners } Ecken, Sphärizität { $sphericity }, Flächen treffen sich unter { $edge }°)
release-of =
    { $name }: { $features ->
        [one] { $features } Objekt
       *[other] { $features } Objekte
    }, { $rocks } Steine je Startpunkt
ground-of = Grundklasse { $class }, darüber { $layers ->
        [one] { $layers } Layer
       *[other] { $layers } Layer
    }
forest-none = keiner
forest-of = Grundklasse { $class }, { $layers ->
        [one] { $layers } Layer
       *[other] { $layers } Layer
    }

## Maps and legends

map-footer = { $crs }   E { $west } – { $east }   N { $south } – { $north } m   Zelle { $cell } m   Höhenlinien { $contours } m
map-of-layer = { $title }. Layer { $layer }.tif.
overlay-release = Ausbruchgebiet
map-kinetic-energy-kj-p95 = Kinetische Energie, 95-%-Quantil der durchquerenden Steine
map-kinetic-energy-kj-max = Kinetische Energie, Maximum der durchquerenden Steine
map-jump-height-m-p95 = Sprunghöhe, 95-%-Quantil der durchquerenden Steine
map-velocity-ms-p95 = Geschwindigkeit, 95-%-Quantil der durchquerenden Steine
map-reach-probability = Erreichenswahrscheinlichkeit: Durchgänge je ausgelösten Stein
map-passages = Anzahl durchquerender Steine
map-deposits = Abgelagerte Steine
map-energy-line-angle-deg = Pauschalgefälle
legend-kinetic-energy-kj-p95 = Kinetische Energie p95 (kJ)
legend-kinetic-energy-kj-max = Kinetische Energie max. (kJ)
legend-jump-height-m-p95 = Sprunghöhe p95 (m)
legend-velocity-ms-p95 = Geschwindigkeit p95 (m/s)
legend-reach-probability = Durchgänge je ausgelösten Stein
legend-passages = Durchquerende Steine
legend-deposits = Abgelagerte Steine
legend-energy-line-angle-deg = Winkel (°)
map-intensity = Intensität, Szenario { $scenario }
map-reduced = verkleinert: ein Bildpunkt zeigt die höchste Klasse von { $cells } × { $cells } Zellen
map-hazard = Gefahrenzonen
few-rocks = wenige Steine
about-the-same = etwa gleich (± { $amount })
rarer-than-300-years = seltener als alle 300 Jahre
every-100-to-300-years = alle 100 bis 300 Jahre
every-30-to-100-years = alle 30 bis 100 Jahre
every-10-to-30-years = alle 10 bis 30 Jahre
every-1-to-10-years = alle 1 bis 10 Jahre
more-than-once-a-year = mehr als einmal pro Jahr

## Layers

quantity-energy = kinetische Energie
quantity-velocity = Geschwindigkeit
quantity-jump = Sprunghöhe
quantity-rotation = Rotation
layer-name-statistic = { $quantity }, { $statistic }
layer-name-mean = Mittel
layer-name-p50 = Median
layer-name-p90 = 90-%-Quantil
layer-name-p95 = 95-%-Quantil
layer-name-p99 = 99-%-Quantil
layer-name-max = Maximum
layer-name-p95-lower = 95-%-Quantil, untere Schranke
layer-name-p95-upper = 95-%-Quantil, obere Schranke
layer-name-passages = Anzahl Durchgänge
layer-name-deposits = Ablagerungen
layer-name-source-cells = Ausbruchzellen
layer-name-reach-probability = Erreichenswahrscheinlichkeit
layer-name-reach-probability-local = Erreichenswahrscheinlichkeit, lokal
layer-name-energy-line-angle-deg = Pauschalgefälle
layer-name-sample-size-warning = wenige Steine (Quantile unsicher)
layer-name-frequency-above = Häufigkeit ≥ { $energy } kJ
layer-passages = Anzahl Steine, die die Zelle durchquert haben; jeder zählt einmal
layer-deposits = Anzahl Steine, die in der Zelle zur Ruhe kamen oder dort von einem Schutznetz gehalten wurden
layer-source-cells = Anzahl Ausbruchzellen, deren Steine die Zelle durchquert haben
layer-reach-probability = Durchgänge geteilt durch alle ausgelösten Steine
layer-reach-probability-local = Durchgänge geteilt durch die ausgelösten Steine der Ausbruchzellen, die die Zelle erreichen
layer-energy-line-angle-deg = Kleinster Winkel unter der Horizontalen der Linie vom Start eines Steins zum Boden in der Zellmitte, über die durchquerenden Steine
layer-mean = Mittel über die Steine, je Stein der grösste Wert in der Zelle: { $quantity }
layer-max = Grösster Wert aller Steine in der Zelle: { $quantity }
layer-p95-lower = Untere Schranke (95 % Vertrauen) des 95-%-Quantils, je Stein der grösste Wert in der Zelle (Ordnungsstatistik): { $quantity }
layer-p95-upper = Obere Schranke (95 % Vertrauen) des 95-%-Quantils, je Stein der grösste Wert in der Zelle (Ordnungsstatistik; keine unter 72 Durchgängen): { $quantity }
layer-quantile = { $percent }-%-Quantil, je Stein der grösste Wert in der Zelle: { $quantity }; relativer Fehler höchstens { $error } %
layer-sample-size-warning = 1, wo weniger als { $least } Steine durchquerten und Quantile wenig aussagen, sonst 0
layer-frequency-above = Durchgänge pro Jahr mit mindestens { $energy } kJ
layer-reach-square = Steine, die in das Quadrat von { $width } m um die Zelle kommen, jeder einmal gezählt, geteilt durch alle gestarteten Steine
layer-years-cell = Jahre zwischen zwei Steinen von mindestens { $energy } kJ, die durch die Zelle kommen
layer-years-square = Jahre zwischen zwei Steinen von mindestens { $energy } kJ, die in das Quadrat von { $width } m um die Zelle kommen, jeder einmal gezählt
layer-name-reach-square = Reichwahrscheinlichkeit, Quadrate von { $width } m
layer-name-years-cell = Wiederkehrperiode ab { $energy } kJ (Jahre)
layer-name-years-square = Wiederkehrperiode ab { $energy } kJ, Quadrate von { $width } m (Jahre)
layer-pooled = Alle Szenarien zusammengenommen
layer-intensity = Intensitätsklasse (0 keine, dann { $classes })
layer-hazard = Gefahrenzone (0 keine, dann { $classes })

## Hazard classification

legend-intensity = Intensität: { $classes } (p{ $quantile } der kinetischen Energie).
legend-intensity-title = Intensität (Energie, p{ $quantile })
any-energy = jede Energie
rule-scenario = Wiederkehrperiode: die des Szenarios, wo immer es hinreicht ({ $periods }). Massgebend ist die höchste Gefahrenstufe aller Szenarien.
rule-passages = Wiederkehrperiode: Kehrwert der jährlichen Häufigkeit für { $place }: { $which }.
rule-exceedance = Durchgänge ab der unteren Grenze jeder Intensität, alle Szenarien zusammen
rule-scenario-quantile = Durchgänge der Szenarien, deren Quantil die Intensität hat
rule-reference-width = Steine, die ein Quadrat von { $width } m erreichen
rule-cell = Steine, die eine Zelle des Geländemodells durchqueren
rule-least-reach = Zellen, die weniger als { $share } % der Steine eines Szenarios durchqueren, sind weggelassen.
rule-every-cell = Jede Zelle zählt, die ein Stein eines Szenarios durchquert.
not-in-hazard-map = nicht in der Gefahrenkarte
return-period-years = Wiederkehrperiode (Jahre)
zone = Zone
name = Name
meaning = Bedeutung
matrix-corner = Intensität \ Wiederkehrperiode

## Schemes that are built in

scheme-swiss-name = Schweizer Gefahrenmatrix (Steinschlag)
scheme-swiss-intensity-weak = schwach
scheme-swiss-intensity-medium = mittel
scheme-swiss-intensity-strong = stark
scheme-swiss-zone-residual = Restgefährdung
scheme-swiss-zone-yellow = geringe Gefährdung
scheme-swiss-zone-blue = mittlere Gefährdung
scheme-swiss-zone-red = erhebliche Gefährdung
scheme-swiss-meaning-residual = seltener als 300 Jahre
scheme-swiss-meaning-yellow = Hinweisbereich
scheme-swiss-meaning-blue = Gebotsbereich: Bauen mit Auflagen
scheme-swiss-meaning-red = Verbotsbereich: keine Neubauten
scheme-austria-intensity-low = gering
scheme-austria-intensity-medium = mittel
scheme-austria-intensity-high = hoch
scheme-austria-zone-residual = seltener als das Bemessungsereignis
scheme-austria-zone-yellow = Gelbe Zone
scheme-austria-zone-red = Rote Zone
scheme-austria-meaning-residual = seltener als 150 Jahre
scheme-austria-meaning-yellow = Bauen mit Auflagen
scheme-austria-meaning-red = keine ständige Besiedlung
scheme-norway-name = Norwegische Sicherheitsklassen (nominelle jährliche Wahrscheinlichkeit)
scheme-norway-intensity-any-rock = jeder Stein
scheme-norway-zone-s3 = 1/1000 bis 1/5000 pro Jahr
scheme-norway-zone-s2 = 1/100 bis 1/1000 pro Jahr
scheme-norway-zone-s1 = mehr als 1/100 pro Jahr
scheme-norway-meaning-s3 = Sicherheitsklasse S3 nicht zulässig
scheme-norway-meaning-s2 = Sicherheitsklassen S2 und S3 nicht zulässig
scheme-norway-meaning-s1 = keine Sicherheitsklasse zulässig

## Lines and barriers

no-lines = Das Projekt hat weder Messlinien noch Schutznetze.
no-rock-crosses = Kein Stein überquert sie.
distribution-of-crossings = Verteilung über alle Durchgänge der ganzen Linie.
fate-title = was am Schutznetz geschieht
fate-stopped = gehalten, ganz unter der Oberkante
fate-partly-above = gehalten, teilweise über der Oberkante
fate-broke-through = zu stark, durchschlagen
fate-passed-over = übersprungen
segment = Abschnitt
from-to = von–bis (m)
energy-p50 = Energie p50
column-p95 = p95
column-p99 = p99
max-kj = max. (kJ)
velocity-p95 = Geschwindigkeit p95 (m/s)
height-p95 = Höhe p95
max-m = max. (m)
all-segments = alle
too-few-crossings = * weniger als { $least } Durchgänge: zu wenige für ein verlässliches p95.
empty-segments =
    { $count ->
        [one] Den anderen Abschnitt überquert kein Stein.
       *[other] Die anderen { $count } Abschnitte überquert kein Stein.
    }
crossings-of = Durchgänge { $variant }
dimensioning-sheet = Bemessungsblatt, { $standard }
no-bound = keine Schranke: zu wenige Steine
upper-bound = höchstens { $value } mit 95 % Vertrauen
characteristic-energy = charakteristische Energie, p{ $percent } von { $rocks ->
        [one] { $rocks } Stein
       *[other] { $rocks } Steinen
    }
characteristic-height = charakteristische Höhe des Schwerpunkts, p{ $percent }
factor-on-energy = auf die Energie
factor-on-velocity = auf die Geschwindigkeit (Energie im Quadrat, Höhe einfach)
factor-on-height = auf die Höhe
factor-on-resistance = auf die Energie des Netzes
factor-from-project = im Projekt gesetzt
factor-default = Standardwert
factor-assumed = ANNAHME, änderbar
factor-gamma-tr = Bahnsimulation: 1.02 nachgerechnet, 1.10 aus der Literatur
factor-gamma-dp = Topografie: 1.02 genaue Aufnahme, 1.10 grob
factor-gamma-vol = Blockaufnahme: 1.02 genau, 1.10 grob
factor-gamma-density = Raumgewicht des Gesteins
factor-gamma-risk = Folgen eines Versagens: 1.00 bis 1.20
factor-gamma-barrier = Energieklasse beim maximalen Energieniveau (MEL) nachgewiesen
factor-gamma-energy = Energie; Schadensfolgeklasse CC1 1.00, CC2 1.05, CC3 1.15
factor-gamma-height = Höhe; Schadensfolgeklasse CC1 1.05, CC2 1.10, CC3 1.30
factor-gamma-resistance = Energieklasse; hängt von der Schadensfolgeklasse ab
beyond-classes = über 4500 kJ
design-energy = Bemessungsenergie
required-energy = erforderliches Energieniveau
required-energy-how = Bemessungsenergie × Beiwert auf das Netz
smallest-class = kleinste Klasse nach EAD 340059, die hält
design-height = Bemessungshöhe
freeboard = Freibord
freeboard-how = mindestens der halbe Stein
required-height = erforderliche Höhe
required-height-how = Bemessungshöhe + Freibord
retained-share = Anteil der Steine, den ein solches Netz zurückhält

## Axes

axis-along-path = Distanz entlang der Bahn (m)
axis-distance = Distanz (m)
axis-horizontal-distance = Horizontaldistanz (m)
axis-height = Höhe (m)
axis-energy = kinetische Energie (kJ)
axis-velocity = Geschwindigkeit (m/s)
axis-jump = Sprunghöhe (m)
axis-rotation = Rotation (U/s)
axis-reach = Anteil der Steine
axis-frequency = Durchgänge pro Jahr
axis-angle = Winkel (°)
axis-centre-height = Höhe des Schwerpunkts (m)
axis-lowest-height = Höhe des tiefsten Punkts (m)
panel-energy = Kinetische Energie
panel-velocity = Geschwindigkeit
panel-jump = Sprunghöhe
panel-rotation = Rotation
panel-reach = Erreichenswahrscheinlichkeit
panel-frequency = Häufigkeit
panel-rocks = Steine
panel-energy-line = Pauschalgefälle
panel-height = Höhe

## Profile, difference and comparison pages

profile-title = Längenprofil
profile-caption = Gelände und Layer entlang der Linie; Lücken: kein Stein durchquert.
profile-no-heights = keine Höhen: das Geländemodell des Laufs wurde verschoben oder geändert
profile-outside = kein Wert: die Linie liegt ausserhalb des Gebiets, { $extent }
run-in-folder = Lauf, { $folder }
line-number = Linie { $number }
track-profile-title = Längenprofil der Sturzbahnen
track-profile-caption = Höhe des Schwerpunkts und seine Werte über der Horizontaldistanz ab der ersten Aufzeichnung.
difference-title = Vergleich zweier Läufe
difference-folder = Ordner
difference-name = Titel
difference-engine = Programm
difference-finished = beendet
difference-grid = Raster
key-figures = Kennzahlen
difference-projects = Was sich in den Projekten unterscheidet
difference-none = Die Projekte sind gleich.
difference-stopped = Steine beendet: { $reason }
difference-map = { $layer }: B minus A
difference-legend = B minus A
map-word = Karte
smallest = kleinster Wert
largest = grösster Wert
cells-less = Zellen weniger
cells-more = Zellen mehr
difference-note = Die Karten zeigen B − A. Wo nur ein Lauf Steine hat, zählt der andere als 0 (Winkel: nur wo beide Steine haben); wo keiner welche hat, gibt es keinen Wert. Quantile weniger Steine unterscheiden sich durch Zufall: Läufe mit vielen Steinen oder mit demselben Startwert vergleichen.
area-reached = Erreichte Fläche
largest-in-area = { $layer }, Maximum im Gebiet
area-above = Fläche mit { $layer } über { $limit } kJ
hazard-zone-of = Gefahrenzone { $zone } ({ $scheme })
models-title = Modelle im Vergleich
models-of = { $title }: Modelle
models-intro = Dieselben { $releases } Ausbrüche (Startwert { $seed }) mit den Modellen { $models }. Unterschiede gegenüber { $first }. Was jedes Modell annimmt und wo es bekanntermassen falsch ist: docs/models.md. Programm { $engine } { $version }.
models-distributions = Verteilungen
models-ks = KS-Distanz: grösster Unterschied der Summenhäufigkeiten gegenüber dem ersten Modell; Wahrscheinlichkeit: Chance einer so grossen Distanz, wären beide Modelle gleich. Mit denselben Ausbrüchen sind die Stichproben gepaart, die Wahrscheinlichkeit ist daher vorsichtig.
models-cumulative = Anteil der Steine bis zu einem Wert, je Modell
models-cost = Rechenaufwand
models-where = Wo sie sich unterscheiden
models-difference = Unterschied, { $unit }
models-reach = Erreichenswahrscheinlichkeit des Modells { $other } minus die von { $one }; 0, wo ein Modell keinen Durchgang hat
models-energy = 95-%-Quantil der kinetischen Energie des Modells { $other } minus das von { $one }
model = Modell
standard-deviation = Std.-Abw.
ks-distance = KS-Distanz
ks-probability = Wahrscheinlichkeit
share-of-rocks = Anteil der Steine
value-energy = grösste kinetische Energie
value-velocity = grösste Geschwindigkeit
value-jump = grösste Sprunghöhe
steps = Schritte
simulation-seconds = Simulation, s
microseconds-per-step = µs je Schritt
relative = relativ

## Warnings and notes. The engine says them in these English words; `texts::translated` knows them by these.

note-of-classification = Klassierung { $name }: { $note }
note-of-line = Linie { $name }: { $note }
note-parts-missing = { $rocks } von { $of } Steinen fehlen, deren Teile nicht da waren (merge --allow-missing): Anzahlen, Wahrscheinlichkeiten und jährliche Häufigkeiten sind zu klein, und Orte können sicher aussehen, die es nicht sind; nur zum Anschauen
partial-title = UNVOLLSTÄNDIG ({ $there } von { $all } Steinen) { $title }
note-limited = nur { $released } von { $planned } geplanten Steinen wurden ausgelöst (--limit), jeder steht in den jährlichen Häufigkeiten für { $weight }: eine Vorschau, kein Resultat zur Abgabe
note-left-terrain-one = 1 Stein verliess das Geländemodell in Bewegung: Die Reichweite ist an dessen Rand abgeschnitten; grösseres Geländemodell verwenden
note-left-terrain = { $count } Steine verliessen das Geländemodell in Bewegung: Die Reichweite ist an dessen Rand abgeschnitten; grösseres Geländemodell verwenden
note-nodata-one = 1 Stein endete an Zellen ohne Höhe: Lücken des Geländemodells füllen
note-nodata = { $count } Steine endeten an Zellen ohne Höhe: Lücken des Geländemodells füllen
note-fast-contacts = { $rocks } von { $of } Steinen ({ $share }) berühren den Boden mit mehr als { $limit } m/s, der schnellste mit { $fastest } m/s (Trajektorie { $trajectory }, bei ({ $x }, { $y })): Steine in Feldversuchen bleiben unter etwa 30 m/s; prüfen, ob der Boden dort weicher oder rauer ist als im Projekt (Klasse, Eindringen, Rauigkeit)
note-high-jumps = { $rocks } von { $of } Steinen ({ $share }) springen höher als { $limit } m, der höchste { $highest } m (Trajektorie { $trajectory }, bei ({ $x }, { $y })): prüfen, ob dort eine Felswand oder ein Fehler des Geländemodells ist
note-flat-energy-lines = { $rocks } von { $of } Steinen ({ $share }) laufen weiter, als eine Energielinie von { $limit }° Steine laufen lässt, der weiteste bis { $flattest }° (Trajektorie { $trajectory }, bei ({ $x }, { $y })): prüfen, ob der Boden unterwegs zu wenig Energie aufnimmt (Klasse, Eindringen, Rauigkeit)
note-creeping-rocks = { $rocks } von { $of } Steinen ({ $share }) sind länger als { $limit } s langsamer als { $slow } m/s, der längste { $longest } s lang (Trajektorie { $trajectory }, bei ({ $x }, { $y })): Sie kriechen auf Boden, der kaum Energie aufnimmt, und ihre Reichweite sagt wenig; Reibung dort prüfen
note-left-over-north = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung über den Nordrand, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; ein Geländemodell verwenden, das weiter nach Norden reicht
note-left-over-east = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung über den Ostrand, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; ein Geländemodell verwenden, das weiter nach Osten reicht
note-left-over-south = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung über den Südrand, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; ein Geländemodell verwenden, das weiter nach Süden reicht
note-left-over-west = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung über den Westrand, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; ein Geländemodell verwenden, das weiter nach Westen reicht
note-ended-in-hole = { $rocks } von { $of } Steinen ({ $share }) endeten an einem Loch des Geländemodells (Zellen ohne Höhe in seinem Innern), der erste bei ({ $x }, { $y }): mit `couloir prepare` (--fill-holes) füllen
note-max-time-one = 1 Stein bewegte sich bei stop.max_time_s noch: Wert erhöhen
note-max-time = { $count } Steine bewegten sich bei stop.max_time_s noch: Wert erhöhen
note-max-distance-one = 1 Stein endete bei stop.max_distance_m: Wert erhöhen oder weglassen
note-max-distance = { $count } Steine endeten bei stop.max_distance_m: Wert erhöhen oder weglassen
note-diverged = { $count } Sturzbahnen divergierten und sind in keiner Statistik: Nummern { $numbers }; mit `couloir trace` ansehen
note-diverged-variant = { $count } Sturzbahnen divergierten und sind in keiner Statistik ({ $variant }): Nummern { $numbers }; mit `couloir trace` ansehen
note-tracks-thinned = { $written } von { $all } Sturzbahnen stehen in den Bahndateien, gleichmässig über die Ausbrüche verteilt (outputs.max_trajectories = { $most }); Layer und Ablagerungen enthalten alle
note-points-interval = die Punktaufzeichnungen erfolgen alle { $seconds } s; Layer enthalten die grössten Werte der ganzen Bahn, die grösser sein können
note-layer-outside = { $key }: der Layer ({ $name }) überlappt das Geländemodell nicht und hat keine Wirkung
note-release-flat = { $key }: { $flat } von { $total } Zellen unter den Ausbruchgebieten sind flacher als { $limit }°; Steine bleiben dort vielleicht liegen, Layer prüfen oder `{ $hint }` verwenden
note-release-nodata = { $key }: { $cells } von { $total } Zellen unter den Ausbruchgebieten haben keine Höhe (nodata) und lösen nichts aus; { $remedy }
note-remedy-fill = Löcher mit `couloir prepare` füllen
note-release-beside-nodata = { $key }: { $cells } von { $total } Zellen unter den Ausbruchgebieten grenzen an Zellen ohne Höhe: Steine von dort enden vielleicht sofort; Geländemodell dort ansehen
note-release-outside = { $key }: { $outside } von { $total } Ausbruchgebieten reichen über das Geländemodell hinaus; nur der Teil darauf löst Steine aus
note-feature-without-value = Objekt { $id } des Layers { $layer } hat keinen Wert im Attribut { $attribute } und ist weggelassen
note-codes-without-class = { $key }: { $cells } Zellen haben Codes ohne Klasse ({ $codes }) und behalten die schwächere Klasse; unter `codes` benennen
note-roughness-unused = die Rauigkeit des Untergrunds wirkt nicht mit `simulation.contact: rocfall3` und `lumped`, deren Steine nur das Geländemodell sehen
note-raster-gaps = { $key }: das Raster { $raster } hat in { $gaps } von { $cells } Zellen keinen Wert; diese behalten die schwächere Quelle, die erste bei ({ $x }, { $y }); dort füllen, wenn Steine so weit kommen
note-outside-polygons = { $key }: { $cells } von { $total } Zellen liegen in keinem Polygon des Layers { $layer } und behalten den eingebauten Wert
note-release-without-ground = { $release }: { $positions } Startpunkte haben kein Gelände unter sich (nodata oder ausserhalb des Geländemodells) und lösen nichts aus
note-no-position = { $release }: für diese Anordnung wurde kein Startpunkt gefunden
note-feature-without-geometry = Objekt { $id } von '{ $layer }' hat keine Geometrie und ist weggelassen
note-polygon-repaired = Polygon { $id } von '{ $layer }' wurde repariert: { $fault }
note-dem-unit = Geländemodell '{ $file }' gibt Höhen in Einheiten von { $found } m an; statt dessen gilt die angegebene Einheit von { $declared } m
note-format-full = '{ $file }' erreichte nach { $features } Objekten die Grössengrenze des Formats; der Rest ist weggelassen: GeoPackage wählen
note-quantile-of-few = Das { $percent }-%-Quantil beruht auf nur { $rocks } Steinen; unter { $needed } begrenzt es nicht einmal der grösste davon mit 95 % Vertrauen. Vor Gebrauch dieser Werte mehr Steine auslösen.
note-beyond-classes = Die erforderliche Energie von { $energy } kJ liegt über der grössten tabellierten Klasse (4500 kJ): Bausätze der Klasse 8 oder ein anderer Schutz brauchen einen eigenen Nachweis.
note-freeboard-raised = Der Freibord wurde auf die halbe Höhe der Steine erhöht.
note-factors-assumed = Angenommen, mit dem Normtext zu vergleichen und im Projekt zu setzen (lines.dimensioning.factors): { $factors }.
note-sheet-limits = Jeder simulierte Stein zählt gleich; die Auslenkung des Netzes, seine Fundation und der Verschleiss durch kleinere Steine sind nicht Teil dieses Blatts.
note-no-hazard-map = Keine Gefahrenkarte: Das Projekt gibt keine Ausbruchhäufigkeit an, und die Reichweite allein ist keine Wiederkehrperiode. frequency_per_year bei jedem Ausbruch setzen (Steine pro Jahr je Objekt) und neu rechnen; die Intensitätskarten unten brauchen keine.
note-no-hazard-map-scenario = Keine Gefahrenkarte: Das Projekt gibt keine Ausbruchhäufigkeit an, und die Reichweite allein ist keine Wiederkehrperiode. frequency_per_year bei jedem Ausbruch (Steine pro Jahr je Objekt) oder classification.scenario_return_periods_years setzen und neu rechnen; die Intensitätskarten unten brauchen keine.
note-scenarios-left-out = Die Gefahrenkarte lässt weg, was keine frequency_per_year hat: { $scenarios }. Sie unterschätzt die Gefahr dort.
note-scenarios-left-out-period = Die Gefahrenkarte lässt weg, was weder frequency_per_year noch Wiederkehrperiode hat: { $scenarios }. Sie unterschätzt die Gefahr dort.
note-frequency-of-cell = Die Häufigkeiten gelten für Steine, deren Schwerpunkt eine Zelle des Geländemodells durchquert; ein grösseres Objekt wird häufiger getroffen. reference_width_m in einem eigenen Schema setzen, um sie auf die Breite eines Objekts zu beziehen.

## Where the schemes come from

scheme-swiss-source = Praxis des Bundes: Intensität schwach < 30 kJ, mittel 30–300 kJ, stark ≥ 300 kJ; Wiederkehrperioden 30, 100 und 300 Jahre. Die Wiederkehrperiode ist die des Szenarios, wo immer es hinreicht; massgebend ist die höchste Gefahrenstufe aller Szenarien. Annahme, mit der Behörde zu klären: mittlere Intensität bei einer Wiederkehrperiode bis 30 Jahre ist rot.
scheme-norway-source = Bauvorschrift TEK17 § 7-3: grösste nominelle jährliche Wahrscheinlichkeit 1/100 für Sicherheitsklasse S1, 1/1000 für S2 und 1/5000 für S3; jeder Stein zählt. Annahme, mit der Behörde zu klären: Die Wahrscheinlichkeit bezieht sich auf ein Quadrat von 30 m.

## Edges, inputs, locator

cut-off = Die Karte ist abgeschnitten: { $places }. Jenseits dieser Ränder ist über Reichweite und Energie nichts bekannt; vor der Abgabe ein grösseres Geländemodell verwenden.
legend-cut-off = abgeschnitten: Steine verliessen das Geländemodell
cut-off-west =
    { $count ->
        [one] { $count } Stein verliess hier das Geländemodell (West)
       *[other] { $count } Steine verliessen hier das Geländemodell (West)
    }
cut-off-east =
    { $count ->
        [one] { $count } Stein verliess hier das Geländemodell (Ost)
       *[other] { $count } Steine verliessen hier das Geländemodell (Ost)
    }
cut-off-south =
    { $count ->
        [one] { $count } Stein verliess hier das Geländemodell (Süd)
       *[other] { $count } Steine verliessen hier das Geländemodell (Süd)
    }
cut-off-north =
    { $count ->
        [one] { $count } Stein verliess hier das Geländemodell (Nord)
       *[other] { $count } Steine verliessen hier das Geländemodell (Nord)
    }
locator = Lage im Geländemodell
map-input-ground = Grundlage: Untergrundklassen
map-input-forest = Grundlage: Wald
class-ground-extra-soft = sehr weich
class-ground-soft = weich
class-ground-medium-soft = mittelweich
class-ground-medium = mittel
class-ground-medium-hard = mittelhart
class-ground-hard = hart
class-ground-extra-hard = sehr hart
class-ground-snow = Schnee
class-forest-none = kein Wald
class-forest-open = licht
class-forest-medium = mittel
class-forest-dense = dicht

## Interactive page. What stands in ‹ › is filled in by the page.

open-interactive = Interaktive Karte und räumliche Ansicht öffnen (interactive.html)
page-all-scenarios = alle Szenarien zusammen
page-scenario = Szenario
page-layer = Layer
page-map = Karte
page-space = 3D-Ansicht
page-draw-line = Linie zeichnen
page-whole = Ganze Karte
page-report = Zurück zum Bericht
page-cell = Zelle
page-line = Linie
page-help = Ziehen verschiebt die Karte, das Mausrad vergrössert, ein Klick auf eine Zelle zeigt ihre Zahlen.
page-line-help = Von einem Ende der Linie zum anderen ziehen.
page-coordinates = Koordinaten (E / N)
page-height = Höhe des Geländes
page-no-rock = Kein Stein dieses Szenarios kommt hier durch.
page-coarse = Jede Zelle dieser Seite zeigt die grössten Werte von ‹cells› × ‹cells› Zellen des Geländemodells.
page-rocks = Steine
page-length = Länge
page-no-tracks = Dieser Lauf hat keine Sturzbahnen gespeichert (outputs.trajectories).
page-crossing-rocks = Querende Steine
page-of-tracks = Von den ‹count› Sturzbahnen dieser Seite (‹all› Steine ausgelöst); jeder Stein zählt einmal mit seiner grössten Energie an der Linie, interpoliert zwischen den Stützpunkten der vereinfachten Bahn. Höhe: Schwerpunkt über Boden.
page-energy-median = Energie, Median
page-energy-p95 = Energie, 95-%-Quantil
page-energy-max = Energie, Maximum
page-height-p95 = Höhe, 95-%-Quantil
page-cut-off = abgeschnitten: Steine verliessen das Geländemodell
page-no-webgl = Dieser Browser kann nicht in 3D zeichnen (kein WebGL).
page-play = Abspielen
page-pause = Pause
page-rock-energy = Energie der fallenden Steine

## More warnings

note-empty-collar = { $raster }: { $share } der Zellen haben keine Höhe; sie liegen um ein vollständiges Stück Gelände, wie es Umprojizieren oder Ausschneiden hinterlässt, und sind keine zu füllenden Löcher: Steine, die dorthin gelangen, verlassen das Gelände
note-terrain-missing = { $raster }: { $share } der Zellen haben keine Höhe und hängen mit dem Rand des Rasters zusammen: Dort fehlt ein Teil des Geländes, und Steine, die dorthin gelangen, verlassen es; fehlende Kacheln suchen
note-holes-one = { $raster }: 1 Loch im Innern hat keine Höhe ({ $share } der Zellen), das grösste mit { $cells } Zellen, { $across } Zellen breit, um ({ $place }): Steine bleiben dort stehen; kleine mit `couloir prepare` (--fill-holes) füllen
note-holes = { $raster }: { $holes } Löcher im Innern haben keine Höhe ({ $share } der Zellen), das grösste mit { $cells } Zellen, { $across } Zellen breit, um ({ $place }): Steine bleiben dort stehen; kleine mit `couloir prepare` (--fill-holes) füllen
note-outside-area-of-use = { $what } hat Koordinaten x { $west } bis { $east }, y { $south } bis { $north }, ausserhalb des Geltungsbereichs von { $crs } ({ $area }); sie werden trotzdem verwendet (--force)
note-raster-outside = { $key }: das Raster ({ $raster }) überlappt das Geländemodell nicht und hat keine Wirkung
note-fields-shortened = '{ $path }': Shapefiles fassen höchstens 10 Zeichen, gekürzte Feldnamen: { $names }
note-texts-cut = '{ $path }': { $texts } Texte wurden auf 254 Bytes gekürzt
note-remedy-beyond-edge = { $cells } davon liegen jenseits des Geländerands: grösseres Geländemodell verwenden oder Layer zuschneiden
cut-off-inside =
    { $count ->
        [one] { $count } Stein verliess hier das Geländemodell (fehlende Höhen)
       *[other] { $count } Steine verliessen hier das Geländemodell (fehlende Höhen)
    }
solver-pushed-out-of-the-ground = aus dem Boden geschoben
solver-steps-with-contact = Schritte mit Kontakt

## Names of layers in lists

list-lines = Linien und Barrieren (Histogramme: darauf zeigen)
list-show-histograms = Histogramme zeigen
list-crossings = Durchgänge durch Linien (Energie, kJ)
list-objects = Gefährdete Objekte (grösste Energie, kJ)
list-object-lines = Gefährdete Strassen und Leitungen (grösste Energie, kJ)
object-not-hit = nicht getroffen
list-deposits-by-mass = Ablagerungen (Grösse: Masse)
list-impacts = Aufpralle auf den Boden
list-points = Steine auf ihrem Weg (Geschwindigkeit, m/s)
list-trajectories-by-energy = Sturzbahnen (grösste Energie, kJ)
list-by-energy = Energie (kJ)
list-by-velocity = Geschwindigkeit (m/s)
list-deposits = Ablagerungen
list-trajectories = Sturzbahnen
list-outermost = Äusserste Linie aller Steine
label-uncertain = unsicher: andere Steine können eine andere Zone ergeben
list-uncertain = Unsichere Zonen
list-confidence = Sicherheit der Zonen
list-as-raster = { $title }, als Raster
list-scenario = Szenario { $name }
list-all-rocks = Alle Steine
list-scheme-swiss = Schweizer Schema
list-scheme-austria = österreichisches Schema
list-scheme-norway = norwegisches Schema
list-difference = Unterschied: { $layer }
intensity-word = Intensität

# Zonen, wie sie gezeichnet sind.
legend-drawn = Gezeichnet: Lücken unter { $gaps } m geschlossen, Zungen unter { $tongues } m weggelassen, kleinste Fläche { $area } m².
rule-least-reach-width = Intensität und Reichweite gelten für ein Objekt von { $width } m Breite um die Zelle. Weggelassen ist, wo weniger als { $share } % der Steine des Szenarios hineingelangen (bei einem Ausbruchgebiet von über 100 m Länge: der Steine von 100 m).
rule-every-rock-width = Intensität und Reichweite gelten für ein Objekt von { $width } m Breite um die Zelle; jeder Stein zählt.
within-tolerance = { $years } (höchstens 1 % über { $limit }: zählt als { $limit })
drawn-m2 = gezeichnet (m²)
drawn-ha = gezeichnet (ha)
computed-m2 = berechnet (m²)
zones-drawn = Gezeichnete Zonen: Lücken schmaler als { $gaps } m geschlossen, Zungen schmaler als { $tongues } m weggelassen, Flecken und Löcher unter { $area } m² mit den Nachbarn vereinigt, Ränder um weniger als eine halbe Zelle geglättet. Von { $computed } m² berechneter Fläche sind { $less } m² ({ $share } %) weniger schwer gezeichnet (erlaubt sind höchstens { $most } %) und { $more } m² schwerer. Die Zellen, wie sie berechnet wurden, stehen in hazard.tif. Alle Steine bleiben innerhalb von { $outermost } m² (outermost_line.gpkg).
zones-confidence = Verlässlichkeit: im Mittel geben { $mean } % neu gezogener Hälften der Steine einer Zelle in einer Zone dieselbe Zone; auf { $area } m² sind es weniger als { $below } % (hazard_uncertain.gpkg, hazard_confidence.tif).
layer-confidence = Anteil von { $halves } neu gezogenen Hälften der Steine, die der Zelle dieselbe Gefahrenzone geben
all-scenarios = alle Szenarien
scenario-named = Szenario { $name }
map-of-scenario = Szenario { $scenario }: { $map }
line-title-scenario = Linie { $name } ({ $length } m), { $scenario }
barrier-title-scenario = Schutznetz { $name } ({ $length } m), { $scenario }: Höhe { $height } m, Kapazität { $capacity } kJ
no-such-barrier = kein solches Netz

chapter-enough = Genügend Steine?
chapter-objects = Gefährdete Objekte
rocks-not-asked = Der Lauf hat eine feste Zahl von Steinen; ob die Karte sich mit mehr Steinen ändern würde, wurde nicht gefragt (--until-stable).
rocks-converged = Konvergiert auf { $share } %: nach { $rocks } Steinen unterscheiden sich die Zonen zweier unabhängiger Hälften auf { $share } % der Zonenfläche (verlangt sind höchstens { $most } %).
rocks-not-converged = Nicht konvergiert: nach { $rocks } Steinen unterscheiden sich die Zonen zweier unabhängiger Hälften auf { $share } % der Zonenfläche (verlangt sind höchstens { $most } %), oder ein anderes Mass unten ist nicht erfüllt.
rocks-asked-for = verlangt
zones-differ = Zonen verschieden (%)
p95-known-to = p95 der Energie ± (%)
lines-differ = Energien an Linien verschieden (%)
rocks-curve = Masse nach jeder Gruppe von Steinen; gestrichelt: der verlangte Unterschied der Zonen.
object = Objekt
hits-per-year = Treffer pro Jahr
object-energy-p95 = Energie p95 (kJ)
object-energy-max = Energie max. (kJ)
object-height-max = tiefster Punkt max. (m)
vehicle-hits-per-year = getroffene Fahrzeuge pro Jahr
no-object-hit = Kein Stein trifft ein Objekt.
objects-note = { $shown } von { $all } Zeilen, die stärksten Treffer zuerst; alle stehen in objects/objects.csv und .gpkg.

# Schemata, die auszufüllen sind, und was eine Karte gefragt wird.
scheme-austria-name = Österreich (auszufüllen)
scheme-austria-source = Die Gefahrenzonenplanverordnung (WLV-GZPV 2021, wie jene von 1976) kennt ein Bemessungsereignis von 150 Jahren und rote und gelbe Zonen für Wildbäche und Lawinen; Steinschlag wird als brauner Hinweisbereich ausgewiesen, ohne Energiegrenzen. Die veröffentlichte Praxis nimmt das 95-%-Quantil jedes Szenarios als Bemessungswert (wie ONR 24810 an einem Bauwerk).
note-austria-to-fill-in = die Energiegrenzen (30 und 300 kJ) und die Zone jeder Klasse sind Beispiele, nicht die einer Vorschrift: mit der Behörde vereinbaren und in einem eigenen Schema festhalten
note-scheme-frame = das Schema «{ $scheme }» ist ein Rahmen: { $what }
note-cells-decide = das Schema «{ $scheme }» nimmt die Häufigkeit der Steine, die eine Zelle des Geländemodells ({ $cell } m) queren: bei halb so breiten Zellen ist sie etwa halb so gross, und die Zonen ändern sich damit; reference_width_m im Schema oder unter classification setzen
note-square-of-cells = das Schema «{ $scheme }» bezieht sich auf ein Objekt von { $width } m Breite, aber das nächste Quadrat aus ganzen Zellen von { $cell } m ist { $side } m breit: Reichweite und Häufigkeit gelten für { $side2 } m
note-first-tracks = { $written } von { $all } Sturzbahnen stehen in den Dateien, jene der ersten Runden über alle Startpunkte (outputs.max_trajectories = { $most }); Karten und Ablagerungen enthalten alle
note-not-converged = die Karte ist nicht konvergiert: nach { $rocks } Steinen unterscheiden sich die Zonen zweier unabhängiger Hälften auf { $zones } % der Zonenfläche (verlangt { $zones2 } %), p95 der Energie ist auf ± { $p95 } % bekannt ({ $p952 } %), Energien an Linien unterscheiden sich um { $lines } % ({ $lines2 } %)
note-no-such-height = Ein Netz von { $required } m Höhe gibt es nicht: Schutznetze werden bis etwa { $highest } m gebaut. Einen anderen Standort oder eine andere Schutzart suchen.
note-of-line-pooled = Linie { $name }, alle Szenarien zusammen: { $note }
note-pilot = Probelauf: { $note }
note-unusual-value = { $key }: { $value } liegt ausserhalb des üblichen Bereichs { $range }
note-angular-shape = Alle Steine haben dieselbe sehr kantige Form ({ $shape }: Sphärizität { $sphericity }, Flächen treffen sich im Mittel unter { $edge }°): Solche Steine bleiben früh liegen, die Reichweite kann viel zu kurz sein; `shape: natural` verwenden, sofern die Blöcke am Ort nicht so sind
note-round-shape = Alle Steine haben dieselbe sehr runde Form ({ $shape }: Sphärizität { $sphericity }, Flächen treffen sich im Mittel unter { $edge }°): Solche Steine rollen weiter, die Reichweite kann viel zu lang sein; `shape: natural` verwenden, sofern die Blöcke am Ort nicht so sind
note-coarse-cells = Die Zellen des Geländemodells ({ $cell } m) sind viel grösser als die Steine (ab { $rock } m): Das Gelände ist für sie zu glatt; ein feineres Modell verwenden, wenn es eines gibt
note-too-much-memory = Der Lauf braucht etwa { $needed } GB Speicher, { $who } erlaubt aber { $available } GB: weniger Steine auslösen, das Geländemodell mit `couloir clip` zuschneiden, in Teilen rechnen (`--shard`) oder mit `--force` darauf bestehen
note-no-return-period = Klassierung: { $release } hat keine `frequency_per_year` und sein Szenario keine Wiederkehrperiode; ohne eine davon fehlt es in der Gefahrenkarte und steht nur in den Intensitätskarten
note-stretched-crs = { $crs } verzerrt Distanzen: Neigungen und Reichweiten werden falsch; ein Landeskoordinatensystem oder UTM verwenden
note-steps-between-cells = { $raster }: Benachbarte Zellen unterscheiden sich bei ({ $place }) um { $step } m, und an { $places } Stellen um mehr, als ein Hang erklärt: prüfen, ob das eine Felswand ist oder ein Wert wie 0, der keine Höhe bedeutet (als nodata erklären)
note-terrain-on-demand = terrain.dem hat { $cells } Zellen: Höhen werden dort gelesen, wo Steine hinkommen, nicht alle; `couloir check` prüft alle (bis 17 Milliarden) auf Löcher, fehlende Teile und Stufen
note-changed-since-prepared = { $files }: nicht mehr, was `couloir prepare` laut { $list } geschrieben hat, und wie vorgefunden verwendet; hat das niemand bearbeitet, ist es beschädigt: den Ordner neu vorbereiten
note-map-too-large = Es wurden keine Zonen gezeichnet: Steine queren so viel dieser Karte ({ $cells } Zellen zusammen), dass sie nicht am Stück gezeichnet werden können; Teile davon klassieren, jeden mit einem eigenen Projekt
note-one-thread = Nur ein Thread arbeitet: { $why }
note-collar-north = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung nach Norden in den Rand ohne Höhe, den Umprojizieren oder Ausschneiden lässt, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; ein Geländemodell verwenden, das weiter nach Norden reicht
note-missing-north = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung nach Norden, wo ein Teil davon keine Höhe hat, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; die fehlenden Kacheln des Geländemodells suchen
note-collar-east = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung nach Osten in den Rand ohne Höhe, den Umprojizieren oder Ausschneiden lässt, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; ein Geländemodell verwenden, das weiter nach Osten reicht
note-missing-east = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung nach Osten, wo ein Teil davon keine Höhe hat, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; die fehlenden Kacheln des Geländemodells suchen
note-collar-south = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung nach Süden in den Rand ohne Höhe, den Umprojizieren oder Ausschneiden lässt, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; ein Geländemodell verwenden, das weiter nach Süden reicht
note-missing-south = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung nach Süden, wo ein Teil davon keine Höhe hat, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; die fehlenden Kacheln des Geländemodells suchen
note-collar-west = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung nach Westen in den Rand ohne Höhe, den Umprojizieren oder Ausschneiden lässt, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; ein Geländemodell verwenden, das weiter nach Westen reicht
note-missing-west = { $rocks } von { $of } Steinen ({ $share }) verliessen das Geländemodell in Bewegung nach Westen, wo ein Teil davon keine Höhe hat, der erste bei ({ $x }, { $y }): Die Reichweite ist dort abgeschnitten; die fehlenden Kacheln des Geländemodells suchen
zone-id-red = rot
zone-id-blue = blau
zone-id-yellow = gelb
zone-id-residual = Rest

# Names that a filled-in form gives.
form-barrier = Barriere
form-line = Messlinie
form-objects = Objekte
form-scenario = Szenario { $number }
form-scenario-twice = Zwei Szenarien heissen «{ $name }»: Geben Sie jedem einen eigenen Namen.
form-scenario-years = Die Wiederkehrperiode des Szenarios «{ $name }» ist «{ $years }», erwartet wird eine Zahl von Jahren, etwa 100.
