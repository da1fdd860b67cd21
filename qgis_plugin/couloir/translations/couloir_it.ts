<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="it" sourcelanguage="en">
  <context>
    <name>Couloir</name>
    <message>
      <source>planned barrier</source>
      <translation>barriera prevista</translation>
    </message>
    <message>
      <source>Choose a folder for the new run.</source>
      <translation>Scegliere una cartella per il nuovo calcolo.</translation>
    </message>
    <message>
      <source>A barrier needs both a height and a capacity; without both the line is only recorded.</source>
      <translation>Una barriera richiede altezza e capacità; senza entrambe la linea viene solo registrata.</translation>
    </message>
    <message>
      <source>“{}” recorded no lines or barriers. Give a line layer to record.</source>
      <translation>«{}» non ha registrato linee né barriere. Indicare un layer di linee.</translation>
    </message>
    <message>
      <source>“{}” has changed since the run; the rocks may fall otherwise.</source>
      <translation>«{}» è cambiato dopo il calcolo; i blocchi possono cadere diversamente.</translation>
    </message>
    <message>
      <source>Cancelled.</source>
      <translation>Annullato.</translation>
    </message>
    <message>
      <source>Engine {} ({}), from {}</source>
      <translation>Motore {} ({}), origine: {}</translation>
    </message>
    <message>
      <source>Engine log:</source>
      <translation>Registro del motore:</translation>
    </message>
    <message>
      <source>“{}”: write a scenario and its years as name=300.</source>
      <translation>«{}»: scrivete uno scenario e i suoi anni come nome=300.</translation>
    </message>
    <message>
      <source>Comparison: {} → {}</source>
      <translation>Confronto: {} → {}</translation>
    </message>
    <message>
      <source>“{}” holds no such map; choose another one, or classify the run first.</source>
      <translation>«{}» non contiene questa carta; sceglierne un'altra o classificare prima il calcolo.</translation>
    </message>
    <message>
      <source>Hillshade</source>
      <translation>Ombreggiatura</translation>
    </message>
    <message>
      <source>“{}” could not be written. Is it open in another program, or the disk full?</source>
      <translation>«{}» non può essere scritto. È aperto in un altro programma o il disco è pieno?</translation>
    </message>
    <message>
      <source>The run's DEM was not found: the map has no hillshade. Name a DEM or a base layer.</source>
      <translation>Il DEM del calcolo non è stato trovato: la carta non ha ombreggiatura. Indicare un DEM o uno sfondo.</translation>
    </message>
    <message>
      <source>Plan</source>
      <translation>Piano</translation>
    </message>
    <message>
      <source>Client</source>
      <translation>Committente</translation>
    </message>
    <message>
      <source>Office</source>
      <translation>Ufficio</translation>
    </message>
    <message>
      <source>Author</source>
      <translation>Autore</translation>
    </message>
    <message>
      <source>Date</source>
      <translation>Data</translation>
    </message>
    <message>
      <source>Status</source>
      <translation>Stato</translation>
    </message>
    <message>
      <source>DRAFT</source>
      <translation>BOZZA</translation>
    </message>
    <message>
      <source>Parameters: next page.</source>
      <translation>Parametri: pagina seguente.</translation>
    </message>
    <message>
      <source>Simulated with Couloir {version} ({revision}), seed {seed}, {rocks} rocks{variant}, {when}; project {file}, SHA-256 {hash}.</source>
      <translation>Simulato con Couloir {version} ({revision}), seme {seed}, {rocks} blocchi{variant}, {when}; progetto {file}, SHA-256 {hash}.</translation>
    </message>
    <message>
      <source>final</source>
      <translation>definitivo</translation>
    </message>
    <message>
      <source>draft</source>
      <translation>bozza</translation>
    </message>
    <message>
      <source>Rockfall: {}</source>
      <translation>Caduta sassi: {}</translation>
    </message>
    <message>
      <source>Coordinates: {} ({})</source>
      <translation>Coordinate: {} ({})</translation>
    </message>
    <message>
      <source>Scale</source>
      <translation>Scala</translation>
    </message>
    <message>
      <source>{} more warnings: see the parameter pages.</source>
      <translation>Altri {} avvisi: vedi le pagine dei parametri.</translation>
    </message>
    <message>
      <source>“{}” is empty: there is nothing to map.</source>
      <translation>«{}» è vuoto: non c'è nulla da mostrare.</translation>
    </message>
    <message>
      <source>Name at least two parts.</source>
      <translation>Indicare almeno due parti.</translation>
    </message>
    <message>
      <source>Web page (*.html)</source>
      <translation>Pagina web (*.html)</translation>
    </message>
    <message>
      <source>“{}” is not a raster layer.</source>
      <translation>«{}» non è un layer raster.</translation>
    </message>
    <message>
      <source>The DEM “{}” has no CRS. Say it in “CRS of DEMs that do not say theirs”.</source>
      <translation>Il DEM «{}» non ha SR. Indicarlo in «SR dei DEM che non indicano il proprio».</translation>
    </message>
    <message>
      <source>Choose the attribute that holds the class of “{}”.</source>
      <translation>Scegliere l'attributo con la classe di «{}».</translation>
    </message>
    <message>
      <source>Choose the attributes of “{}” to use.</source>
      <translation>Scegliere gli attributi di «{}» da usare.</translation>
    </message>
    <message>
      <source>{} release areas found.</source>
      <translation>{} zone di distacco trovate.</translation>
    </message>
    <message>
      <source>Give a project file, or a DEM and release areas.</source>
      <translation>Indicare un file di progetto, o un DEM e zone di distacco.</translation>
    </message>
    <message>
      <source>Give observations: either a layer of points or a table.</source>
      <translation>Indicare osservazioni: un layer di punti oppure una tabella.</translation>
    </message>
    <message>
      <source>Executable of the engine, or its folder (empty: found in the QGIS profile or on PATH)</source>
      <translation>Eseguibile del motore, o la sua cartella (vuoto: trovato nel profilo QGIS o nel PATH)</translation>
    </message>
    <message>
      <source>Archive (.tar.gz, .zip) or wheel (.whl) of a release, or the folder of an unpacked one. Nothing is downloaded: get the file and its SHA256SUMS or versions.json from the page of releases and keep them side by side, so that it can be checked.</source>
      <translation>Archivio (.tar.gz, .zip) o wheel (.whl) di una versione, o la cartella di un archivio decompresso. Nulla viene scaricato: prendete il file e il suo SHA256SUMS o versions.json dalla pagina delle versioni e teneteli uno accanto all’altro, così da poterlo verificare.</translation>
    </message>
    <message>
      <source>Go back to the engine that was installed before</source>
      <translation>Tornare al motore installato in precedenza</translation>
    </message>
    <message>
      <source>Install engine…</source>
      <translation>Installa motore…</translation>
    </message>
    <message>
      <source>Engine location…</source>
      <translation>Posizione del motore…</translation>
    </message>
    <message>
      <source>Releases on the web…</source>
      <translation>Versioni sul web…</translation>
    </message>
    <message>
      <source>Couloir engine</source>
      <translation>Motore Couloir</translation>
    </message>
    <message>
      <source>Prepare project area…</source>
      <translation>Preparare l'area di progetto…</translation>
    </message>
    <message>
      <source>Couloir's simulation engine is a separate program. Download it from the page of releases, then choose the file with Plugins ▸ Couloir ▸ Install engine…; or name an executable, or its folder, with Plugins ▸ Couloir ▸ Engine location…</source>
      <translation>Il motore di calcolo di Couloir è un programma a parte. Scaricatelo dalla pagina delle versioni, poi scegliete il file con Plugin ▸ Couloir ▸ Installa motore…; oppure indicate un eseguibile o la sua cartella con Plugin ▸ Couloir ▸ Posizione del motore…</translation>
    </message>
    <message>
      <source>The engine “{}” is version {}; this plugin needs {} or newer. Update the engine.</source>
      <translation>Il motore «{}» è in versione {}; questo plugin richiede {} o più recente. Aggiornare il motore.</translation>
    </message>
    <message>
      <source>The engine “{}” is version {}, newer than this plugin understands. Update the plugin.</source>
      <translation>Il motore «{}» è in versione {}, più recente di quanto il plugin comprenda. Aggiornare il plugin.</translation>
    </message>
    <message>
      <source>The engine met an internal error. Please report it with the log below.</source>
      <translation>Errore interno del motore. Segnalarlo con il registro qui sotto.</translation>
    </message>
    <message>
      <source>The engine set in the options, “{}”, does not exist or holds no “{}”.</source>
      <translation>Il motore impostato, «{}», non esiste o non contiene «{}».</translation>
    </message>
    <message>
      <source>options</source>
      <translation>opzioni</translation>
    </message>
    <message>
      <source>QGIS profile</source>
      <translation>profilo QGIS</translation>
    </message>
    <message>
      <source>a library (DLL) is missing</source>
      <translation>manca una libreria (DLL)</translation>
    </message>
    <message>
      <source>The engine stopped unexpectedly (it crashed or was killed).</source>
      <translation>Il motore si è fermato in modo inatteso (crash o terminato).</translation>
    </message>
    <message>
      <source>The engine ended with code {} and no message.</source>
      <translation>Il motore è terminato con codice {} e senza messaggio.</translation>
    </message>
    <message>
      <source>No Couloir engine was found.</source>
      <translation>Nessun motore Couloir trovato.</translation>
    </message>
    <message>
      <source>The engine gave no answer that can be read.</source>
      <translation>Il motore non ha dato una risposta leggibile.</translation>
    </message>
    <message>
      <source>, {:.1f} rocks/s</source>
      <translation>, {:.1f} blocchi/s</translation>
    </message>
    <message>
      <source>“{}” cannot be started: {}. Is it built for this system?</source>
      <translation>«{}» non può essere avviato: {}. È compilato per questo sistema?</translation>
    </message>
    <message>
      <source>“{}” does not answer: it is not the Couloir engine.</source>
      <translation>«{}» non risponde: non è il motore Couloir.</translation>
    </message>
    <message>
      <source>“{}” does not run on this system: {}.</source>
      <translation>«{}» non funziona su questo sistema: {}.</translation>
    </message>
    <message>
      <source>“{}” is not the Couloir engine: asked for its version it said “{}”.</source>
      <translation>«{}» non è il motore Couloir: alla richiesta della versione ha risposto «{}».</translation>
    </message>
    <message>
      <source>The engine could not be started: {}.</source>
      <translation>Il motore non può essere avviato: {}.</translation>
    </message>
    <message>
      <source>, {} left</source>
      <translation>, ancora {}</translation>
    </message>
    <message>
      <source>The plugin met an internal error ({}); please report it with the log panel's “Couloir” tab.</source>
      <translation>Errore interno del plugin ({}); segnalarlo con la scheda «Couloir» del registro.</translation>
    </message>
    <message>
      <source>“{}”: {}. Check the path, free space and permissions.</source>
      <translation>«{}»: {}. Controllate il percorso, lo spazio libero e i permessi.</translation>
    </message>
    <message>
      <source>The DEM “{}” is not valid: its file may have moved.</source>
      <translation>Il DEM «{}» non è valido: il file potrebbe essere stato spostato.</translation>
    </message>
    <message>
      <source>“{}” is a picture, not a raster of heights. Choose a DEM.</source>
      <translation>«{}» è un'immagine, non un raster di quote. Scegliere un DEM.</translation>
    </message>
    <message>
      <source>The DEM “{}” has no coordinate reference system. Set it in the layer's properties, or say it in “Prepare project area”.</source>
      <translation>Il DEM «{}» non ha sistema di riferimento. Impostarlo nelle proprietà del layer o indicarlo in «Preparare l'area di progetto».</translation>
    </message>
    <message>
      <source>The DEM “{}” is in degrees ({}); rocks fall in metres. Bring it to a metric CRS with “Prepare project area”.</source>
      <translation>Il DEM «{}» è in gradi ({}); i blocchi cadono in metri. Portarlo in un SR metrico con «Preparare l'area di progetto».</translation>
    </message>
    <message>
      <source>The DEM “{}” is not in metres ({}). Bring it to a metric CRS with “Prepare project area”.</source>
      <translation>Il DEM «{}» non è in metri ({}). Portarlo in un SR metrico con «Preparare l'area di progetto».</translation>
    </message>
    <message>
      <source>The raster layer “{}” cannot be read.</source>
      <translation>Il layer raster «{}» non può essere letto.</translation>
    </message>
    <message>
      <source>The raster layer “{}” could not be written to {}.</source>
      <translation>Il layer raster «{}» non può essere scritto in {}.</translation>
    </message>
    <message>
      <source>The layer “{}” is not valid: its file may have moved.</source>
      <translation>Il layer «{}» non è valido: il file potrebbe essere stato spostato.</translation>
    </message>
    <message>
      <source>The layer “{}” has no coordinate reference system. Set it in the layer's properties.</source>
      <translation>Il layer «{}» non ha sistema di riferimento. Impostarlo nelle sue proprietà.</translation>
    </message>
    <message>
      <source>The layer “{}” could not be written: {}.</source>
      <translation>Il layer «{}» non può essere scritto: {}.</translation>
    </message>
    <message>
      <source>The layer “{}” has no features (is a filter or an empty selection active?).</source>
      <translation>Il layer «{}» non ha elementi (filtro o selezione vuota attivi?).</translation>
    </message>
    <message>
      <source>none</source>
      <translation>nessuna</translation>
    </message>
    <message>
      <source>Legend</source>
      <translation>Legenda</translation>
    </message>
    <message>
      <source>“{}” is not a template of a layout.</source>
      <translation>«{}» non è un modello di layout.</translation>
    </message>
    <message>
      <source>Parameters</source>
      <translation>Parametri</translation>
    </message>
    <message>
      <source>“{}” holds no program {}: take the file of a release that is made for this system.</source>
      <translation>«{}» non contiene il programma {}: prendete il file di una versione fatta per questo sistema.</translation>
    </message>
    <message>
      <source>No program can be started from “{}”: its drive is mounted without the right to execute (noexec). Unpack the engine on another drive and name it with Plugins ▸ Couloir ▸ Engine location…</source>
      <translation>Nessun programma può essere avviato da «{}»: l’unità è montata senza diritto di esecuzione (noexec). Decomprimete il motore su un’altra unità e indicatelo con Plugin ▸ Couloir ▸ Posizione del motore…</translation>
    </message>
    <message>
      <source>“{}” has another checksum than the list beside it says: download both again, from the same release.</source>
      <translation>«{}» ha una somma di controllo diversa da quella della lista accanto: scaricate di nuovo entrambi, dalla stessa versione.</translation>
    </message>
    <message>
      <source>“{}” is no archive or wheel of the engine, and no folder that holds it.</source>
      <translation>«{}» non è né un archivio né un wheel del motore, né una cartella che lo contiene.</translation>
    </message>
    <message>
      <source>“{}” is damaged or incomplete: download or copy it again.</source>
      <translation>«{}» è danneggiato o incompleto: scaricatelo o copiatelo di nuovo.</translation>
    </message>
    <message>
      <source>Run</source>
      <translation>Calcolo</translation>
    </message>
    <message>
      <source>engine</source>
      <translation>motore</translation>
    </message>
    <message>
      <source>project file</source>
      <translation>file di progetto</translation>
    </message>
    <message>
      <source>seed</source>
      <translation>seme</translation>
    </message>
    <message>
      <source>rocks</source>
      <translation>blocchi</translation>
    </message>
    <message>
      <source>finished</source>
      <translation>concluso</translation>
    </message>
    <message>
      <source>grid</source>
      <translation>griglia</translation>
    </message>
    <message>
      <source>no frequency given</source>
      <translation>nessuna frequenza indicata</translation>
    </message>
    <message>
      <source>Results</source>
      <translation>Risultati</translation>
    </message>
    <message>
      <source>why rocks stopped</source>
      <translation>perché i blocchi si fermano</translation>
    </message>
    <message>
      <source>Section</source>
      <translation>Sezione</translation>
    </message>
    <message>
      <source>What</source>
      <translation>Cosa</translation>
    </message>
    <message>
      <source>Value</source>
      <translation>Valore</translation>
    </message>
    <message>
      <source>Released</source>
      <translation>Distacchi</translation>
    </message>
    <message>
      <source>quantile of the energy</source>
      <translation>quantile dell'energia</translation>
    </message>
    <message>
      <source>Classification</source>
      <translation>Classificazione</translation>
    </message>
    <message>
      <source>Input</source>
      <translation>Ingresso</translation>
    </message>
    <message>
      <source>Warning</source>
      <translation>Avviso</translation>
    </message>
    <message>
      <source>Parameter</source>
      <translation>Parametro</translation>
    </message>
    <message>
      <source>Scenario</source>
      <translation>Scenario</translation>
    </message>
    <message>
      <source>Other</source>
      <translation>Altro</translation>
    </message>
    <message>
      <source>{:.3g} rocks per year</source>
      <translation>{:.3g} blocchi per anno</translation>
    </message>
    <message>
      <source>{} years</source>
      <translation>{} anni</translation>
    </message>
    <message>
      <source>Couloir project (*.yaml *.yml)</source>
      <translation>Progetto Couloir (*.yaml *.yml)</translation>
    </message>
    <message>
      <source>Couloir rockfall</source>
      <translation>Couloir caduta sassi</translation>
    </message>
    <message>
      <source>Draw release area</source>
      <translation>Disegnare una zona di distacco</translation>
    </message>
    <message>
      <source>Site</source>
      <translation>Sito</translation>
    </message>
    <message>
      <source>Rocks</source>
      <translation>Blocchi</translation>
    </message>
    <message>
      <source>Ground &amp; forest</source>
      <translation>Suolo &amp; bosco</translation>
    </message>
    <message>
      <source>Open project file…</source>
      <translation>Aprire un file di progetto…</translation>
    </message>
    <message>
      <source>Folder for a copy of the sample</source>
      <translation>Cartella per una copia dell'esempio</translation>
    </message>
    <message>
      <source>Couloir: reading a project</source>
      <translation>Couloir: lettura di un progetto</translation>
    </message>
    <message>
      <source>Loading the results…</source>
      <translation>Caricamento dei risultati…</translation>
    </message>
    <message>
      <source>Left click adds a corner, right click ends, Esc gives up.</source>
      <translation>Clic sinistro: un vertice; destro: fine; Esc: rinuncia.</translation>
    </message>
    <message>
      <source>Find steep areas…</source>
      <translation>Trovare zone ripide…</translation>
    </message>
    <message>
      <source>Draw barrier</source>
      <translation>Disegnare una barriera</translation>
    </message>
    <message>
      <source>Open sample</source>
      <translation>Apri esempio</translation>
    </message>
    <message>
      <source>Help</source>
      <translation>Aiuto</translation>
    </message>
    <message>
      <source>◂ Back</source>
      <translation>◂ Indietro</translation>
    </message>
    <message>
      <source>Next ▸</source>
      <translation>Avanti ▸</translation>
    </message>
    <message>
      <source>Choose a folder for the runs, or save the QGIS project first.</source>
      <translation>Scegliere una cartella per i calcoli, o salvare prima il progetto QGIS.</translation>
    </message>
    <message>
      <source>Cancelling…</source>
      <translation>Annullamento…</translation>
    </message>
    <message>
      <source>Finished, with warnings.</source>
      <translation>Finito, con avvisi.</translation>
    </message>
    <message>
      <source>Finished.</source>
      <translation>Concluso.</translation>
    </message>
    <message>
      <source>The map is made: {}</source>
      <translation>La carta è fatta: {}</translation>
    </message>
    <message>
      <source>Open layout</source>
      <translation>Apri layout</translation>
    </message>
    <message>
      <source>Open PDF</source>
      <translation>Apri PDF</translation>
    </message>
    <message>
      <source>Checks</source>
      <translation>Controlli</translation>
    </message>
    <message>
      <source>Release areas (drawn)</source>
      <translation>Zone di distacco (disegnate)</translation>
    </message>
    <message>
      <source>Barriers (drawn)</source>
      <translation>Barriere (disegnate)</translation>
    </message>
    <message>
      <source>Rocks so far (run under way)</source>
      <translation>Blocchi finora (calcolo in corso)</translation>
    </message>
    <message>
      <source>Start afresh</source>
      <translation>Ricominciare</translation>
    </message>
    <message>
      <source>The run would take about {}. Fewer rocks, a wider spacing or a quick look are faster.</source>
      <translation>Il calcolo richiederebbe circa {}. Meno blocchi, una distanza maggiore o uno sguardo rapido sono più veloci.</translation>
    </message>
    <message>
      <source>Checking…</source>
      <translation>Controllo…</translation>
    </message>
    <message>
      <source>Prepare project area</source>
      <translation>Preparare l'area di progetto</translation>
    </message>
    <message>
      <source>{} release positions, {} rocks.</source>
      <translation>{} posizioni di distacco, {} blocchi.</translation>
    </message>
    <message>
      <source>… and {} more, in the report.</source>
      <translation>… e altri {}, nel rapporto.</translation>
    </message>
    <message>
      <source>Ready to run:</source>
      <translation>Pronto:</translation>
    </message>
    <message>
      <source>For experts</source>
      <translation>Per esperti</translation>
    </message>
    <message>
      <source>Runs found in the folder of the runs, newest first. Select two or more to compare them.</source>
      <translation>Calcoli trovati nella cartella, dal più recente. Selezionarne due o più per confrontarli.</translation>
    </message>
    <message>
      <source>Open run folder…</source>
      <translation>Apri cartella di calcolo…</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Aprire</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>Confrontare</translation>
    </message>
    <message>
      <source>Rerun with changes</source>
      <translation>Ripetere con modifiche</translation>
    </message>
    <message>
      <source>Report</source>
      <translation>Rapporto</translation>
    </message>
    <message>
      <source>Classify…</source>
      <translation>Classificare…</translation>
    </message>
    <message>
      <source>Hazard map…</source>
      <translation>Carta di pericolo…</translation>
    </message>
    <message>
      <source>Barrier report…</source>
      <translation>Relazione barriera…</translation>
    </message>
    <message>
      <source>Select a run first.</source>
      <translation>Scegliete prima un calcolo.</translation>
    </message>
    <message>
      <source>Select two or more runs (Ctrl or Shift and click) to compare them.</source>
      <translation>Selezionare due o più calcoli (Ctrl o Maiusc e clic) per confrontarli.</translation>
    </message>
    <message>
      <source>Add rocks until the map has settled</source>
      <translation>Aggiungere blocchi finché la carta è stabile</translation>
    </message>
    <message>
      <source>Batches of rocks are added until zones and quantiles no longer change; else each position once.</source>
      <translation>Si aggiungono lotti di blocchi finché zone e quantili non cambiano più; altrimenti ogni posizione una volta.</translation>
    </message>
    <message>
      <source>Runs into a new folder.</source>
      <translation>Calcola in una nuova cartella.</translation>
    </message>
    <message>
      <source>Ends the run and removes what is half-made.</source>
      <translation>Termina il calcolo e toglie ciò che è fatto a metà.</translation>
    </message>
    <message>
      <source>Estimated time {}, quick look {}; memory {:.0f} MB.</source>
      <translation>Tempo stimato {}, sguardo rapido {}; memoria {:.0f} MB.</translation>
    </message>
    <message>
      <source>Starting…</source>
      <translation>Avvio…</translation>
    </message>
    <message>
      <source>Start run</source>
      <translation>Avvia il calcolo</translation>
    </message>
    <message>
      <source>Quick look</source>
      <translation>Sguardo rapido</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Annulla</translation>
    </message>
    <message>
      <source>Only {} rocks, to try parameters; not a result to hand in.</source>
      <translation>Solo {} blocchi, per provare parametri; non un risultato da consegnare.</translation>
    </message>
    <message>
      <source>Its name on maps and in tables.</source>
      <translation>Il suo nome su carte e tabelle.</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>Dimensione</translation>
    </message>
    <message>
      <source>In m³ or kg, as chosen above: a number (0.5), a range (0.2 – 2), a power law (0.1 – 5, power 1.2), a log-normal (median 1, sigma 0.5), a list (0.1; 0.5; 2), or an attribute of the release areas. Empty: the size above.</source>
      <translation>In m³ o kg, come scelto sopra: un numero (0.5), un intervallo (0.2 – 2), una legge di potenza (0.1 – 5, power 1.2), una lognormale (median 1, sigma 0.5), un elenco (0.1; 0.5; 2) o un attributo delle aree di distacco. Vuoto: la dimensione sopra.</translation>
    </message>
    <message>
      <source>Return period (years)</source>
      <translation>Periodo di ritorno (anni)</translation>
    </message>
    <message>
      <source>Of the scenario, for hazard zones.</source>
      <translation>Dello scenario, per le zone di pericolo.</translation>
    </message>
    <message>
      <source>Rocks per year and area</source>
      <translation>Blocchi per anno e area</translation>
    </message>
    <message>
      <source>A number or an attribute of the release areas. Empty: one rock in the return period.</source>
      <translation>Un numero o un attributo delle aree di distacco. Vuoto: un blocco nel tempo di ritorno.</translation>
    </message>
    <message>
      <source>Double click: the colour of the scenario on the map.</source>
      <translation>Doppio clic: il colore dello scenario sulla carta.</translation>
    </message>
    <message>
      <source>Without scenarios all rocks are one: give how often they come above.</source>
      <translation>Senza scenari tutti i blocchi stanno insieme: date sopra la loro frequenza.</translation>
    </message>
    <message>
      <source>Colour of the scenario</source>
      <translation>Colore dello scenario</translation>
    </message>
    <message>
      <source>Add scenario</source>
      <translation>Aggiungi scenario</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Togli</translation>
    </message>
    <message>
      <source>Colour…</source>
      <translation>Colore…</translation>
    </message>
    <message>
      <source>Scenario {}</source>
      <translation>Scenario {}</translation>
    </message>
    <message>
      <source>Scenarios</source>
      <translation>Scenari</translation>
    </message>
    <message>
      <source>Couloir: rockfall simulation</source>
      <translation>Couloir: simulazione di caduta sassi</translation>
    </message>
    <message>
      <source>Couloir: checking</source>
      <translation>Couloir: controllo</translation>
    </message>
    <message>
      <source>Choose an elevation model on the page “Site”.</source>
      <translation>Scegliere un modello di elevazione alla pagina «Sito».</translation>
    </message>
    <message>
      <source>Choose or draw release areas on the page “Site”.</source>
      <translation>Scegliere o disegnare zone di distacco alla pagina «Sito».</translation>
    </message>
    <message>
      <source>The check gave no answer.</source>
      <translation>Il controllo non ha dato risposta.</translation>
    </message>
    <message>
      <source>Couloir panel</source>
      <translation>Pannello Couloir</translation>
    </message>
    <message>
      <source>Engine {} is installed in {}.</source>
      <translation>Il motore {} è installato in {}.</translation>
    </message>
    <message>
      <source>Its checksum was not compared: there is no SHA256SUMS or versions.json beside the file.</source>
      <translation>La somma di controllo non è stata confrontata: accanto al file non c’è SHA256SUMS o versions.json.</translation>
    </message>
    <message>
      <source>Engine {} found: {}.</source>
      <translation>Motore {} trovato: {}.</translation>
    </message>
    <message>
      <source>Couloir rockfall hazard</source>
      <translation>Couloir pericolo di caduta sassi</translation>
    </message>
    <message>
      <source>“{}” was made by an older engine, which left no list of its layers. Write it with `couloir report {}`.</source>
      <translation>«{}» proviene da un motore più vecchio, che non ha lasciato un elenco dei suoi layer. `couloir report {}` lo scrive.</translation>
    </message>
    <message>
      <source>Hazard zones</source>
      <translation>Zone di pericolo</translation>
    </message>
    <message>
      <source>“{}” holds no finished Couloir run (its manifest.json is missing or unreadable).</source>
      <translation>«{}» non contiene un calcolo Couloir concluso (manifest.json manca o è illeggibile).</translation>
    </message>
    <message>
      <source>with barriers</source>
      <translation>con barriere</translation>
    </message>
    <message>
      <source>without barriers</source>
      <translation>senza barriere</translation>
    </message>
    <message>
      <source>“{}” cannot be read.</source>
      <translation>«{}» non può essere letto.</translation>
    </message>
    <message>
      <source>“{}” is a file; choose a folder.</source>
      <translation>«{}» è un file; scegliete una cartella.</translation>
    </message>
    <message>
      <source>“{}” holds files already and stays as it is; choose a new folder.</source>
      <translation>«{}» contiene già file e resta com'è; scegliete una nuova cartella.</translation>
    </message>
    <message>
      <source>“{}” holds a finished run; choose another folder or tick “Replace an earlier run”.</source>
      <translation>«{}» contiene un calcolo concluso; scegliere un'altra cartella o spuntare «Sostituire un calcolo precedente».</translation>
    </message>
    <message>
      <source>Rerun of “{}” with changes: nothing of that run is replaced.</source>
      <translation>Ripetizione di «{}» con modifiche: nulla di quel calcolo viene sostituito.</translation>
    </message>
    <message>
      <source>From the project “{}”: its file stays as it is.</source>
      <translation>Dal progetto «{}»: il suo file resta com'è.</translation>
    </message>
    <message>
      <source>Kept as it is there, because the panel has no field for it: {}.</source>
      <translation>Resta com'è, perché il pannello non ha un campo per questo: {}.</translation>
    </message>
    <message>
      <source>That run was limited to {} rocks; this one runs all.</source>
      <translation>Quel calcolo era limitato a {} blocchi; questo li calcola tutti.</translation>
    </message>
    <message>
      <source>Changed since that run: {}.</source>
      <translation>Cambiato dopo quel calcolo: {}.</translation>
    </message>
    <message>
      <source>Inputs of {}</source>
      <translation>Ingressi di {}</translation>
    </message>
    <message>
      <source>Elevation model (DEM)</source>
      <translation>Modello di elevazione (DEM)</translation>
    </message>
    <message>
      <source>Heights in metres, in a metric coordinate system. Its grid is the grid of the results.</source>
      <translation>Quote in metri, in un sistema metrico. La sua griglia è quella dei risultati.</translation>
    </message>
    <message>
      <source>Release areas</source>
      <translation>Zone di distacco</translation>
    </message>
    <message>
      <source>Points, lines or polygons where rocks start. Filters, edits and other coordinate systems are respected.</source>
      <translation>Punti, linee o poligoni da cui partono i blocchi. Filtri, modifiche e altri sistemi di coordinate sono rispettati.</translation>
    </message>
    <message>
      <source>Barriers</source>
      <translation>Barriere</translation>
    </message>
    <message>
      <source>Lines of nets or dams that stop rocks. The run is made with and without them.</source>
      <translation>Linee di reti o rilevati che fermano i blocchi. Si calcola con e senza di essi.</translation>
    </message>
    <message>
      <source>Barrier height</source>
      <translation>Altezza della barriera</translation>
    </message>
    <message>
      <source>Height above the ground of all barriers of the layer.</source>
      <translation>Altezza dal suolo di tutte le opere dello strato.</translation>
    </message>
    <message>
      <source>Barrier capacity</source>
      <translation>Capacità della barriera</translation>
    </message>
    <message>
      <source>Energy the barriers absorb.</source>
      <translation>Energia che le opere assorbono.</translation>
    </message>
    <message>
      <source>Recording lines (roads …)</source>
      <translation>Linee di registrazione (strade …)</translation>
    </message>
    <message>
      <source>Every rock that crosses is recorded: energy, velocity and height. Each line gets a sheet of its own.</source>
      <translation>Ogni blocco che attraversa è registrato: energia, velocità e altezza. Ogni linea ha un foglio proprio.</translation>
    </message>
    <message>
      <source>Objects at risk (houses, roads …)</source>
      <translation>Oggetti a rischio (case, strade …)</translation>
    </message>
    <message>
      <source>Polygons or lines. The run tells for each how often rocks hit it, how hard and how high.</source>
      <translation>Poligoni o linee. Il calcolo dice per ciascuno quanto spesso, con che energia e a che altezza è colpito.</translation>
    </message>
    <message>
      <source>Rock shape</source>
      <translation>Forma del blocco</translation>
    </message>
    <message>
      <source>Natural shapes give every rock a hull of its own; eota_221 is the block of the test standard.</source>
      <translation>Le forme naturali danno a ogni blocco un proprio inviluppo; eota_221 è il blocco della norma di prova.</translation>
    </message>
    <message>
      <source>volume (m³)</source>
      <translation>volume (m³)</translation>
    </message>
    <message>
      <source>mass (kg)</source>
      <translation>massa (kg)</translation>
    </message>
    <message>
      <source>Size is a</source>
      <translation>La dimensione è</translation>
    </message>
    <message>
      <source>Whether sizes are volumes or masses.</source>
      <translation>Se le dimensioni sono volumi o masse.</translation>
    </message>
    <message>
      <source>Rock size</source>
      <translation>Dimensione del blocco</translation>
    </message>
    <message>
      <source>One size for all rocks.</source>
      <translation>Una dimensione per tutti i blocchi.</translation>
    </message>
    <message>
      <source>… or attribute with the size</source>
      <translation>… o attributo con la dimensione</translation>
    </message>
    <message>
      <source>A number in each release area, instead of one size for all.</source>
      <translation>Un numero in ogni area di distacco, invece di una dimensione per tutti.</translation>
    </message>
    <message>
      <source>Attribute with rocks per year</source>
      <translation>Attributo con i blocchi per anno</translation>
    </message>
    <message>
      <source>How many rocks each release area releases a year. Without it, and without scenarios, there are no hazard zones.</source>
      <translation>Quanti blocchi partono all'anno da ogni area. Senza questo e senza scenari non ci sono zone di pericolo.</translation>
    </message>
    <message>
      <source>Rocks per release position</source>
      <translation>Blocchi per posizione di distacco</translation>
    </message>
    <message>
      <source>Each with a random orientation. More rocks make smoother maps.</source>
      <translation>Ognuno con orientamento casuale. Più blocchi danno carte più lisce.</translation>
    </message>
    <message>
      <source>Spacing of release positions (0: every DEM cell)</source>
      <translation>Distanza tra le posizioni di distacco (0: ogni cella)</translation>
    </message>
    <message>
      <source>Distance of positions within polygons and along lines.</source>
      <translation>Distanza delle posizioni nei poligoni e lungo le linee.</translation>
    </message>
    <message>
      <source>Only where steeper than (0: everywhere)</source>
      <translation>Solo dove più ripido di (0: ovunque)</translation>
    </message>
    <message>
      <source>Positions on flatter ground release nothing; the spacing stays as it is.</source>
      <translation>Le posizioni su terreno più piano non rilasciano nulla; la distanza resta.</translation>
    </message>
    <message>
      <source>Random positions per area (0: by spacing)</source>
      <translation>Posizioni casuali per area (0: per distanza)</translation>
    </message>
    <message>
      <source>This many random positions in each release area, instead of a grid.</source>
      <translation>Tante posizioni casuali in ogni area di distacco, invece di una griglia.</translation>
    </message>
    <message>
      <source>Rock density</source>
      <translation>Densità della roccia</translation>
    </message>
    <message>
      <source>Limestone 2650, granite 2700, basalt 2900 kg/m³, say.</source>
      <translation>Ad esempio calcare 2650, granito 2700, basalto 2900 kg/m³.</translation>
    </message>
    <message>
      <source>Release height above ground</source>
      <translation>Altezza di distacco sul suolo</translation>
    </message>
    <message>
      <source>Of the rock's lowest point when it starts to fall.</source>
      <translation>Del punto più basso del blocco quando inizia a cadere.</translation>
    </message>
    <message>
      <source>Point cloud of the rock (.xyz, .csv, .stl, .obj)</source>
      <translation>Nuvola di punti del blocco (.xyz, .csv, .stl, .obj)</translation>
    </message>
    <message>
      <source>A measured block; its convex hull is used instead of the shape above.</source>
      <translation>Un blocco misurato; il suo inviluppo convesso vale invece della forma sopra.</translation>
    </message>
    <message>
      <source>Ground where no polygon says otherwise</source>
      <translation>Suolo dove nessun poligono dice altro</translation>
    </message>
    <message>
      <source>A class of the engine; its numbers stand below and may be changed.</source>
      <translation>Una classe del motore; i suoi numeri stanno sotto e si possono cambiare.</translation>
    </message>
    <message>
      <source>Friction μ min</source>
      <translation>Attrito μ min</translation>
    </message>
    <message>
      <source>Friction when sliding starts.</source>
      <translation>Attrito quando inizia lo scivolamento.</translation>
    </message>
    <message>
      <source>Friction μ max</source>
      <translation>Attrito μ max</translation>
    </message>
    <message>
      <source>Friction after long sliding.</source>
      <translation>Attrito dopo un lungo scivolamento.</translation>
    </message>
    <message>
      <source>Ground polygons</source>
      <translation>Poligoni del suolo</translation>
    </message>
    <message>
      <source>Areas with another ground class.</source>
      <translation>Aree con un'altra classe di suolo.</translation>
    </message>
    <message>
      <source>Ground class attribute</source>
      <translation>Attributo della classe di suolo</translation>
    </message>
    <message>
      <source>Names of classes: extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow.</source>
      <translation>Nomi delle classi: extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow.</translation>
    </message>
    <message>
      <source>Forest where no polygon says otherwise</source>
      <translation>Foresta dove nessun poligono dice altro</translation>
    </message>
    <message>
      <source>Drag</source>
      <translation>Resistenza</translation>
    </message>
    <message>
      <source>How strongly stems and branches brake a rock.</source>
      <translation>Quanto tronchi e rami frenano un blocco.</translation>
    </message>
    <message>
      <source>Height of the trees</source>
      <translation>Altezza degli alberi</translation>
    </message>
    <message>
      <source>Above it rocks fly freely.</source>
      <translation>Al di sopra i blocchi volano liberi.</translation>
    </message>
    <message>
      <source>Forest polygons</source>
      <translation>Poligoni della foresta</translation>
    </message>
    <message>
      <source>Areas with another forest class.</source>
      <translation>Aree con un'altra classe di bosco.</translation>
    </message>
    <message>
      <source>Forest class attribute</source>
      <translation>Attributo della classe di foresta</translation>
    </message>
    <message>
      <source>Names of classes: open, medium, dense.</source>
      <translation>Nomi delle classi: open, medium, dense.</translation>
    </message>
    <message>
      <source>β, how fast friction recovers</source>
      <translation>β, rapidità di recupero dell'attrito</translation>
    </message>
    <message>
      <source>After the contact has ended.</source>
      <translation>Dopo la fine del contatto.</translation>
    </message>
    <message>
      <source>κ, how fast friction grows</source>
      <translation>κ, rapidità di crescita dell'attrito</translation>
    </message>
    <message>
      <source>With the sliding path.</source>
      <translation>Con il percorso di scivolamento.</translation>
    </message>
    <message>
      <source>Roughness of the ground (0: the class's)</source>
      <translation>Rugosità del suolo (0: quella della classe)</translation>
    </message>
    <message>
      <source>Standard deviation of heights that the terrain model leaves out. Rocks meet it, maps refer to the model.</source>
      <translation>Scarto tipo delle quote che il modello del terreno tralascia. I blocchi la incontrano, le carte si riferiscono al modello.</translation>
    </message>
    <message>
      <source>Length of the roughness</source>
      <translation>Lunghezza della rugosità</translation>
    </message>
    <message>
      <source>Distance over which its heights become independent.</source>
      <translation>Distanza su cui le sue quote diventano indipendenti.</translation>
    </message>
    <message>
      <source>Soil strength Me (0: the class's)</source>
      <translation>Resistenza del suolo Me (0: quella della classe)</translation>
    </message>
    <message>
      <source>Compactable soil: rocks leave scars and lose energy.</source>
      <translation>Suolo compattabile: i blocchi lasciano tracce e perdono energia.</translation>
    </message>
    <message>
      <source>Scarring drag coefficient</source>
      <translation>Coefficiente di resistenza delle tracce</translation>
    </message>
    <message>
      <source>Of compactable soil.</source>
      <translation>Di un suolo compattabile.</translation>
    </message>
    <message>
      <source>Title</source>
      <translation>Titolo</translation>
    </message>
    <message>
      <source>On the report and on maps.</source>
      <translation>Sul rapporto e sulle carte.</translation>
    </message>
    <message>
      <source>Hazard classification</source>
      <translation>Classificazione del pericolo</translation>
    </message>
    <message>
      <source>Intensity and hazard zones of the run; other schemes can be applied later with Classify.</source>
      <translation>Intensità e zone di pericolo del calcolo; altri schemi si possono applicare più tardi con Classifica.</translation>
    </message>
    <message>
      <source>Folder of the runs</source>
      <translation>Cartella dei calcoli</translation>
    </message>
    <message>
      <source>Every run gets a new folder in it. Empty: couloir_runs beside the QGIS project.</source>
      <translation>Ogni calcolo vi riceve una nuova cartella. Vuoto: couloir_runs accanto al progetto QGIS.</translation>
    </message>
    <message>
      <source>Seed</source>
      <translation>Seme</translation>
    </message>
    <message>
      <source>The same seed gives the same rocks.</source>
      <translation>Lo stesso seme dà gli stessi blocchi.</translation>
    </message>
    <message>
      <source>Points for animation every (0: none)</source>
      <translation>Punti per l'animazione ogni (0: nessuno)</translation>
    </message>
    <message>
      <source>Positions of rocks in time, for the time slider and for profiles.</source>
      <translation>Posizioni dei blocchi nel tempo, per il cursore temporale e i profili.</translation>
    </message>
    <message>
      <source>Time step</source>
      <translation>Passo di tempo</translation>
    </message>
    <message>
      <source>Smaller is slower; 0.002 s is tested.</source>
      <translation>Più piccolo è più lento; 0.002 s è provato.</translation>
    </message>
    <message>
      <source>Stands on the report and on the map sheet.</source>
      <translation>Sta sul rapporto e sulla carta.</translation>
    </message>
    <message>
      <source>Plan number</source>
      <translation>Numero del piano</translation>
    </message>
    <message>
      <source>Mosaics, clips, reprojects and mends elevation models, aligns ground, forest and other layers to their grid and writes a folder that is ready to run.

DEMs may be tiles in different coordinate reference systems (CRS), also in degrees; where they overlap, the first one counts. The area is a polygon layer or an extent; the run-out buffer (m) is added around it. Without a target CRS the DEM's own is kept if it is in metres, else the local UTM zone is taken.

Ground and forest polygons need an attribute with the class: ground extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow; forest open, medium, dense.</source>
      <translation>Mosaica, ritaglia, riproietta e ripara modelli di elevazione, allinea suolo, foresta e altri layer alla loro griglia e scrive una cartella pronta per il calcolo.

I DEM possono essere tasselli in diversi sistemi di riferimento (SR), anche in gradi; dove si sovrappongono vale il primo. L'area è un layer di poligoni o un'estensione; il margine di propagazione (m) è aggiunto intorno. Senza SR di destinazione resta quello del DEM se metrico, altrimenti la zona UTM locale.

I poligoni di suolo e foresta richiedono un attributo con la classe: suolo extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow; foresta open, medium, dense.</translation>
    </message>
    <message>
      <source>Find release areas</source>
      <translation>Trovare le zone di distacco</translation>
    </message>
    <message>
      <source>Polygons where the DEM is steeper than a threshold (°): a first guess at cliffs that release rocks, to be checked in the field. The threshold depends on the cell size: on a coarse DEM cliffs look flatter (about 55° at 1 m, 49° at 5 m, 46° at 10 m).

With geology polygons only what lies in them counts: filter or select the rock units that release rocks. Areas smaller than the smallest area (m²) are dropped and holes smaller than it are closed. Each polygon gets its area (m²) and its mean and largest slope (°).</source>
      <translation>Poligoni dove il DEM è più ripido di una soglia (°): una prima ipotesi sulle pareti, da verificare sul terreno. La soglia dipende dalla cella: su un DEM grossolano le pareti appaiono meno ripide (circa 55° a 1 m, 49° a 5 m, 46° a 10 m).

Con poligoni geologici conta solo ciò che vi si trova: filtrare o selezionare le rocce interessate. Le aree minori dell'area minima (m²) sono scartate, i fori più piccoli chiusi. Ogni poligono riceve area (m²), pendenza media e massima (°).</translation>
    </message>
    <message>
      <source>Run rockfall simulation</source>
      <translation>Simulare la caduta sassi</translation>
    </message>
    <message>
      <source>Releases rocks on a DEM, follows each down the slope and maps passages, reach, kinetic energy (kJ), velocity (m/s) and jump height (m) per cell.

Give a project file (everything else is then ignored except the output folder and the seed), or layers: a DEM in a metric CRS and release points, lines or polygons. Any layer works, also filtered, joined or in another CRS; “selected features only” is respected.

Rock size is a volume (m³) or a mass (kg), one for all or an attribute of the release layer. With a classification scheme and a frequency attribute (rocks per year from each feature), hazard zones are mapped too.

The output folder must be new or empty. It holds the inputs as used, the project file and the run: it can be passed on and repeated.</source>
      <translation>Fa partire blocchi su un DTM, segue ognuno lungo il pendio e mappa passaggi, portata, energia cinetica (kJ), velocità (m/s) e altezza di salto (m) per cella.

Date un file di progetto (tutto il resto è allora ignorato, salvo la cartella di uscita e il seme), o strati: un DTM in un SR metrico e punti, linee o poligoni di distacco. Ogni strato va bene, anche filtrato, unito o in un altro SR; «solo elementi selezionati» è rispettato.

La dimensione è un volume (m³) o una massa (kg), una per tutti o un attributo dello strato di distacco. Con uno schema di classificazione e un attributo di frequenza (blocchi all'anno da ogni elemento) si mappano anche zone di pericolo.

La cartella di uscita dev'essere nuova o vuota. Contiene i dati usati, il file di progetto e il calcolo: si può passare ad altri e ripetere.</translation>
    </message>
    <message>
      <source>Classify hazard</source>
      <translation>Classificare il pericolo</translation>
    </message>
    <message>
      <source>Intensity maps and hazard zones from a finished run, without running it again. Zones need release frequencies (rocks per year) or return periods of the scenarios: reach alone is not a return period. Choose a built-in scheme or a YAML file of your own with limits, return periods and matrix.

The return period of a cell is that of each scenario that reaches it, or comes from the yearly passages of rocks. Years of scenarios may be given here, and cells that hardly any rock reaches may be left out.</source>
      <translation>Carte di intensità e zone di pericolo di un calcolo finito, senza rifarlo. Le zone richiedono frequenze di distacco (blocchi all'anno) o tempi di ritorno degli scenari: la sola portata non è un tempo di ritorno. Scegliete uno schema incorporato o un vostro file YAML con limiti, tempi di ritorno e matrice.

Il tempo di ritorno di una cella è quello di ogni scenario che la raggiunge, o viene dai passaggi annui. Gli anni degli scenari si possono dare qui, e le celle che quasi nessun blocco raggiunge si possono tralasciare.</translation>
    </message>
    <message>
      <source>Barrier report</source>
      <translation>Relazione sulle barriere</translation>
    </message>
    <message>
      <source>A sheet per recording line or barrier of a finished run: rocks and crossings, energy (kJ) and height (m) quantiles, the design values with every partial factor, the class of the net, and histograms.

To try a line that the run did not record, give it as a layer (drawn in QGIS, selected, filtered …): the run's project is run again with this line added, into a folder of its own, with the same seed and so the same rocks. With a height (m) and a capacity (kJ) the line acts as a barrier, and the sheet shows what it held.

The new folder holds the inputs, the project file with the line and the run; the earlier run stays as it is.</source>
      <translation>Una scheda per ogni linea di registrazione o barriera di un calcolo concluso: blocchi e passaggi, quantili di energia (kJ) e altezza (m), valori di progetto con tutti i coefficienti parziali, classe della rete e istogrammi.

Per provare una linea che il calcolo non ha registrato, indicarla come layer (disegnata in QGIS, selezionata, filtrata …): il progetto viene ricalcolato con questa linea, in una cartella propria, con lo stesso seme e quindi con gli stessi blocchi. Con altezza (m) e capacità (kJ) la linea agisce come barriera e la scheda mostra che cosa ha trattenuto.

La nuova cartella contiene gli ingressi, il file di progetto con la linea e il calcolo; il calcolo precedente resta com'è.</translation>
    </message>
    <message>
      <source>Merge runs</source>
      <translation>Unire calcoli</translation>
    </message>
    <message>
      <source>Joins the parts of a run that were computed separately (couloir run --shard i/n, on several machines say) into the very run that one machine would have made. Parts of other projects, seeds or engine versions are refused. Name any file of each part's folder, or the folder itself.</source>
      <translation>Unisce le parti di un calcolo eseguite separatamente (couloir run --shard i/n, ad esempio su più macchine) esattamente nel calcolo che una sola macchina avrebbe fatto. Parti di altri progetti, semi o versioni sono rifiutate. Indicare un file di ogni parte o la sua cartella.</translation>
    </message>
    <message>
      <source>Compare runs</source>
      <translation>Confrontare calcoli</translation>
    </message>
    <message>
      <source>What changed from a first run (A) to a second one (B): a map B − A for every map both have, with its unit and a diverging scale centred on zero, and a page with the key figures side by side and the parameters that differ.

Where only one run has rocks, the other counts as 0. Both runs must have the same cells; their areas may differ.</source>
      <translation>Che cosa è cambiato da un primo calcolo (A) a un secondo (B): una carta B − A per ogni carta comune, con unità e scala divergente centrata sullo zero, e una pagina con le cifre chiave affiancate e i parametri che differiscono.

Dove solo un calcolo ha blocchi, l'altro vale 0. Entrambi i calcoli devono avere le stesse celle; le aree possono differire.</translation>
    </message>
    <message>
      <source>Compare with observations</source>
      <translation>Confrontare con osservazioni</translation>
    </message>
    <message>
      <source>Run-out, lateral spread, deposits, largest values and passages at lines of a finished run against what was observed, with the difference that chance alone would give; a page, its numbers as JSON, and drawings.

Observations are points where rocks ended (mapped blocks of an event, say), or a CSV table with a row for each rock: runout_m, x_m, y_m, jump_max_m, velocity_max_m_s, energy_max_kj … Rocks that left the terrain count as at least as far.</source>
      <translation>Distanza percorsa, dispersione laterale, depositi, valori massimi e passaggi alle linee di un calcolo finito a confronto con quanto osservato, con la differenza che darebbe il solo caso; una pagina, i suoi numeri in JSON e disegni.

Le osservazioni sono punti d’arresto di blocchi (per esempio blocchi rilevati di un evento) o una tabella CSV con una riga per blocco: runout_m, x_m, y_m, jump_max_m, velocity_max_m_s, energy_max_kj … I blocchi usciti dal terreno contano come almeno così lontani.</translation>
    </message>
    <message>
      <source>Trajectory profile</source>
      <translation>Profilo delle traiettorie</translation>
    </message>
    <message>
      <source>Kinetic energy (kJ), velocity (m/s) and jump height (m) against the horizontal distance (m) along one or many trajectories, as a page with plots and as a table. The input are the point records of a run (“Points along trajectories every … s”); select rocks in the map and tick “selected features only”, or filter the layer by id.</source>
      <translation>Energia cinetica (kJ), velocità (m/s) e altezza di rimbalzo (m) lungo la distanza orizzontale (m) di una o più traiettorie, come pagina di grafici e come tabella. L'ingresso sono i punti di un calcolo («Punti lungo le traiettorie ogni … s»); selezionare blocchi e spuntare «solo elementi selezionati», o filtrare il layer per id.</translation>
    </message>
    <message>
      <source>Create hazard map layout</source>
      <translation>Creare la carta di pericolo</translation>
    </message>
    <message>
      <source>Composes a print layout: the map over a hillshade or a base layer of yours, locator map, title block, legend with units, scale bar, north arrow, coordinate grid, the coordinate reference system, a line on the origin of the result (engine version, seed, project hash), what the run warned of, and pages with its parameters.

The layout stays in the QGIS project (Project ▸ Layouts), to be changed by hand; PDF and PNG are written if files are named. With a polygon layer as map areas the map shows them all; tick “one map per area” to get an atlas. A template of your office (.qpt) may have the same item names as the built-in ones.

Without a map layer of your choice the run's hazard zones are shown, or the kinetic energy if it has none.</source>
      <translation>Compone un layout di stampa: la carta su un ombreggio o uno strato di base vostro, carta d'insieme, cartiglio, legenda con unità, scala, freccia del nord, griglia delle coordinate, il sistema di coordinate, una riga sull'origine (versione, seme, impronta del progetto), gli avvisi del calcolo e pagine con i suoi parametri.

Il layout resta nel progetto QGIS (Progetto ▸ Layout) e si può cambiare a mano; PDF e PNG si scrivono se si nominano file. Con uno strato di poligoni come aree la carta le mostra tutte; spuntate «una carta per area» per un atlante. Un modello del vostro ufficio (.qpt) può avere gli stessi nomi degli elementi di quelli incorporati.

Senza uno strato a scelta si mostrano le zone di pericolo del calcolo, o l'energia cinetica se non ne ha.</translation>
    </message>
    <message>
      <source>Elevation model (one or several)</source>
      <translation>Modello di elevazione (uno o più)</translation>
    </message>
    <message>
      <source>CRS of DEMs that do not say theirs</source>
      <translation>SR dei DEM che non indicano il proprio</translation>
    </message>
    <message>
      <source>Area polygon</source>
      <translation>Poligono dell'area</translation>
    </message>
    <message>
      <source>… or extent</source>
      <translation>… o estensione</translation>
    </message>
    <message>
      <source>Run-out buffer (m)</source>
      <translation>Margine di propagazione (m)</translation>
    </message>
    <message>
      <source>Target CRS (metric)</source>
      <translation>SR di destinazione (metrico)</translation>
    </message>
    <message>
      <source>Cell size (m)</source>
      <translation>Dimensione della cella (m)</translation>
    </message>
    <message>
      <source>Fill nodata holes up to (cells, or metres as 20m)</source>
      <translation>Riempire i vuoti fino a (celle, o metri: 20m)</translation>
    </message>
    <message>
      <source>What codes mean, e.g. ground:1=hard,2=soft</source>
      <translation>Significato dei codici, es. ground:1=hard,2=soft</translation>
    </message>
    <message>
      <source>Parameter rasters, each named like its parameter (mu_min, mu_max, …)</source>
      <translation>Raster di parametri, chiamati come il parametro (mu_min, mu_max, …)</translation>
    </message>
    <message>
      <source>Polygons with parameters</source>
      <translation>Poligoni con parametri</translation>
    </message>
    <message>
      <source>Attributes to use, each named like its parameter (mu_min, height_m, …)</source>
      <translation>Attributi da usare, ciascuno con il nome del suo parametro (mu_min, height_m, …)</translation>
    </message>
    <message>
      <source>Project folder</source>
      <translation>Cartella del progetto</translation>
    </message>
    <message>
      <source>Project file</source>
      <translation>File di progetto</translation>
    </message>
    <message>
      <source>Steeper than (°)</source>
      <translation>Più ripido di (°)</translation>
    </message>
    <message>
      <source>Smallest area (m²)</source>
      <translation>Area minima (m²)</translation>
    </message>
    <message>
      <source>Only in these geology polygons</source>
      <translation>Solo in questi poligoni geologici</translation>
    </message>
    <message>
      <source>Smooth outlines by up to (m)</source>
      <translation>Smussare i contorni fino a (m)</translation>
    </message>
    <message>
      <source>Instead of layers.</source>
      <translation>Al posto di strati.</translation>
    </message>
    <message>
      <source>Seed (empty: the project's, or 1)</source>
      <translation>Seme (vuoto: quello del progetto, o 1)</translation>
    </message>
    <message>
      <source>Only this many rocks, for a quick look</source>
      <translation>Solo tanti blocchi, per uno sguardo rapido</translation>
    </message>
    <message>
      <source>Spread evenly over all releases; not a result to hand in.</source>
      <translation>Distribuiti su tutti i distacchi; non un risultato da consegnare.</translation>
    </message>
    <message>
      <source>the useful dozen</source>
      <translation>la dozzina utile</translation>
    </message>
    <message>
      <source>everything</source>
      <translation>tutto</translation>
    </message>
    <message>
      <source>Maps to write</source>
      <translation>Carte da scrivere</translation>
    </message>
    <message>
      <source>Formats of the trajectories</source>
      <translation>Formati delle traiettorie</translation>
    </message>
    <message>
      <source>Replace an earlier run in the output folder</source>
      <translation>Sostituire un calcolo precedente nella cartella di uscita</translation>
    </message>
    <message>
      <source>Only a run that this plugin made there; the inputs go beside the earlier ones.</source>
      <translation>Solo un calcolo che questo plugin vi ha fatto; i dati vanno accanto ai precedenti.</translation>
    </message>
    <message>
      <source>Load and style the results</source>
      <translation>Caricare i risultati con stile</translation>
    </message>
    <message>
      <source>Output folder</source>
      <translation>Cartella di uscita</translation>
    </message>
    <message>
      <source>Run folder</source>
      <translation>Cartella del calcolo</translation>
    </message>
    <message>
      <source>Scheme</source>
      <translation>Schema</translation>
    </message>
    <message>
      <source>… or a scheme of your own</source>
      <translation>… o uno schema proprio</translation>
    </message>
    <message>
      <source>as the scheme says</source>
      <translation>come dice lo schema</translation>
    </message>
    <message>
      <source>of each scenario</source>
      <translation>quello di ogni scenario</translation>
    </message>
    <message>
      <source>from yearly passages</source>
      <translation>dai passaggi annui</translation>
    </message>
    <message>
      <source>Return period</source>
      <translation>Tempo di ritorno</translation>
    </message>
    <message>
      <source>Years of scenarios, e.g. rare=300; frequent=30</source>
      <translation>Anni degli scenari, ad es. raro=300; frequente=30</translation>
    </message>
    <message>
      <source>Without an entry a scenario counts as often as its releases say.</source>
      <translation>Senza indicazione uno scenario conta quanto dicono i suoi distacchi.</translation>
    </message>
    <message>
      <source>Leave out cells reached by less than this share of rocks (0–1)</source>
      <translation>Tralasciare le celle raggiunte da meno di questa quota di blocchi (0–1)</translation>
    </message>
    <message>
      <source>0.001: one rock in a thousand. Empty: as the scheme says.</source>
      <translation>0.001: un blocco su mille. Vuoto: come dice lo schema.</translation>
    </message>
    <message>
      <source>Quantile of the energy (0–1)</source>
      <translation>Quantile dell'energia (0–1)</translation>
    </message>
    <message>
      <source>Classification folder</source>
      <translation>Cartella della classificazione</translation>
    </message>
    <message>
      <source>A new line to record</source>
      <translation>Nuova linea da registrare</translation>
    </message>
    <message>
      <source>Name of the new line</source>
      <translation>Nome della nuova linea</translation>
    </message>
    <message>
      <source>Folder for the new run</source>
      <translation>Cartella del nuovo calcolo</translation>
    </message>
    <message>
      <source>Height of the new barrier (m)</source>
      <translation>Altezza della nuova barriera (m)</translation>
    </message>
    <message>
      <source>Capacity of the new barrier (kJ)</source>
      <translation>Capacità della nuova barriera (kJ)</translation>
    </message>
    <message>
      <source>Barrier sheet</source>
      <translation>Scheda della barriera</translation>
    </message>
    <message>
      <source>New run</source>
      <translation>Nuovo calcolo</translation>
    </message>
    <message>
      <source>Parts</source>
      <translation>Parti</translation>
    </message>
    <message>
      <source>First run (A)</source>
      <translation>Primo calcolo (A)</translation>
    </message>
    <message>
      <source>Second run (B)</source>
      <translation>Secondo calcolo (B)</translation>
    </message>
    <message>
      <source>Folder for the comparison</source>
      <translation>Cartella del confronto</translation>
    </message>
    <message>
      <source>Page with tables</source>
      <translation>Pagina con tabelle</translation>
    </message>
    <message>
      <source>Observed end points</source>
      <translation>Punti d’arresto osservati</translation>
    </message>
    <message>
      <source>… or a table of observations</source>
      <translation>… o una tabella di osservazioni</translation>
    </message>
    <message>
      <source>Also compare by this attribute</source>
      <translation>Confrontare anche per questo attributo</translation>
    </message>
    <message>
      <source>Direction of the run-out (degrees from north)</source>
      <translation>Direzione della distanza (gradi da nord)</translation>
    </message>
    <message>
      <source>With barriers acting</source>
      <translation>Con le opere di protezione</translation>
    </message>
    <message>
      <source>Points along trajectories</source>
      <translation>Punti lungo le traiettorie</translation>
    </message>
    <message>
      <source>At most this many trajectories</source>
      <translation>Al massimo tante traiettorie</translation>
    </message>
    <message>
      <source>Plot</source>
      <translation>Grafico</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>Tabella</translation>
    </message>
    <message>
      <source>hazard zones (else kinetic energy)</source>
      <translation>zone di pericolo (altrimenti energia cinetica)</translation>
    </message>
    <message>
      <source>intensity</source>
      <translation>intensità</translation>
    </message>
    <message>
      <source>kinetic energy</source>
      <translation>energia cinetica</translation>
    </message>
    <message>
      <source>reach probability</source>
      <translation>probabilità di raggiungimento</translation>
    </message>
    <message>
      <source>jump height</source>
      <translation>altezza di rimbalzo</translation>
    </message>
    <message>
      <source>velocity</source>
      <translation>velocità</translation>
    </message>
    <message>
      <source>What to map</source>
      <translation>Tema della carta</translation>
    </message>
    <message>
      <source>… or a layer of your choice</source>
      <translation>… o un layer a scelta</translation>
    </message>
    <message>
      <source>Another DEM for the hillshade</source>
      <translation>Altro DTM per l'ombreggiatura</translation>
    </message>
    <message>
      <source>Base layer instead of the hillshade</source>
      <translation>Sfondo al posto dell'ombreggiatura</translation>
    </message>
    <message>
      <source>More layers on top</source>
      <translation>Altri layer in primo piano</translation>
    </message>
    <message>
      <source>Paper</source>
      <translation>Carta</translation>
    </message>
    <message>
      <source>landscape</source>
      <translation>orizzontale</translation>
    </message>
    <message>
      <source>portrait</source>
      <translation>verticale</translation>
    </message>
    <message>
      <source>Orientation</source>
      <translation>Orientamento</translation>
    </message>
    <message>
      <source>as the run says</source>
      <translation>come dice il calcolo</translation>
    </message>
    <message>
      <source>Project</source>
      <translation>Progetto</translation>
    </message>
    <message>
      <source>Date (empty: today)</source>
      <translation>Data (vuoto: oggi)</translation>
    </message>
    <message>
      <source>Logo</source>
      <translation>Logo</translation>
    </message>
    <message>
      <source>Pictures (*.svg *.png *.jpg *.jpeg)</source>
      <translation>Immagini (*.svg *.png *.jpg *.jpeg)</translation>
    </message>
    <message>
      <source>Map areas</source>
      <translation>Aree delle carte</translation>
    </message>
    <message>
      <source>One map per area (atlas)</source>
      <translation>Una carta per area (atlante)</translation>
    </message>
    <message>
      <source>Attribute with the area's name</source>
      <translation>Attributo con il nome dell'area</translation>
    </message>
    <message>
      <source>Remarks (data sources …)</source>
      <translation>Osservazioni (fonti dei dati …)</translation>
    </message>
    <message>
      <source>Template of your office</source>
      <translation>Modello del vostro ufficio</translation>
    </message>
    <message>
      <source>Resolution (dpi)</source>
      <translation>Risoluzione (dpi)</translation>
    </message>
    <message>
      <source>Name of the layout</source>
      <translation>Nome del layout</translation>
    </message>
  </context>
</TS>
