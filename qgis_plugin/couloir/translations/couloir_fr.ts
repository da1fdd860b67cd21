<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="fr" sourcelanguage="en">
  <context>
    <name>Couloir</name>
    <message>
      <source>planned barrier</source>
      <translation>barrière projetée</translation>
    </message>
    <message>
      <source>Choose a folder for the new run.</source>
      <translation>Choisissez un dossier pour le nouveau calcul.</translation>
    </message>
    <message>
      <source>A barrier needs both a height and a capacity; without both the line is only recorded.</source>
      <translation>Une barrière demande une hauteur et une capacité ; sans les deux, la ligne est seulement enregistrée.</translation>
    </message>
    <message>
      <source>“{}” recorded no lines or barriers. Give a line layer to record.</source>
      <translation>« {} » n'a enregistré ni lignes ni barrières. Donnez une couche de lignes.</translation>
    </message>
    <message>
      <source>“{}” has changed since the run; the rocks may fall otherwise.</source>
      <translation>« {} » a changé depuis le calcul ; les blocs peuvent tomber autrement.</translation>
    </message>
    <message>
      <source>Cancelled.</source>
      <translation>Annulé.</translation>
    </message>
    <message>
      <source>Engine {} ({}), from {}</source>
      <translation>Moteur {} ({}), origine : {}</translation>
    </message>
    <message>
      <source>Engine log:</source>
      <translation>Journal du moteur :</translation>
    </message>
    <message>
      <source>“{}”: write a scenario and its years as name=300.</source>
      <translation>« {} » : écrivez un scénario et ses années comme nom=300.</translation>
    </message>
    <message>
      <source>Comparison: {} → {}</source>
      <translation>Comparaison : {} → {}</translation>
    </message>
    <message>
      <source>“{}” holds no such map; choose another one, or classify the run first.</source>
      <translation>« {} » ne contient pas cette carte ; choisissez-en une autre ou classez d'abord le calcul.</translation>
    </message>
    <message>
      <source>Hillshade</source>
      <translation>Ombrage</translation>
    </message>
    <message>
      <source>“{}” could not be written. Is it open in another program, or the disk full?</source>
      <translation>« {} » n'a pas pu être écrit. Est-il ouvert ailleurs, ou le disque plein ?</translation>
    </message>
    <message>
      <source>The run's DEM was not found: the map has no hillshade. Name a DEM or a base layer.</source>
      <translation>Le MNT du calcul est introuvable : la carte n'a pas d'ombrage. Indiquez un MNT ou un fond.</translation>
    </message>
    <message>
      <source>Plan</source>
      <translation>Plan</translation>
    </message>
    <message>
      <source>Client</source>
      <translation>Mandant</translation>
    </message>
    <message>
      <source>Office</source>
      <translation>Bureau</translation>
    </message>
    <message>
      <source>Author</source>
      <translation>Auteur</translation>
    </message>
    <message>
      <source>Date</source>
      <translation>Date</translation>
    </message>
    <message>
      <source>Status</source>
      <translation>État</translation>
    </message>
    <message>
      <source>DRAFT</source>
      <translation>PROJET</translation>
    </message>
    <message>
      <source>Parameters: next page.</source>
      <translation>Paramètres : page suivante.</translation>
    </message>
    <message>
      <source>Simulated with Couloir {version} ({revision}), seed {seed}, {rocks} rocks{variant}, {when}; project {file}, SHA-256 {hash}.</source>
      <translation>Simulé avec Couloir {version} ({revision}), graine {seed}, {rocks} blocs{variant}, {when} ; projet {file}, SHA-256 {hash}.</translation>
    </message>
    <message>
      <source>final</source>
      <translation>définitif</translation>
    </message>
    <message>
      <source>draft</source>
      <translation>projet</translation>
    </message>
    <message>
      <source>Rockfall: {}</source>
      <translation>Chutes de pierres : {}</translation>
    </message>
    <message>
      <source>Coordinates: {} ({})</source>
      <translation>Coordonnées : {} ({})</translation>
    </message>
    <message>
      <source>Scale</source>
      <translation>Échelle</translation>
    </message>
    <message>
      <source>{} more warnings: see the parameter pages.</source>
      <translation>{} autres avertissements : voir les pages de paramètres.</translation>
    </message>
    <message>
      <source>“{}” is empty: there is nothing to map.</source>
      <translation>« {} » est vide : il n'y a rien à montrer.</translation>
    </message>
    <message>
      <source>Name at least two parts.</source>
      <translation>Indiquez au moins deux parties.</translation>
    </message>
    <message>
      <source>Web page (*.html)</source>
      <translation>Page web (*.html)</translation>
    </message>
    <message>
      <source>“{}” is not a raster layer.</source>
      <translation>« {} » n'est pas une couche raster.</translation>
    </message>
    <message>
      <source>The DEM “{}” has no CRS. Say it in “CRS of DEMs that do not say theirs”.</source>
      <translation>Le MNT « {} » n'a pas de SCR. Indiquez-le sous « SCR des MNT qui n'indiquent pas le leur ».</translation>
    </message>
    <message>
      <source>Choose the attribute that holds the class of “{}”.</source>
      <translation>Choisissez l'attribut qui contient la classe de « {} ».</translation>
    </message>
    <message>
      <source>Choose the attributes of “{}” to use.</source>
      <translation>Choisissez les attributs de « {} » à utiliser.</translation>
    </message>
    <message>
      <source>{} release areas found.</source>
      <translation>{} zones de départ trouvées.</translation>
    </message>
    <message>
      <source>Give a project file, or a DEM and release areas.</source>
      <translation>Donnez un fichier de projet, ou un MNT et des zones de départ.</translation>
    </message>
    <message>
      <source>Give observations: either a layer of points or a table.</source>
      <translation>Donner des observations : soit une couche de points, soit une table.</translation>
    </message>
    <message>
      <source>Executable of the engine, or its folder (empty: found in the QGIS profile or on PATH)</source>
      <translation>Exécutable du moteur, ou son dossier (vide : trouvé dans le profil QGIS ou le PATH)</translation>
    </message>
    <message>
      <source>Archive (.tar.gz, .zip) or wheel (.whl) of a release, or the folder of an unpacked one. Nothing is downloaded: get the file and its SHA256SUMS or versions.json from the page of releases and keep them side by side, so that it can be checked.</source>
      <translation>Archive (.tar.gz, .zip) ou wheel (.whl) d’une version, ou le dossier d’une archive décompressée. Rien n’est téléchargé : prenez le fichier et son SHA256SUMS ou versions.json sur la page des versions et gardez-les côte à côte pour qu’il puisse être vérifié.</translation>
    </message>
    <message>
      <source>Go back to the engine that was installed before</source>
      <translation>Revenir au moteur installé auparavant</translation>
    </message>
    <message>
      <source>Install engine…</source>
      <translation>Installer le moteur…</translation>
    </message>
    <message>
      <source>Engine location…</source>
      <translation>Emplacement du moteur…</translation>
    </message>
    <message>
      <source>Releases on the web…</source>
      <translation>Versions sur le web…</translation>
    </message>
    <message>
      <source>Couloir engine</source>
      <translation>Moteur Couloir</translation>
    </message>
    <message>
      <source>Prepare project area…</source>
      <translation>Préparer la zone du projet…</translation>
    </message>
    <message>
      <source>Couloir's simulation engine is a separate program. Download it from the page of releases, then choose the file with Plugins ▸ Couloir ▸ Install engine…; or name an executable, or its folder, with Plugins ▸ Couloir ▸ Engine location…</source>
      <translation>Le moteur de calcul de Couloir est un programme à part. Téléchargez-le depuis la page des versions, puis choisissez le fichier avec Extensions ▸ Couloir ▸ Installer le moteur… ; ou indiquez un exécutable ou son dossier avec Extensions ▸ Couloir ▸ Emplacement du moteur…</translation>
    </message>
    <message>
      <source>The engine “{}” is version {}; this plugin needs {} or newer. Update the engine.</source>
      <translation>Le moteur « {} » est en version {} ; cette extension demande {} ou plus récent. Mettez le moteur à jour.</translation>
    </message>
    <message>
      <source>The engine “{}” is version {}, newer than this plugin understands. Update the plugin.</source>
      <translation>Le moteur « {} » est en version {}, plus récente que cette extension ne comprend. Mettez l'extension à jour.</translation>
    </message>
    <message>
      <source>The engine met an internal error. Please report it with the log below.</source>
      <translation>Erreur interne du moteur. Signalez-la avec le journal ci-dessous.</translation>
    </message>
    <message>
      <source>The engine set in the options, “{}”, does not exist or holds no “{}”.</source>
      <translation>Le moteur indiqué, « {} », n'existe pas ou ne contient pas « {} ».</translation>
    </message>
    <message>
      <source>options</source>
      <translation>options</translation>
    </message>
    <message>
      <source>QGIS profile</source>
      <translation>profil QGIS</translation>
    </message>
    <message>
      <source>a library (DLL) is missing</source>
      <translation>une bibliothèque (DLL) manque</translation>
    </message>
    <message>
      <source>The engine stopped unexpectedly (it crashed or was killed).</source>
      <translation>Le moteur s'est arrêté de façon inattendue (planté ou tué).</translation>
    </message>
    <message>
      <source>The engine ended with code {} and no message.</source>
      <translation>Le moteur s'est terminé avec le code {} et sans message.</translation>
    </message>
    <message>
      <source>No Couloir engine was found.</source>
      <translation>Aucun moteur Couloir n'a été trouvé.</translation>
    </message>
    <message>
      <source>The engine gave no answer that can be read.</source>
      <translation>Le moteur n'a pas donné de réponse lisible.</translation>
    </message>
    <message>
      <source>, {:.1f} rocks/s</source>
      <translation>, {:.1f} blocs/s</translation>
    </message>
    <message>
      <source>“{}” cannot be started: {}. Is it built for this system?</source>
      <translation>« {} » ne peut pas être lancé : {}. Est-il compilé pour ce système ?</translation>
    </message>
    <message>
      <source>“{}” does not answer: it is not the Couloir engine.</source>
      <translation>« {} » ne répond pas : ce n'est pas le moteur Couloir.</translation>
    </message>
    <message>
      <source>“{}” does not run on this system: {}.</source>
      <translation>« {} » ne fonctionne pas sur ce système : {}.</translation>
    </message>
    <message>
      <source>“{}” is not the Couloir engine: asked for its version it said “{}”.</source>
      <translation>« {} » n'est pas le moteur Couloir : à la question de sa version, il a répondu « {} ».</translation>
    </message>
    <message>
      <source>The engine could not be started: {}.</source>
      <translation>Le moteur n'a pas pu être lancé : {}.</translation>
    </message>
    <message>
      <source>, {} left</source>
      <translation>, encore {}</translation>
    </message>
    <message>
      <source>The plugin met an internal error ({}); please report it with the log panel's “Couloir” tab.</source>
      <translation>Erreur interne de l'extension ({}) ; signalez-la avec l'onglet « Couloir » du journal.</translation>
    </message>
    <message>
      <source>“{}”: {}. Check the path, free space and permissions.</source>
      <translation>« {} » : {}. Vérifiez le chemin, la place libre et les droits.</translation>
    </message>
    <message>
      <source>The DEM “{}” is not valid: its file may have moved.</source>
      <translation>Le MNT « {} » n'est pas valide : son fichier a peut-être bougé.</translation>
    </message>
    <message>
      <source>“{}” is a picture, not a raster of heights. Choose a DEM.</source>
      <translation>« {} » est une image, pas un raster d'altitudes. Choisissez un MNT.</translation>
    </message>
    <message>
      <source>The DEM “{}” has no coordinate reference system. Set it in the layer's properties, or say it in “Prepare project area”.</source>
      <translation>Le MNT « {} » n'a pas de système de coordonnées. Définissez-le dans les propriétés de la couche, ou indiquez-le dans « Préparer la zone du projet ».</translation>
    </message>
    <message>
      <source>The DEM “{}” is in degrees ({}); rocks fall in metres. Bring it to a metric CRS with “Prepare project area”.</source>
      <translation>Le MNT « {} » est en degrés ({}) ; les blocs tombent en mètres. Passez-le en SCR métrique avec « Préparer la zone du projet ».</translation>
    </message>
    <message>
      <source>The DEM “{}” is not in metres ({}). Bring it to a metric CRS with “Prepare project area”.</source>
      <translation>Le MNT « {} » n'est pas en mètres ({}). Passez-le en SCR métrique avec « Préparer la zone du projet ».</translation>
    </message>
    <message>
      <source>The raster layer “{}” cannot be read.</source>
      <translation>La couche raster « {} » ne peut pas être lue.</translation>
    </message>
    <message>
      <source>The raster layer “{}” could not be written to {}.</source>
      <translation>La couche raster « {} » n'a pas pu être écrite dans {}.</translation>
    </message>
    <message>
      <source>The layer “{}” is not valid: its file may have moved.</source>
      <translation>La couche « {} » n'est pas valide : son fichier a peut-être bougé.</translation>
    </message>
    <message>
      <source>The layer “{}” has no coordinate reference system. Set it in the layer's properties.</source>
      <translation>La couche « {} » n'a pas de système de coordonnées. Définissez-le dans ses propriétés.</translation>
    </message>
    <message>
      <source>The layer “{}” could not be written: {}.</source>
      <translation>La couche « {} » n'a pas pu être écrite : {}.</translation>
    </message>
    <message>
      <source>The layer “{}” has no features (is a filter or an empty selection active?).</source>
      <translation>La couche « {} » n'a pas d'entités (un filtre ou une sélection vide ?).</translation>
    </message>
    <message>
      <source>none</source>
      <translation>aucun</translation>
    </message>
    <message>
      <source>Legend</source>
      <translation>Légende</translation>
    </message>
    <message>
      <source>“{}” is not a template of a layout.</source>
      <translation>« {} » n'est pas un modèle de mise en page.</translation>
    </message>
    <message>
      <source>Parameters</source>
      <translation>Paramètres</translation>
    </message>
    <message>
      <source>“{}” holds no program {}: take the file of a release that is made for this system.</source>
      <translation>« {} » ne contient pas de programme {} : prenez le fichier d’une version faite pour ce système.</translation>
    </message>
    <message>
      <source>No program can be started from “{}”: its drive is mounted without the right to execute (noexec). Unpack the engine on another drive and name it with Plugins ▸ Couloir ▸ Engine location…</source>
      <translation>Aucun programme ne peut être lancé depuis « {} » : le disque est monté sans droit d’exécution (noexec). Décompressez le moteur sur un autre disque et indiquez-le avec Extensions ▸ Couloir ▸ Emplacement du moteur…</translation>
    </message>
    <message>
      <source>“{}” has another checksum than the list beside it says: download both again, from the same release.</source>
      <translation>« {} » a une autre somme de contrôle que celle de la liste à côté : téléchargez à nouveau les deux, de la même version.</translation>
    </message>
    <message>
      <source>“{}” is no archive or wheel of the engine, and no folder that holds it.</source>
      <translation>« {} » n’est ni une archive ni un wheel du moteur, ni un dossier qui le contient.</translation>
    </message>
    <message>
      <source>“{}” is damaged or incomplete: download or copy it again.</source>
      <translation>« {} » est endommagé ou incomplet : téléchargez-le ou copiez-le à nouveau.</translation>
    </message>
    <message>
      <source>Run</source>
      <translation>Calcul</translation>
    </message>
    <message>
      <source>engine</source>
      <translation>moteur</translation>
    </message>
    <message>
      <source>project file</source>
      <translation>fichier de projet</translation>
    </message>
    <message>
      <source>seed</source>
      <translation>graine</translation>
    </message>
    <message>
      <source>rocks</source>
      <translation>blocs</translation>
    </message>
    <message>
      <source>finished</source>
      <translation>terminé</translation>
    </message>
    <message>
      <source>grid</source>
      <translation>grille</translation>
    </message>
    <message>
      <source>no frequency given</source>
      <translation>aucune fréquence donnée</translation>
    </message>
    <message>
      <source>Results</source>
      <translation>Résultats</translation>
    </message>
    <message>
      <source>why rocks stopped</source>
      <translation>pourquoi les blocs s'arrêtent</translation>
    </message>
    <message>
      <source>Section</source>
      <translation>Section</translation>
    </message>
    <message>
      <source>What</source>
      <translation>Quoi</translation>
    </message>
    <message>
      <source>Value</source>
      <translation>Valeur</translation>
    </message>
    <message>
      <source>Released</source>
      <translation>Départs</translation>
    </message>
    <message>
      <source>quantile of the energy</source>
      <translation>quantile de l'énergie</translation>
    </message>
    <message>
      <source>Classification</source>
      <translation>Classement</translation>
    </message>
    <message>
      <source>Input</source>
      <translation>Entrée</translation>
    </message>
    <message>
      <source>Warning</source>
      <translation>Avertissement</translation>
    </message>
    <message>
      <source>Parameter</source>
      <translation>Paramètre</translation>
    </message>
    <message>
      <source>Scenario</source>
      <translation>Scénario</translation>
    </message>
    <message>
      <source>Other</source>
      <translation>Autre</translation>
    </message>
    <message>
      <source>{:.3g} rocks per year</source>
      <translation>{:.3g} blocs par an</translation>
    </message>
    <message>
      <source>{} years</source>
      <translation>{} ans</translation>
    </message>
    <message>
      <source>Couloir project (*.yaml *.yml)</source>
      <translation>Projet Couloir (*.yaml *.yml)</translation>
    </message>
    <message>
      <source>Couloir rockfall</source>
      <translation>Couloir chutes de pierres</translation>
    </message>
    <message>
      <source>Draw release area</source>
      <translation>Dessiner une zone de départ</translation>
    </message>
    <message>
      <source>Site</source>
      <translation>Site</translation>
    </message>
    <message>
      <source>Rocks</source>
      <translation>Blocs</translation>
    </message>
    <message>
      <source>Ground &amp; forest</source>
      <translation>Sol &amp; forêt</translation>
    </message>
    <message>
      <source>Open project file…</source>
      <translation>Ouvrir un fichier de projet…</translation>
    </message>
    <message>
      <source>Folder for a copy of the sample</source>
      <translation>Dossier pour une copie de l'exemple</translation>
    </message>
    <message>
      <source>Couloir: reading a project</source>
      <translation>Couloir : lecture d'un projet</translation>
    </message>
    <message>
      <source>Loading the results…</source>
      <translation>Chargement des résultats…</translation>
    </message>
    <message>
      <source>Left click adds a corner, right click ends, Esc gives up.</source>
      <translation>Clic gauche : un sommet ; clic droit : fin ; Échap : abandon.</translation>
    </message>
    <message>
      <source>Find steep areas…</source>
      <translation>Trouver les zones raides…</translation>
    </message>
    <message>
      <source>Draw barrier</source>
      <translation>Dessiner une barrière</translation>
    </message>
    <message>
      <source>Open sample</source>
      <translation>Ouvrir l'exemple</translation>
    </message>
    <message>
      <source>Help</source>
      <translation>Aide</translation>
    </message>
    <message>
      <source>◂ Back</source>
      <translation>◂ Retour</translation>
    </message>
    <message>
      <source>Next ▸</source>
      <translation>Suite ▸</translation>
    </message>
    <message>
      <source>Choose a folder for the runs, or save the QGIS project first.</source>
      <translation>Choisissez un dossier pour les calculs, ou enregistrez d'abord le projet QGIS.</translation>
    </message>
    <message>
      <source>Cancelling…</source>
      <translation>Annulation…</translation>
    </message>
    <message>
      <source>Finished, with warnings.</source>
      <translation>Terminé, avec avertissements.</translation>
    </message>
    <message>
      <source>Finished.</source>
      <translation>Terminé.</translation>
    </message>
    <message>
      <source>The map is made: {}</source>
      <translation>La carte est faite : {}</translation>
    </message>
    <message>
      <source>Open layout</source>
      <translation>Ouvrir la mise en page</translation>
    </message>
    <message>
      <source>Open PDF</source>
      <translation>Ouvrir le PDF</translation>
    </message>
    <message>
      <source>Checks</source>
      <translation>Contrôles</translation>
    </message>
    <message>
      <source>Release areas (drawn)</source>
      <translation>Zones de départ (dessinées)</translation>
    </message>
    <message>
      <source>Barriers (drawn)</source>
      <translation>Barrières (dessinées)</translation>
    </message>
    <message>
      <source>Rocks so far (run under way)</source>
      <translation>Blocs jusqu’ici (calcul en cours)</translation>
    </message>
    <message>
      <source>Start afresh</source>
      <translation>Recommencer</translation>
    </message>
    <message>
      <source>The run would take about {}. Fewer rocks, a wider spacing or a quick look are faster.</source>
      <translation>Le calcul prendrait environ {}. Moins de blocs, un espacement plus grand ou un aperçu sont plus rapides.</translation>
    </message>
    <message>
      <source>Checking…</source>
      <translation>Vérification…</translation>
    </message>
    <message>
      <source>Prepare project area</source>
      <translation>Préparer la zone du projet</translation>
    </message>
    <message>
      <source>{} release positions, {} rocks.</source>
      <translation>{} positions de départ, {} blocs.</translation>
    </message>
    <message>
      <source>… and {} more, in the report.</source>
      <translation>… et {} autres, dans le rapport.</translation>
    </message>
    <message>
      <source>Ready to run:</source>
      <translation>Prêt au calcul :</translation>
    </message>
    <message>
      <source>For experts</source>
      <translation>Pour experts</translation>
    </message>
    <message>
      <source>Runs found in the folder of the runs, newest first. Select two or more to compare them.</source>
      <translation>Calculs trouvés dans le dossier, le plus récent d'abord. Sélectionnez-en deux ou plus pour les comparer.</translation>
    </message>
    <message>
      <source>Open run folder…</source>
      <translation>Ouvrir un dossier de calcul…</translation>
    </message>
    <message>
      <source>Open</source>
      <translation>Ouvrir</translation>
    </message>
    <message>
      <source>Compare</source>
      <translation>Comparer</translation>
    </message>
    <message>
      <source>Rerun with changes</source>
      <translation>Refaire avec des changements</translation>
    </message>
    <message>
      <source>Report</source>
      <translation>Rapport</translation>
    </message>
    <message>
      <source>Classify…</source>
      <translation>Classer…</translation>
    </message>
    <message>
      <source>Hazard map…</source>
      <translation>Carte de danger…</translation>
    </message>
    <message>
      <source>Barrier report…</source>
      <translation>Rapport de barrière…</translation>
    </message>
    <message>
      <source>Select a run first.</source>
      <translation>Choisissez d'abord un calcul.</translation>
    </message>
    <message>
      <source>Select two or more runs (Ctrl or Shift and click) to compare them.</source>
      <translation>Sélectionnez deux calculs ou plus (Ctrl ou Maj et clic) pour les comparer.</translation>
    </message>
    <message>
      <source>Add rocks until the map has settled</source>
      <translation>Ajouter des blocs jusqu'à ce que la carte soit stable</translation>
    </message>
    <message>
      <source>Batches of rocks are added until zones and quantiles no longer change; else each position once.</source>
      <translation>Des lots de blocs s'ajoutent jusqu'à ce que zones et quantiles ne changent plus ; sinon chaque position une fois.</translation>
    </message>
    <message>
      <source>Runs into a new folder.</source>
      <translation>Calcule dans un nouveau dossier.</translation>
    </message>
    <message>
      <source>Ends the run and removes what is half-made.</source>
      <translation>Arrête le calcul et enlève ce qui est à moitié fait.</translation>
    </message>
    <message>
      <source>Estimated time {}, quick look {}; memory {:.0f} MB.</source>
      <translation>Temps estimé {}, aperçu {} ; mémoire {:.0f} Mo.</translation>
    </message>
    <message>
      <source>Starting…</source>
      <translation>Démarrage…</translation>
    </message>
    <message>
      <source>Start run</source>
      <translation>Lancer le calcul</translation>
    </message>
    <message>
      <source>Quick look</source>
      <translation>Aperçu rapide</translation>
    </message>
    <message>
      <source>Cancel</source>
      <translation>Annuler</translation>
    </message>
    <message>
      <source>Only {} rocks, to try parameters; not a result to hand in.</source>
      <translation>Seulement {} blocs, pour essayer des paramètres ; pas un résultat à remettre.</translation>
    </message>
    <message>
      <source>Its name on maps and in tables.</source>
      <translation>Son nom sur les cartes et dans les tableaux.</translation>
    </message>
    <message>
      <source>Size</source>
      <translation>Taille</translation>
    </message>
    <message>
      <source>In m³ or kg, as chosen above: a number (0.5), a range (0.2 – 2), a power law (0.1 – 5, power 1.2), a log-normal (median 1, sigma 0.5), a list (0.1; 0.5; 2), or an attribute of the release areas. Empty: the size above.</source>
      <translation>En m³ ou kg, comme choisi ci-dessus : un nombre (0.5), un intervalle (0.2 – 2), une loi de puissance (0.1 – 5, power 1.2), une log-normale (median 1, sigma 0.5), une liste (0.1; 0.5; 2) ou un attribut des zones de départ. Vide : la taille ci-dessus.</translation>
    </message>
    <message>
      <source>Return period (years)</source>
      <translation>Période de retour (ans)</translation>
    </message>
    <message>
      <source>Of the scenario, for hazard zones.</source>
      <translation>Du scénario, pour les zones de danger.</translation>
    </message>
    <message>
      <source>Rocks per year and area</source>
      <translation>Blocs par an et zone</translation>
    </message>
    <message>
      <source>A number or an attribute of the release areas. Empty: one rock in the return period.</source>
      <translation>Un nombre ou un attribut des zones de départ. Vide : un bloc par période de retour.</translation>
    </message>
    <message>
      <source>Double click: the colour of the scenario on the map.</source>
      <translation>Double clic : la couleur du scénario sur la carte.</translation>
    </message>
    <message>
      <source>Without scenarios all rocks are one: give how often they come above.</source>
      <translation>Sans scénarios tous les blocs vont ensemble : donnez ci-dessus leur fréquence.</translation>
    </message>
    <message>
      <source>Colour of the scenario</source>
      <translation>Couleur du scénario</translation>
    </message>
    <message>
      <source>Add scenario</source>
      <translation>Ajouter un scénario</translation>
    </message>
    <message>
      <source>Remove</source>
      <translation>Enlever</translation>
    </message>
    <message>
      <source>Colour…</source>
      <translation>Couleur…</translation>
    </message>
    <message>
      <source>Scenario {}</source>
      <translation>Scénario {}</translation>
    </message>
    <message>
      <source>Scenarios</source>
      <translation>Scénarios</translation>
    </message>
    <message>
      <source>Couloir: rockfall simulation</source>
      <translation>Couloir : simulation de chutes de pierres</translation>
    </message>
    <message>
      <source>Couloir: checking</source>
      <translation>Couloir : contrôle</translation>
    </message>
    <message>
      <source>Choose an elevation model on the page “Site”.</source>
      <translation>Choisissez un modèle de terrain à la page « Site ».</translation>
    </message>
    <message>
      <source>Choose or draw release areas on the page “Site”.</source>
      <translation>Choisissez ou dessinez des zones de départ à la page « Site ».</translation>
    </message>
    <message>
      <source>The check gave no answer.</source>
      <translation>Le contrôle n'a pas donné de réponse.</translation>
    </message>
    <message>
      <source>Couloir panel</source>
      <translation>Panneau Couloir</translation>
    </message>
    <message>
      <source>Engine {} is installed in {}.</source>
      <translation>Le moteur {} est installé dans {}.</translation>
    </message>
    <message>
      <source>Its checksum was not compared: there is no SHA256SUMS or versions.json beside the file.</source>
      <translation>Sa somme de contrôle n’a pas été comparée : il n’y a ni SHA256SUMS ni versions.json à côté du fichier.</translation>
    </message>
    <message>
      <source>Engine {} found: {}.</source>
      <translation>Moteur {} trouvé : {}.</translation>
    </message>
    <message>
      <source>Couloir rockfall hazard</source>
      <translation>Couloir danger de chutes de pierres</translation>
    </message>
    <message>
      <source>“{}” was made by an older engine, which left no list of its layers. Write it with `couloir report {}`.</source>
      <translation>« {} » vient d’un moteur plus ancien, qui n’a pas laissé de liste de ses couches. `couloir report {}` l’écrit.</translation>
    </message>
    <message>
      <source>Hazard zones</source>
      <translation>Zones de danger</translation>
    </message>
    <message>
      <source>“{}” holds no finished Couloir run (its manifest.json is missing or unreadable).</source>
      <translation>« {} » ne contient pas de calcul Couloir terminé (manifest.json manque ou est illisible).</translation>
    </message>
    <message>
      <source>with barriers</source>
      <translation>avec barrières</translation>
    </message>
    <message>
      <source>without barriers</source>
      <translation>sans barrières</translation>
    </message>
    <message>
      <source>“{}” cannot be read.</source>
      <translation>« {} » ne peut pas être lu.</translation>
    </message>
    <message>
      <source>“{}” is a file; choose a folder.</source>
      <translation>« {} » est un fichier ; choisissez un dossier.</translation>
    </message>
    <message>
      <source>“{}” holds files already and stays as it is; choose a new folder.</source>
      <translation>« {} » contient déjà des fichiers et reste tel quel ; choisissez un nouveau dossier.</translation>
    </message>
    <message>
      <source>“{}” holds a finished run; choose another folder or tick “Replace an earlier run”.</source>
      <translation>« {} » contient un calcul terminé ; choisissez un autre dossier ou cochez « Remplacer un calcul antérieur ».</translation>
    </message>
    <message>
      <source>Rerun of “{}” with changes: nothing of that run is replaced.</source>
      <translation>Nouveau calcul de « {} » avec des changements : rien de ce calcul n'est remplacé.</translation>
    </message>
    <message>
      <source>From the project “{}”: its file stays as it is.</source>
      <translation>Du projet « {} » : son fichier reste tel quel.</translation>
    </message>
    <message>
      <source>Kept as it is there, because the panel has no field for it: {}.</source>
      <translation>Gardé tel quel, car le panneau n'a pas de champ pour cela : {}.</translation>
    </message>
    <message>
      <source>That run was limited to {} rocks; this one runs all.</source>
      <translation>Ce calcul était limité à {} blocs ; celui-ci les calcule tous.</translation>
    </message>
    <message>
      <source>Changed since that run: {}.</source>
      <translation>Changé depuis ce calcul : {}.</translation>
    </message>
    <message>
      <source>Inputs of {}</source>
      <translation>Entrées de {}</translation>
    </message>
    <message>
      <source>Elevation model (DEM)</source>
      <translation>Modèle de terrain (MNT)</translation>
    </message>
    <message>
      <source>Heights in metres, in a metric coordinate system. Its grid is the grid of the results.</source>
      <translation>Altitudes en mètres, dans un système métrique. Sa grille est celle des résultats.</translation>
    </message>
    <message>
      <source>Release areas</source>
      <translation>Zones de départ</translation>
    </message>
    <message>
      <source>Points, lines or polygons where rocks start. Filters, edits and other coordinate systems are respected.</source>
      <translation>Points, lignes ou polygones de départ des blocs. Filtres, modifications et autres systèmes de coordonnées sont respectés.</translation>
    </message>
    <message>
      <source>Barriers</source>
      <translation>Barrières</translation>
    </message>
    <message>
      <source>Lines of nets or dams that stop rocks. The run is made with and without them.</source>
      <translation>Lignes de filets ou digues qui arrêtent les blocs. Le calcul se fait avec et sans eux.</translation>
    </message>
    <message>
      <source>Barrier height</source>
      <translation>Hauteur de barrière</translation>
    </message>
    <message>
      <source>Height above the ground of all barriers of the layer.</source>
      <translation>Hauteur au-dessus du sol de tous les ouvrages de la couche.</translation>
    </message>
    <message>
      <source>Barrier capacity</source>
      <translation>Capacité de barrière</translation>
    </message>
    <message>
      <source>Energy the barriers absorb.</source>
      <translation>Énergie que les ouvrages absorbent.</translation>
    </message>
    <message>
      <source>Recording lines (roads …)</source>
      <translation>Lignes d'enregistrement (routes …)</translation>
    </message>
    <message>
      <source>Every rock that crosses is recorded: energy, velocity and height. Each line gets a sheet of its own.</source>
      <translation>Chaque bloc qui traverse est enregistré : énergie, vitesse et hauteur. Chaque ligne a sa propre feuille.</translation>
    </message>
    <message>
      <source>Objects at risk (houses, roads …)</source>
      <translation>Objets menacés (maisons, routes …)</translation>
    </message>
    <message>
      <source>Polygons or lines. The run tells for each how often rocks hit it, how hard and how high.</source>
      <translation>Polygones ou lignes. Le calcul dit pour chacun à quelle fréquence, avec quelle énergie et à quelle hauteur des blocs le touchent.</translation>
    </message>
    <message>
      <source>Rock shape</source>
      <translation>Forme du bloc</translation>
    </message>
    <message>
      <source>Natural shapes give every rock a hull of its own; eota_221 is the block of the test standard.</source>
      <translation>Les formes naturelles donnent à chaque bloc sa propre enveloppe ; eota_221 est le bloc de la norme d'essai.</translation>
    </message>
    <message>
      <source>volume (m³)</source>
      <translation>un volume (m³)</translation>
    </message>
    <message>
      <source>mass (kg)</source>
      <translation>une masse (kg)</translation>
    </message>
    <message>
      <source>Size is a</source>
      <translation>La taille est</translation>
    </message>
    <message>
      <source>Whether sizes are volumes or masses.</source>
      <translation>Si les tailles sont des volumes ou des masses.</translation>
    </message>
    <message>
      <source>Rock size</source>
      <translation>Taille du bloc</translation>
    </message>
    <message>
      <source>One size for all rocks.</source>
      <translation>Une taille pour tous les blocs.</translation>
    </message>
    <message>
      <source>… or attribute with the size</source>
      <translation>… ou attribut avec la taille</translation>
    </message>
    <message>
      <source>A number in each release area, instead of one size for all.</source>
      <translation>Un nombre dans chaque zone de départ, au lieu d'une taille pour tous.</translation>
    </message>
    <message>
      <source>Attribute with rocks per year</source>
      <translation>Attribut avec les blocs par an</translation>
    </message>
    <message>
      <source>How many rocks each release area releases a year. Without it, and without scenarios, there are no hazard zones.</source>
      <translation>Combien de blocs partent par an de chaque zone. Sans cela, et sans scénarios, il n'y a pas de zones de danger.</translation>
    </message>
    <message>
      <source>Rocks per release position</source>
      <translation>Blocs par position de départ</translation>
    </message>
    <message>
      <source>Each with a random orientation. More rocks make smoother maps.</source>
      <translation>Chacun avec une orientation au hasard. Plus de blocs donnent des cartes plus lisses.</translation>
    </message>
    <message>
      <source>Spacing of release positions (0: every DEM cell)</source>
      <translation>Espacement des positions de départ (0 : chaque cellule)</translation>
    </message>
    <message>
      <source>Distance of positions within polygons and along lines.</source>
      <translation>Distance des positions dans les polygones et le long des lignes.</translation>
    </message>
    <message>
      <source>Only where steeper than (0: everywhere)</source>
      <translation>Seulement où plus raide que (0 : partout)</translation>
    </message>
    <message>
      <source>Positions on flatter ground release nothing; the spacing stays as it is.</source>
      <translation>Les positions sur terrain plus plat ne libèrent rien ; l'espacement reste.</translation>
    </message>
    <message>
      <source>Random positions per area (0: by spacing)</source>
      <translation>Positions au hasard par zone (0 : par espacement)</translation>
    </message>
    <message>
      <source>This many random positions in each release area, instead of a grid.</source>
      <translation>Autant de positions au hasard dans chaque zone de départ, au lieu d'une grille.</translation>
    </message>
    <message>
      <source>Rock density</source>
      <translation>Densité de la roche</translation>
    </message>
    <message>
      <source>Limestone 2650, granite 2700, basalt 2900 kg/m³, say.</source>
      <translation>Par exemple calcaire 2650, granite 2700, basalte 2900 kg/m³.</translation>
    </message>
    <message>
      <source>Release height above ground</source>
      <translation>Hauteur de départ sur le sol</translation>
    </message>
    <message>
      <source>Of the rock's lowest point when it starts to fall.</source>
      <translation>Du point le plus bas du bloc quand il commence à tomber.</translation>
    </message>
    <message>
      <source>Point cloud of the rock (.xyz, .csv, .stl, .obj)</source>
      <translation>Nuage de points du bloc (.xyz, .csv, .stl, .obj)</translation>
    </message>
    <message>
      <source>A measured block; its convex hull is used instead of the shape above.</source>
      <translation>Un bloc mesuré ; son enveloppe convexe remplace la forme ci-dessus.</translation>
    </message>
    <message>
      <source>Ground where no polygon says otherwise</source>
      <translation>Sol où aucun polygone ne dit autre chose</translation>
    </message>
    <message>
      <source>A class of the engine; its numbers stand below and may be changed.</source>
      <translation>Une classe du moteur ; ses nombres sont dessous et peuvent être changés.</translation>
    </message>
    <message>
      <source>Friction μ min</source>
      <translation>Frottement μ min</translation>
    </message>
    <message>
      <source>Friction when sliding starts.</source>
      <translation>Frottement quand le glissement commence.</translation>
    </message>
    <message>
      <source>Friction μ max</source>
      <translation>Frottement μ max</translation>
    </message>
    <message>
      <source>Friction after long sliding.</source>
      <translation>Frottement après un long glissement.</translation>
    </message>
    <message>
      <source>Ground polygons</source>
      <translation>Polygones de sol</translation>
    </message>
    <message>
      <source>Areas with another ground class.</source>
      <translation>Zones avec une autre classe de sol.</translation>
    </message>
    <message>
      <source>Ground class attribute</source>
      <translation>Attribut de la classe de sol</translation>
    </message>
    <message>
      <source>Names of classes: extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow.</source>
      <translation>Noms des classes : extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow.</translation>
    </message>
    <message>
      <source>Forest where no polygon says otherwise</source>
      <translation>Forêt où aucun polygone ne dit autre chose</translation>
    </message>
    <message>
      <source>Drag</source>
      <translation>Résistance</translation>
    </message>
    <message>
      <source>How strongly stems and branches brake a rock.</source>
      <translation>Combien troncs et branches freinent un bloc.</translation>
    </message>
    <message>
      <source>Height of the trees</source>
      <translation>Hauteur des arbres</translation>
    </message>
    <message>
      <source>Above it rocks fly freely.</source>
      <translation>Au-dessus les blocs volent librement.</translation>
    </message>
    <message>
      <source>Forest polygons</source>
      <translation>Polygones de forêt</translation>
    </message>
    <message>
      <source>Areas with another forest class.</source>
      <translation>Zones avec une autre classe de forêt.</translation>
    </message>
    <message>
      <source>Forest class attribute</source>
      <translation>Attribut de la classe de forêt</translation>
    </message>
    <message>
      <source>Names of classes: open, medium, dense.</source>
      <translation>Noms des classes : open, medium, dense.</translation>
    </message>
    <message>
      <source>β, how fast friction recovers</source>
      <translation>β, vitesse de rétablissement du frottement</translation>
    </message>
    <message>
      <source>After the contact has ended.</source>
      <translation>Après la fin du contact.</translation>
    </message>
    <message>
      <source>κ, how fast friction grows</source>
      <translation>κ, vitesse de croissance du frottement</translation>
    </message>
    <message>
      <source>With the sliding path.</source>
      <translation>Avec le chemin de glissement.</translation>
    </message>
    <message>
      <source>Roughness of the ground (0: the class's)</source>
      <translation>Rugosité du sol (0 : celle de la classe)</translation>
    </message>
    <message>
      <source>Standard deviation of heights that the terrain model leaves out. Rocks meet it, maps refer to the model.</source>
      <translation>Écart type des hauteurs que le modèle de terrain omet. Les blocs la rencontrent, les cartes se rapportent au modèle.</translation>
    </message>
    <message>
      <source>Length of the roughness</source>
      <translation>Longueur de la rugosité</translation>
    </message>
    <message>
      <source>Distance over which its heights become independent.</source>
      <translation>Distance sur laquelle ses hauteurs deviennent indépendantes.</translation>
    </message>
    <message>
      <source>Soil strength Me (0: the class's)</source>
      <translation>Résistance du sol Me (0 : celle de la classe)</translation>
    </message>
    <message>
      <source>Compactable soil: rocks leave scars and lose energy.</source>
      <translation>Sol compactable : les blocs laissent des traces et perdent de l'énergie.</translation>
    </message>
    <message>
      <source>Scarring drag coefficient</source>
      <translation>Coefficient de traînée des traces</translation>
    </message>
    <message>
      <source>Of compactable soil.</source>
      <translation>D'un sol compactable.</translation>
    </message>
    <message>
      <source>Title</source>
      <translation>Titre</translation>
    </message>
    <message>
      <source>On the report and on maps.</source>
      <translation>Sur le rapport et les cartes.</translation>
    </message>
    <message>
      <source>Hazard classification</source>
      <translation>Classement du danger</translation>
    </message>
    <message>
      <source>Intensity and hazard zones of the run; other schemes can be applied later with Classify.</source>
      <translation>Intensité et zones de danger du calcul ; d'autres schémas peuvent être appliqués plus tard avec Classifier.</translation>
    </message>
    <message>
      <source>Folder of the runs</source>
      <translation>Dossier des calculs</translation>
    </message>
    <message>
      <source>Every run gets a new folder in it. Empty: couloir_runs beside the QGIS project.</source>
      <translation>Chaque calcul y reçoit un nouveau dossier. Vide : couloir_runs à côté du projet QGIS.</translation>
    </message>
    <message>
      <source>Seed</source>
      <translation>Graine</translation>
    </message>
    <message>
      <source>The same seed gives the same rocks.</source>
      <translation>Le même germe donne les mêmes blocs.</translation>
    </message>
    <message>
      <source>Points for animation every (0: none)</source>
      <translation>Points pour l'animation toutes les (0 : aucun)</translation>
    </message>
    <message>
      <source>Positions of rocks in time, for the time slider and for profiles.</source>
      <translation>Positions des blocs dans le temps, pour le curseur temporel et les profils.</translation>
    </message>
    <message>
      <source>Time step</source>
      <translation>Pas de temps</translation>
    </message>
    <message>
      <source>Smaller is slower; 0.002 s is tested.</source>
      <translation>Plus petit est plus lent ; 0.002 s est éprouvé.</translation>
    </message>
    <message>
      <source>Stands on the report and on the map sheet.</source>
      <translation>Figure sur le rapport et la carte.</translation>
    </message>
    <message>
      <source>Plan number</source>
      <translation>Numéro de plan</translation>
    </message>
    <message>
      <source>Mosaics, clips, reprojects and mends elevation models, aligns ground, forest and other layers to their grid and writes a folder that is ready to run.

DEMs may be tiles in different coordinate reference systems (CRS), also in degrees; where they overlap, the first one counts. The area is a polygon layer or an extent; the run-out buffer (m) is added around it. Without a target CRS the DEM's own is kept if it is in metres, else the local UTM zone is taken.

Ground and forest polygons need an attribute with the class: ground extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow; forest open, medium, dense.</source>
      <translation>Assemble, découpe, reprojette et répare des MNT, aligne sol, forêt et autres couches sur leur grille et écrit un dossier prêt au calcul.

Les MNT peuvent être des tuiles dans différents systèmes de coordonnées (SCR), même en degrés ; où ils se recouvrent, le premier compte. La zone est une couche de polygones ou une emprise ; la marge de propagation (m) est ajoutée autour. Sans SCR cible, celui du MNT est gardé s'il est métrique, sinon la zone UTM locale.

Les polygones de sol et de forêt demandent un attribut avec la classe : sol extra_soft, soft, medium_soft, medium, medium_hard, hard, extra_hard, snow ; forêt open, medium, dense.</translation>
    </message>
    <message>
      <source>Find release areas</source>
      <translation>Trouver les zones de départ</translation>
    </message>
    <message>
      <source>Polygons where the DEM is steeper than a threshold (°): a first guess at cliffs that release rocks, to be checked in the field. The threshold depends on the cell size: on a coarse DEM cliffs look flatter (about 55° at 1 m, 49° at 5 m, 46° at 10 m).

With geology polygons only what lies in them counts: filter or select the rock units that release rocks. Areas smaller than the smallest area (m²) are dropped and holes smaller than it are closed. Each polygon gets its area (m²) and its mean and largest slope (°).</source>
      <translation>Polygones où le MNT est plus raide qu'un seuil (°) : une première idée des parois, à vérifier sur le terrain. Le seuil dépend de la taille de cellule : sur un MNT grossier, les parois paraissent moins raides (environ 55° à 1 m, 49° à 5 m, 46° à 10 m).

Avec des polygones géologiques, seul ce qui s'y trouve compte : filtrez ou sélectionnez les roches concernées. Les zones plus petites que la plus petite surface (m²) tombent, les trous plus petits sont fermés. Chaque polygone reçoit sa surface (m²) et ses pentes moyenne et maximale (°).</translation>
    </message>
    <message>
      <source>Run rockfall simulation</source>
      <translation>Simuler les chutes de pierres</translation>
    </message>
    <message>
      <source>Releases rocks on a DEM, follows each down the slope and maps passages, reach, kinetic energy (kJ), velocity (m/s) and jump height (m) per cell.

Give a project file (everything else is then ignored except the output folder and the seed), or layers: a DEM in a metric CRS and release points, lines or polygons. Any layer works, also filtered, joined or in another CRS; “selected features only” is respected.

Rock size is a volume (m³) or a mass (kg), one for all or an attribute of the release layer. With a classification scheme and a frequency attribute (rocks per year from each feature), hazard zones are mapped too.

The output folder must be new or empty. It holds the inputs as used, the project file and the run: it can be passed on and repeated.</source>
      <translation>Fait partir des blocs sur un MNT, suit chacun dans la pente et cartographie passages, portée, énergie cinétique (kJ), vitesse (m/s) et hauteur de saut (m) par cellule.

Donnez un fichier de projet (tout le reste est alors ignoré, sauf le dossier de sortie et le germe), ou des couches : un MNT dans un SCR métrique et des points, lignes ou polygones de départ. Toute couche convient, aussi filtrée, jointe ou dans un autre SCR ; « entités sélectionnées uniquement » est respecté.

La taille est un volume (m³) ou une masse (kg), une pour tous ou un attribut de la couche de départ. Avec un schéma de classification et un attribut de fréquence (blocs par an de chaque entité), les zones de danger sont aussi cartographiées.

Le dossier de sortie doit être nouveau ou vide. Il contient les données utilisées, le fichier de projet et le calcul : il peut être transmis et refait.</translation>
    </message>
    <message>
      <source>Classify hazard</source>
      <translation>Classer le danger</translation>
    </message>
    <message>
      <source>Intensity maps and hazard zones from a finished run, without running it again. Zones need release frequencies (rocks per year) or return periods of the scenarios: reach alone is not a return period. Choose a built-in scheme or a YAML file of your own with limits, return periods and matrix.

The return period of a cell is that of each scenario that reaches it, or comes from the yearly passages of rocks. Years of scenarios may be given here, and cells that hardly any rock reaches may be left out.</source>
      <translation>Cartes d'intensité et zones de danger d'un calcul terminé, sans le refaire. Les zones demandent des fréquences de départ (blocs par an) ou des périodes de retour des scénarios : la portée seule n'est pas une période de retour. Choisissez un schéma intégré ou un fichier YAML à vous avec limites, périodes de retour et matrice.

La période de retour d'une cellule est celle de chaque scénario qui l'atteint, ou vient des passages annuels. Les années des scénarios peuvent être données ici, et les cellules que presque aucun bloc n'atteint peuvent être laissées de côté.</translation>
    </message>
    <message>
      <source>Barrier report</source>
      <translation>Rapport de barrière</translation>
    </message>
    <message>
      <source>A sheet per recording line or barrier of a finished run: rocks and crossings, energy (kJ) and height (m) quantiles, the design values with every partial factor, the class of the net, and histograms.

To try a line that the run did not record, give it as a layer (drawn in QGIS, selected, filtered …): the run's project is run again with this line added, into a folder of its own, with the same seed and so the same rocks. With a height (m) and a capacity (kJ) the line acts as a barrier, and the sheet shows what it held.

The new folder holds the inputs, the project file with the line and the run; the earlier run stays as it is.</source>
      <translation>Une fiche par ligne d'enregistrement ou barrière d'un calcul terminé : blocs et passages, quantiles d'énergie (kJ) et de hauteur (m), valeurs de dimensionnement avec tous les facteurs partiels, classe du filet et histogrammes.

Pour essayer une ligne que le calcul n'a pas enregistrée, donnez-la comme couche (dessinée dans QGIS, sélectionnée, filtrée …) : le projet est recalculé avec cette ligne, dans un dossier à part, avec la même graine et donc les mêmes blocs. Avec une hauteur (m) et une capacité (kJ), la ligne agit comme barrière et la fiche montre ce qu'elle a retenu.

Le nouveau dossier contient les entrées, le fichier de projet avec la ligne et le calcul ; le calcul antérieur reste tel quel.</translation>
    </message>
    <message>
      <source>Merge runs</source>
      <translation>Fusionner des calculs</translation>
    </message>
    <message>
      <source>Joins the parts of a run that were computed separately (couloir run --shard i/n, on several machines say) into the very run that one machine would have made. Parts of other projects, seeds or engine versions are refused. Name any file of each part's folder, or the folder itself.</source>
      <translation>Réunit les parties d'un calcul faites séparément (couloir run --shard i/n, sur plusieurs machines par exemple) en exactement le calcul qu'une machine aurait fait. Les parties d'autres projets, graines ou versions sont refusées. Indiquez un fichier de chaque partie, ou son dossier.</translation>
    </message>
    <message>
      <source>Compare runs</source>
      <translation>Comparer des calculs</translation>
    </message>
    <message>
      <source>What changed from a first run (A) to a second one (B): a map B − A for every map both have, with its unit and a diverging scale centred on zero, and a page with the key figures side by side and the parameters that differ.

Where only one run has rocks, the other counts as 0. Both runs must have the same cells; their areas may differ.</source>
      <translation>Ce qui a changé d'un premier calcul (A) à un second (B) : une carte B − A pour chaque carte commune, avec son unité et une échelle divergente centrée sur zéro, et une page avec les chiffres clés côte à côte et les paramètres qui diffèrent.

Où un seul calcul a des blocs, l'autre compte pour 0. Les deux calculs doivent avoir les mêmes cellules ; leurs périmètres peuvent différer.</translation>
    </message>
    <message>
      <source>Compare with observations</source>
      <translation>Comparer avec des observations</translation>
    </message>
    <message>
      <source>Run-out, lateral spread, deposits, largest values and passages at lines of a finished run against what was observed, with the difference that chance alone would give; a page, its numbers as JSON, and drawings.

Observations are points where rocks ended (mapped blocks of an event, say), or a CSV table with a row for each rock: runout_m, x_m, y_m, jump_max_m, velocity_max_m_s, energy_max_kj … Rocks that left the terrain count as at least as far.</source>
      <translation>Portée, dispersion latérale, dépôts, valeurs maximales et passages aux lignes d’un calcul terminé face à ce qui a été observé, avec la différence que le hasard seul donnerait ; une page, ses chiffres en JSON et des dessins.

Les observations sont des points d’arrêt de blocs (blocs cartographiés d’un événement, par exemple) ou une table CSV avec une ligne par bloc : runout_m, x_m, y_m, jump_max_m, velocity_max_m_s, energy_max_kj … Les blocs sortis du terrain comptent pour au moins aussi loin.</translation>
    </message>
    <message>
      <source>Trajectory profile</source>
      <translation>Profil des trajectoires</translation>
    </message>
    <message>
      <source>Kinetic energy (kJ), velocity (m/s) and jump height (m) against the horizontal distance (m) along one or many trajectories, as a page with plots and as a table. The input are the point records of a run (“Points along trajectories every … s”); select rocks in the map and tick “selected features only”, or filter the layer by id.</source>
      <translation>Énergie cinétique (kJ), vitesse (m/s) et hauteur de saut (m) selon la distance horizontale (m) le long d'une ou plusieurs trajectoires, en page de graphiques et en table. L'entrée sont les points d'un calcul (« Points le long des trajectoires toutes les … s ») ; sélectionnez des blocs et cochez « entités sélectionnées », ou filtrez la couche par id.</translation>
    </message>
    <message>
      <source>Create hazard map layout</source>
      <translation>Créer la carte de danger</translation>
    </message>
    <message>
      <source>Composes a print layout: the map over a hillshade or a base layer of yours, locator map, title block, legend with units, scale bar, north arrow, coordinate grid, the coordinate reference system, a line on the origin of the result (engine version, seed, project hash), what the run warned of, and pages with its parameters.

The layout stays in the QGIS project (Project ▸ Layouts), to be changed by hand; PDF and PNG are written if files are named. With a polygon layer as map areas the map shows them all; tick “one map per area” to get an atlas. A template of your office (.qpt) may have the same item names as the built-in ones.

Without a map layer of your choice the run's hazard zones are shown, or the kinetic energy if it has none.</source>
      <translation>Compose une mise en page : la carte sur un ombrage ou une couche de base à vous, carte de situation, cartouche, légende avec unités, échelle, flèche du nord, grille de coordonnées, le système de coordonnées, une ligne sur l'origine (version, germe, empreinte du projet), les avertissements du calcul et des pages avec ses paramètres.

La mise en page reste dans le projet QGIS (Projet ▸ Mises en page) et peut être modifiée à la main ; PDF et PNG sont écrits si des fichiers sont nommés. Avec une couche de polygones comme secteurs, la carte les montre tous ; cochez « une carte par secteur » pour un atlas. Un modèle de votre bureau (.qpt) peut avoir les mêmes noms d'éléments que ceux fournis.

Sans couche de votre choix, les zones de danger du calcul sont montrées, ou l'énergie cinétique s'il n'en a pas.</translation>
    </message>
    <message>
      <source>Elevation model (one or several)</source>
      <translation>Modèle de terrain (un ou plusieurs)</translation>
    </message>
    <message>
      <source>CRS of DEMs that do not say theirs</source>
      <translation>SCR des MNT qui n'indiquent pas le leur</translation>
    </message>
    <message>
      <source>Area polygon</source>
      <translation>Polygone de la zone</translation>
    </message>
    <message>
      <source>… or extent</source>
      <translation>… ou emprise</translation>
    </message>
    <message>
      <source>Run-out buffer (m)</source>
      <translation>Marge de propagation (m)</translation>
    </message>
    <message>
      <source>Target CRS (metric)</source>
      <translation>SCR cible (métrique)</translation>
    </message>
    <message>
      <source>Cell size (m)</source>
      <translation>Taille de cellule (m)</translation>
    </message>
    <message>
      <source>Fill nodata holes up to (cells, or metres as 20m)</source>
      <translation>Combler les trous jusqu'à (cellules, ou mètres : 20m)</translation>
    </message>
    <message>
      <source>What codes mean, e.g. ground:1=hard,2=soft</source>
      <translation>Sens des codes, p. ex. ground:1=hard,2=soft</translation>
    </message>
    <message>
      <source>Parameter rasters, each named like its parameter (mu_min, mu_max, …)</source>
      <translation>Rasters de paramètres, nommés comme leur paramètre (mu_min, mu_max, …)</translation>
    </message>
    <message>
      <source>Polygons with parameters</source>
      <translation>Polygones avec paramètres</translation>
    </message>
    <message>
      <source>Attributes to use, each named like its parameter (mu_min, height_m, …)</source>
      <translation>Attributs à utiliser, chacun nommé comme son paramètre (mu_min, height_m, …)</translation>
    </message>
    <message>
      <source>Project folder</source>
      <translation>Dossier du projet</translation>
    </message>
    <message>
      <source>Project file</source>
      <translation>Fichier de projet</translation>
    </message>
    <message>
      <source>Steeper than (°)</source>
      <translation>Plus raide que (°)</translation>
    </message>
    <message>
      <source>Smallest area (m²)</source>
      <translation>Plus petite surface (m²)</translation>
    </message>
    <message>
      <source>Only in these geology polygons</source>
      <translation>Seulement dans ces polygones géologiques</translation>
    </message>
    <message>
      <source>Smooth outlines by up to (m)</source>
      <translation>Lisser les contours jusqu'à (m)</translation>
    </message>
    <message>
      <source>Instead of layers.</source>
      <translation>À la place de couches.</translation>
    </message>
    <message>
      <source>Seed (empty: the project's, or 1)</source>
      <translation>Graine (vide : celle du projet, ou 1)</translation>
    </message>
    <message>
      <source>Only this many rocks, for a quick look</source>
      <translation>Seulement autant de blocs, pour un aperçu</translation>
    </message>
    <message>
      <source>Spread evenly over all releases; not a result to hand in.</source>
      <translation>Répartis sur tous les départs ; pas un résultat à remettre.</translation>
    </message>
    <message>
      <source>the useful dozen</source>
      <translation>la douzaine utile</translation>
    </message>
    <message>
      <source>everything</source>
      <translation>tout</translation>
    </message>
    <message>
      <source>Maps to write</source>
      <translation>Cartes à écrire</translation>
    </message>
    <message>
      <source>Formats of the trajectories</source>
      <translation>Formats des trajectoires</translation>
    </message>
    <message>
      <source>Replace an earlier run in the output folder</source>
      <translation>Remplacer un calcul antérieur dans le dossier de sortie</translation>
    </message>
    <message>
      <source>Only a run that this plugin made there; the inputs go beside the earlier ones.</source>
      <translation>Seulement un calcul que cette extension y a fait ; les données vont à côté des précédentes.</translation>
    </message>
    <message>
      <source>Load and style the results</source>
      <translation>Charger et styliser les résultats</translation>
    </message>
    <message>
      <source>Output folder</source>
      <translation>Dossier de sortie</translation>
    </message>
    <message>
      <source>Run folder</source>
      <translation>Dossier du calcul</translation>
    </message>
    <message>
      <source>Scheme</source>
      <translation>Schéma</translation>
    </message>
    <message>
      <source>… or a scheme of your own</source>
      <translation>… ou un schéma à vous</translation>
    </message>
    <message>
      <source>as the scheme says</source>
      <translation>comme le schéma le dit</translation>
    </message>
    <message>
      <source>of each scenario</source>
      <translation>celle de chaque scénario</translation>
    </message>
    <message>
      <source>from yearly passages</source>
      <translation>des passages annuels</translation>
    </message>
    <message>
      <source>Return period</source>
      <translation>Période de retour</translation>
    </message>
    <message>
      <source>Years of scenarios, e.g. rare=300; frequent=30</source>
      <translation>Années des scénarios, p. ex. rare=300; fréquent=30</translation>
    </message>
    <message>
      <source>Without an entry a scenario counts as often as its releases say.</source>
      <translation>Sans indication un scénario compte aussi souvent que ses départs le disent.</translation>
    </message>
    <message>
      <source>Leave out cells reached by less than this share of rocks (0–1)</source>
      <translation>Laisser de côté les cellules atteintes par moins que cette part des blocs (0–1)</translation>
    </message>
    <message>
      <source>0.001: one rock in a thousand. Empty: as the scheme says.</source>
      <translation>0.001 : un bloc sur mille. Vide : comme le schéma le dit.</translation>
    </message>
    <message>
      <source>Quantile of the energy (0–1)</source>
      <translation>Quantile de l'énergie (0–1)</translation>
    </message>
    <message>
      <source>Classification folder</source>
      <translation>Dossier du classement</translation>
    </message>
    <message>
      <source>A new line to record</source>
      <translation>Nouvelle ligne à enregistrer</translation>
    </message>
    <message>
      <source>Name of the new line</source>
      <translation>Nom de la nouvelle ligne</translation>
    </message>
    <message>
      <source>Folder for the new run</source>
      <translation>Dossier du nouveau calcul</translation>
    </message>
    <message>
      <source>Height of the new barrier (m)</source>
      <translation>Hauteur de la nouvelle barrière (m)</translation>
    </message>
    <message>
      <source>Capacity of the new barrier (kJ)</source>
      <translation>Capacité de la nouvelle barrière (kJ)</translation>
    </message>
    <message>
      <source>Barrier sheet</source>
      <translation>Fiche de barrière</translation>
    </message>
    <message>
      <source>New run</source>
      <translation>Nouveau calcul</translation>
    </message>
    <message>
      <source>Parts</source>
      <translation>Parties</translation>
    </message>
    <message>
      <source>First run (A)</source>
      <translation>Premier calcul (A)</translation>
    </message>
    <message>
      <source>Second run (B)</source>
      <translation>Second calcul (B)</translation>
    </message>
    <message>
      <source>Folder for the comparison</source>
      <translation>Dossier de la comparaison</translation>
    </message>
    <message>
      <source>Page with tables</source>
      <translation>Page avec tableaux</translation>
    </message>
    <message>
      <source>Observed end points</source>
      <translation>Points d’arrêt observés</translation>
    </message>
    <message>
      <source>… or a table of observations</source>
      <translation>… ou une table d’observations</translation>
    </message>
    <message>
      <source>Also compare by this attribute</source>
      <translation>Comparer aussi selon cet attribut</translation>
    </message>
    <message>
      <source>Direction of the run-out (degrees from north)</source>
      <translation>Direction de la portée (degrés depuis le nord)</translation>
    </message>
    <message>
      <source>With barriers acting</source>
      <translation>Avec les ouvrages de protection</translation>
    </message>
    <message>
      <source>Points along trajectories</source>
      <translation>Points le long des trajectoires</translation>
    </message>
    <message>
      <source>At most this many trajectories</source>
      <translation>Au plus autant de trajectoires</translation>
    </message>
    <message>
      <source>Plot</source>
      <translation>Graphique</translation>
    </message>
    <message>
      <source>Table</source>
      <translation>Table</translation>
    </message>
    <message>
      <source>hazard zones (else kinetic energy)</source>
      <translation>zones de danger (sinon énergie cinétique)</translation>
    </message>
    <message>
      <source>intensity</source>
      <translation>intensité</translation>
    </message>
    <message>
      <source>kinetic energy</source>
      <translation>énergie cinétique</translation>
    </message>
    <message>
      <source>reach probability</source>
      <translation>probabilité d'atteinte</translation>
    </message>
    <message>
      <source>jump height</source>
      <translation>hauteur de saut</translation>
    </message>
    <message>
      <source>velocity</source>
      <translation>vitesse</translation>
    </message>
    <message>
      <source>What to map</source>
      <translation>Thème de la carte</translation>
    </message>
    <message>
      <source>… or a layer of your choice</source>
      <translation>… ou une couche au choix</translation>
    </message>
    <message>
      <source>Another DEM for the hillshade</source>
      <translation>Autre MNT pour l'ombrage</translation>
    </message>
    <message>
      <source>Base layer instead of the hillshade</source>
      <translation>Fond à la place de l'ombrage</translation>
    </message>
    <message>
      <source>More layers on top</source>
      <translation>Autres couches par-dessus</translation>
    </message>
    <message>
      <source>Paper</source>
      <translation>Papier</translation>
    </message>
    <message>
      <source>landscape</source>
      <translation>paysage</translation>
    </message>
    <message>
      <source>portrait</source>
      <translation>portrait</translation>
    </message>
    <message>
      <source>Orientation</source>
      <translation>Orientation</translation>
    </message>
    <message>
      <source>as the run says</source>
      <translation>comme le calcul le dit</translation>
    </message>
    <message>
      <source>Project</source>
      <translation>Projet</translation>
    </message>
    <message>
      <source>Date (empty: today)</source>
      <translation>Date (vide : aujourd'hui)</translation>
    </message>
    <message>
      <source>Logo</source>
      <translation>Logo</translation>
    </message>
    <message>
      <source>Pictures (*.svg *.png *.jpg *.jpeg)</source>
      <translation>Images (*.svg *.png *.jpg *.jpeg)</translation>
    </message>
    <message>
      <source>Map areas</source>
      <translation>Emprises des cartes</translation>
    </message>
    <message>
      <source>One map per area (atlas)</source>
      <translation>Une carte par zone (atlas)</translation>
    </message>
    <message>
      <source>Attribute with the area's name</source>
      <translation>Attribut avec le nom de la zone</translation>
    </message>
    <message>
      <source>Remarks (data sources …)</source>
      <translation>Remarques (sources des données …)</translation>
    </message>
    <message>
      <source>Template of your office</source>
      <translation>Modèle de votre bureau</translation>
    </message>
    <message>
      <source>Resolution (dpi)</source>
      <translation>Résolution (dpi)</translation>
    </message>
    <message>
      <source>Name of the layout</source>
      <translation>Nom de la mise en page</translation>
    </message>
  </context>
</TS>
