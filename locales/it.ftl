# The words of Couloir's reports, maps, legends and layers. Engine and QGIS plugin read this file; see docs/translations.md.

## Words used in many places

rocks =
    { $count ->
        [one] { $count } blocco
       *[other] { $count } blocchi
    }
rocks-word = blocchi
cells-word = celle
crossings = attraversamenti
trajectories =
    { $count ->
        [one] { $count } traiettoria
       *[other] { $count } traiettorie
    }
and-then = { $first }; { $next }
share = quota
mean = media
max = max.
median = mediana
not-given = non indicato
file = file
input = dato
value = valore
quantity = grandezza
class = classe
per-year = all’anno
years = { $years } anni
scenario = scenario
scenarios = Scenari
maps = Carte
mass = massa
velocity = velocità
jump-height = altezza di rimbalzo
run-out = distanza d’arresto
ground = terreno
centre-of-mass = baricentro
unit-rotation = giri/s
unit-share = quota
with-barriers = con barriere
without-barriers = senza barriere

## Head and signatures

rockfall-simulation = Simulazione di caduta massi
study-office = Studio
study-author = Autore
study-client = Committente
study-plan_number = N. di piano
study-version = Versione
study-date = Data
study-status = Stato
study-draft = Bozza
study-final = Definitivo
sign-prepared = Redatto da, data
sign-checked = Verificato da, data
sign-inputs = Dati e frequenze di distacco confermati da, data
sign-released = Approvato da, data

## Report

chapter-run = Che cosa è stato calcolato
chapter-maps = Carte
chapter-hazard = Valutazione del pericolo
chapter-figures = I blocchi in cifre
chapter-profile = Profili longitudinali
chapter-lines = Linee e barriere
chapter-parameters = Parametri
chapter-reproduce = Riproducibilità
chapter-meaning = Significato dei valori
project-as-run = Il file di progetto così come è stato calcolato. Le chiavi assenti hanno il valore predefinito documentato.
picture-removed = { $caption } (L’immagine { $file } è stata rimossa.)
key-rocks = blocchi rilasciati
key-energy = energia massima di un blocco, p95
key-jump = altezza di rimbalzo massima di un blocco, p95
key-runout = distanza d’arresto, p95
no-warnings = Il calcolo non ha dato avvertenze.
warnings-title = Avvertenze: leggere prima dell’uso
releases-per-year = distacchi all’anno
rocks-simulated = blocchi simulati
how-they-ended = Come sono terminate le traiettorie
contact-solver = Risolutore di contatto, tutte le traiettorie: { $counts }.
solver-solves = risoluzioni
solver-not-converged = non converse
solver-restitution-reduced = restituzione ridotta
solver-pushed-out = espulsi
stop-reason = motivo d’arresto
stop-at-rest = in quiete
stop-left-terrain = uscito dal modello del terreno
stop-nodata = nessuna quota (nodata)
stop-max-time = durata massima
stop-max-distance = distanza massima
stop-barrier = trattenuto da una barriera
stop-diverged = divergente
reached = I blocchi attraversano { $cells } celle ({ $hectares } ha). Nel { $share } % di esse ne passano meno di { $least }: i quantili vi si basano su pochi valori e cambiano con il seme casuale (layer sample_size_warning). Rilasciare più blocchi dove è importante.
no-classification = Il progetto non ne richiede. `couloir classify` ne aggiunge una a questa cartella.
figure-mass = massa (kg)
figure-energy = energia cinetica massima (kJ)
figure-velocity = velocità massima (m/s)
figure-jump = altezza di rimbalzo massima (m)
figure-rotation = rotazione massima (giri/s)
figure-runout = distanza d’arresto, orizzontale (m)
figure-energy-line = angolo della linea d’energia (°)
of-each-rock = di ogni blocco
distribution-of-rocks = Distribuzione su tutti i blocchi; ogni blocco conta una volta con il suo valore massimo.
no-profile = Nessuna traiettoria è abbastanza lunga per un profilo.
profile-steepest = Traiettoria { $trajectory }: { $rock }, { $mass } kg. Di tutti i blocchi con distanza d’arresto almeno mediana, questo ha la linea partenza–arresto più ripida, { $angle }°. Quote esagerate come indicano gli assi.
profile-farthest = Traiettoria { $trajectory }: { $rock }, { $mass } kg. Di tutti i blocchi, questo è arrivato più lontano, { $runout } m in linea retta; angolo partenza–arresto { $angle }°.
profile-steepest-title = Traiettoria più ripida
profile-farthest-title = Traiettoria più lunga
profile-energy-and-velocity = Energia cinetica (traslazione e rotazione) e velocità lungo la traiettoria.
same-bytes = Con i file seguenti, { $engine } { $version } (revisione { $revision }) dà gli stessi byte con qualsiasi numero di thread:
this-run = Questo calcolo: { $threads ->
        [one] { $threads } thread
       *[other] { $threads } thread
    }, { $seconds } s, { $system }, { $processor }. Le impronte di tutti i risultati sono in manifest.json.
role-project = progetto
role-terrain = terreno
role-release = distacco
role-ground = suolo
role-forest = bosco
role-lines = linee
role-barriers = barriere
role-objects = oggetti
role-rocks = blocchi
role-classification = classificazione
role-restitution = restituzione
barrier-sheet = Scheda di dimensionamento: { $project }
made-with =
    { $engine } { $version }, seme { $seed }, progetto { $project }, { $rocks ->
        [one] { $rocks } blocco
       *[other] { $rocks } blocchi
    }, { $crs }.
meaning-passage = Passaggio: un blocco il cui baricentro attraversa una cella; conta una volta per cella, con il suo valore massimo.
meaning-quantities = Energia cinetica: traslazione più rotazione. Altezza di rimbalzo: minima distanza verticale tra blocco e suolo. Distanza d’arresto: distanza orizzontale tra partenza e arresto.
meaning-quantile = p95: il 95 % dei blocchi in transito non lo supera. Non dice quanto spesso passa un blocco: lo dicono la probabilità di raggiungimento (per blocco rilasciato) o, con frequenze di distacco, la frequenza annua.
meaning-return-period = Tempo di ritorno: dalle frequenze di distacco o dai tempi di ritorno degli scenari indicati dall’utente, mai dalla sola distanza d’arresto; la regola della carta del pericolo è al capitolo 3.
meaning-barrier = Barriera: un blocco è trattenuto se il suo baricentro passa al massimo all’altezza della sommità e la sua energia non supera la capacità.
meaning-limits = La simulazione conosce solo il modello del terreno, le classi di suolo, il bosco e i blocchi forniti. La frammentazione, le modifiche del suolo dovute a blocchi precedenti e i danni al bosco non sono considerati.

## What was run

setting-terrain = Terreno
setting-crs = Sistema di coordinate
setting-contact = Modello di contatto
setting-integrator = Integratore della rotazione
setting-time-step = Passo temporale
setting-gravity = Gravità
setting-seed = Seme casuale
setting-rocks = Blocchi
setting-releases = Zone di distacco
setting-ground = Suolo
setting-forest = Bosco
terrain-of = { $file }: { $cells } celle di { $size } m; E da { $west } a { $east }, N da { $south } a { $north }
rock-look = { $shape } ({ $corners } vertici, sfericità { $sphericity }, le facce si incontrano a { $edge }°)
release-of =
    { $name }: { $features ->
        [one] { $features } elemento
       *[other] { $features } elementi
    }, { $rocks } blocchi per posizione
ground-of = classe di base { $class }, { $layers ->
        [one] { $layers } layer
       *[other] { $layers } layer
    } sopra
forest-none = nessuno
forest-of = base { $class }, { $layers ->
        [one] { $layers } layer
       *[other] { $layers } layer
    }

## Maps and legends

map-footer = { $crs }   E { $west } – { $east }   N { $south } – { $north } m   cella { $cell } m   equidistanza { $contours } m
map-of-layer = { $title }. Layer { $layer }.tif.
overlay-release = zona di distacco
map-kinetic-energy-kj-p95 = Energia cinetica, quantile del 95 % dei blocchi in transito
map-kinetic-energy-kj-max = Energia cinetica, massimo dei blocchi in transito
map-jump-height-m-p95 = Altezza di rimbalzo, quantile del 95 % dei blocchi in transito
map-velocity-ms-p95 = Velocità, quantile del 95 % dei blocchi in transito
map-reach-probability = Probabilità di raggiungimento: passaggi per blocco rilasciato
map-passages = Numero di blocchi in transito
map-deposits = Blocchi arrestati
map-energy-line-angle-deg = Angolo della linea d’energia
legend-kinetic-energy-kj-p95 = Energia cinetica p95 (kJ)
legend-kinetic-energy-kj-max = Energia cinetica max. (kJ)
legend-jump-height-m-p95 = Altezza di rimbalzo p95 (m)
legend-velocity-ms-p95 = Velocità p95 (m/s)
legend-reach-probability = Passaggi per blocco rilasciato
legend-passages = Blocchi in transito
legend-deposits = Blocchi arrestati
legend-energy-line-angle-deg = Angolo (°)
map-intensity = Intensità, scenario { $scenario }
map-reduced = ridotto: un pixel mostra la classe più alta di { $cells } × { $cells } celle
map-hazard = Zone di pericolo
few-rocks = pochi blocchi
about-the-same = circa uguale (± { $amount })
rarer-than-300-years = più raro di ogni 300 anni
every-100-to-300-years = ogni 100–300 anni
every-30-to-100-years = ogni 30–100 anni
every-10-to-30-years = ogni 10–30 anni
every-1-to-10-years = ogni 1–10 anni
more-than-once-a-year = più di una volta all’anno

## Layers

quantity-energy = energia cinetica
quantity-velocity = velocità
quantity-jump = altezza di rimbalzo
quantity-rotation = rotazione
layer-name-statistic = { $quantity }, { $statistic }
layer-name-mean = media
layer-name-p50 = mediana
layer-name-p90 = quantile del 90 %
layer-name-p95 = quantile del 95 %
layer-name-p99 = quantile del 99 %
layer-name-max = massimo
layer-name-p95-lower = quantile del 95 %, limite inferiore
layer-name-p95-upper = quantile del 95 %, limite superiore
layer-name-passages = numero di passaggi
layer-name-deposits = depositi
layer-name-source-cells = celle di distacco
layer-name-reach-probability = probabilità di raggiungimento
layer-name-reach-probability-local = probabilità di raggiungimento, locale
layer-name-energy-line-angle-deg = angolo della linea d’energia
layer-name-sample-size-warning = pochi blocchi (quantili incerti)
layer-name-frequency-above = frequenza ≥ { $energy } kJ
layer-passages = Numero di blocchi che hanno attraversato la cella; ognuno conta una volta
layer-deposits = Numero di blocchi arrestati nella cella o trattenuti lì da una barriera
layer-source-cells = Numero di celle di distacco i cui blocchi hanno attraversato la cella
layer-reach-probability = Passaggi divisi per tutti i blocchi rilasciati
layer-reach-probability-local = Passaggi divisi per i blocchi rilasciati dalle celle di distacco che raggiungono la cella
layer-energy-line-angle-deg = Minimo angolo sotto l’orizzontale della linea dalla partenza di un blocco al suolo nel centro della cella, sui blocchi in transito
layer-mean = Media del valore massimo di ogni blocco nella cella: { $quantity }
layer-max = Valore massimo di tutti i blocchi nella cella: { $quantity }
layer-p95-lower = Limite inferiore (confidenza 95 %) del quantile del 95 % del valore massimo di ogni blocco nella cella (statistiche d’ordine): { $quantity }
layer-p95-upper = Limite superiore (confidenza 95 %) del quantile del 95 % del valore massimo di ogni blocco nella cella (statistiche d’ordine; nessuno sotto 72 passaggi): { $quantity }
layer-quantile = Quantile del { $percent } % del valore massimo di ogni blocco nella cella: { $quantity }; errore relativo al massimo { $error } %
layer-sample-size-warning = 1 dove sono passati meno di { $least } blocchi e i quantili significano poco, altrimenti 0
layer-frequency-above = Passaggi all’anno con almeno { $energy } kJ
layer-reach-square = Massi che entrano nel quadrato di { $width } m attorno alla cella, ciascuno contato una volta, divisi per tutti i massi rilasciati
layer-years-cell = Anni tra due massi di almeno { $energy } kJ che passano per la cella
layer-years-square = Anni tra due massi di almeno { $energy } kJ che entrano nel quadrato di { $width } m attorno alla cella, ciascuno contato una volta
layer-name-reach-square = probabilità di raggiungimento, quadrati di { $width } m
layer-name-years-cell = tempo di ritorno da { $energy } kJ (anni)
layer-name-years-square = tempo di ritorno da { $energy } kJ, quadrati di { $width } m (anni)
layer-pooled = Tutti gli scenari insieme
layer-intensity = Classe d’intensità (0 nessuna, poi { $classes })
layer-hazard = Zona di pericolo (0 nessuna, poi { $classes })

## Hazard classification

legend-intensity = Intensità: { $classes } (p{ $quantile } dell’energia cinetica).
legend-intensity-title = Intensità (energia, p{ $quantile })
any-energy = qualsiasi energia
rule-scenario = Tempo di ritorno: quello dello scenario ovunque arrivi ({ $periods }). Fa stato il grado di pericolo più elevato di tutti gli scenari.
rule-passages = Tempo di ritorno: inverso della frequenza annua per { $place }: { $which }.
rule-exceedance = passaggi pari o superiori al limite inferiore di ogni intensità, tutti gli scenari insieme
rule-scenario-quantile = passaggi degli scenari il cui quantile ha tale intensità
rule-reference-width = i blocchi che entrano in un quadrato di { $width } m
rule-cell = i blocchi che attraversano una cella del modello del terreno
rule-least-reach = Le celle attraversate da meno del { $share } % dei blocchi di uno scenario sono escluse.
rule-every-cell = Conta ogni cella attraversata da un blocco di uno scenario.
not-in-hazard-map = non nella carta del pericolo
return-period-years = tempo di ritorno (anni)
zone = zona
name = nome
meaning = significato
matrix-corner = intensità \ tempo di ritorno

## Schemes that are built in

scheme-swiss-name = Matrice dei pericoli svizzera (caduta massi)
scheme-swiss-intensity-weak = debole
scheme-swiss-intensity-medium = media
scheme-swiss-intensity-strong = forte
scheme-swiss-zone-residual = pericolo residuo
scheme-swiss-zone-yellow = pericolo basso
scheme-swiss-zone-blue = pericolo medio
scheme-swiss-zone-red = pericolo elevato
scheme-swiss-meaning-residual = più raro di 300 anni
scheme-swiss-meaning-yellow = zona di sensibilizzazione
scheme-swiss-meaning-blue = zona di prescrizione: edificazione a condizioni
scheme-swiss-meaning-red = zona di divieto: nessuna nuova costruzione
scheme-austria-intensity-low = bassa
scheme-austria-intensity-medium = media
scheme-austria-intensity-high = alta
scheme-austria-zone-residual = più raro dell’evento di progetto
scheme-austria-zone-yellow = zona gialla
scheme-austria-zone-red = zona rossa
scheme-austria-meaning-residual = più raro di 150 anni
scheme-austria-meaning-yellow = edificazione a condizioni
scheme-austria-meaning-red = nessun insediamento permanente
scheme-norway-name = Classi di sicurezza norvegesi (probabilità annua nominale)
scheme-norway-intensity-any-rock = qualsiasi blocco
scheme-norway-zone-s3 = da 1/1000 a 1/5000 all’anno
scheme-norway-zone-s2 = da 1/100 a 1/1000 all’anno
scheme-norway-zone-s1 = più di 1/100 all’anno
scheme-norway-meaning-s3 = classe di sicurezza S3 non ammessa
scheme-norway-meaning-s2 = classi di sicurezza S2 e S3 non ammesse
scheme-norway-meaning-s1 = nessuna classe di sicurezza ammessa

## Lines and barriers

no-lines = Il progetto non ha né linee di misura né barriere.
no-rock-crosses = Nessun blocco la attraversa.
distribution-of-crossings = Distribuzione su tutti gli attraversamenti dell’intera linea.
fate-title = che cosa succede alla barriera
fate-stopped = trattenuti, interamente sotto la sommità
fate-partly-above = trattenuti, in parte sopra la sommità
fate-broke-through = troppo forti, hanno sfondato
fate-passed-over = passati sopra
segment = tratto
from-to = da–a (m)
energy-p50 = energia p50
column-p95 = p95
column-p99 = p99
max-kj = max. (kJ)
velocity-p95 = velocità p95 (m/s)
height-p95 = altezza p95
max-m = max. (m)
all-segments = tutti
too-few-crossings = * meno di { $least } attraversamenti: troppo pochi per un p95 affidabile.
empty-segments =
    { $count ->
        [one] Nessun blocco attraversa l’altro tratto.
       *[other] Nessun blocco attraversa gli altri { $count } tratti.
    }
crossings-of = Attraversamenti { $variant }
dimensioning-sheet = Scheda di dimensionamento, { $standard }
no-bound = nessun limite: troppo pochi blocchi
upper-bound = al massimo { $value } con confidenza del 95 %
characteristic-energy = energia caratteristica, p{ $percent } di { $rocks ->
        [one] { $rocks } blocco
       *[other] { $rocks } blocchi
    }
characteristic-height = altezza caratteristica del baricentro, p{ $percent }
factor-on-energy = sull’energia
factor-on-velocity = sulla velocità (energia al quadrato, altezza una volta)
factor-on-height = sull’altezza
factor-on-resistance = sull’energia della barriera
factor-from-project = fissato nel progetto
factor-default = valore predefinito
factor-assumed = IPOTESI, modificabile
factor-gamma-tr = simulazione delle traiettorie: 1.02 con retroanalisi, 1.10 da letteratura
factor-gamma-dp = topografia: 1.02 rilievo dettagliato, 1.10 grossolano
factor-gamma-vol = rilievo dei blocchi: 1.02 dettagliato, 1.10 grossolano
factor-gamma-density = peso di volume della roccia
factor-gamma-risk = conseguenze di un cedimento: da 1.00 a 1.20
factor-gamma-barrier = classe di energia provata al livello massimo di energia (MEL)
factor-gamma-energy = energia; classe di conseguenza CC1 1.00, CC2 1.05, CC3 1.15
factor-gamma-height = altezza; classe di conseguenza CC1 1.05, CC2 1.10, CC3 1.30
factor-gamma-resistance = classe di energia; dipende dalla classe di conseguenza
beyond-classes = oltre 4500 kJ
design-energy = energia di progetto
required-energy = livello di energia richiesto
required-energy-how = energia di progetto × fattore sulla barriera
smallest-class = classe minima EAD 340059 sufficiente
design-height = altezza di progetto
freeboard = franco
freeboard-how = almeno mezzo blocco
required-height = altezza richiesta
required-height-how = altezza di progetto + franco
retained-share = quota di blocchi trattenuti da una tale barriera

## Axes

axis-along-path = distanza lungo la traiettoria (m)
axis-distance = distanza (m)
axis-horizontal-distance = distanza orizzontale (m)
axis-height = quota (m)
axis-energy = energia cinetica (kJ)
axis-velocity = velocità (m/s)
axis-jump = altezza di rimbalzo (m)
axis-rotation = rotazione (giri/s)
axis-reach = quota dei blocchi
axis-frequency = passaggi all’anno
axis-angle = angolo (°)
axis-centre-height = altezza del baricentro (m)
axis-lowest-height = altezza del punto più basso (m)
panel-energy = Energia cinetica
panel-velocity = Velocità
panel-jump = Altezza di rimbalzo
panel-rotation = Rotazione
panel-reach = Probabilità di raggiungimento
panel-frequency = Frequenza
panel-rocks = Blocchi
panel-energy-line = Linea d’energia
panel-height = Quota

## Profile, difference and comparison pages

profile-title = Profilo
profile-caption = Terreno e layer lungo la linea; lacune: nessun blocco è passato.
profile-no-heights = nessuna quota: il modello del terreno del calcolo è stato spostato o modificato
profile-outside = nessun valore: la linea è fuori dal perimetro, { $extent }
run-in-folder = calcolo, { $folder }
line-number = linea { $number }
track-profile-title = Profilo delle traiettorie
track-profile-caption = Quota del baricentro e suoi valori, secondo la distanza orizzontale dalla prima registrazione.
difference-title = Differenza tra due calcoli
difference-folder = cartella
difference-name = titolo
difference-engine = motore
difference-finished = terminato
difference-grid = griglia
key-figures = Cifre chiave
difference-projects = Che cosa differisce nei progetti
difference-none = I progetti sono uguali.
difference-stopped = Blocchi terminati: { $reason }
difference-map = { $layer }: B meno A
difference-legend = B meno A
map-word = carta
smallest = minimo
largest = massimo
cells-less = celle in meno
cells-more = celle in più
difference-note = Le carte mostrano B − A. Dove solo un calcolo ha blocchi, l’altro conta come 0 (angoli: solo dove entrambi ne hanno); dove nessuno ne ha, non c’è valore. I quantili di pochi blocchi differiscono per caso: confrontare calcoli con molti blocchi o con lo stesso seme.
area-reached = Superficie raggiunta
largest-in-area = { $layer }, massimo nel perimetro
area-above = Superficie con { $layer } sopra { $limit } kJ
hazard-zone-of = Zona di pericolo { $zone } ({ $scheme })
models-title = Modelli a confronto
models-of = { $title }: modelli
models-intro = Gli stessi { $releases } distacchi (seme { $seed }) con i modelli { $models }. Differenze rispetto a { $first }. Ipotesi e difetti noti di ogni modello: docs/models.md. Motore { $engine } { $version }.
models-distributions = Distribuzioni
models-ks = Distanza KS: massima differenza tra le distribuzioni cumulate rispetto al primo modello; probabilità: possibilità di una distanza così grande se i due modelli fossero uguali. Con gli stessi distacchi i campioni sono appaiati, quindi la probabilità è prudente.
models-cumulative = Quota di blocchi fino a un valore, per modello
models-cost = Costo di calcolo
models-where = Dove differiscono
models-difference = Differenza, { $unit }
models-reach = Probabilità di raggiungimento del modello { $other } meno quella di { $one }; 0 dove un modello non ha passaggi
models-energy = Quantile del 95 % dell’energia cinetica del modello { $other } meno quello di { $one }
model = modello
standard-deviation = dev. std.
ks-distance = distanza KS
ks-probability = probabilità
share-of-rocks = quota di blocchi
value-energy = energia cinetica massima
value-velocity = velocità massima
value-jump = altezza di rimbalzo massima
steps = passi
simulation-seconds = simulazione, s
microseconds-per-step = µs per passo
relative = relativo

## Warnings and notes. The engine says them in these English words; `texts::translated` knows them by these.

note-of-classification = classificazione { $name }: { $note }
note-of-line = linea { $name }: { $note }
note-parts-missing = { $rocks } dei { $of } blocchi mancano, le loro parti non c’erano (merge --allow-missing): conteggi, probabilità e frequenze annue sono troppo bassi, e luoghi possono sembrare sicuri senza esserlo; solo per uno sguardo
partial-title = INCOMPLETO ({ $there } blocchi su { $all }) { $title }
note-limited = solo { $released } dei { $planned } blocchi previsti sono stati rilasciati (--limit), ognuno vale { $weight } nelle frequenze annue: un’anteprima, non un risultato da consegnare
note-left-terrain-one = 1 blocco ha lasciato il modello del terreno in movimento: la distanza d’arresto è troncata al bordo; usare un modello più grande
note-left-terrain = { $count } blocchi hanno lasciato il modello del terreno in movimento: la distanza d’arresto è troncata al bordo; usare un modello più grande
note-nodata-one = 1 blocco è terminato in celle senza quota: colmare le lacune del modello del terreno
note-nodata = { $count } blocchi sono terminati in celle senza quota: colmare le lacune del modello del terreno
note-fast-contacts = { $rocks } blocchi su { $of } ({ $share }) toccano il suolo a più di { $limit } m/s, il più veloce a { $fastest } m/s (traiettoria { $trajectory }, a ({ $x }, { $y })): i blocchi delle prove in campo restano sotto circa 30 m/s; verificare se il suolo lì è più soffice o più scabro che nel progetto (classe, penetrazione, scabrezza)
note-high-jumps = { $rocks } blocchi su { $of } ({ $share }) saltano più di { $limit } m, il più alto { $highest } m (traiettoria { $trajectory }, a ({ $x }, { $y })): verificare se c’è una parete o un errore del modello del terreno
note-flat-energy-lines = { $rocks } blocchi su { $of } ({ $share }) vanno più lontano di quanto permetta una linea d’energia di { $limit }°, il più lontano fino a { $flattest }° (traiettoria { $trajectory }, a ({ $x }, { $y })): verificare se il suolo lungo il percorso assorbe troppo poca energia (classe, penetrazione, scabrezza)
note-creeping-rocks = { $rocks } blocchi su { $of } ({ $share }) vanno a meno di { $slow } m/s per più di { $limit } s, il più lungo per { $longest } s (traiettoria { $trajectory }, a ({ $x }, { $y })): strisciano su un suolo che assorbe pochissima energia e la loro distanza d’arresto dice poco; verificare l’attrito in quel punto
note-left-over-north = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento oltre il bordo nord, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; usare un modello che si estenda più a nord
note-left-over-east = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento oltre il bordo est, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; usare un modello che si estenda più a est
note-left-over-south = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento oltre il bordo sud, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; usare un modello che si estenda più a sud
note-left-over-west = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento oltre il bordo ovest, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; usare un modello che si estenda più a ovest
note-ended-in-hole = { $rocks } blocchi su { $of } ({ $share }) sono terminati in un buco del modello del terreno (celle senza quota al suo interno), il primo a ({ $x }, { $y }): colmarlo con `couloir prepare` (--fill-holes)
note-max-time-one = 1 blocco si muoveva ancora a stop.max_time_s: aumentare il valore
note-max-time = { $count } blocchi si muovevano ancora a stop.max_time_s: aumentare il valore
note-max-distance-one = 1 blocco è terminato a stop.max_distance_m: aumentare o togliere il valore
note-max-distance = { $count } blocchi sono terminati a stop.max_distance_m: aumentare o togliere il valore
note-diverged = { $count } traiettorie sono divergenti e non sono in alcuna statistica: numeri { $numbers }; esaminarne una con `couloir trace`
note-diverged-variant = { $count } traiettorie sono divergenti e non sono in alcuna statistica ({ $variant }): numeri { $numbers }; esaminarne una con `couloir trace`
note-tracks-thinned = { $written } delle { $all } traiettorie sono nei file delle traiettorie, distribuite uniformemente sui distacchi (outputs.max_trajectories = { $most }); layer e depositi le contengono tutte
note-points-interval = i punti sono registrati ogni { $seconds } s; i layer contengono i valori massimi dell’intera traiettoria, che possono essere maggiori
note-layer-outside = { $key }: il layer ({ $name }) non si sovrappone al modello del terreno e non ha effetto
note-release-flat = { $key }: { $flat } delle { $total } celle sotto le zone di distacco hanno pendenza inferiore a { $limit }°; i blocchi possono restarvi, controllare il layer o usare `{ $hint }`
note-release-nodata = { $key }: { $cells } delle { $total } celle sotto le zone di distacco non hanno quota (nodata) e non rilasciano nulla; { $remedy }
note-remedy-fill = colmare i buchi con `couloir prepare`
note-release-beside-nodata = { $key }: { $cells } delle { $total } celle sotto le zone di distacco confinano con celle senza quota: i blocchi possono fermarsi subito; esaminare il modello del terreno
note-release-outside = { $key }: { $outside } delle { $total } zone di distacco oltrepassano il modello del terreno; solo la parte coperta rilascia blocchi
note-feature-without-value = l’elemento { $id } del layer { $layer } non ha valore nell’attributo { $attribute } ed è tralasciato
note-codes-without-class = { $key }: { $cells } celle hanno codici senza classe ({ $codes }) e mantengono la classe inferiore; indicarli sotto `codes`
note-roughness-unused = la rugosità del suolo non ha effetto con `simulation.contact: rocfall3` e `lumped`, i cui blocchi vedono solo il modello del terreno
note-raster-gaps = { $key }: il raster { $raster } non ha valore in { $gaps } delle { $cells } celle, che mantengono la fonte inferiore, la prima a ({ $x }, { $y }); colmarlo lì se i blocchi arrivano fin là
note-outside-polygons = { $key }: { $cells } delle { $total } celle non sono in alcun poligono del layer { $layer } e mantengono il valore predefinito
note-release-without-ground = { $release }: { $positions } posizioni non hanno terreno sotto di sé (nodata o fuori dal modello) e non rilasciano nulla
note-no-position = { $release }: nessuna posizione trovata per questa disposizione
note-feature-without-geometry = l’elemento { $id } di '{ $layer }' non ha geometria ed è tralasciato
note-polygon-repaired = il poligono { $id } di '{ $layer }' è stato riparato: { $fault }
note-dem-unit = il modello del terreno '{ $file }' indica quote in unità di { $found } m; si usa invece l’unità dichiarata di { $declared } m
note-format-full = '{ $file }' ha raggiunto il limite di dimensione del formato dopo { $features } elementi; il resto è tralasciato: scegliere GeoPackage
note-quantile-of-few = Il quantile del { $percent } % si basa su soli { $rocks } blocchi; sotto { $needed } nemmeno il maggiore lo limita con confidenza del 95 %. Rilasciare più blocchi prima di usare questi valori.
note-beyond-classes = L’energia richiesta di { $energy } kJ supera la classe tabulata maggiore (4500 kJ): i kit di classe 8 o un altro tipo di protezione richiedono una prova propria.
note-freeboard-raised = Il franco è stato portato a metà dell’altezza dei blocchi.
note-factors-assumed = Ipotesi, da verificare con il testo della norma e da fissare nel progetto (lines.dimensioning.factors): { $factors }.
note-sheet-limits = Ogni blocco simulato conta allo stesso modo; la deformazione della rete, le fondazioni e l’usura dovuta a blocchi minori non fanno parte di questa scheda.
note-no-hazard-map = Nessuna carta del pericolo: il progetto non indica frequenze di distacco, e la sola distanza d’arresto non è un tempo di ritorno. Indicare frequency_per_year per ogni distacco (blocchi all’anno per elemento) e ricalcolare; le carte d’intensità qui sotto non ne hanno bisogno.
note-no-hazard-map-scenario = Nessuna carta del pericolo: il progetto non indica frequenze di distacco, e la sola distanza d’arresto non è un tempo di ritorno. Indicare frequency_per_year per ogni distacco (blocchi all’anno per elemento) o classification.scenario_return_periods_years e ricalcolare; le carte d’intensità qui sotto non ne hanno bisogno.
note-scenarios-left-out = La carta del pericolo tralascia ciò che non ha frequency_per_year: { $scenarios }. Vi sottostima il pericolo.
note-scenarios-left-out-period = La carta del pericolo tralascia ciò che non ha né frequency_per_year né tempo di ritorno: { $scenarios }. Vi sottostima il pericolo.
note-frequency-of-cell = Le frequenze sono quelle di blocchi il cui centro attraversa una cella del modello del terreno; un oggetto più grande è colpito più spesso. Indicare reference_width_m in uno schema proprio per riferirle alla larghezza di un oggetto.

## Where the schemes come from

scheme-swiss-source = Prassi federale: intensità debole < 30 kJ, media 30–300 kJ, forte ≥ 300 kJ; tempi di ritorno di 30, 100 e 300 anni. Il tempo di ritorno è quello dello scenario, ovunque arrivi; fa stato il grado di pericolo più elevato di tutti gli scenari. Ipotesi da confermare con l’autorità: un’intensità media con tempo di ritorno fino a 30 anni è rossa.
scheme-norway-source = Norme edilizie TEK17 § 7-3: probabilità annua nominale massima di 1/100 per la classe di sicurezza S1, 1/1000 per S2 e 1/5000 per S3; conta qualsiasi blocco. Ipotesi da confermare con l’autorità: la probabilità si riferisce a un quadrato di 30 m.

## Edges, inputs, locator

cut-off = La carta è troncata: { $places }. Oltre questi bordi nulla è noto di distanza d’arresto ed energia; usare un modello del terreno più grande prima di consegnare la carta.
legend-cut-off = troncato: blocchi usciti dal modello del terreno
cut-off-west =
    { $count ->
        [one] { $count } blocco è uscito qui dal modello del terreno (ovest)
       *[other] { $count } blocchi sono usciti qui dal modello del terreno (ovest)
    }
cut-off-east =
    { $count ->
        [one] { $count } blocco è uscito qui dal modello del terreno (est)
       *[other] { $count } blocchi sono usciti qui dal modello del terreno (est)
    }
cut-off-south =
    { $count ->
        [one] { $count } blocco è uscito qui dal modello del terreno (sud)
       *[other] { $count } blocchi sono usciti qui dal modello del terreno (sud)
    }
cut-off-north =
    { $count ->
        [one] { $count } blocco è uscito qui dal modello del terreno (nord)
       *[other] { $count } blocchi sono usciti qui dal modello del terreno (nord)
    }
locator = Posizione nel modello del terreno
map-input-ground = Dati: classi di suolo
map-input-forest = Dati: bosco
class-ground-extra-soft = molto tenero
class-ground-soft = tenero
class-ground-medium-soft = medio tenero
class-ground-medium = medio
class-ground-medium-hard = medio duro
class-ground-hard = duro
class-ground-extra-hard = molto duro
class-ground-snow = neve
class-forest-none = nessun bosco
class-forest-open = rado
class-forest-medium = medio
class-forest-dense = fitto

## Interactive page. What stands in ‹ › is filled in by the page.

open-interactive = Aprire la carta interattiva e la vista 3D (interactive.html)
page-all-scenarios = tutti gli scenari insieme
page-scenario = Scenario
page-layer = Layer
page-map = Carta
page-space = Vista 3D
page-draw-line = Tracciare una linea
page-whole = Carta intera
page-report = Torna al rapporto
page-cell = Cella
page-line = Linea
page-help = Trascinare per spostare la carta, rotella per ingrandire, cliccare una cella per i suoi valori.
page-line-help = Trascinare da un capo all’altro della linea.
page-coordinates = Coordinate (E / N)
page-height = Quota del terreno
page-no-rock = Nessun blocco di questo scenario passa qui.
page-coarse = Ogni cella di questa pagina mostra i valori massimi di ‹cells› × ‹cells› celle del modello del terreno.
page-rocks = blocchi
page-length = Lunghezza
page-no-tracks = Questo calcolo non conserva traiettorie (outputs.trajectories).
page-crossing-rocks = Blocchi che attraversano
page-of-tracks = Delle ‹count› traiettorie di questa pagina (‹all› blocchi rilasciati); ogni blocco conta una volta con la sua energia massima sulla linea, interpolata tra i vertici della traiettoria semplificata. Altezza: baricentro sopra il suolo.
page-energy-median = Energia, mediana
page-energy-p95 = Energia, quantile del 95 %
page-energy-max = Energia, massimo
page-height-p95 = Altezza, quantile del 95 %
page-cut-off = troncato: blocchi usciti dal modello del terreno
page-no-webgl = Questo browser non può disegnare in 3D (nessun WebGL).
page-play = Avvia
page-pause = Pausa
page-rock-energy = Energia dei blocchi in caduta

## More warnings

note-empty-collar = { $raster }: il { $share } delle celle non ha quota; circondano un terreno completo, come le lasciano una riproiezione o un ritaglio, e non sono buchi da colmare: i blocchi che vi arrivano lasciano il terreno
note-terrain-missing = { $raster }: il { $share } delle celle non ha quota e tocca il bordo del raster: lì manca una parte del terreno e i blocchi che vi arrivano lo lasciano; cercare i riquadri mancanti
note-holes-one = { $raster }: 1 buco interno senza quota ({ $share } delle celle), il maggiore di { $cells } celle, largo { $across } celle, presso ({ $place }): i blocchi vi si fermano; colmare i piccoli con `couloir prepare` (--fill-holes)
note-holes = { $raster }: { $holes } buchi interni senza quota ({ $share } delle celle), il maggiore di { $cells } celle, largo { $across } celle, presso ({ $place }): i blocchi vi si fermano; colmare i piccoli con `couloir prepare` (--fill-holes)
note-outside-area-of-use = { $what } ha coordinate x da { $west } a { $east }, y da { $south } a { $north }, fuori dall’area d’uso di { $crs } ({ $area }); sono usate comunque (--force)
note-raster-outside = { $key }: il raster ({ $raster }) non si sovrappone al modello del terreno e non ha effetto
note-fields-shortened = '{ $path }': gli shapefile hanno al massimo 10 caratteri, nomi di campo abbreviati: { $names }
note-texts-cut = '{ $path }': { $texts } testi sono stati tagliati a 254 byte
note-remedy-beyond-edge = { $cells } di esse sono oltre il bordo del terreno: usare un modello più grande o ritagliare il layer
cut-off-inside =
    { $count ->
        [one] { $count } blocco è uscito qui dal modello del terreno (quote mancanti)
       *[other] { $count } blocchi sono usciti qui dal modello del terreno (quote mancanti)
    }
solver-pushed-out-of-the-ground = espulsi dal suolo
solver-steps-with-contact = passi con contatto

## Names of layers in lists

list-lines = Linee e barriere (istogrammi: puntare sopra)
list-show-histograms = Mostra gli istogrammi
list-crossings = Attraversamenti di linee (energia, kJ)
list-objects = Oggetti a rischio (energia massima, kJ)
list-object-lines = Strade e linee a rischio (energia massima, kJ)
object-not-hit = non colpito
list-deposits-by-mass = Depositi (dimensione: massa)
list-impacts = Impatti sul terreno
list-points = Blocchi lungo il percorso (velocità, m/s)
list-trajectories-by-energy = Traiettorie (energia massima, kJ)
list-by-energy = energia (kJ)
list-by-velocity = velocità (m/s)
list-deposits = Depositi
list-trajectories = Traiettorie
list-outermost = Linea estrema di tutti i blocchi
label-uncertain = incerto: altri blocchi possono dare un’altra zona
list-uncertain = Zone incerte
list-confidence = Affidabilità delle zone
list-as-raster = { $title }, come raster
list-scenario = Scenario { $name }
list-all-rocks = Tutti i blocchi
list-scheme-swiss = schema svizzero
list-scheme-austria = schema austriaco
list-scheme-norway = schema norvegese
list-difference = Differenza: { $layer }
intensity-word = Intensità

# Le zone come sono disegnate.
legend-drawn = Disegno: lacune sotto { $gaps } m chiuse, lingue sotto { $tongues } m tolte, superficie minima { $area } m².
rule-least-reach-width = Intensità e raggiungimento valgono per un oggetto largo { $width } m attorno alla cella. È tralasciato dove entra meno del { $share } % dei blocchi dello scenario (per un'area di distacco più lunga di 100 m: dei blocchi di 100 m).
rule-every-rock-width = Intensità e raggiungimento valgono per un oggetto largo { $width } m attorno alla cella; ogni blocco conta.
within-tolerance = { $years } (entro l'1 % di { $limit }: conta come { $limit })
drawn-m2 = disegnato (m²)
drawn-ha = disegnato (ha)
computed-m2 = calcolato (m²)
zones-drawn = Zone disegnate: lacune più strette di { $gaps } m chiuse, lingue più strette di { $tongues } m tolte, macchie e buchi sotto { $area } m² uniti ai vicini, contorni lisciati di meno di mezza cella. Di { $computed } m² calcolati, { $less } m² ({ $share } %) sono disegnati meno gravi (al massimo { $most } % ammessi) e { $more } m² più gravi. Le celle come calcolate sono in hazard.tif. Tutti i blocchi restano entro { $outermost } m² (outermost_line.gpkg).
zones-confidence = Affidabilità: in media il { $mean } % delle metà ricampionate dei blocchi dà a una cella di una zona la stessa zona; su { $area } m² meno del { $below } % (hazard_uncertain.gpkg, hazard_confidence.tif).
layer-confidence = Quota di { $halves } metà ricampionate dei blocchi che danno alla cella la stessa zona di pericolo
all-scenarios = tutti gli scenari
scenario-named = scenario { $name }
map-of-scenario = Scenario { $scenario }: { $map }
line-title-scenario = Linea { $name } ({ $length } m), { $scenario }
barrier-title-scenario = Rete { $name } ({ $length } m), { $scenario }: altezza { $height } m, capacità { $capacity } kJ
no-such-barrier = nessuna rete simile

chapter-enough = Abbastanza blocchi?
chapter-objects = Oggetti a rischio
rocks-not-asked = Il calcolo ha un numero fisso di blocchi; non è stato chiesto se la carta cambierebbe con di più (--until-stable).
rocks-converged = Convergenza al { $share } %: dopo { $rocks } blocchi le zone di due metà indipendenti differiscono sul { $share } % della superficie zonata (richiesto al massimo { $most } %).
rocks-not-converged = Non convergente: dopo { $rocks } blocchi le zone di due metà indipendenti differiscono sul { $share } % della superficie zonata (richiesto al massimo { $most } %), o un'altra misura sotto non è raggiunta.
rocks-asked-for = richiesto
zones-differ = zone diverse (%)
p95-known-to = p95 dell'energia ± (%)
lines-differ = energie alle linee diverse (%)
rocks-curve = Misure dopo ogni gruppo di blocchi; tratteggiato: la differenza delle zone richiesta.
object = oggetto
hits-per-year = impatti all'anno
object-energy-p95 = energia p95 (kJ)
object-energy-max = energia max. (kJ)
object-height-max = punto più basso max. (m)
vehicle-hits-per-year = veicoli colpiti all'anno
no-object-hit = Nessun blocco colpisce un oggetto.
objects-note = { $shown } righe su { $all }, gli impatti più forti per primi; tutte sono in objects/objects.csv e .gpkg.

# Schemes to be filled in, and what a settled map is asked.
scheme-austria-name = Austria (da completare)
scheme-austria-source = L'ordinanza sui piani delle zone di pericolo (WLV-GZPV 2021, come quella del 1976) conosce un evento di progetto di 150 anni e zone rosse e gialle per torrenti e valanghe; la caduta massi vi è un'area indicativa marrone (Hinweisbereich), senza limiti d'energia. La prassi pubblicata prende il quantile 95 % di ogni scenario come valore di progetto (come ONR 24810 per un'opera).
note-austria-to-fill-in = i limiti d'energia (30 e 300 kJ) e la zona di ogni classe sono esempi, non quelli di una norma: da concordare con l'autorità e da fissare in uno schema proprio
note-scheme-frame = lo schema «{ $scheme }» è una cornice: { $what }
note-cells-decide = lo schema «{ $scheme }» prende la frequenza dei blocchi che attraversano una cella del modello del terreno ({ $cell } m): con celle larghe la metà è circa la metà, e le zone cambiano; fissare reference_width_m nello schema o sotto classification
note-square-of-cells = lo schema «{ $scheme }» si riferisce a un oggetto largo { $width } m, ma il quadrato più vicino di celle intere di { $cell } m è largo { $side } m: raggiungimento e frequenza valgono per { $side2 } m
note-first-tracks = { $written } di { $all } traiettorie sono nei file, quelle dei primi giri su tutte le posizioni di partenza (outputs.max_trajectories = { $most }); carte e depositi le contengono tutte
note-not-converged = la carta non è giunta a convergenza: dopo { $rocks } blocchi le zone di due metà indipendenti differiscono sul { $zones } % della superficie delle zone ({ $zones2 } % richiesto), p95 dell'energia è noto a ± { $p95 } % ({ $p952 } %), le energie alle linee differiscono del { $lines } % ({ $lines2 } %)
note-no-such-height = Non esiste una barriera alta { $required } m: si costruiscono fino a circa { $highest } m. Cercare un altro posto o un altro tipo di protezione.
note-of-line-pooled = linea { $name }, tutti gli scenari insieme: { $note }
note-pilot = prova preliminare: { $note }
note-unusual-value = { $key }: { $value } è fuori dall’intervallo usuale { $range }
note-angular-shape = tutti i blocchi hanno la stessa forma molto angolosa ({ $shape }: sfericità { $sphericity }, le facce si incontrano in media a { $edge }°): tali blocchi si fermano presto, e la distanza d’arresto può essere molto troppo corta; usare `shape: natural` salvo che i blocchi del sito siano così
note-round-shape = tutti i blocchi hanno la stessa forma molto rotonda ({ $shape }: sfericità { $sphericity }, le facce si incontrano in media a { $edge }°): tali blocchi continuano a rotolare, e la distanza d’arresto può essere molto troppo lunga; usare `shape: natural` salvo che i blocchi del sito siano così
note-coarse-cells = le celle del modello del terreno ({ $cell } m) sono molto più grandi dei blocchi (da { $rock } m): il terreno è troppo liscio per loro; usare un modello più fine se esiste
note-too-much-memory = il calcolo richiede circa { $needed } GB di memoria, ma { $who } ne permette { $available } GB: rilasciare meno blocchi, ritagliare il modello con `couloir clip`, calcolare a parti (`--shard`), o insistere con `--force`
note-no-return-period = classificazione: { $release } non ha `frequency_per_year` e il suo scenario nessun periodo di ritorno; senza uno dei due non è nella carta dei pericoli, solo nelle carte d’intensità
note-stretched-crs = { $crs } deforma le distanze: pendenze e distanze d’arresto saranno errate; usare un sistema nazionale o UTM
note-steps-between-cells = { $raster }: celle vicine differiscono di { $step } m a ({ $place }), e in { $places } punti di più di quanto una pendenza spieghi: verificare se è una parete, o un valore come 0 che significa senza quota (dichiararlo nodata)
note-terrain-on-demand = terrain.dem ha { $cells } celle: le quote sono lette dove arrivano blocchi, non tutte; `couloir check` le esamina tutte (fino a 17 miliardi), cercando buchi, parti mancanti e gradini
note-changed-since-prepared = { $files }: non è più ciò che `couloir prepare` ha scritto secondo { $list }, usato così com’è; se nessuno l’ha modificato, è danneggiato: preparare di nuovo la cartella
note-map-too-large = nessuna zona è stata disegnata: i blocchi attraversano tanta parte di questa carta ({ $cells } celle in tutto) che non possono essere disegnate in un pezzo; classificarne parti, ciascuna con un progetto proprio
note-one-thread = lavora un solo thread: { $why }
note-collar-north = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento a nord nel bordo senza quota che lascia una riproiezione o un ritaglio, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; usare un modello che si estenda più a nord
note-missing-north = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento a nord, dove una parte non ha quota, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; cercare i riquadri mancanti del modello
note-collar-east = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento a est nel bordo senza quota che lascia una riproiezione o un ritaglio, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; usare un modello che si estenda più a est
note-missing-east = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento a est, dove una parte non ha quota, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; cercare i riquadri mancanti del modello
note-collar-south = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento a sud nel bordo senza quota che lascia una riproiezione o un ritaglio, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; usare un modello che si estenda più a sud
note-missing-south = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento a sud, dove una parte non ha quota, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; cercare i riquadri mancanti del modello
note-collar-west = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento a ovest nel bordo senza quota che lascia una riproiezione o un ritaglio, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; usare un modello che si estenda più a ovest
note-missing-west = { $rocks } blocchi su { $of } ({ $share }) hanno lasciato il modello del terreno in movimento a ovest, dove una parte non ha quota, il primo a ({ $x }, { $y }): la distanza d’arresto lì è troncata; cercare i riquadri mancanti del modello
zone-id-red = rosso
zone-id-blue = blu
zone-id-yellow = giallo
zone-id-residual = residuo

# Names that a filled-in form gives.
form-barrier = Barriera
form-line = Linea di misura
form-objects = Oggetti
form-scenario = Scenario { $number }
form-scenario-twice = Due scenari si chiamano «{ $name }»: date a ciascuno un nome proprio.
form-scenario-years = Il periodo di ritorno dello scenario «{ $name }» è «{ $years }»; è atteso un numero di anni, per esempio 100.
