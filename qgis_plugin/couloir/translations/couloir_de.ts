<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de" sourcelanguage="en">
  <context>
    <name>Couloir</name>
    <message>
      <source>planned barrier</source>
      <translation>geplante Barriere</translation>
    </message>
    <message>
      <source>Choose a folder for the new run.</source>
      <translation>Wählen Sie einen Ordner für den neuen Lauf.</translation>
    </message>
    <message>
      <source>A barrier needs both a height and a capacity; without both the line is only recorded.</source>
      <translation>Eine Barriere braucht Höhe und Kapazität; ohne beide wird die Linie nur aufgezeichnet.</translation>
    </message>
    <message>
      <source>“{}” recorded no lines or barriers. Give a line layer to record.</source>
      <translation>„{}“ hat keine Linien oder Barrieren aufgezeichnet. Geben Sie einen Linienlayer an.</translation>
    </message>
    <message>
      <source>“{}” has changed since the run; the rocks may fall otherwise.</source>
      <translation>„{}“ hat sich seit dem Lauf geändert; die Steine können anders fallen.</translation>
    </message>
    <message>
      <source>Cancelled.</source>
      <translation>Abgebrochen.</translation>
    </message>
    <message>
      <source>Engine {} ({}), from {}</source>
      <translation>Rechenkern {} ({}), aus: {}</translation>
    </message>
    <message>
      <source>Engine log:</source>
      <translation>Protokoll des Rechenkerns:</translation>
    </message>
    <message>
      <source>“{}”: write a scenario and its years as name=300.</source>
      <translation>«{}»: schreiben Sie ein Szenario und seine Jahre als Name=300.</translation>
    </message>
    <message>
      <source>Comparison: {} → {}</source>
      <translation>Vergleich: {} → {}</translation>
    </message>
    <message>
      <source>“{}” holds no such map; choose another one, or classify the run first.</source>
      <translation>„{}“ enthält keine solche Karte; wählen Sie eine andere oder klassieren Sie den Lauf zuerst.</translation>
    </message>
    <message>
      <source>Hillshade</source>
      <translation>Schummerung</translation>
    </message>
    <message>
      <source>“{}” could not be written. Is it open in another program, or the disk full?</source>
      <translation>„{}“ konnte nicht geschrieben werden. Ist die Datei in einem anderen Programm offen oder die Platte voll?</translation>
    </message>
    <message>
      <source>The run's DEM was not found: the map has no hillshade. Name a DEM or a base layer.</source>
      <translation>Das DEM des Laufs wurde nicht gefunden: Die Karte hat keine Schummerung. Nennen Sie ein DEM oder einen Hintergrund.</translation>
    </message>
    <message>
      <source>Plan</source>
      <translation>Plan</translation>
    </message>
    <message>
      <source>Client</source>
      <translation>Auftraggeber</translation>
    </message>
    <message>
      <source>Office</source>
      <translation>Büro</translation>
    </message>
    <message>
      <source>Author</source>
      <translation>Verfasser</translation>
    </message>
    <message>
      <source>Date</source>
      <translation>Datum</translation>
    </message>
    <message>
      <source>Status</source>
      <translation>Stand</translation>
    </message>
    <message>
      <source>DRAFT</source>
      <translation>ENTWURF</translation>
    </message>
    <message>
      <source>Parameters: next page.</source>
      <translation>Parameter: nächste Seite.</translation>
    </message>
    <message>
      <source>Simulated with Couloir {version} ({revision}), seed {seed}, {rocks} rocks{variant}, {when}; project {file}, SHA-256 {hash}.</source>
      <translation>Simuliert mit Couloir {version} ({revision}), Startwert {seed}, {rocks} Steine{variant}, {when}; Projekt {file}, SHA-256 {hash}.</translation>
    </message>
    <message>
      <source>final</source>
      <translation>definitiv</translation>
    </message>
    <message>
      <source>draft</source>
      <translation>Entwurf</translation>
    </message>
    <message>
      <source>Rockfall: {}</source>
      <translation>Steinschlag: {}</translation>
    </message>
    <message>
      <source>Coordinates: {} ({})</source>
      <translation>Koordinaten: {} ({})</translation>
    </message>
    <message>
      <source>Scale</source>
      <translation>Massstab</translation>
    </message>
    <message>
      <source>{} more warnings: see the parameter pages.</source>
      <translation>{} weitere Warnungen: siehe Parameterseiten.</translation>
    </message>
    <message>
      <source>“{}” is empty: there is nothing to map.</source>
      <translation>„{}“ ist leer: Es gibt nichts zu zeigen.</translation>
    </message>
    <message>
      <source>Name at least two parts.</source>
      <translation>Nennen Sie mindestens zwei Teile.</translation>
    </message>
    <message>
      <source>Web page (*.html)</source>
      <translation>Webseite (*.html)</translation>
    </message>
    <message>
      <source>“{}” is not a raster layer.</source>
      <translation>„{}“ ist kein Rasterlayer.</translation>
    </message>
    <message>
      <source>The DEM “{}” has no CRS. Say it in “CRS of DEMs that do not say theirs”.</source>
      <translation>Das DEM „{}“ hat kein KBS. Nennen Sie es unter „KBS von DEM, die ihres nicht nennen“.</translation>
    </message>
    <message>
      <source>Choose the attribute that holds the class of “{}”.</source>
      <translation>Wählen Sie das Attribut mit der Klasse von „{}“.</translation>
    </message>
    <message>
      <source>Choose the attributes of “{}” to use.</source>
      <translation>Wählen Sie die zu verwendenden Attribute von „{}“.</translation>
    </message>
    <message>
      <source>{} release areas found.</source>
      <translation>{} Ausbruchgebiete gefunden.</translation>
    </message>
    <message>
      <source>Give a project file, or a DEM and release areas.</source>
      <translation>Geben Sie eine Projektdatei an, oder ein DEM und Ausbruchgebiete.</translation>
    </message>
    <message>
      <source>Give observations: either a layer of points or a table.</source>
      <translation>Beobachtungen angeben: entweder ein Punktlayer oder eine Tabelle.</translation>
    </message>
    <message>
      <source>Executable of the engine, or its folder (empty: found in the QGIS profile or on PATH)</source>
      <translation>Programm des Rechenkerns oder sein Ordner (leer: im QGIS-Profil oder PATH gefunden)</translation>
    </message>
    <message>
      <source>Archive (.tar.gz, .zip) or wheel (.whl) of a release, or the folder of an unpacked one. Nothing is downloaded: get the file and its SHA256SUMS or versions.json from the page of releases and keep them side by side, so that it can be checked.</source>
      <translation>Archiv (.tar.gz, .zip) oder Wheel (.whl) einer Ausgabe, oder der Ordner einer entpackten. Nichts wird heruntergeladen: holen Sie die Datei und ihre SHA256SUMS oder versions.json von der Seite der Ausgaben und legen Sie sie nebeneinander, damit sie geprüft werden kann.</translation>
    </message>
    <message>
      <source>Go back to the engine that was installed before</source>
      <translation>Zurück zum vorher installierten Rechenkern</translation>
    </message>
    <message>
      <source>Install engine…</source>
      <translation>Rechenkern installieren…</translation>
    </message>
    <message>
      <source>Engine location…</source>
      <translation>Ort des Rechenkerns…</translation>
    </message>
    <message>
      <source>Releases on the web…</source>
      <translation>Ausgaben im Netz…</translation>
    </message>
    <message>
      <source>Couloir engine</source>
      <translation>Rechenkern von Couloir</translation>
    </message>
    <message>
      <source>Prepare project area…</source>
      <translation>Projektgebiet vorbereiten…</translation>
    </message>
    <message>
      <source>Couloir's simulation engine is a separate program. Download it from the page of releases, then choose the file with Plugins ▸ Couloir ▸ Install engine…; or name an executable, or its folder, with Plugins ▸ Couloir ▸ Engine location…</source>
      <translation>Der Rechenkern von Couloir ist ein eigenes Programm. Laden Sie ihn von der Seite der Ausgaben herunter und wählen Sie die Datei mit Erweiterungen ▸ Couloir ▸ Rechenkern installieren…; oder nennen Sie ein Programm oder seinen Ordner mit Erweiterungen ▸ Couloir ▸ Ort des Rechenkerns…</translation>
    </message>
    <message>
      <source>The engine “{}” is version {}; this plugin needs {} or newer. Update the engine.</source>
      <translation>Der Rechenkern „{}“ hat Version {}; dieses Plugin braucht {} oder neuer. Erneuern Sie den Rechenkern.</translation>
    </message>
    <message>
      <source>The engine “{}” is version {}, newer than this plugin understands. Update the plugin.</source>
      <translation>Der Rechenkern „{}“ hat Version {}, neuer als dieses Plugin versteht. Erneuern Sie das Plugin.</translation>
    </message>
    <message>
      <source>The engine met an internal error. Please report it with the log below.</source>
      <translation>Interner Fehler des Rechenkerns. Bitte melden Sie ihn mit dem Protokoll unten.</translation>
    </message>
    <message>
      <source>The engine set in the options, “{}”, does not exist or holds no “{}”.</source>
      <translation>Der eingestellte Rechenkern „{}“ existiert nicht oder enthält kein „{}“.</translation>
    </message>
    <message>
      <source>options</source>
      <translation>Einstellungen</translation>
    </message>
    <message>
      <source>QGIS profile</source>
      <translation>QGIS-Profil</translation>
    </message>
    <message>
      <source>a library (DLL) is missing</source>
      <translation>eine Bibliothek (DLL) fehlt</translation>
    </message>
    <message>
      <source>The engine stopped unexpectedly (it crashed or was killed).</source>
      <translation>Der Rechenkern hat unerwartet aufgehört (abgestürzt oder beendet).</translation>
    </message>
    <message>
      <source>The engine ended with code {} and no message.</source>
      <translation>Der Rechenkern endete mit Code {} und ohne Meldung.</translation>
    </message>
    <message>
      <source>No Couloir engine was found.</source>
      <translation>Es wurde kein Rechenkern von Couloir gefunden.</translation>
    </message>
    <message>
      <source>The engine gave no answer that can be read.</source>
      <translation>Der Rechenkern gab keine lesbare Antwort.</translation>
    </message>
    <message>
      <source>, {:.1f} rocks/s</source>
      <translation>, {:.1f} Steine/s</translation>
    </message>
    <message>
      <source>“{}” cannot be started: {}. Is it built for this system?</source>
      <translation>„{}“ kann nicht gestartet werden: {}. Ist es für dieses System gebaut?</translation>
    </message>
    <message>
      <source>“{}” does not answer: it is not the Couloir engine.</source>
      <translation>„{}“ antwortet nicht: Es ist nicht der Rechenkern von Couloir.</translation>
    </message>
    <message>
      <source>“{}” does not run on this system: {}.</source>
      <translation>„{}“ läuft auf diesem System nicht: {}.</translation>
    </message>
    <message>
      <source>“{}” is not the Couloir engine: asked for its version it said “{}”.</source>
      <translation>„{}“ ist nicht der Rechenkern von Couloir: Nach der Version gefragt, sagte es „{}“.</translation>
    </message>
    <message>
      <source>The engine could not be started: {}.</source>
      <translation>Der Rechenkern konnte nicht gestartet werden: {}.</translation>
    </message>
    <message>
      <source>, {} left</source>
      <translation>, noch {}</translation>
    </message>
    <message>
      <source>The plugin met an internal error ({}); please report it with the log panel's “Couloir” tab.</source>
      <translation>Interner Fehler des Plugins ({}); bitte melden, mit dem Reiter „Couloir“ des Protokollfensters.</translation>
    </message>
    <message>
      <source>“{}”: {}. Check the path, free space and permissions.</source>
      <translation>«{}»: {}. Prüfen Sie Pfad, freien Platz und Rechte.</translation>
    </message>
    <message>
      <source>The DEM “{}” is not valid: its file may have moved.</source>
      <translation>Das DEM „{}“ ist ungültig: Seine Datei ist vielleicht verschoben.</translation>
    </message>
    <message>
      <source>“{}” is a picture, not a raster of heights. Choose a DEM.</source>
      <translation>„{}“ ist ein Bild, kein Raster von Höhen. Wählen Sie ein DEM.</translation>
    </message>
    <message>
      <source>The DEM “{}” has no coordinate reference system. Set it in the layer's properties, or say it in “Prepare project area”.</source>
      <translation>Das DEM „{}“ hat kein Koordinatensystem. Setzen Sie es in den Layereigenschaften oder nennen Sie es in „Projektgebiet vorbereiten“.</translation>
    </message>
    <message>
      <source>The DEM “{}” is in degrees ({}); rocks fall in metres. Bring it to a metric CRS with “Prepare project area”.</source>
      <translation>Das DEM „{}“ ist in Grad ({}); Steine fallen in Metern. Bringen Sie es mit „Projektgebiet vorbereiten“ in ein metrisches KBS.</translation>
    </message>
    <message>
      <source>The DEM “{}” is not in metres ({}). Bring it to a metric CRS with “Prepare project area”.</source>
      <translation>Das DEM „{}“ ist nicht in Metern ({}). Bringen Sie es mit „Projektgebiet vorbereiten“ in ein metrisches KBS.</translation>
    </message>
    <message>
      <source>The raster layer “{}” cannot be read.</source>
      <translation>Der Rasterlayer „{}“ kann nicht gelesen werden.</translation>
    </message>
    <message>
      <source>The raster layer “{}” could not be written to {}.</source>
      <translation>Der Rasterlayer „{}“ konnte nicht nach {} geschrieben werden.</translation>
    </message>
    <message>
      <source>The layer “{}” is not valid: its file may have moved.</source>
      <translation>Der Layer „{}“ ist ungültig: Seine Datei ist vielleicht verschoben.</translation>
    </message>
    <message>
      <source>The layer “{}” has no coordinate reference system. Set it in the layer's properties.</source>
      <translation>Der Layer „{}“ hat kein Koordinatensystem. Setzen Sie es in den Layereigenschaften.</translation>
    </message>
    <message>
      <source>The layer “{}” could not be written: {}.</source>
      <translation>Der Layer „{}“ konnte nicht geschrieben werden: {}.</translation>
    </message>
    <message>
      <source>The layer “{}” has no features (is a filter or an empty selection active?).</source>
      <translation>Der Layer „{}“ hat keine Objekte (ist ein Filter oder eine leere Auswahl aktiv?).</translation>
    </message>
    <message>
      <source>none</source>
      <translation>keine</translation>
    </message>
    <message>
      <source>Legend</source>
      <translation>Legende</translation>
    </message>
    <message>
      <source>“{}” is not a template of a layout.</source>
      <translation>«{}» ist keine Vorlage eines Layouts.</translation>
    </message>
    <message>
      <source>Parameters</source>
      <translation>Parameter</translation>
    </message>
    <message>
      <source>“{}” holds no program {}: take the file of a release that is made for this system.</source>
      <translation>„{}“ enthält kein Programm {}: nehmen Sie die Datei einer Ausgabe für dieses System.</translation>
    </message>
    <message>
      <source>No program can be started from “{}”: its drive is mounted without the right to execute (noexec). Unpack the engine on another drive and name it with Plugins ▸ Couloir ▸ Engine location…</source>
      <translation>Aus „{}“ lässt sich kein Programm starten: das Laufwerk ist ohne Ausführungsrecht eingehängt (noexec). Entpacken Sie den Rechenkern auf einem anderen Laufwerk und nennen Sie ihn mit Erweiterungen ▸ Couloir ▸ Ort des Rechenkerns…</translation>
    </message>
    <message>
      <source>“{}” has another checksum than the list beside it says: download both again, from the same release.</source>
      <translation>„{}“ hat eine andere Prüfsumme, als die Liste daneben sagt: laden Sie beide noch einmal herunter, aus derselben Ausgabe.</translation>
    </message>
    <message>
      <source>“{}” is no archive or wheel of the engine, and no folder that holds it.</source>
      <translation>„{}“ ist weder Archiv noch Wheel des Rechenkerns, noch ein Ordner, der ihn enthält.</translation>
    </message>
    <message>
      <source>“{}” is damaged or incomplete: download or copy it again.</source>
      <translation>„{}“ ist beschädigt oder unvollständig: laden oder kopieren Sie die Datei noch einmal.</translation>
    </message>
    <message>
      <source>Run</source>
      <translation>Lauf</translation>
    </message>
    <message>
      <source>engine</source>
      <translation>Rechenkern</translation>
    </message>
    <message>
      <source>project file</source>
      <translation>Projektdatei</translation>
    </message>
    <message>
      <source>seed</source>
      <translation>Startwert</translation>
    </message>
    <message>
      <source>rocks</source>
      <translation>Steine</translation>
    </message>
    <message>
      <source>finished</source>
      <translation>fertig</translation>
    </message>
    <message>
      <source>grid</source>
      <translation>Gitter</translation>
    </message>
    <message>
      <source>no frequency given</source>
      <translation>keine Häufigkeit angegeben</translation>
    </message>
    <message>
      <source>Results</source>
      <translation>Ergebnisse</translation>
    </message>
    <message>
      <source>why rocks stopped</source>
      <translation>warum Steine anhielten</translation>
    </message>
    <message>
      <source>Section</source>
      <translation>Abschnitt</translation>
    </message>
    <message>
      <source>What</source>
      <translation>Was</translation>
    </message>
    <message>
      <source>Value</source>
      <translation>Wert</translation>
    </message>
    <message>
      <source>Released</source>
      <translation>Ausgelöst</translation>
    </message>
    <message>
      <source>quantile of the energy</source>
      <translation>Quantil der Energie</translation>
    </message>
    <message>
      <source>Classification</source>
      <translation>Klassierung</translation>
    </message>
    <message>
      <source>Input</source>
      <translation>Eingabe</translation>
    </message>
    <message>
      <source>Warning</source>
      <translation>Warnung</translation>
    </message>
    <message>
      <source>Parameter</source>
      <translation>Parameter</translation>
    </message>
    <message>
      <source>Scenario</source>
      <translation>Szenario</translation>
    </message>
    <message>
      <source>Other</source>
      <translation>Weiteres</translation>
    </message>
    <message>
      <source>{:.3g} rocks per year</source>
      <translation>{:.3g} Steine pro Jahr</translation>
    </message>
    <message>
      <source>{} years</source>
      <translation>{} Jahre</translation>
    </message>
    <message>
      <source>Couloir project (*.yaml *.yml)</source>
      <translation>Couloir-Projekt (*.yaml *.yml)</translation>
    </message>
    <message>
      <source>Couloir rockfall</source>
      <translation>Couloir Steinschlag</translation>
    </message>
    <message>
      <source>Draw release area</source>
      <translation>Ausbruchgebiet zeichnen</translation>
    </message>
    <message>
      <source>Site</source>
      <translation>Gebiet</translation>
    </message>
    <message>
      <source>Rocks</source>
      <translation>Steine</translation>
    </message>
    <message>
      <source>Ground &amp; forest</source>
      <translation>Boden &amp; Wald</translation>
    </message>
    <message>
      <source>Open project file…</source>
      <translation>Projektdatei öffnen…</translation>
    </message>
    <message>
      <source>Folder for a copy of the sample</source>
      <translation>Ordner für eine Kopie des Beispiels</translation>
    </message>
    <message>
      <source>Couloir: reading a project</source>
      <translation>Couloir: Projekt wird gelesen</translation>
    </message>
    <message>
      <source>Loading the results…</source>
      <translation>Ergebnisse werden geladen…</translation>
    </message>
    <message>
      <source>Left click adds a corner, right click ends, Esc gives up.</source>
      <translation>Linksklick setzt eine Ecke, Rechtsklick beendet, Esc bricht ab.</translation>
    </message>
    <message>
      <source>Find steep areas…</source>
      <translation>Steile Gebiete finden…</translation>
    </message>
    <message>
      <source>Draw barrier</source>
      <translation>Barriere zeichnen</translation>
    </message>
    <message>
      <source>Open sample</source>
      <translation>Beispiel öffnen</translation>
    </message>
    <message>
      <source>Help</source>
      <translation>Hilfe</translation>
    </message>
    <message>
      <source>◂ Back</source>
      <translation>◂ Zurück</translation>
    </message>
    <message>
      <source>Next ▸</source>
      <translation>Weiter ▸</translation>
    </message>
    <message>
      <source>Choose a folder for the runs, or save the QGIS project first.</source>
      <translation>Wählen Sie einen Ordner für die Läufe oder speichern Sie zuerst das QGIS-Projekt.</translation>
    </message>
    <message>
      <source>Cancelling…</source>
      <translation>Wird abgebrochen…</translation>
    </message>
    <message>
      <source>Finished, with warnings.</source>
      <translation>Fertig, mit Warnungen.</translation>
    </message>
    <message>
      <source>Finished.</source>
      <translation>Fertig.</translation>
    </message>
    <message>
      <source>The map is made: {}</source>
      <translation>Die Karte ist erstellt: {}</translation>
    </message>
    <message>
      <source>Open layout</source>
      <translation>Layout öffnen</translation>
    </message>
    <message>
      <source>Open PDF</source>
      <translation>PDF öffnen</translation>
    </message>
    <message>
      <source>Checks</source>
      <translation>Prüfung</translation>
    </message>
    <message>
      <source>Release areas (drawn)</source>
      <translation>Ausbruchgebiete (gezeichnet)</translation>
    </message>
    <message>
      <source>Barriers (drawn)</source>
      <translation>Barrieren (gezeichnet)</translation>
    </message>
    <message>
      <source>Rocks so far (run under way)</source>
      <translation>Steine bisher (Lauf im Gang)</translation>
    </message>
    <message>
      <source>Start afresh</source>
      <translation>Neu beginnen</translation>
    </message>
    <message>
      <source>The run would take about {}. Fewer rocks, a wider spacing or a quick look are faster.</source>
      <translation>Der Lauf würde etwa {} dauern. Weniger Steine, grössere Abstände oder ein schneller Blick gehen rascher.</translation>
    </message>
    <message>
      <source>Checking…</source>
      <translation>Wird geprüft …</translation>
    </message>
    <message>
      <source>Prepare project area</source>
      <translation>Projektgebiet vorbereiten</translation>
    </message>
    <message>
      <source>{} release positions, {} rocks.</source>
      <translation>{} Ausbruchpositionen, {} Steine.</translation>
    </message>
    <message>
      <source>… and {} more, in the report.</source>
      <translation>… und {} weitere, im Bericht.</translation>
    </message>
    <message>
      <source>Ready to run:</source>
      <translation>Bereit:</translation>
    </message>
    <message>
      <source>For experts</source>
      <translation>Für Fachleute</translation>
    </message>
    <message>
      <source>Runs found in the folder of the runs, newest first. Select two or more to compare them.</source>
      <translation>Läufe im Ordner der Läufe, neuester zuerst. Wählen Sie zwei oder mehr, um sie zu vergleichen.</translation>
    </message>
    <message>
      <source>Open run folder…</source>
      <translation>Laufordner öffnen…</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Öffnen</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>Vergleichen</translation>
    </message>
    <message>
      <source>Rerun with changes</source>
      <translation>Mit Änderungen wiederholen</translation>
    </message>
    <message>
      <source>Report</source>
      <translation>Bericht</translation>
    </message>
    <message>
      <source>Classify…</source>
      <translation>Klassieren…</translation>
    </message>
    <message>
      <source>Hazard map…</source>
      <translation>Gefahrenkarte…</translation>
    </message>
    <message>
      <source>Barrier report…</source>
      <translation>Barrierenbericht…</translation>
    </message>
    <message>
      <source>Select a run first.</source>
      <translation>Wählen Sie zuerst einen Lauf.</translation>
    </message>
    <message>
      <source>Select two or more runs (Ctrl or Shift and click) to compare them.</source>
      <translation>Wählen Sie zwei oder mehr Läufe (Ctrl oder Umschalt und Klick), um sie zu vergleichen.</translation>
    </message>
    <message>
      <source>Add rocks until the map has settled</source>
      <translation>Steine hinzufügen, bis die Karte ruhig ist</translation>
    </message>
    <message>
      <source>Batches of rocks are added until zones and quantiles no longer change; else each position once.</source>
      <translation>Steine kommen schubweise hinzu, bis sich Zonen und Quantile nicht mehr ändern; sonst jede Stelle einmal.</translation>
    </message>
    <message>
      <source>Runs into a new folder.</source>
      <translation>Rechnet in einen neuen Ordner.</translation>
    </message>
    <message>
      <source>Ends the run and removes what is half-made.</source>
      <translation>Beendet den Lauf und entfernt, was halb fertig ist.</translation>
    </message>
    <message>
      <source>Estimated time {}, quick look {}; memory {:.0f} MB.</source>
      <translation>Geschätzte Zeit {}, schneller Blick {}; Speicher {:.0f} MB.</translation>
    </message>
    <message>
      <source>Starting…</source>
      <translation>Beginnt…</translation>
    </message>
    <message>
      <source>Start run</source>
      <translation>Lauf starten</translation>
    </message>
    <message>
      <source>Quick look</source>
      <translation>Schneller Blick</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Abbrechen</translation>
    </message>
    <message>
      <source>Only {} rocks, to try parameters; not a result to hand in.</source>
      <translation>Nur {} Steine, um Parameter zu probieren; kein Ergebnis zum Abgeben.</translation>
    </message>
    <message>
      <source>Its name on maps and in tables.</source>
      <translation>Name auf Karten und in Tabellen.</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>Grösse</translation>
    </message>
    <message>
      <source>In m³ or kg, as chosen above: a number (0.5), a range (0.2 – 2), a power law (0.1 – 5, power 1.2), a log-normal (median 1, sigma 0.5), a list (0.1; 0.5; 2), or an attribute of the release areas. Empty: the size above.</source>
      <translation>In m³ oder kg, wie oben gewählt: eine Zahl (0.5), ein Bereich (0.2 – 2), ein Potenzgesetz (0.1 – 5, power 1.2), eine Lognormalverteilung (median 1, sigma 0.5), eine Liste (0.1; 0.5; 2) oder ein Attribut der Ausbruchgebiete. Leer: die Grösse oben.</translation>
    </message>
    <message>
      <source>Return period (years)</source>
      <translation>Wiederkehrperiode (Jahre)</translation>
    </message>
    <message>
      <source>Of the scenario, for hazard zones.</source>
      <translation>Des Szenarios, für Gefahrenzonen.</translation>
    </message>
    <message>
      <source>Rocks per year and area</source>
      <translation>Steine pro Jahr und Gebiet</translation>
    </message>
    <message>
      <source>A number or an attribute of the release areas. Empty: one rock in the return period.</source>
      <translation>Eine Zahl oder ein Attribut der Ausbruchgebiete. Leer: ein Stein in der Wiederkehrperiode.</translation>
    </message>
    <message>
      <source>Double click: the colour of the scenario on the map.</source>
      <translation>Doppelklick: die Farbe des Szenarios auf der Karte.</translation>
    </message>
    <message>
      <source>Without scenarios all rocks are one: give how often they come above.</source>
      <translation>Ohne Szenarien gehören alle Steine zusammen: geben Sie oben an, wie oft sie kommen.</translation>
    </message>
    <message>
      <source>Colour of the scenario</source>
      <translation>Farbe des Szenarios</translation>
    </message>
    <message>
      <source>Add scenario</source>
      <translation>Szenario hinzufügen</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Entfernen</translation>
    </message>
    <message>
      <source>Colour…</source>
      <translation>Farbe…</translation>
    </message>
    <message>
      <source>Scenario {}</source>
      <translation>Szenario {}</translation>
    </message>
    <message>
      <source>Scenarios</source>
      <translation>Szenarien</translation>
    </message>
    <message>
      <source>Couloir: rockfall simulation</source>
      <translation>Couloir: Steinschlagsimulation</translation>
    </message>
    <message>
      <source>Couloir: checking</source>
      <translation>Couloir: Prüfung</translation>
    </message>
    <message>
      <source>Choose an elevation model on the page “Site”.</source>
      <translation>Wählen Sie auf der Seite „Gebiet“ ein Höhenmodell.</translation>
    </message>
    <message>
      <source>Choose or draw release areas on the page “Site”.</source>
      <translation>Wählen oder zeichnen Sie auf der Seite „Gebiet“ Ausbruchgebiete.</translation>
    </message>
    <message>
      <source>The check gave no answer.</source>
      <translation>Die Prüfung gab keine Antwort.</translation>
    </message>
    <message>
      <source>Couloir panel</source>
      <translation>Couloir-Fenster</translation>
    </message>
    <message>
      <source>Engine {} is installed in {}.</source>
      <translation>Rechenkern {} ist in {} installiert.</translation>
    </message>
    <message>
      <source>Its checksum was not compared: there is no SHA256SUMS or versions.json beside the file.</source>
      <translation>Die Prüfsumme wurde nicht verglichen: neben der Datei liegt keine SHA256SUMS oder versions.json.</translation>
    </message>
    <message>
      <source>Engine {} found: {}.</source>
      <translation>Rechenkern {} gefunden: {}.</translation>
    </message>
    <message>
      <source>Couloir rockfall hazard</source>
      <translation>Couloir Steinschlaggefahr</translation>
    </message>
    <message>
      <source>“{}” was made by an older engine, which left no list of its layers. Write it with `couloir report {}`.</source>
      <translation>„{}“ stammt von einem älteren Rechenprogramm, das keine Liste seiner Layer hinterliess. Mit `couloir report {}` wird sie geschrieben.</translation>
    </message>
    <message>
      <source>Hazard zones</source>
      <translation>Gefahrenzonen</translation>
    </message>
    <message>
      <source>“{}” holds no finished Couloir run (its manifest.json is missing or unreadable).</source>
      <translation>„{}“ enthält keinen fertigen Lauf von Couloir (manifest.json fehlt oder ist unlesbar).</translation>
    </message>
    <message>
      <source>with barriers</source>
      <translation>mit Barrieren</translation>
    </message>
    <message>
      <source>without barriers</source>
      <translation>ohne Barrieren</translation>
    </message>
    <message>
      <source>“{}” cannot be read.</source>
      <translation>„{}“ kann nicht gelesen werden.</translation>
    </message>
    <message>
      <source>“{}” is a file; choose a folder.</source>
      <translation>«{}» ist eine Datei; wählen Sie einen Ordner.</translation>
    </message>
    <message>
      <source>“{}” holds files already and stays as it is; choose a new folder.</source>
      <translation>«{}» enthält schon Dateien und bleibt, wie es ist; wählen Sie einen neuen Ordner.</translation>
    </message>
    <message>
      <source>“{}” holds a finished run; choose another folder or tick “Replace an earlier run”.</source>
      <translation>„{}“ enthält einen fertigen Lauf; wählen Sie einen anderen Ordner oder „Einen früheren Lauf ersetzen“.</translation>
    </message>
    <message>
      <source>Rerun of “{}” with changes: nothing of that run is replaced.</source>
      <translation>Wiederholung von „{}“ mit Änderungen: Von jenem Lauf wird nichts ersetzt.</translation>
    </message>
    <message>
      <source>From the project “{}”: its file stays as it is.</source>
      <translation>Aus dem Projekt „{}“: Seine Datei bleibt, wie sie ist.</translation>
    </message>
    <message>
      <source>Kept as it is there, because the panel has no field for it: {}.</source>
      <translation>Bleibt wie dort, weil das Bedienfeld kein Feld dafür hat: {}.</translation>
    </message>
    <message>
      <source>That run was limited to {} rocks; this one runs all.</source>
      <translation>Jener Lauf war auf {} Steine beschränkt; dieser rechnet alle.</translation>
    </message>
    <message>
      <source>Changed since that run: {}.</source>
      <translation>Seit jenem Lauf geändert: {}.</translation>
    </message>
    <message>
      <source>Inputs of {}</source>
      <translation>Eingaben von {}</translation>
    </message>
    <message>
      <source>Elevation model (DEM)</source>
      <translation>Höhenmodell (DEM)</translation>
    </message>
    <message>
      <source>Heights in metres, in a metric coordinate system. Its grid is the grid of the results.</source>
      <translation>Höhen in Metern, in einem metrischen Koordinatensystem. Sein Gitter ist das der Ergebnisse.</translation>
    </message>
    <message>
      <source>Release areas</source>
      <translation>Ausbruchgebiete</translation>
    </message>
    <message>
      <source>Points, lines or polygons where rocks start. Filters, edits and other coordinate systems are respected.</source>
      <translation>Punkte, Linien oder Polygone, wo Steine starten. Filter, Änderungen und andere Koordinatensysteme werden beachtet.</translation>
    </message>
    <message>
      <source>Barriers</source>
      <translation>Barrieren</translation>
    </message>
    <message>
      <source>Lines of nets or dams that stop rocks. The run is made with and without them.</source>
      <translation>Linien von Netzen oder Dämmen, die Steine aufhalten. Gerechnet wird mit und ohne sie.</translation>
    </message>
    <message>
      <source>Barrier height</source>
      <translation>Barrierenhöhe</translation>
    </message>
    <message>
      <source>Height above the ground of all barriers of the layer.</source>
      <translation>Höhe über Boden aller Werke des Layers.</translation>
    </message>
    <message>
      <source>Barrier capacity</source>
      <translation>Barrierenkapazität</translation>
    </message>
    <message>
      <source>Energy the barriers absorb.</source>
      <translation>Energie, welche die Werke aufnehmen.</translation>
    </message>
    <message>
      <source>Recording lines (roads …)</source>
      <translation>Messlinien (Strassen …)</translation>
    </message>
    <message>
      <source>Every rock that crosses is recorded: energy, velocity and height. Each line gets a sheet of its own.</source>
      <translation>Jeder Stein, der quert, wird aufgezeichnet: Energie, Geschwindigkeit und Höhe. Jede Linie bekommt ein eigenes Blatt.</translation>
    </message>
    <message>
      <source>Objects at risk (houses, roads …)</source>
      <translation>Gefährdete Objekte (Häuser, Strassen …)</translation>
    </message>
    <message>
      <source>Polygons or lines. The run tells for each how often rocks hit it, how hard and how high.</source>
      <translation>Polygone oder Linien. Der Lauf sagt für jedes, wie oft Steine es treffen, wie stark und wie hoch.</translation>
    </message>
    <message>
      <source>Rock shape</source>
      <translation>Steinform</translation>
    </message>
    <message>
      <source>Natural shapes give every rock a hull of its own; eota_221 is the block of the test standard.</source>
      <translation>Natürliche Formen geben jedem Stein eine eigene Hülle; eota_221 ist der Stein der Prüfnorm.</translation>
    </message>
    <message>
      <source>volume (m³)</source>
      <translation>Volumen (m³)</translation>
    </message>
    <message>
      <source>mass (kg)</source>
      <translation>Masse (kg)</translation>
    </message>
    <message>
      <source>Size is a</source>
      <translation>Grösse ist</translation>
    </message>
    <message>
      <source>Whether sizes are volumes or masses.</source>
      <translation>Ob Grössen Volumen oder Massen sind.</translation>
    </message>
    <message>
      <source>Rock size</source>
      <translation>Steingrösse</translation>
    </message>
    <message>
      <source>One size for all rocks.</source>
      <translation>Eine Grösse für alle Steine.</translation>
    </message>
    <message>
      <source>… or attribute with the size</source>
      <translation>… oder Attribut mit der Grösse</translation>
    </message>
    <message>
      <source>A number in each release area, instead of one size for all.</source>
      <translation>Eine Zahl in jedem Ausbruchgebiet, statt einer Grösse für alle.</translation>
    </message>
    <message>
      <source>Attribute with rocks per year</source>
      <translation>Attribut mit Steinen pro Jahr</translation>
    </message>
    <message>
      <source>How many rocks each release area releases a year. Without it, and without scenarios, there are no hazard zones.</source>
      <translation>Wie viele Steine jedes Ausbruchgebiet im Jahr auslöst. Ohne dies und ohne Szenarien gibt es keine Gefahrenzonen.</translation>
    </message>
    <message>
      <source>Rocks per release position</source>
      <translation>Steine je Ausbruchposition</translation>
    </message>
    <message>
      <source>Each with a random orientation. More rocks make smoother maps.</source>
      <translation>Jeder mit zufälliger Ausrichtung. Mehr Steine machen glattere Karten.</translation>
    </message>
    <message>
      <source>Spacing of release positions (0: every DEM cell)</source>
      <translation>Abstand der Ausbruchpositionen (0: jede DEM-Zelle)</translation>
    </message>
    <message>
      <source>Distance of positions within polygons and along lines.</source>
      <translation>Abstand der Stellen in Polygonen und entlang von Linien.</translation>
    </message>
    <message>
      <source>Only where steeper than (0: everywhere)</source>
      <translation>Nur wo steiler als (0: überall)</translation>
    </message>
    <message>
      <source>Positions on flatter ground release nothing; the spacing stays as it is.</source>
      <translation>Stellen auf flacherem Boden lösen nichts aus; der Abstand bleibt.</translation>
    </message>
    <message>
      <source>Random positions per area (0: by spacing)</source>
      <translation>Zufällige Stellen pro Gebiet (0: nach Abstand)</translation>
    </message>
    <message>
      <source>This many random positions in each release area, instead of a grid.</source>
      <translation>So viele zufällige Stellen in jedem Ausbruchgebiet, statt eines Gitters.</translation>
    </message>
    <message>
      <source>Rock density</source>
      <translation>Dichte des Gesteins</translation>
    </message>
    <message>
      <source>Limestone 2650, granite 2700, basalt 2900 kg/m³, say.</source>
      <translation>Etwa Kalk 2650, Granit 2700, Basalt 2900 kg/m³.</translation>
    </message>
    <message>
      <source>Release height above ground</source>
      <translation>Ausbruchhöhe über Boden</translation>
    </message>
    <message>
      <source>Of the rock's lowest point when it starts to fall.</source>
      <translation>Des tiefsten Punkts des Steins, wenn er zu fallen beginnt.</translation>
    </message>
    <message>
      <source>Point cloud of the rock (.xyz, .csv, .stl, .obj)</source>
      <translation>Punktwolke des Steins (.xyz, .csv, .stl, .obj)</translation>
    </message>
    <message>
      <source>A measured block; its convex hull is used instead of the shape above.</source>
      <translation>Ein vermessener Stein; seine konvexe Hülle gilt statt der Form oben.</translation>
    </message>
    <message>
      <source>Ground where no polygon says otherwise</source>
      <translation>Boden, wo kein Polygon anderes sagt</translation>
    </message>
    <message>
      <source>A class of the engine; its numbers stand below and may be changed.</source>
      <translation>Eine Klasse des Rechenkerns; ihre Zahlen stehen darunter und können geändert werden.</translation>
    </message>
    <message>
      <source>Friction μ min</source>
      <translation>Reibung μ min</translation>
    </message>
    <message>
      <source>Friction when sliding starts.</source>
      <translation>Reibung, wenn das Gleiten beginnt.</translation>
    </message>
    <message>
      <source>Friction μ max</source>
      <translation>Reibung μ max</translation>
    </message>
    <message>
      <source>Friction after long sliding.</source>
      <translation>Reibung nach langem Gleiten.</translation>
    </message>
    <message>
      <source>Ground polygons</source>
      <translation>Bodenpolygone</translation>
    </message>
    <message>
      <source>Areas with another ground class.</source>
      <translation>Gebiete mit anderer Bodenklasse.</translation>
    </message>
    <message>
      <source>Ground class attribute</source>
      <translation>Attribut der Bodenklasse</translation>
    </message>
    <message>
      <source>Names of classes: extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow.</source>
      <translation>Namen der Klassen: extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow.</translation>
    </message>
    <message>
      <source>Forest where no polygon says otherwise</source>
      <translation>Wald, wo kein Polygon anderes sagt</translation>
    </message>
    <message>
      <source>Drag</source>
      <translation>Widerstand</translation>
    </message>
    <message>
      <source>How strongly stems and branches brake a rock.</source>
      <translation>Wie stark Stämme und Äste einen Stein bremsen.</translation>
    </message>
    <message>
      <source>Height of the trees</source>
      <translation>Höhe der Bäume</translation>
    </message>
    <message>
      <source>Above it rocks fly freely.</source>
      <translation>Darüber fliegen Steine frei.</translation>
    </message>
    <message>
      <source>Forest polygons</source>
      <translation>Waldpolygone</translation>
    </message>
    <message>
      <source>Areas with another forest class.</source>
      <translation>Gebiete mit anderer Waldklasse.</translation>
    </message>
    <message>
      <source>Forest class attribute</source>
      <translation>Attribut der Waldklasse</translation>
    </message>
    <message>
      <source>Names of classes: open, medium, dense.</source>
      <translation>Namen der Klassen: open, medium, dense.</translation>
    </message>
    <message>
      <source>β, how fast friction recovers</source>
      <translation>β, wie schnell die Reibung abklingt</translation>
    </message>
    <message>
      <source>After the contact has ended.</source>
      <translation>Nach dem Ende des Kontakts.</translation>
    </message>
    <message>
      <source>κ, how fast friction grows</source>
      <translation>κ, wie schnell die Reibung wächst</translation>
    </message>
    <message>
      <source>With the sliding path.</source>
      <translation>Mit dem Gleitweg.</translation>
    </message>
    <message>
      <source>Roughness of the ground (0: the class's)</source>
      <translation>Rauigkeit des Bodens (0: die der Klasse)</translation>
    </message>
    <message>
      <source>Standard deviation of heights that the terrain model leaves out. Rocks meet it, maps refer to the model.</source>
      <translation>Standardabweichung der Höhen, die das Geländemodell weglässt. Steine treffen sie an, Karten beziehen sich auf das Modell.</translation>
    </message>
    <message>
      <source>Length of the roughness</source>
      <translation>Länge der Rauigkeit</translation>
    </message>
    <message>
      <source>Distance over which its heights become independent.</source>
      <translation>Strecke, über die ihre Höhen unabhängig werden.</translation>
    </message>
    <message>
      <source>Soil strength Me (0: the class's)</source>
      <translation>Bodenfestigkeit Me (0: die der Klasse)</translation>
    </message>
    <message>
      <source>Compactable soil: rocks leave scars and lose energy.</source>
      <translation>Verdichtbarer Boden: Steine hinterlassen Spuren und verlieren Energie.</translation>
    </message>
    <message>
      <source>Scarring drag coefficient</source>
      <translation>Widerstandsbeiwert der Spuren</translation>
    </message>
    <message>
      <source>Of compactable soil.</source>
      <translation>Von verdichtbarem Boden.</translation>
    </message>
    <message>
      <source>Title</source>
      <translation>Titel</translation>
    </message>
    <message>
      <source>On the report and on maps.</source>
      <translation>Auf Bericht und Karten.</translation>
    </message>
    <message>
      <source>Hazard classification</source>
      <translation>Gefahrenklassierung</translation>
    </message>
    <message>
      <source>Intensity and hazard zones of the run; other schemes can be applied later with Classify.</source>
      <translation>Intensität und Gefahrenzonen des Laufs; andere Schemata können später mit Klassieren angewandt werden.</translation>
    </message>
    <message>
      <source>Folder of the runs</source>
      <translation>Ordner der Läufe</translation>
    </message>
    <message>
      <source>Every run gets a new folder in it. Empty: couloir_runs beside the QGIS project.</source>
      <translation>Jeder Lauf bekommt darin einen neuen Ordner. Leer: couloir_runs neben dem QGIS-Projekt.</translation>
    </message>
    <message>
      <source>Seed</source>
      <translation>Startwert</translation>
    </message>
    <message>
      <source>The same seed gives the same rocks.</source>
      <translation>Derselbe Startwert gibt dieselben Steine.</translation>
    </message>
    <message>
      <source>Points for animation every (0: none)</source>
      <translation>Punkte für Animation alle (0: keine)</translation>
    </message>
    <message>
      <source>Positions of rocks in time, for the time slider and for profiles.</source>
      <translation>Orte der Steine in der Zeit, für den Zeitschieber und für Profile.</translation>
    </message>
    <message>
      <source>Time step</source>
      <translation>Zeitschritt</translation>
    </message>
    <message>
      <source>Smaller is slower; 0.002 s is tested.</source>
      <translation>Kleiner ist langsamer; 0.002 s ist geprüft.</translation>
    </message>
    <message>
      <source>Stands on the report and on the map sheet.</source>
      <translation>Steht auf Bericht und Kartenblatt.</translation>
    </message>
    <message>
      <source>Plan number</source>
      <translation>Plannummer</translation>
    </message>
    <message>
      <source>Mosaics, clips, reprojects and mends elevation models, aligns ground, forest and other layers to their grid and writes a folder that is ready to run.

DEMs may be tiles in different coordinate reference systems (CRS), also in degrees; where they overlap, the first one counts. The area is a polygon layer or an extent; the run-out buffer (m) is added around it. Without a target CRS the DEM's own is kept if it is in metres, else the local UTM zone is taken.

Ground and forest polygons need an attribute with the class: ground extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow; forest open, medium, dense.</source>
      <translation>Fügt Höhenmodelle zusammen, schneidet, transformiert und flickt sie, richtet Boden-, Wald- und andere Layer auf ihr Gitter aus und schreibt einen rechenbereiten Ordner.

DEM dürfen Kacheln in verschiedenen Koordinatensystemen (KBS) sein, auch in Grad; wo sie sich überlappen, zählt das erste. Das Gebiet ist ein Polygonlayer oder eine Ausdehnung; der Auslaufpuffer (m) kommt ringsum dazu. Ohne Ziel-KBS bleibt das des DEM, wenn es metrisch ist, sonst gilt die lokale UTM-Zone.

Boden- und Waldpolygone brauchen ein Attribut mit der Klasse: Boden extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow; Wald open, medium, dense.</translation>
    </message>
    <message>
      <source>Find release areas</source>
      <translation>Ausbruchgebiete finden</translation>
    </message>
    <message>
      <source>Polygons where the DEM is steeper than a threshold (°): a first guess at cliffs that release rocks, to be checked in the field. The threshold depends on the cell size: on a coarse DEM cliffs look flatter (about 55° at 1 m, 49° at 5 m, 46° at 10 m).

With geology polygons only what lies in them counts: filter or select the rock units that release rocks. Areas smaller than the smallest area (m²) are dropped and holes smaller than it are closed. Each polygon gets its area (m²) and its mean and largest slope (°).</source>
      <translation>Polygone, wo das DEM steiler ist als eine Schwelle (°): eine erste Vermutung über Felswände, im Feld zu prüfen. Die Schwelle hängt von der Zellgrösse ab: Auf grobem DEM wirken Felswände flacher (etwa 55° bei 1 m, 49° bei 5 m, 46° bei 10 m).

Mit Geologiepolygonen zählt nur, was darin liegt: Filtern oder wählen Sie die massgebenden Gesteine. Gebiete unter der kleinsten Fläche (m²) entfallen, kleinere Löcher werden geschlossen. Jedes Polygon erhält Fläche (m²), mittlere und grösste Neigung (°).</translation>
    </message>
    <message>
      <source>Run rockfall simulation</source>
      <translation>Steinschlag simulieren</translation>
    </message>
    <message>
      <source>Releases rocks on a DEM, follows each down the slope and maps passages, reach, kinetic energy (kJ), velocity (m/s) and jump height (m) per cell.

Give a project file (everything else is then ignored except the output folder and the seed), or layers: a DEM in a metric CRS and release points, lines or polygons. Any layer works, also filtered, joined or in another CRS; “selected features only” is respected.

Rock size is a volume (m³) or a mass (kg), one for all or an attribute of the release layer. With a classification scheme and a frequency attribute (rocks per year from each feature), hazard zones are mapped too.

The output folder must be new or empty. It holds the inputs as used, the project file and the run: it can be passed on and repeated.</source>
      <translation>Löst Steine auf einem Geländemodell aus, verfolgt jeden den Hang hinab und kartiert Durchgänge, Reichweite, kinetische Energie (kJ), Geschwindigkeit (m/s) und Sprunghöhe (m) pro Zelle.

Geben Sie eine Projektdatei an (alles andere ausser Ausgabeordner und Startwert zählt dann nicht) oder Layer: ein Geländemodell in einem metrischen KBS und Ausbruchpunkte, -linien oder -polygone. Jeder Layer geht, auch gefiltert, verknüpft oder in einem anderen KBS; «nur gewählte Objekte» wird beachtet.

Die Steingrösse ist ein Volumen (m³) oder eine Masse (kg), eine für alle oder ein Attribut des Ausbruchlayers. Mit einem Klassierungsschema und einem Häufigkeitsattribut (Steine pro Jahr aus jedem Objekt) werden auch Gefahrenzonen kartiert.

Der Ausgabeordner muss neu oder leer sein. Er enthält die verwendeten Eingaben, die Projektdatei und den Lauf: er kann weitergegeben und wiederholt werden.</translation>
    </message>
    <message>
      <source>Classify hazard</source>
      <translation>Gefahr klassieren</translation>
    </message>
    <message>
      <source>Intensity maps and hazard zones from a finished run, without running it again. Zones need release frequencies (rocks per year) or return periods of the scenarios: reach alone is not a return period. Choose a built-in scheme or a YAML file of your own with limits, return periods and matrix.

The return period of a cell is that of each scenario that reaches it, or comes from the yearly passages of rocks. Years of scenarios may be given here, and cells that hardly any rock reaches may be left out.</source>
      <translation>Intensitätskarten und Gefahrenzonen eines fertigen Laufs, ohne ihn zu wiederholen. Zonen brauchen Häufigkeiten der Ausbrüche (Steine pro Jahr) oder Wiederkehrperioden der Szenarien: Reichweite allein ist keine Wiederkehrperiode. Wählen Sie ein eingebautes Schema oder eine eigene YAML-Datei mit Grenzen, Wiederkehrperioden und Matrix.

Die Wiederkehrperiode einer Zelle ist die jedes Szenarios, das sie erreicht, oder ergibt sich aus den jährlichen Durchgängen. Jahre von Szenarien können hier angegeben und Zellen, die kaum ein Stein erreicht, weggelassen werden.</translation>
    </message>
    <message>
      <source>Barrier report</source>
      <translation>Bericht zu Schutznetzen</translation>
    </message>
    <message>
      <source>A sheet per recording line or barrier of a finished run: rocks and crossings, energy (kJ) and height (m) quantiles, the design values with every partial factor, the class of the net, and histograms.

To try a line that the run did not record, give it as a layer (drawn in QGIS, selected, filtered …): the run's project is run again with this line added, into a folder of its own, with the same seed and so the same rocks. With a height (m) and a capacity (kJ) the line acts as a barrier, and the sheet shows what it held.

The new folder holds the inputs, the project file with the line and the run; the earlier run stays as it is.</source>
      <translation>Ein Blatt je Messlinie oder Barriere eines fertigen Laufs: Steine und Durchgänge, Quantile von Energie (kJ) und Höhe (m), Bemessungswerte mit allen Teilsicherheitsbeiwerten, Netzklasse und Histogramme.

Um eine Linie zu prüfen, die der Lauf nicht aufgezeichnet hat, geben Sie sie als Layer an (in QGIS gezeichnet, ausgewählt, gefiltert …): Das Projekt des Laufs wird mit dieser Linie noch einmal gerechnet, in einen eigenen Ordner, mit demselben Startwert und damit denselben Steinen. Mit Höhe (m) und Kapazität (kJ) wirkt die Linie als Barriere, und das Blatt zeigt, was sie gehalten hat.

Der neue Ordner enthält die Eingaben, die Projektdatei mit der Linie und den Lauf; der frühere Lauf bleibt, wie er ist.</translation>
    </message>
    <message>
      <source>Merge runs</source>
      <translation>Läufe zusammenführen</translation>
    </message>
    <message>
      <source>Joins the parts of a run that were computed separately (couloir run --shard i/n, on several machines say) into the very run that one machine would have made. Parts of other projects, seeds or engine versions are refused. Name any file of each part's folder, or the folder itself.</source>
      <translation>Fügt die Teile eines Laufs zusammen, die getrennt gerechnet wurden (couloir run --shard i/n, etwa auf mehreren Rechnern), genau zu dem Lauf, den ein Rechner ergeben hätte. Teile anderer Projekte, Startwerte oder Versionen werden abgelehnt. Nennen Sie eine Datei aus jedem Teilordner oder den Ordner selbst.</translation>
    </message>
    <message>
      <source>Compare runs</source>
      <translation>Läufe vergleichen</translation>
    </message>
    <message>
      <source>What changed from a first run (A) to a second one (B): a map B − A for every map both have, with its unit and a diverging scale centred on zero, and a page with the key figures side by side and the parameters that differ.

Where only one run has rocks, the other counts as 0. Both runs must have the same cells; their areas may differ.</source>
      <translation>Was sich von einem ersten Lauf (A) zu einem zweiten (B) geändert hat: eine Karte B − A für jede Karte, die beide haben, mit Einheit und einer um null zentrierten Farbskala, und eine Seite mit den Kennzahlen nebeneinander und den Parametern, die sich unterscheiden.

Wo nur ein Lauf Steine hat, zählt der andere als 0. Beide Läufe müssen dieselben Zellen haben; ihre Gebiete dürfen sich unterscheiden.</translation>
    </message>
    <message>
      <source>Compare with observations</source>
      <translation>Mit Beobachtungen vergleichen</translation>
    </message>
    <message>
      <source>Run-out, lateral spread, deposits, largest values and passages at lines of a finished run against what was observed, with the difference that chance alone would give; a page, its numbers as JSON, and drawings.

Observations are points where rocks ended (mapped blocks of an event, say), or a CSV table with a row for each rock: runout_m, x_m, y_m, jump_max_m, velocity_max_m_s, energy_max_kj … Rocks that left the terrain count as at least as far.</source>
      <translation>Reichweite, seitliche Streuung, Ablagerungen, grösste Werte und Durchgänge an Linien eines fertigen Laufs gegen das, was beobachtet wurde, mit dem Unterschied, den schon der Zufall gäbe; eine Seite, ihre Zahlen als JSON und Zeichnungen.

Beobachtungen sind Punkte, wo Steine liegen blieben (etwa kartierte Blöcke eines Ereignisses), oder eine CSV-Tabelle mit einer Zeile je Stein: runout_m, x_m, y_m, jump_max_m, velocity_max_m_s, energy_max_kj … Steine, die das Gelände verliessen, zählen als mindestens so weit.</translation>
    </message>
    <message>
      <source>Trajectory profile</source>
      <translation>Profil der Flugbahnen</translation>
    </message>
    <message>
      <source>Kinetic energy (kJ), velocity (m/s) and jump height (m) against the horizontal distance (m) along one or many trajectories, as a page with plots and as a table. The input are the point records of a run (“Points along trajectories every … s”); select rocks in the map and tick “selected features only”, or filter the layer by id.</source>
      <translation>Kinetische Energie (kJ), Geschwindigkeit (m/s) und Sprunghöhe (m) über der horizontalen Distanz (m) entlang einer oder vieler Bahnen, als Seite mit Diagrammen und als Tabelle. Eingabe sind die Punkte eines Laufs („Punkte entlang der Bahnen alle … s“); wählen Sie Steine in der Karte und „nur gewählte Objekte“, oder filtern Sie den Layer nach id.</translation>
    </message>
    <message>
      <source>Create hazard map layout</source>
      <translation>Gefahrenkarte gestalten</translation>
    </message>
    <message>
      <source>Composes a print layout: the map over a hillshade or a base layer of yours, locator map, title block, legend with units, scale bar, north arrow, coordinate grid, the coordinate reference system, a line on the origin of the result (engine version, seed, project hash), what the run warned of, and pages with its parameters.

The layout stays in the QGIS project (Project ▸ Layouts), to be changed by hand; PDF and PNG are written if files are named. With a polygon layer as map areas the map shows them all; tick “one map per area” to get an atlas. A template of your office (.qpt) may have the same item names as the built-in ones.

Without a map layer of your choice the run's hazard zones are shown, or the kinetic energy if it has none.</source>
      <translation>Stellt ein Drucklayout zusammen: die Karte über einer Schummerung oder einer eigenen Grundkarte, Übersichtskärtchen, Titelfeld, Legende mit Einheiten, Massstab, Nordpfeil, Koordinatengitter, das Koordinatensystem, eine Zeile zur Herkunft (Version, Startwert, Prüfsumme des Projekts), wovor der Lauf gewarnt hat, und Seiten mit seinen Parametern.

Das Layout bleibt im QGIS-Projekt (Projekt ▸ Layouts) und kann von Hand geändert werden; PDF und PNG werden geschrieben, wenn Dateien genannt sind. Mit einem Polygonlayer als Kartengebiete zeigt die Karte alle; «eine Karte pro Gebiet» ergibt einen Atlas. Eine Vorlage Ihres Büros (.qpt) darf dieselben Elementnamen haben wie die eingebauten.

Ohne eigenen Kartenlayer werden die Gefahrenzonen des Laufs gezeigt, oder die kinetische Energie, wenn er keine hat.</translation>
    </message>
    <message>
      <source>Elevation model (one or several)</source>
      <translation>Höhenmodell (eines oder mehrere)</translation>
    </message>
    <message>
      <source>CRS of DEMs that do not say theirs</source>
      <translation>KBS von DEM, die ihres nicht nennen</translation>
    </message>
    <message>
      <source>Area polygon</source>
      <translation>Gebietspolygon</translation>
    </message>
    <message>
      <source>… or extent</source>
      <translation>… oder Ausdehnung</translation>
    </message>
    <message>
      <source>Run-out buffer (m)</source>
      <translation>Auslaufpuffer (m)</translation>
    </message>
    <message>
      <source>Target CRS (metric)</source>
      <translation>Ziel-KBS (metrisch)</translation>
    </message>
    <message>
      <source>Cell size (m)</source>
      <translation>Zellgrösse (m)</translation>
    </message>
    <message>
      <source>Fill nodata holes up to (cells, or metres as 20m)</source>
      <translation>Lücken füllen bis (Zellen, oder Meter als 20m)</translation>
    </message>
    <message>
      <source>What codes mean, e.g. ground:1=hard,2=soft</source>
      <translation>Was Codes bedeuten, z. B. ground:1=hard,2=soft</translation>
    </message>
    <message>
      <source>Parameter rasters, each named like its parameter (mu_min, mu_max, …)</source>
      <translation>Parameterraster, je benannt wie ihr Parameter (mu_min, mu_max, …)</translation>
    </message>
    <message>
      <source>Polygons with parameters</source>
      <translation>Polygone mit Parametern</translation>
    </message>
    <message>
      <source>Attributes to use, each named like its parameter (mu_min, height_m, …)</source>
      <translation>Zu verwendende Attribute, jedes wie sein Parameter benannt (mu_min, height_m, …)</translation>
    </message>
    <message>
      <source>Project folder</source>
      <translation>Projektordner</translation>
    </message>
    <message>
      <source>Project file</source>
      <translation>Projektdatei</translation>
    </message>
    <message>
      <source>Steeper than (°)</source>
      <translation>Steiler als (°)</translation>
    </message>
    <message>
      <source>Smallest area (m²)</source>
      <translation>Kleinste Fläche (m²)</translation>
    </message>
    <message>
      <source>Only in these geology polygons</source>
      <translation>Nur in diesen Geologiepolygonen</translation>
    </message>
    <message>
      <source>Smooth outlines by up to (m)</source>
      <translation>Umrisse glätten um bis zu (m)</translation>
    </message>
    <message>
      <source>Instead of layers.</source>
      <translation>Anstelle von Layern.</translation>
    </message>
    <message>
      <source>Seed (empty: the project's, or 1)</source>
      <translation>Startwert (leer: der des Projekts, oder 1)</translation>
    </message>
    <message>
      <source>Only this many rocks, for a quick look</source>
      <translation>Nur so viele Steine, für einen schnellen Blick</translation>
    </message>
    <message>
      <source>Spread evenly over all releases; not a result to hand in.</source>
      <translation>Gleichmässig über alle Ausbrüche verteilt; kein Ergebnis zum Abgeben.</translation>
    </message>
    <message>
      <source>the useful dozen</source>
      <translation>das nützliche Dutzend</translation>
    </message>
    <message>
      <source>everything</source>
      <translation>alles</translation>
    </message>
    <message>
      <source>Maps to write</source>
      <translation>Zu schreibende Karten</translation>
    </message>
    <message>
      <source>Formats of the trajectories</source>
      <translation>Formate der Flugbahnen</translation>
    </message>
    <message>
      <source>Replace an earlier run in the output folder</source>
      <translation>Einen früheren Lauf im Ausgabeordner ersetzen</translation>
    </message>
    <message>
      <source>Only a run that this plugin made there; the inputs go beside the earlier ones.</source>
      <translation>Nur ein Lauf, den diese Erweiterung dort gemacht hat; die Eingaben kommen neben die früheren.</translation>
    </message>
    <message>
      <source>Load and style the results</source>
      <translation>Ergebnisse laden und gestalten</translation>
    </message>
    <message>
      <source>Output folder</source>
      <translation>Ausgabeordner</translation>
    </message>
    <message>
      <source>Run folder</source>
      <translation>Ordner des Laufs</translation>
    </message>
    <message>
      <source>Scheme</source>
      <translation>Schema</translation>
    </message>
    <message>
      <source>… or a scheme of your own</source>
      <translation>… oder ein eigenes Schema</translation>
    </message>
    <message>
      <source>as the scheme says</source>
      <translation>wie das Schema sagt</translation>
    </message>
    <message>
      <source>of each scenario</source>
      <translation>die jedes Szenarios</translation>
    </message>
    <message>
      <source>from yearly passages</source>
      <translation>aus jährlichen Durchgängen</translation>
    </message>
    <message>
      <source>Return period</source>
      <translation>Wiederkehrperiode</translation>
    </message>
    <message>
      <source>Years of scenarios, e.g. rare=300; frequent=30</source>
      <translation>Jahre der Szenarien, z. B. selten=300; häufig=30</translation>
    </message>
    <message>
      <source>Without an entry a scenario counts as often as its releases say.</source>
      <translation>Ohne Angabe zählt ein Szenario so oft, wie seine Ausbrüche sagen.</translation>
    </message>
    <message>
      <source>Leave out cells reached by less than this share of rocks (0–1)</source>
      <translation>Zellen weglassen, die weniger als dieser Anteil der Steine erreicht (0–1)</translation>
    </message>
    <message>
      <source>0.001: one rock in a thousand. Empty: as the scheme says.</source>
      <translation>0.001: ein Stein von tausend. Leer: wie das Schema sagt.</translation>
    </message>
    <message>
      <source>Quantile of the energy (0–1)</source>
      <translation>Quantil der Energie (0–1)</translation>
    </message>
    <message>
      <source>Classification folder</source>
      <translation>Ordner der Klassierung</translation>
    </message>
    <message>
      <source>A new line to record</source>
      <translation>Neue Linie zum Aufzeichnen</translation>
    </message>
    <message>
      <source>Name of the new line</source>
      <translation>Name der neuen Linie</translation>
    </message>
    <message>
      <source>Folder for the new run</source>
      <translation>Ordner für den neuen Lauf</translation>
    </message>
    <message>
      <source>Height of the new barrier (m)</source>
      <translation>Höhe der neuen Barriere (m)</translation>
    </message>
    <message>
      <source>Capacity of the new barrier (kJ)</source>
      <translation>Kapazität der neuen Barriere (kJ)</translation>
    </message>
    <message>
      <source>Barrier sheet</source>
      <translation>Barrierenblatt</translation>
    </message>
    <message>
      <source>New run</source>
      <translation>Neuer Lauf</translation>
    </message>
    <message>
      <source>Parts</source>
      <translation>Teile</translation>
    </message>
    <message>
      <source>First run (A)</source>
      <translation>Erster Lauf (A)</translation>
    </message>
    <message>
      <source>Second run (B)</source>
      <translation>Zweiter Lauf (B)</translation>
    </message>
    <message>
      <source>Folder for the comparison</source>
      <translation>Ordner für den Vergleich</translation>
    </message>
    <message>
      <source>Page with tables</source>
      <translation>Seite mit Tabellen</translation>
    </message>
    <message>
      <source>Observed end points</source>
      <translation>Beobachtete Endpunkte</translation>
    </message>
    <message>
      <source>… or a table of observations</source>
      <translation>… oder eine Tabelle von Beobachtungen</translation>
    </message>
    <message>
      <source>Also compare by this attribute</source>
      <translation>Auch nach diesem Attribut vergleichen</translation>
    </message>
    <message>
      <source>Direction of the run-out (degrees from north)</source>
      <translation>Richtung der Reichweite (Grad ab Nord)</translation>
    </message>
    <message>
      <source>With barriers acting</source>
      <translation>Mit wirkenden Schutznetzen</translation>
    </message>
    <message>
      <source>Points along trajectories</source>
      <translation>Punkte entlang der Bahnen</translation>
    </message>
    <message>
      <source>At most this many trajectories</source>
      <translation>Höchstens so viele Bahnen</translation>
    </message>
    <message>
      <source>Plot</source>
      <translation>Diagramm</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>Tabelle</translation>
    </message>
    <message>
      <source>hazard zones (else kinetic energy)</source>
      <translation>Gefahrenzonen (sonst kinetische Energie)</translation>
    </message>
    <message>
      <source>intensity</source>
      <translation>Intensität</translation>
    </message>
    <message>
      <source>kinetic energy</source>
      <translation>kinetische Energie</translation>
    </message>
    <message>
      <source>reach probability</source>
      <translation>Reichwahrscheinlichkeit</translation>
    </message>
    <message>
      <source>jump height</source>
      <translation>Sprunghöhe</translation>
    </message>
    <message>
      <source>velocity</source>
      <translation>Geschwindigkeit</translation>
    </message>
    <message>
      <source>What to map</source>
      <translation>Was zu zeigen ist</translation>
    </message>
    <message>
      <source>… or a layer of your choice</source>
      <translation>… oder ein Layer nach Wahl</translation>
    </message>
    <message>
      <source>Another DEM for the hillshade</source>
      <translation>Anderes DEM für die Schummerung</translation>
    </message>
    <message>
      <source>Base layer instead of the hillshade</source>
      <translation>Hintergrundlayer statt der Schummerung</translation>
    </message>
    <message>
      <source>More layers on top</source>
      <translation>Weitere Layer obenauf</translation>
    </message>
    <message>
      <source>Paper</source>
      <translation>Papier</translation>
    </message>
    <message>
      <source>landscape</source>
      <translation>Querformat</translation>
    </message>
    <message>
      <source>portrait</source>
      <translation>Hochformat</translation>
    </message>
    <message>
      <source>Orientation</source>
      <translation>Ausrichtung</translation>
    </message>
    <message>
      <source>as the run says</source>
      <translation>wie der Lauf sagt</translation>
    </message>
    <message>
      <source>Project</source>
      <translation>Projekt</translation>
    </message>
    <message>
      <source>Date (empty: today)</source>
      <translation>Datum (leer: heute)</translation>
    </message>
    <message>
      <source>Logo</source>
      <translation>Logo</translation>
    </message>
    <message>
      <source>Pictures (*.svg *.png *.jpg *.jpeg)</source>
      <translation>Bilder (*.svg *.png *.jpg *.jpeg)</translation>
    </message>
    <message>
      <source>Map areas</source>
      <translation>Kartenausschnitte</translation>
    </message>
    <message>
      <source>One map per area (atlas)</source>
      <translation>Eine Karte je Gebiet (Atlas)</translation>
    </message>
    <message>
      <source>Attribute with the area's name</source>
      <translation>Attribut mit dem Namen des Gebiets</translation>
    </message>
    <message>
      <source>Remarks (data sources …)</source>
      <translation>Bemerkungen (Datenquellen …)</translation>
    </message>
    <message>
      <source>Template of your office</source>
      <translation>Vorlage Ihres Büros</translation>
    </message>
    <message>
      <source>Resolution (dpi)</source>
      <translation>Auflösung (dpi)</translation>
    </message>
    <message>
      <source>Name of the layout</source>
      <translation>Name des Layouts</translation>
    </message>
  </context>
</TS>
