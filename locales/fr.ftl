# The words of Couloir's reports, maps, legends and layers. Engine and QGIS plugin read this file; see docs/translations.md.

## Words used in many places

rocks =
    { $count ->
        [one] { $count } bloc
       *[other] { $count } blocs
    }
rocks-word = blocs
cells-word = cellules
crossings = passages
trajectories =
    { $count ->
        [one] { $count } trajectoire
       *[other] { $count } trajectoires
    }
and-then = { $first } ; { $next }
share = part
mean = moyenne
max = max.
median = médiane
not-given = non indiqué
file = fichier
input = donnée
value = valeur
quantity = grandeur
class = classe
per-year = par an
years = { $years } ans
scenario = scénario
scenarios = Scénarios
maps = Cartes
mass = masse
velocity = vitesse
jump-height = hauteur de rebond
run-out = portée
ground = terrain
centre-of-mass = centre de gravité
unit-rotation = tr/s
unit-share = part
with-barriers = avec ouvrages de protection
without-barriers = sans ouvrages de protection

## Head and signatures

rockfall-simulation = Simulation de chutes de blocs
study-office = Bureau
study-author = Auteur
study-client = Mandant
study-plan_number = No de plan
study-version = Version
study-date = Date
study-status = Statut
study-draft = Projet
study-final = Définitif
sign-prepared = Établi par, date
sign-checked = Vérifié par, date
sign-inputs = Données et fréquences de départ confirmées par, date
sign-released = Approuvé par, date

## Report

chapter-run = Ce qui a été calculé
chapter-maps = Cartes
chapter-hazard = Évaluation du danger
chapter-figures = Les blocs en chiffres
chapter-profile = Profils en long
chapter-lines = Lignes et ouvrages de protection
chapter-parameters = Paramètres
chapter-reproduce = Reproductibilité
chapter-meaning = Signification des valeurs
project-as-run = Le fichier de projet tel qu’il a été calculé. Les clés absentes ont leur valeur par défaut documentée.
picture-removed = { $caption } (L’image { $file } a été supprimée.)
key-rocks = blocs lâchés
key-energy = énergie maximale d’un bloc, p95
key-jump = hauteur de rebond maximale d’un bloc, p95
key-runout = portée, p95
no-warnings = Le calcul n’a donné aucun avertissement.
warnings-title = Avertissements : à lire avant usage
releases-per-year = départs par an
rocks-simulated = blocs simulés
how-they-ended = Fin des trajectoires
contact-solver = Solveur de contact, toutes les trajectoires : { $counts }.
solver-solves = résolutions
solver-not-converged = non convergées
solver-restitution-reduced = restitution réduite
solver-pushed-out = repoussés
stop-reason = motif d’arrêt
stop-at-rest = au repos
stop-left-terrain = sorti du modèle de terrain
stop-nodata = pas d’altitude (nodata)
stop-max-time = durée maximale
stop-max-distance = distance maximale
stop-barrier = arrêté par un ouvrage
stop-diverged = divergé
reached = Des blocs traversent { $cells } cellules ({ $hectares } ha). Dans { $share } % d’entre elles, il en passe moins de { $least } : les quantiles y reposent sur peu de valeurs et changent avec la graine aléatoire (couche sample_size_warning). Lâcher davantage de blocs là où c’est important.
no-classification = Le projet n’en demande pas. `couloir classify` en ajoute une à ce dossier.
figure-mass = masse (kg)
figure-energy = énergie cinétique maximale (kJ)
figure-velocity = vitesse maximale (m/s)
figure-jump = hauteur de rebond maximale (m)
figure-rotation = rotation maximale (tr/s)
figure-runout = portée, horizontale (m)
figure-energy-line = angle de la ligne d’énergie (°)
of-each-rock = de chaque bloc
distribution-of-rocks = Distribution sur tous les blocs ; chaque bloc compte une fois avec sa valeur maximale.
no-profile = Aucune trajectoire n’est assez longue pour un profil.
profile-steepest = Trajectoire { $trajectory } : { $rock }, { $mass } kg. De tous les blocs d’une portée au moins médiane, celui-ci a la ligne départ–arrêt la plus raide, { $angle }°. Hauteurs exagérées selon les axes.
profile-farthest = Trajectoire { $trajectory } : { $rock }, { $mass } kg. De tous les blocs, celui-ci est allé le plus loin, { $runout } m en ligne droite ; angle départ–arrêt { $angle }°.
profile-steepest-title = Trajectoire la plus raide
profile-farthest-title = Trajectoire la plus longue
profile-energy-and-velocity = Énergie cinétique (translation et rotation) et vitesse le long de la trajectoire.
same-bytes = Avec les fichiers ci-dessous, { $engine } { $version } (révision { $revision }) donne les mêmes octets, quel que soit le nombre de fils d’exécution :
this-run = Ce calcul : { $threads ->
        [one] { $threads } fil
       *[other] { $threads } fils
    }, { $seconds } s, { $system }, { $processor }. Les empreintes de tous les résultats sont dans manifest.json.
role-project = projet
role-terrain = terrain
role-release = départ
role-ground = sol
role-forest = forêt
role-lines = lignes
role-barriers = ouvrages
role-objects = objets
role-rocks = blocs
role-classification = classification
role-restitution = restitution
barrier-sheet = Fiche de dimensionnement : { $project }
made-with =
    { $engine } { $version }, graine { $seed }, projet { $project }, { $rocks ->
        [one] { $rocks } bloc
       *[other] { $rocks } blocs
    }, { $crs }.
meaning-passage = Passage : un bloc dont le centre de gravité traverse une cellule ; il compte une fois par cellule, avec sa valeur maximale.
meaning-quantities = Énergie cinétique : translation plus rotation. Hauteur de rebond : plus petite distance verticale entre bloc et sol. Portée : distance horizontale entre départ et arrêt.
meaning-quantile = p95 : 95 % des blocs passants ne le dépassent pas. Il ne dit pas à quelle fréquence un bloc passe : c’est la probabilité d’atteinte (par bloc lâché) ou, avec des fréquences de départ, la fréquence par an.
meaning-return-period = Période de retour : d’après les fréquences de départ ou les périodes de retour des scénarios données par l’utilisateur, jamais de la seule portée ; la règle de la carte des dangers figure au chapitre 3.
meaning-barrier = Ouvrage de protection : un bloc est retenu si son centre de gravité passe au plus à la hauteur du sommet et si son énergie ne dépasse pas la capacité.
meaning-limits = La simulation ne connaît que le modèle de terrain, les classes de sol, la forêt et les blocs fournis. La fragmentation, les modifications du sol par des blocs antérieurs et les dégâts à la forêt n’en font pas partie.

## What was run

setting-terrain = Terrain
setting-crs = Système de coordonnées
setting-contact = Modèle de contact
setting-integrator = Intégrateur de la rotation
setting-time-step = Pas de temps
setting-gravity = Pesanteur
setting-seed = Graine aléatoire
setting-rocks = Blocs
setting-releases = Zones de départ
setting-ground = Sol
setting-forest = Forêt
terrain-of = { $file } : { $cells } cellules de { $size } m ; E { $west } à { $east }, N { $south } à { $north }
rock-look = { $shape } ({ $corners } sommets, sphéricité { $sphericity }, les faces se joignent à { $edge }°)
release-of =
    { $name } : { $features ->
        [one] { $features } objet
       *[other] { $features } objets
    }, { $rocks } blocs par position
ground-of = classe de base { $class }, { $layers ->
        [one] { $layers } couche
       *[other] { $layers } couches
    } par-dessus
forest-none = aucune
forest-of = base { $class }, { $layers ->
        [one] { $layers } couche
       *[other] { $layers } couches
    }

## Maps and legends

map-footer = { $crs }   E { $west } – { $east }   N { $south } – { $north } m   cellule { $cell } m   équidistance { $contours } m
map-of-layer = { $title }. Couche { $layer }.tif.
overlay-release = zone de départ
map-kinetic-energy-kj-p95 = Énergie cinétique, quantile à 95 % des blocs passants
map-kinetic-energy-kj-max = Énergie cinétique, maximum des blocs passants
map-jump-height-m-p95 = Hauteur de rebond, quantile à 95 % des blocs passants
map-velocity-ms-p95 = Vitesse, quantile à 95 % des blocs passants
map-reach-probability = Probabilité d’atteinte : passages par bloc lâché
map-passages = Nombre de blocs passants
map-deposits = Blocs arrêtés
map-energy-line-angle-deg = Angle de la ligne d’énergie
legend-kinetic-energy-kj-p95 = Énergie cinétique p95 (kJ)
legend-kinetic-energy-kj-max = Énergie cinétique max. (kJ)
legend-jump-height-m-p95 = Hauteur de rebond p95 (m)
legend-velocity-ms-p95 = Vitesse p95 (m/s)
legend-reach-probability = Passages par bloc lâché
legend-passages = Blocs passants
legend-deposits = Blocs arrêtés
legend-energy-line-angle-deg = Angle (°)
map-intensity = Intensité, scénario { $scenario }
map-reduced = réduit : un pixel montre la classe la plus élevée de { $cells } × { $cells } cellules
map-hazard = Zones de danger
few-rocks = peu de blocs
about-the-same = à peu près égal (± { $amount })
rarer-than-300-years = plus rare que tous les 300 ans
every-100-to-300-years = tous les 100 à 300 ans
every-30-to-100-years = tous les 30 à 100 ans
every-10-to-30-years = tous les 10 à 30 ans
every-1-to-10-years = tous les 1 à 10 ans
more-than-once-a-year = plus d’une fois par an

## Layers

quantity-energy = énergie cinétique
quantity-velocity = vitesse
quantity-jump = hauteur de rebond
quantity-rotation = rotation
layer-name-statistic = { $quantity }, { $statistic }
layer-name-mean = moyenne
layer-name-p50 = médiane
layer-name-p90 = quantile à 90 %
layer-name-p95 = quantile à 95 %
layer-name-p99 = quantile à 99 %
layer-name-max = maximum
layer-name-p95-lower = quantile à 95 %, borne inférieure
layer-name-p95-upper = quantile à 95 %, borne supérieure
layer-name-passages = nombre de passages
layer-name-deposits = dépôts
layer-name-source-cells = cellules de départ
layer-name-reach-probability = probabilité d’atteinte
layer-name-reach-probability-local = probabilité d’atteinte, locale
layer-name-energy-line-angle-deg = angle de la ligne d’énergie
layer-name-sample-size-warning = peu de blocs (quantiles incertains)
layer-name-frequency-above = fréquence ≥ { $energy } kJ
layer-passages = Nombre de blocs ayant traversé la cellule ; chacun compte une fois
layer-deposits = Nombre de blocs arrêtés dans la cellule ou retenus là par un ouvrage
layer-source-cells = Nombre de cellules de départ dont les blocs ont traversé la cellule
layer-reach-probability = Passages divisés par tous les blocs lâchés
layer-reach-probability-local = Passages divisés par les blocs lâchés des cellules de départ qui atteignent la cellule
layer-energy-line-angle-deg = Plus petit angle sous l’horizontale de la ligne du départ d’un bloc au sol au centre de la cellule, sur les blocs passants
layer-mean = Moyenne de la valeur maximale de chaque bloc dans la cellule : { $quantity }
layer-max = Valeur maximale de tous les blocs dans la cellule : { $quantity }
layer-p95-lower = Borne inférieure (confiance 95 %) du quantile à 95 % de la valeur maximale de chaque bloc dans la cellule (statistiques d’ordre) : { $quantity }
layer-p95-upper = Borne supérieure (confiance 95 %) du quantile à 95 % de la valeur maximale de chaque bloc dans la cellule (statistiques d’ordre ; aucune en dessous de 72 passages) : { $quantity }
layer-quantile = Quantile à { $percent } % de la valeur maximale de chaque bloc dans la cellule : { $quantity } ; erreur relative d’au plus { $error } %
layer-sample-size-warning = 1 où moins de { $least } blocs sont passés et où les quantiles signifient peu, sinon 0
layer-frequency-above = Passages par an d’au moins { $energy } kJ
layer-reach-square = Pierres qui entrent dans le carré de { $width } m autour de la cellule, chacune comptée une fois, divisées par toutes les pierres lâchées
layer-years-cell = Années entre deux pierres d’au moins { $energy } kJ qui passent par la cellule
layer-years-square = Années entre deux pierres d’au moins { $energy } kJ qui entrent dans le carré de { $width } m autour de la cellule, chacune comptée une fois
layer-name-reach-square = probabilité d’atteinte, carrés de { $width } m
layer-name-years-cell = période de retour dès { $energy } kJ (années)
layer-name-years-square = période de retour dès { $energy } kJ, carrés de { $width } m (années)
layer-pooled = Tous les scénarios réunis
layer-intensity = Classe d’intensité (0 aucune, puis { $classes })
layer-hazard = Zone de danger (0 aucune, puis { $classes })

## Hazard classification

legend-intensity = Intensité : { $classes } (p{ $quantile } de l’énergie cinétique).
legend-intensity-title = Intensité (énergie, p{ $quantile })
any-energy = toute énergie
rule-scenario = Période de retour : celle du scénario partout où il s’étend ({ $periods }). Le degré de danger le plus élevé de tous les scénarios est déterminant.
rule-passages = Période de retour : inverse de la fréquence annuelle pour { $place } : { $which }.
rule-exceedance = passages atteignant la limite inférieure de chaque intensité, tous scénarios confondus
rule-scenario-quantile = passages des scénarios dont le quantile a cette intensité
rule-reference-width = les blocs entrant dans un carré de { $width } m
rule-cell = les blocs traversant une cellule du modèle de terrain
rule-least-reach = Les cellules traversées par moins de { $share } % des blocs d’un scénario sont exclues.
rule-every-cell = Toute cellule traversée par un bloc d’un scénario compte.
not-in-hazard-map = pas dans la carte des dangers
return-period-years = période de retour (ans)
zone = zone
name = nom
meaning = signification
matrix-corner = intensité \ période de retour

## Schemes that are built in

scheme-swiss-name = Matrice des dangers suisse (chutes de pierres et blocs)
scheme-swiss-intensity-weak = faible
scheme-swiss-intensity-medium = moyenne
scheme-swiss-intensity-strong = forte
scheme-swiss-zone-residual = danger résiduel
scheme-swiss-zone-yellow = danger faible
scheme-swiss-zone-blue = danger moyen
scheme-swiss-zone-red = danger élevé
scheme-swiss-meaning-residual = plus rare que 300 ans
scheme-swiss-meaning-yellow = zone de sensibilisation
scheme-swiss-meaning-blue = zone de réglementation : constructions sous conditions
scheme-swiss-meaning-red = zone d’interdiction : pas de nouvelles constructions
scheme-austria-intensity-low = faible
scheme-austria-intensity-medium = moyenne
scheme-austria-intensity-high = forte
scheme-austria-zone-residual = plus rare que l’événement de référence
scheme-austria-zone-yellow = zone jaune
scheme-austria-zone-red = zone rouge
scheme-austria-meaning-residual = plus rare que 150 ans
scheme-austria-meaning-yellow = constructions sous conditions
scheme-austria-meaning-red = pas d’habitat permanent
scheme-norway-name = Classes de sécurité norvégiennes (probabilité annuelle nominale)
scheme-norway-intensity-any-rock = tout bloc
scheme-norway-zone-s3 = 1/1000 à 1/5000 par an
scheme-norway-zone-s2 = 1/100 à 1/1000 par an
scheme-norway-zone-s1 = plus de 1/100 par an
scheme-norway-meaning-s3 = classe de sécurité S3 non admise
scheme-norway-meaning-s2 = classes de sécurité S2 et S3 non admises
scheme-norway-meaning-s1 = aucune classe de sécurité admise

## Lines and barriers

no-lines = Le projet n’a ni lignes de mesure ni ouvrages de protection.
no-rock-crosses = Aucun bloc ne la traverse.
distribution-of-crossings = Distribution sur tous les passages de toute la ligne.
fate-title = ce qui se passe à l’ouvrage
fate-stopped = retenus, entièrement sous le sommet
fate-partly-above = retenus, en partie au-dessus du sommet
fate-broke-through = trop forts, ont traversé
fate-passed-over = passés par-dessus
segment = tronçon
from-to = de–à (m)
energy-p50 = énergie p50
column-p95 = p95
column-p99 = p99
max-kj = max. (kJ)
velocity-p95 = vitesse p95 (m/s)
height-p95 = hauteur p95
max-m = max. (m)
all-segments = tous
too-few-crossings = * moins de { $least } passages : trop peu pour un p95 fiable.
empty-segments =
    { $count ->
        [one] Aucun bloc ne traverse l’autre tronçon.
       *[other] Aucun bloc ne traverse les { $count } autres tronçons.
    }
crossings-of = Passages { $variant }
dimensioning-sheet = Fiche de dimensionnement, { $standard }
no-bound = pas de borne : trop peu de blocs
upper-bound = au plus { $value } avec 95 % de confiance
characteristic-energy = énergie caractéristique, p{ $percent } de { $rocks ->
        [one] { $rocks } bloc
       *[other] { $rocks } blocs
    }
characteristic-height = hauteur caractéristique du centre de gravité, p{ $percent }
factor-on-energy = sur l’énergie
factor-on-velocity = sur la vitesse (énergie au carré, hauteur une fois)
factor-on-height = sur la hauteur
factor-on-resistance = sur l’énergie de l’ouvrage
factor-from-project = fixé dans le projet
factor-default = valeur par défaut
factor-assumed = HYPOTHÈSE, modifiable
factor-gamma-tr = simulation des trajectoires : 1.02 rétro-analysée, 1.10 d’après la littérature
factor-gamma-dp = topographie : 1.02 relevé détaillé, 1.10 grossier
factor-gamma-vol = relevé des blocs : 1.02 détaillé, 1.10 grossier
factor-gamma-density = poids volumique de la roche
factor-gamma-risk = conséquences d’une défaillance : 1.00 à 1.20
factor-gamma-barrier = classe d’énergie prouvée au niveau d’énergie maximal (MEL)
factor-gamma-energy = énergie ; classe de conséquences CC1 1.00, CC2 1.05, CC3 1.15
factor-gamma-height = hauteur ; classe de conséquences CC1 1.05, CC2 1.10, CC3 1.30
factor-gamma-resistance = classe d’énergie ; dépend de la classe de conséquences
beyond-classes = au-delà de 4500 kJ
design-energy = énergie de dimensionnement
required-energy = niveau d’énergie requis
required-energy-how = énergie de dimensionnement × facteur sur l’ouvrage
smallest-class = plus petite classe EAD 340059 suffisante
design-height = hauteur de dimensionnement
freeboard = revanche
freeboard-how = au moins un demi-bloc
required-height = hauteur requise
required-height-how = hauteur de dimensionnement + revanche
retained-share = part des blocs retenus par un tel ouvrage

## Axes

axis-along-path = distance le long de la trajectoire (m)
axis-distance = distance (m)
axis-horizontal-distance = distance horizontale (m)
axis-height = altitude (m)
axis-energy = énergie cinétique (kJ)
axis-velocity = vitesse (m/s)
axis-jump = hauteur de rebond (m)
axis-rotation = rotation (tr/s)
axis-reach = part des blocs
axis-frequency = passages par an
axis-angle = angle (°)
axis-centre-height = hauteur du centre (m)
axis-lowest-height = hauteur du point le plus bas (m)
panel-energy = Énergie cinétique
panel-velocity = Vitesse
panel-jump = Hauteur de rebond
panel-rotation = Rotation
panel-reach = Probabilité d’atteinte
panel-frequency = Fréquence
panel-rocks = Blocs
panel-energy-line = Ligne d’énergie
panel-height = Altitude

## Profile, difference and comparison pages

profile-title = Profil
profile-caption = Terrain et couches le long de la ligne ; lacunes : aucun bloc n’est passé.
profile-no-heights = pas d’altitudes : le modèle de terrain du calcul a été déplacé ou modifié
profile-outside = pas de valeur : la ligne est hors du périmètre, { $extent }
run-in-folder = calcul, { $folder }
line-number = ligne { $number }
track-profile-title = Profil des trajectoires
track-profile-caption = Altitude du centre de gravité et ses valeurs, selon la distance horizontale depuis le premier enregistrement.
difference-title = Différence de deux calculs
difference-folder = dossier
difference-name = titre
difference-engine = moteur
difference-finished = terminé
difference-grid = grille
key-figures = Chiffres clés
difference-projects = Ce qui diffère dans les projets
difference-none = Les projets sont identiques.
difference-stopped = Blocs arrêtés : { $reason }
difference-map = { $layer } : B moins A
difference-legend = B moins A
map-word = carte
smallest = minimum
largest = maximum
cells-less = cellules en moins
cells-more = cellules en plus
difference-note = Les cartes montrent B − A. Là où un seul calcul a des blocs, l’autre compte pour 0 (angles : seulement où les deux en ont) ; où aucun n’en a, il n’y a pas de valeur. Les quantiles de peu de blocs diffèrent par hasard : comparer des calculs avec beaucoup de blocs ou avec la même graine.
area-reached = Surface atteinte
largest-in-area = { $layer }, maximum dans le périmètre
area-above = Surface avec { $layer } au-dessus de { $limit } kJ
hazard-zone-of = Zone de danger { $zone } ({ $scheme })
models-title = Modèles côte à côte
models-of = { $title } : modèles
models-intro = Les mêmes { $releases } départs (graine { $seed }) avec les modèles { $models }. Différences par rapport à { $first }. Hypothèses et défauts connus de chaque modèle : docs/models.md. Moteur { $engine } { $version }.
models-distributions = Distributions
models-ks = Distance KS : plus grande différence des distributions cumulées par rapport au premier modèle ; probabilité : chance d’une distance aussi grande si les deux modèles étaient égaux. Avec les mêmes départs, les échantillons sont appariés et la probabilité est prudente.
models-cumulative = Part des blocs jusqu’à une valeur, par modèle
models-cost = Coût de calcul
models-where = Où ils diffèrent
models-difference = Différence, { $unit }
models-reach = Probabilité d’atteinte du modèle { $other } moins celle de { $one } ; 0 où un modèle n’a aucun passage
models-energy = Quantile à 95 % de l’énergie cinétique du modèle { $other } moins celui de { $one }
model = modèle
standard-deviation = écart-type
ks-distance = distance KS
ks-probability = probabilité
share-of-rocks = part des blocs
value-energy = énergie cinétique maximale
value-velocity = vitesse maximale
value-jump = hauteur de rebond maximale
steps = pas
simulation-seconds = simulation, s
microseconds-per-step = µs par pas
relative = relatif

## Warnings and notes. The engine says them in these English words; `texts::translated` knows them by these.

note-of-classification = classification { $name } : { $note }
note-of-line = ligne { $name } : { $note }
note-parts-missing = { $rocks } des { $of } blocs manquent, leurs parties n’étaient pas là (merge --allow-missing) : comptes, probabilités et fréquences annuelles sont trop faibles, et des lieux peuvent paraître sûrs sans l’être ; seulement pour un aperçu
partial-title = INCOMPLET ({ $there } blocs sur { $all }) { $title }
note-limited = seuls { $released } des { $planned } blocs prévus ont été lâchés (--limit), chacun compte pour { $weight } dans les fréquences annuelles : un aperçu, pas un résultat à remettre
note-left-terrain-one = 1 bloc a quitté le modèle de terrain en mouvement : la portée est coupée à son bord ; utiliser un modèle plus grand
note-left-terrain = { $count } blocs ont quitté le modèle de terrain en mouvement : la portée est coupée à son bord ; utiliser un modèle plus grand
note-nodata-one = 1 bloc s’est arrêté à des cellules sans altitude : combler les lacunes du modèle de terrain
note-nodata = { $count } blocs se sont arrêtés à des cellules sans altitude : combler les lacunes du modèle de terrain
note-fast-contacts = { $rocks } blocs sur { $of } ({ $share }) touchent le sol à plus de { $limit } m/s, le plus rapide à { $fastest } m/s (trajectoire { $trajectory }, à ({ $x }, { $y })) : les blocs des essais de terrain restent sous 30 m/s environ ; vérifier si le sol y est plus mou ou plus rugueux que dans le projet (classe, pénétration, rugosité)
note-high-jumps = { $rocks } blocs sur { $of } ({ $share }) sautent à plus de { $limit } m, le plus haut à { $highest } m (trajectoire { $trajectory }, à ({ $x }, { $y })) : vérifier s’il y a une falaise ou une erreur du modèle de terrain
note-flat-energy-lines = { $rocks } blocs sur { $of } ({ $share }) vont plus loin que ne le permet une ligne d’énergie de { $limit }°, le plus lointain jusqu’à { $flattest }° (trajectoire { $trajectory }, à ({ $x }, { $y })) : vérifier si le sol absorbe trop peu d’énergie en chemin (classe, pénétration, rugosité)
note-creeping-rocks = { $rocks } blocs sur { $of } ({ $share }) vont à moins de { $slow } m/s pendant plus de { $limit } s, le plus long pendant { $longest } s (trajectoire { $trajectory }, à ({ $x }, { $y })) : ils rampent sur un sol qui n’absorbe guère d’énergie et leur portée signifie peu ; vérifier le frottement à cet endroit
note-left-over-north = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement par son bord nord, le premier à ({ $x }, { $y }) : la portée y est coupée ; utiliser un modèle qui s’étend plus au nord
note-left-over-east = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement par son bord est, le premier à ({ $x }, { $y }) : la portée y est coupée ; utiliser un modèle qui s’étend plus à l’est
note-left-over-south = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement par son bord sud, le premier à ({ $x }, { $y }) : la portée y est coupée ; utiliser un modèle qui s’étend plus au sud
note-left-over-west = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement par son bord ouest, le premier à ({ $x }, { $y }) : la portée y est coupée ; utiliser un modèle qui s’étend plus à l’ouest
note-ended-in-hole = { $rocks } blocs sur { $of } ({ $share }) se sont arrêtés à un trou du modèle de terrain (cellules sans altitude à l’intérieur), le premier à ({ $x }, { $y }) : le combler avec `couloir prepare` (--fill-holes)
note-max-time-one = 1 bloc bougeait encore à stop.max_time_s : augmenter cette valeur
note-max-time = { $count } blocs bougeaient encore à stop.max_time_s : augmenter cette valeur
note-max-distance-one = 1 bloc s’est arrêté à stop.max_distance_m : augmenter ou supprimer cette valeur
note-max-distance = { $count } blocs se sont arrêtés à stop.max_distance_m : augmenter ou supprimer cette valeur
note-diverged = { $count } trajectoires ont divergé et ne sont dans aucune statistique : numéros { $numbers } ; en examiner une avec `couloir trace`
note-diverged-variant = { $count } trajectoires ont divergé et ne sont dans aucune statistique ({ $variant }) : numéros { $numbers } ; en examiner une avec `couloir trace`
note-tracks-thinned = { $written } des { $all } trajectoires sont dans les fichiers de trajectoires, réparties régulièrement sur les départs (outputs.max_trajectories = { $most }) ; les couches et les dépôts les contiennent toutes
note-points-interval = les points sont enregistrés toutes les { $seconds } s ; les couches contiennent les valeurs maximales de toute la trajectoire, qui peuvent être plus grandes
note-layer-outside = { $key } : la couche ({ $name }) ne recouvre pas le modèle de terrain et n’a aucun effet
note-release-flat = { $key } : { $flat } des { $total } cellules sous les zones de départ ont une pente inférieure à { $limit }° ; des blocs peuvent y rester, vérifier la couche ou utiliser `{ $hint }`
note-release-nodata = { $key } : { $cells } des { $total } cellules sous les zones de départ n’ont pas d’altitude (nodata) et ne lâchent rien ; { $remedy }
note-remedy-fill = combler les trous avec `couloir prepare`
note-release-beside-nodata = { $key } : { $cells } des { $total } cellules sous les zones de départ bordent des cellules sans altitude : les blocs peuvent s’y arrêter aussitôt ; examiner le modèle de terrain
note-release-outside = { $key } : { $outside } des { $total } zones de départ dépassent le modèle de terrain ; seule la partie couverte lâche des blocs
note-feature-without-value = l’objet { $id } de la couche { $layer } n’a pas de valeur dans l’attribut { $attribute } et est ignoré
note-codes-without-class = { $key } : { $cells } cellules ont des codes sans classe ({ $codes }) et gardent la classe inférieure ; les nommer sous `codes`
note-roughness-unused = la rugosité du sol n’a pas d’effet avec `simulation.contact: rocfall3` et `lumped`, dont les blocs ne voient que le modèle de terrain
note-raster-gaps = { $key } : le raster { $raster } n’a pas de valeur dans { $gaps } des { $cells } cellules, qui gardent la source inférieure, la première à ({ $x }, { $y }) ; le combler là si des blocs vont jusque-là
note-outside-polygons = { $key } : { $cells } des { $total } cellules ne sont dans aucun polygone de la couche { $layer } et gardent la valeur intégrée
note-release-without-ground = { $release } : { $positions } positions n’ont pas de terrain sous elles (nodata ou hors du modèle) et ne lâchent rien
note-no-position = { $release } : aucune position trouvée pour ce placement
note-feature-without-geometry = l’objet { $id } de '{ $layer }' n’a pas de géométrie et est ignoré
note-polygon-repaired = le polygone { $id } de '{ $layer }' a été réparé : { $fault }
note-dem-unit = le modèle de terrain '{ $file }' indique des altitudes en unités de { $found } m ; l’unité déclarée de { $declared } m est utilisée
note-format-full = '{ $file }' a atteint la taille limite de son format après { $features } objets ; le reste est omis : choisir GeoPackage
note-quantile-of-few = Le quantile à { $percent } % ne repose que sur { $rocks } blocs ; en dessous de { $needed }, même le plus grand ne le borne pas avec 95 % de confiance. Lâcher davantage de blocs avant d’utiliser ces valeurs.
note-beyond-classes = L’énergie requise de { $energy } kJ dépasse la plus grande classe tabulée (4500 kJ) : les kits de classe 8 ou une autre protection exigent une preuve propre.
note-freeboard-raised = La revanche a été portée à la moitié de la hauteur des blocs.
note-factors-assumed = Hypothèses, à vérifier avec le texte de la norme et à fixer dans le projet (lines.dimensioning.factors) : { $factors }.
note-sheet-limits = Chaque bloc simulé compte autant ; la déformation du filet, ses fondations et l’usure par de petits blocs ne font pas partie de cette fiche.
note-no-hazard-map = Pas de carte des dangers : le projet n’indique pas de fréquence de départ, et la seule portée n’est pas une période de retour. Indiquer frequency_per_year pour chaque départ (blocs par an et objet) et recalculer ; les cartes d’intensité ci-dessous n’en ont pas besoin.
note-no-hazard-map-scenario = Pas de carte des dangers : le projet n’indique pas de fréquence de départ, et la seule portée n’est pas une période de retour. Indiquer frequency_per_year pour chaque départ (blocs par an et objet) ou classification.scenario_return_periods_years et recalculer ; les cartes d’intensité ci-dessous n’en ont pas besoin.
note-scenarios-left-out = La carte des dangers omet ce qui n’a pas de frequency_per_year : { $scenarios }. Elle y sous-estime le danger.
note-scenarios-left-out-period = La carte des dangers omet ce qui n’a ni frequency_per_year ni période de retour : { $scenarios }. Elle y sous-estime le danger.
note-frequency-of-cell = Les fréquences sont celles de blocs dont le centre traverse une cellule du modèle de terrain ; un objet plus grand est touché plus souvent. Indiquer reference_width_m dans un schéma propre pour les rapporter à la largeur d’un objet.

## Where the schemes come from

scheme-swiss-source = Pratique fédérale : intensité faible < 30 kJ, moyenne 30–300 kJ, forte ≥ 300 kJ ; périodes de retour de 30, 100 et 300 ans. La période de retour est celle du scénario, partout où il s’étend ; le degré de danger le plus élevé de tous les scénarios est déterminant. Hypothèse à confirmer par l’autorité : une intensité moyenne avec une période de retour d’au plus 30 ans est en rouge.
scheme-norway-source = Règlement de construction TEK17 § 7-3 : probabilité annuelle nominale maximale de 1/100 pour la classe de sécurité S1, 1/1000 pour S2 et 1/5000 pour S3 ; tout bloc compte. Hypothèse à confirmer par l’autorité : la probabilité se rapporte à un carré de 30 m.

## Edges, inputs, locator

cut-off = La carte est coupée : { $places }. Au-delà de ces bords, rien n’est connu de la portée ni de l’énergie ; utiliser un modèle de terrain plus grand avant de remettre la carte.
legend-cut-off = coupé : des blocs ont quitté le modèle de terrain
cut-off-west =
    { $count ->
        [one] { $count } bloc a quitté ici le modèle de terrain (ouest)
       *[other] { $count } blocs ont quitté ici le modèle de terrain (ouest)
    }
cut-off-east =
    { $count ->
        [one] { $count } bloc a quitté ici le modèle de terrain (est)
       *[other] { $count } blocs ont quitté ici le modèle de terrain (est)
    }
cut-off-south =
    { $count ->
        [one] { $count } bloc a quitté ici le modèle de terrain (sud)
       *[other] { $count } blocs ont quitté ici le modèle de terrain (sud)
    }
cut-off-north =
    { $count ->
        [one] { $count } bloc a quitté ici le modèle de terrain (nord)
       *[other] { $count } blocs ont quitté ici le modèle de terrain (nord)
    }
locator = Situation dans le modèle de terrain
map-input-ground = Données : classes de sol
map-input-forest = Données : forêt
class-ground-extra-soft = très mou
class-ground-soft = mou
class-ground-medium-soft = moyennement mou
class-ground-medium = moyen
class-ground-medium-hard = moyennement dur
class-ground-hard = dur
class-ground-extra-hard = très dur
class-ground-snow = neige
class-forest-none = pas de forêt
class-forest-open = clairsemée
class-forest-medium = moyenne
class-forest-dense = dense

## Interactive page. What stands in ‹ › is filled in by the page.

open-interactive = Ouvrir la carte interactive et la vue en 3D (interactive.html)
page-all-scenarios = tous les scénarios ensemble
page-scenario = Scénario
page-layer = Couche
page-map = Carte
page-space = Vue 3D
page-draw-line = Tracer une ligne
page-whole = Carte entière
page-report = Retour au rapport
page-cell = Cellule
page-line = Ligne
page-help = Glisser pour déplacer la carte, molette pour zoomer, cliquer une cellule pour ses valeurs.
page-line-help = Glisser d’une extrémité de la ligne à l’autre.
page-coordinates = Coordonnées (E / N)
page-height = Altitude du terrain
page-no-rock = Aucun bloc de ce scénario ne passe ici.
page-coarse = Chaque cellule de cette page montre les valeurs maximales de ‹cells› × ‹cells› cellules du modèle de terrain.
page-rocks = blocs
page-length = Longueur
page-no-tracks = Ce calcul n’a pas gardé de trajectoires (outputs.trajectories).
page-crossing-rocks = Blocs traversants
page-of-tracks = Sur les ‹count› trajectoires de cette page (‹all› blocs lâchés) ; chaque bloc compte une fois avec son énergie maximale sur la ligne, interpolée entre les sommets de sa trajectoire simplifiée. Hauteur : centre de gravité au-dessus du sol.
page-energy-median = Énergie, médiane
page-energy-p95 = Énergie, quantile à 95 %
page-energy-max = Énergie, maximum
page-height-p95 = Hauteur, quantile à 95 %
page-cut-off = coupé : des blocs ont quitté le modèle de terrain
page-no-webgl = Ce navigateur ne peut pas dessiner en 3D (pas de WebGL).
page-play = Lecture
page-pause = Pause
page-rock-energy = Énergie des blocs en chute

## More warnings

note-empty-collar = { $raster } : { $share } des cellules n’ont pas d’altitude ; elles entourent un terrain complet, comme les laissent une reprojection ou un découpage, et ne sont pas des trous à combler : les blocs qui y arrivent quittent le terrain
note-terrain-missing = { $raster } : { $share } des cellules n’ont pas d’altitude et touchent le bord du raster : une partie du terrain y manque et les blocs qui y arrivent le quittent ; chercher les tuiles manquantes
note-holes-one = { $raster } : 1 trou intérieur sans altitude ({ $share } des cellules), le plus grand de { $cells } cellules, large de { $across } cellules, vers ({ $place }) : les blocs s’y arrêtent ; combler les petits avec `couloir prepare` (--fill-holes)
note-holes = { $raster } : { $holes } trous intérieurs sans altitude ({ $share } des cellules), le plus grand de { $cells } cellules, large de { $across } cellules, vers ({ $place }) : les blocs s’y arrêtent ; combler les petits avec `couloir prepare` (--fill-holes)
note-outside-area-of-use = { $what } a des coordonnées x { $west } à { $east }, y { $south } à { $north }, hors du domaine d’utilisation de { $crs } ({ $area }) ; elles sont utilisées malgré tout (--force)
note-raster-outside = { $key } : le raster ({ $raster }) ne recouvre pas le modèle de terrain et n’a aucun effet
note-fields-shortened = '{ $path }' : les shapefiles ont au plus 10 caractères, noms de champs abrégés : { $names }
note-texts-cut = '{ $path }' : { $texts } textes ont été coupés à 254 octets
note-remedy-beyond-edge = { $cells } d’entre elles sont au-delà du bord du terrain : utiliser un modèle plus grand ou découper la couche
cut-off-inside =
    { $count ->
        [one] { $count } bloc a quitté ici le modèle de terrain (altitudes manquantes)
       *[other] { $count } blocs ont quitté ici le modèle de terrain (altitudes manquantes)
    }
solver-pushed-out-of-the-ground = repoussés hors du sol
solver-steps-with-contact = pas avec contact

## Names of layers in lists

list-lines = Lignes et barrières (histogrammes : pointer dessus)
list-show-histograms = Montrer les histogrammes
list-crossings = Passages de lignes (énergie, kJ)
list-objects = Objets menacés (énergie maximale, kJ)
list-object-lines = Routes et lignes menacées (énergie maximale, kJ)
object-not-hit = non touché
list-deposits-by-mass = Dépôts (taille : masse)
list-impacts = Impacts au sol
list-points = Blocs le long de leur parcours (vitesse, m/s)
list-trajectories-by-energy = Trajectoires (énergie maximale, kJ)
list-by-energy = énergie (kJ)
list-by-velocity = vitesse (m/s)
list-deposits = Dépôts
list-trajectories = Trajectoires
list-outermost = Ligne extrême de tous les blocs
label-uncertain = incertain : d’autres blocs peuvent donner une autre zone
list-uncertain = Zones incertaines
list-confidence = Fiabilité des zones
list-as-raster = { $title }, en raster
list-scenario = Scénario { $name }
list-all-rocks = Tous les blocs
list-scheme-swiss = schéma suisse
list-scheme-austria = schéma autrichien
list-scheme-norway = schéma norvégien
list-difference = Différence : { $layer }
intensity-word = Intensité

# Les zones telles que dessinées.
legend-drawn = Dessin : lacunes de moins de { $gaps } m fermées, langues de moins de { $tongues } m supprimées, surface minimale { $area } m².
rule-least-reach-width = L'intensité et l'atteinte sont celles d'un objet de { $width } m de large autour de la cellule. N'est pas retenu ce qu'atteignent moins de { $share } % des blocs du scénario (pour une zone de départ de plus de 100 m : des blocs de 100 m).
rule-every-rock-width = L'intensité et l'atteinte sont celles d'un objet de { $width } m de large autour de la cellule ; chaque bloc compte.
within-tolerance = { $years } (à moins de 1 % de { $limit } : compte comme { $limit })
drawn-m2 = dessiné (m²)
drawn-ha = dessiné (ha)
computed-m2 = calculé (m²)
zones-drawn = Zones dessinées : lacunes de moins de { $gaps } m fermées, langues de moins de { $tongues } m supprimées, taches et trous de moins de { $area } m² réunis à leurs voisins, contours lissés de moins d'une demi-cellule. Sur { $computed } m² calculés, { $less } m² ({ $share } %) sont dessinés moins sévères (au plus { $most } % admis) et { $more } m² plus sévères. Les cellules telles que calculées sont dans hazard.tif. Tous les blocs restent à l'intérieur de { $outermost } m² (outermost_line.gpkg).
zones-confidence = Confiance : en moyenne { $mean } % des moitiés rééchantillonnées des blocs donnent la même zone à une cellule d'une zone ; sur { $area } m², moins de { $below } % (hazard_uncertain.gpkg, hazard_confidence.tif).
layer-confidence = Part de { $halves } moitiés rééchantillonnées des blocs qui donnent à la cellule la même zone de danger
all-scenarios = tous les scénarios
scenario-named = scénario { $name }
map-of-scenario = Scénario { $scenario } : { $map }
line-title-scenario = Ligne { $name } ({ $length } m), { $scenario }
barrier-title-scenario = Filet { $name } ({ $length } m), { $scenario } : hauteur { $height } m, capacité { $capacity } kJ
no-such-barrier = aucun filet de ce genre

chapter-enough = Assez de blocs ?
chapter-objects = Objets menacés
rocks-not-asked = Le calcul a un nombre fixe de blocs ; on n'a pas demandé si la carte changerait avec davantage (--until-stable).
rocks-converged = Convergé à { $share } % : après { $rocks } blocs, les zones de deux moitiés indépendantes diffèrent sur { $share } % de la surface zonée (au plus { $most } % demandés).
rocks-not-converged = Non convergé : après { $rocks } blocs, les zones de deux moitiés indépendantes diffèrent sur { $share } % de la surface zonée (au plus { $most } % demandés), ou une autre mesure ci-dessous n'est pas atteinte.
rocks-asked-for = demandé
zones-differ = zones différentes (%)
p95-known-to = p95 de l'énergie ± (%)
lines-differ = énergies aux lignes différentes (%)
rocks-curve = Mesures après chaque lot de blocs ; en tirets : la différence des zones demandée.
object = objet
hits-per-year = impacts par an
object-energy-p95 = énergie p95 (kJ)
object-energy-max = énergie max. (kJ)
object-height-max = point le plus bas max. (m)
vehicle-hits-per-year = véhicules touchés par an
no-object-hit = Aucun bloc ne touche un objet.
objects-note = { $shown } lignes sur { $all }, les impacts les plus forts d'abord ; toutes sont dans objects/objects.csv et .gpkg.

# Schemes to be filled in, and what a settled map is asked.
scheme-austria-name = Autriche (à compléter)
scheme-austria-source = Le règlement sur les plans de zones de danger (WLV-GZPV 2021, comme celui de 1976) connaît un événement de dimensionnement de 150 ans et des zones rouges et jaunes pour les torrents et les avalanches ; les chutes de pierres y sont un périmètre indicatif brun (Hinweisbereich), sans limites d'énergie. La pratique publiée prend le quantile 95 % de chaque scénario comme valeur de dimensionnement (comme ONR 24810 pour un ouvrage).
note-austria-to-fill-in = les limites d'énergie (30 et 300 kJ) et la zone de chaque classe sont des exemples, non celles d'un règlement : à convenir avec l'autorité et à fixer dans un schéma propre
note-scheme-frame = le schéma « { $scheme } » est un cadre : { $what }
note-cells-decide = le schéma « { $scheme } » prend la fréquence des blocs qui traversent une cellule du modèle de terrain ({ $cell } m) : avec des cellules deux fois plus étroites elle est à peu près la moitié, et les zones changent ; fixer reference_width_m dans le schéma ou sous classification
note-square-of-cells = le schéma « { $scheme } » se rapporte à un objet de { $width } m de large, mais le carré le plus proche de cellules entières de { $cell } m a { $side } m : atteinte et fréquence sont celles de { $side2 } m
note-first-tracks = { $written } des { $all } trajectoires sont dans les fichiers, celles des premiers tours de toutes les positions de départ (outputs.max_trajectories = { $most }) ; les cartes et les dépôts les contiennent toutes
note-not-converged = la carte n'a pas convergé : après { $rocks } blocs les zones de deux moitiés indépendantes diffèrent sur { $zones } % de la surface zonée ({ $zones2 } % demandés), p95 de l'énergie est connu à ± { $p95 } % ({ $p952 } %), les énergies aux lignes diffèrent de { $lines } % ({ $lines2 } %)
note-no-such-height = Il n'existe pas de filet de { $required } m de hauteur : on en construit jusqu'à { $highest } m environ. Chercher un autre emplacement ou un autre type de protection.
note-of-line-pooled = ligne { $name }, tous scénarios confondus : { $note }
note-pilot = essai préalable : { $note }
note-unusual-value = { $key } : { $value } est hors de la plage usuelle { $range }
note-angular-shape = tous les blocs ont la même forme très anguleuse ({ $shape } : sphéricité { $sphericity }, les faces se joignent à { $edge }° en moyenne) : de tels blocs s’arrêtent tôt, et la portée peut être beaucoup trop courte ; utiliser `shape: natural` sauf si les blocs du site sont ainsi
note-round-shape = tous les blocs ont la même forme très ronde ({ $shape } : sphéricité { $sphericity }, les faces se joignent à { $edge }° en moyenne) : de tels blocs continuent de rouler, et la portée peut être beaucoup trop longue ; utiliser `shape: natural` sauf si les blocs du site sont ainsi
note-coarse-cells = les cellules du modèle de terrain ({ $cell } m) sont bien plus grandes que les blocs (dès { $rock } m) : le terrain est trop lisse pour eux ; utiliser un modèle plus fin s’il existe
note-too-much-memory = le calcul demande environ { $needed } Go de mémoire, mais { $who } en permet { $available } Go : libérer moins de blocs, découper le modèle de terrain avec `couloir clip`, calculer par parties (`--shard`), ou insister avec `--force`
note-no-return-period = classification : { $release } n’a pas de `frequency_per_year` et son scénario pas de période de retour ; sans l’une d’elles il n’est pas dans la carte des dangers, seulement dans les cartes d’intensité
note-stretched-crs = { $crs } déforme les distances : pentes et portées seront fausses ; utiliser un système national ou UTM
note-steps-between-cells = { $raster } : des cellules voisines diffèrent de { $step } m à ({ $place }), et en { $places } endroits de plus qu’une pente n’explique : vérifier si c’est une falaise, ou une valeur comme 0 qui signifie sans altitude (la déclarer nodata)
note-terrain-on-demand = terrain.dem a { $cells } cellules : les altitudes sont lues là où des blocs arrivent, pas toutes ; `couloir check` les examine toutes (jusqu’à 17 milliards), à la recherche de trous, de parties manquantes et de marches
note-changed-since-prepared = { $files } : ce n’est plus ce que `couloir prepare` a écrit selon { $list }, utilisé tel quel ; si personne ne l’a modifié, le fichier est endommagé : préparer à nouveau le dossier
note-map-too-large = aucune zone n’a été tracée : les blocs traversent une si grande part de cette carte ({ $cells } cellules en tout) qu’elles ne peuvent être tracées d’un seul tenant ; en classer des parties, chacune avec son propre projet
note-one-thread = un seul fil d’exécution travaille : { $why }
note-collar-north = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement au nord vers la bordure sans altitude que laisse une reprojection ou un découpage, le premier à ({ $x }, { $y }) : la portée y est coupée ; utiliser un modèle qui s’étend plus au nord
note-missing-north = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement au nord, où une partie n’a pas d’altitude, le premier à ({ $x }, { $y }) : la portée y est coupée ; chercher les tuiles manquantes du modèle
note-collar-east = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement à l’est vers la bordure sans altitude que laisse une reprojection ou un découpage, le premier à ({ $x }, { $y }) : la portée y est coupée ; utiliser un modèle qui s’étend plus à l’est
note-missing-east = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement à l’est, où une partie n’a pas d’altitude, le premier à ({ $x }, { $y }) : la portée y est coupée ; chercher les tuiles manquantes du modèle
note-collar-south = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement au sud vers la bordure sans altitude que laisse une reprojection ou un découpage, le premier à ({ $x }, { $y }) : la portée y est coupée ; utiliser un modèle qui s’étend plus au sud
note-missing-south = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement au sud, où une partie n’a pas d’altitude, le premier à ({ $x }, { $y }) : la portée y est coupée ; chercher les tuiles manquantes du modèle
note-collar-west = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement à l’ouest vers la bordure sans altitude que laisse une reprojection ou un découpage, le premier à ({ $x }, { $y }) : la portée y est coupée ; utiliser un modèle qui s’étend plus à l’ouest
note-missing-west = { $rocks } blocs sur { $of } ({ $share }) ont quitté le modèle de terrain en mouvement à l’ouest, où une partie n’a pas d’altitude, le premier à ({ $x }, { $y }) : la portée y est coupée ; chercher les tuiles manquantes du modèle
zone-id-red = rouge
zone-id-blue = bleu
zone-id-yellow = jaune
zone-id-residual = résiduel

# Names that a filled-in form gives.
form-barrier = Barrière
form-line = Ligne de mesure
form-objects = Objets
form-scenario = Scénario { $number }
form-scenario-twice = Deux scénarios s'appellent « { $name } » : donnez à chacun son propre nom.
form-scenario-years = La période de retour du scénario « { $name } » est « { $years } » ; un nombre d'années est attendu, par exemple 100.
