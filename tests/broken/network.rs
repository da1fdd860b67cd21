//! Nothing an input says makes the program talk to the network, load code or obey the environment. A listener on this very
//! machine notices every attempt.

use std::net::{SocketAddr, TcpListener, TcpStream};
use std::thread::JoinHandle;

use crate::fixture::{Case, PROJECT, one_sentence};

/// Counts those who connect, and hangs up on them.
struct Listener {
    address: SocketAddr,
    visitors: JoinHandle<usize>,
}

impl Listener {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let visitors = std::thread::spawn(move || {
            let mut count = 0;
            loop {
                let (mut stream, _) = listener.accept().unwrap();
                // The last visitor is ourselves, who says so.
                let mut word = [0; 4];
                let read = std::io::Read::read(&mut stream, &mut word).unwrap_or(0);
                if &word[..read] == b"end\n" {
                    return count;
                }
                count += 1;
            }
        });
        Self { address, visitors }
    }

    fn visitors(self) -> usize {
        let mut stream = TcpStream::connect(self.address).unwrap();
        std::io::Write::write_all(&mut stream, b"end\n").unwrap();
        self.visitors.join().unwrap()
    }
}

/// Everything that would open GDAL's and PROJ's doors.
fn environment(address: SocketAddr, case: &Case) -> Vec<(&'static str, String)> {
    let url = format!("http://{address}");
    let home = case.path("");
    std::fs::create_dir_all(home.join(".gdal")).unwrap();
    case.text(".gdal/gdalrc", "[configoptions]\nGDAL_VRT_ENABLE_PYTHON=YES\nGDAL_SKIP=GTiff\n");
    let mut variables: Vec<(&str, String)> = [
        ("GDAL_VRT_ENABLE_PYTHON", "YES"),
        ("GDAL_VRT_PYTHON_TRUSTED_MODULES", "*"),
        ("GDAL_SKIP", "GTiff GPKG"),
        ("OGR_SKIP", "GeoJSON"),
        ("GTIFF_IGNORE_READ_ERRORS", "YES"),
        ("OSR_DEFAULT_AXIS_MAPPING_STRATEGY", "AUTHORITY_COMPLIANT"),
        ("AWS_NO_SIGN_REQUEST", "YES"),
        ("AWS_HTTPS", "NO"),
        ("AWS_VIRTUAL_HOSTING", "FALSE"),
        ("GS_NO_SIGN_REQUEST", "YES"),
        ("OSS_SECRET_ACCESS_KEY", "x"),
        ("OSS_ACCESS_KEY_ID", "x"),
        ("SWIFT_AUTH_TOKEN", "x"),
        ("AZURE_NO_SIGN_REQUEST", "YES"),
        ("AZURE_STORAGE_ACCOUNT", "x"),
        ("PROJ_NETWORK", "ON"),
        ("GDAL_HTTP_MAX_RETRY", "0"),
    ]
    .map(|(name, value)| (name, value.to_string()))
    .into();
    variables.extend([
        ("AWS_S3_ENDPOINT", address.to_string()),
        ("OSS_ENDPOINT", address.to_string()),
        ("CPL_GS_ENDPOINT", url.clone() + "/"),
        ("SWIFT_STORAGE_URL", url.clone()),
        ("PROJ_NETWORK_ENDPOINT", url.clone()),
        ("OGR_GEOCODE_QUERY_TEMPLATE", url + "/%s"),
        ("GDAL_DRIVER_PATH", home.join("plugins").display().to_string()),
        ("CPL_LOG", home.join("gdal.log").display().to_string()),
        ("HOME", home.display().to_string()),
    ]);
    variables
}

fn vrt(source: &str) -> String {
    format!(
        "<VRTDataset rasterXSize=\"40\" rasterYSize=\"40\"><SRS>EPSG:2056</SRS>\
         <GeoTransform>2600000, 2, 0, 1200080, 0, -2</GeoTransform><VRTRasterBand dataType=\"Float32\" band=\"1\">\
         <SimpleSource><SourceFilename relativeToVRT=\"0\">{source}</SourceFilename><SourceBand>1</SourceBand>\
         </SimpleSource></VRTRasterBand></VRTDataset>"
    )
}

fn wms(url: &str) -> String {
    format!(
        "<GDAL_WMS><Service name=\"TMS\"><ServerUrl>{url}/${{z}}/${{x}}/${{y}}.tif</ServerUrl></Service><DataWindow>\
         <UpperLeftX>2600000</UpperLeftX><UpperLeftY>1200080</UpperLeftY><LowerRightX>2600080</LowerRightX>\
         <LowerRightY>1200000</LowerRightY><SizeX>40</SizeX><SizeY>40</SizeY></DataWindow><Projection>EPSG:2056</Projection>\
         <BlockSizeX>40</BlockSizeX><BlockSizeY>40</BlockSizeY><BandsCount>1</BandsCount></GDAL_WMS>"
    )
}

/// Names that lead out of this machine; `A` stands for an address.
const NAMES: [&str; 22] = [
    "/vsicurl/http://A/dem.tif",
    "/vsicurl?url=http://A/dem.tif",
    "/vsicurl_streaming/http://A/dem.tif",
    "/vsis3/bucket/dem.tif",
    "/vsis3_streaming/bucket/dem.tif",
    "/vsigs/bucket/dem.tif",
    "/vsiaz/bucket/dem.tif",
    "/vsiadls/bucket/dem.tif",
    "/vsioss/bucket/dem.tif",
    "/vsiswift/bucket/dem.tif",
    "/vsiwebhdfs/http://A/webhdfs/v1/dem.tif",
    "/vsihdfs/hdfs://A/dem.tif",
    "/vsizip//vsicurl/http://A/a.zip/dem.tif",
    "/vsizip/{/vsicurl/http://A/a.zip}/dem.tif",
    "/vsigzip//vsicurl/http://A/dem.tif.gz",
    "/vsitar//vsicurl/http://A/a.tar/dem.tif",
    "/vsisubfile/0_1000,/vsicurl/http://A/dem.tif",
    "/vsicached?file=/vsicurl/http://A/dem.tif",
    "http://A/dem.tif",
    "WMS:http://A/wms?SERVICE=WMS",
    "WCS:http://A/wcs",
    "NETCDF:http://A/dem.nc",
];

#[test]
fn no_input_makes_the_program_connect() {
    let listener = Listener::start();
    let address = listener.address.to_string();
    let case = Case::new();
    let environment = environment(listener.address, &case);
    let refuse = |what: &str, arguments: &[&str]| {
        let output = case.couloir_in(arguments, &environment);
        one_sentence(&output, 3, &[]);
        assert!(!case.path("gdal.log").exists() && !case.path("owned").exists(), "{what}");
    };
    for name in NAMES.map(|name| name.replace('A', &address)) {
        case.text("project.yaml", PROJECT).change("dem.tif", &name);
        refuse(&name, &["check", "project.yaml"]);
        case.text("net.vrt", &vrt(&name.replace('&', "&amp;")));
        case.text("project.yaml", PROJECT).change("dem.tif", "net.vrt");
        refuse(&name, &["check", "project.yaml"]);
        if name.starts_with("/vsicurl") {
            case.text("outer.vrt", &vrt(&case.path("net.vrt").display().to_string()));
            refuse(&name, &["reproject", "outer.vrt", "out.tif", "--crs", "EPSG:21781"]);
        }
        case.text("project.yaml", PROJECT).change("file: release.geojson", &format!("file: \"{name}\""));
        refuse(&name, &["check", "project.yaml"]);
    }
    let url = format!("http://{address}");
    for definition in [wms(&url), vrt(&wms(&url).replace('<', "&lt;"))] {
        case.text("dem.xml", &definition);
        refuse("a WMS file", &["clip", "dem.xml", "out.tif", "--extent", "2600000,1200000,2600020,1200020"]);
    }
    case.text("project.yaml", PROJECT);
    for crs in [format!("{url}/crs"), format!("https://{address}/crs"), "/vsicurl/http://A/crs".replace('A', &address)]
    {
        case.text("project.yaml", PROJECT).add(&format!("crs: \"{crs}\"\n"));
        refuse("a CRS", &["check", "project.yaml"]);
        refuse("a CRS", &["reproject", "dem.tif", "out.tif", "--crs", &crs]);
        refuse("a CRS", &["prepare", "--dem", "dem.tif", "--crs", &crs, "--out", "site"]);
    }
    refuse("an area", &["prepare", "--dem", "dem.tif", "--aoi", &format!("{url}/area.geojson"), "--out", "site"]);
    assert_eq!(listener.visitors(), 0);
}

/// Files that can be read, or refused, but must not be followed.
#[test]
fn no_vector_file_makes_the_program_connect() {
    let listener = Listener::start();
    let address = listener.address.to_string();
    let case = Case::new();
    let environment = environment(listener.address, &case);
    let url = format!("http://{address}");
    let geojson = std::fs::read_to_string(case.path("release.geojson")).unwrap();
    let linked = geojson.replace(
        "{\"type\": \"name\", \"properties\": {\"name\": \"urn:ogc:def:crs:EPSG::2056\"}}",
        &format!("{{\"type\": \"link\", \"properties\": {{\"href\": \"{url}/crs\", \"type\": \"ogcwkt\"}}}}"),
    );
    assert_ne!(linked, geojson);
    let ogr_vrt = |source: &str| {
        format!(
            "<OGRVRTDataSource><OGRVRTLayer name=\"x\"><SrcDataSource>{source}</SrcDataSource></OGRVRTLayer></OGRVRTDataSource>"
        )
    };
    let kml = format!(
        "<?xml version=\"1.0\"?><kml xmlns=\"http://www.opengis.net/kml/2.2\"><Document><NetworkLink><Link><href>{url}/x.kml\
         </href></Link></NetworkLink></Document></kml>"
    );
    let gml = format!(
        "<?xml version=\"1.0\"?><!DOCTYPE x SYSTEM \"{url}/x.dtd\"><ogr:FeatureCollection xmlns:ogr=\"http://ogr/\" \
         xmlns:gml=\"http://www.opengis.net/gml\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\" \
         xsi:schemaLocation=\"http://ogr/ {url}/x.xsd\"></ogr:FeatureCollection>"
    );
    let files = [
        ("linked.geojson", linked),
        ("http.vrt", ogr_vrt(&format!("{url}/x.geojson"))),
        ("curl.vrt", ogr_vrt(&format!("/vsicurl/{url}/x.geojson"))),
        ("wfs.vrt", ogr_vrt(&format!("WFS:{url}/wfs"))),
        ("oapif.vrt", ogr_vrt(&format!("OAPIF:{url}/"))),
        ("pg.vrt", ogr_vrt(&format!("PG:host=127.0.0.1 port={}", listener.address.port()))),
        ("es.vrt", ogr_vrt(&format!("ES:{url}"))),
        ("link.kml", kml),
        ("x.gml", gml.clone()),
        ("x.xml", gml),
    ];
    for (name, text) in files {
        case.text("project.yaml", PROJECT).text(name, &text).change("release.geojson", name);
        let output = case.couloir_in(&["check", "project.yaml"], &environment);
        one_sentence(&output, 3, &[]);
    }
    // In degrees it would pass for WGS 84.
    let point = r#""features": [{"type": "Feature", "properties": {}, "geometry": {"type": "Point", "coordinates": [7.4391, 46.9515]}}]"#;
    let link = format!(r#""crs": {{"type": "link", "properties": {{"href": "{url}/crs", "type": "ogcwkt"}}}}"#);
    case.text("linked.geojson", &format!(r#"{{"type": "FeatureCollection", {link}, {point}}}"#));
    case.text("project.yaml", PROJECT).change("release.geojson", "linked.geojson");
    let output = case.couloir_in(&["check", "project.yaml"], &environment);
    one_sentence(&output, 3, &["linked.geojson", "elsewhere", "--allow-network"]);
    // A datum shift by a grid that PROJ would fetch.
    let degrees = r#"{"type": "Point", "coordinates": [7.4389, 46.9514]}"#;
    let feature = format!(r#"{{"type": "Feature", "properties": {{}}, "geometry": {degrees}}}"#);
    case.text("project.yaml", PROJECT).text("degrees.geojson", &feature);
    let reproject = ["reproject", "degrees.geojson", "out.gpkg", "--crs", "EPSG:21781"];
    assert!(case.couloir_in(&reproject, &environment).status.success());
    assert_eq!(listener.visitors(), 0);
}

/// The listener does notice: with `--allow-network` the same name is followed.
#[test]
fn the_network_is_there_when_it_is_allowed() {
    let listener = Listener::start();
    let case = Case::new();
    let name = format!("/vsicurl/http://{}/dem.tif", listener.address);
    case.change("dem.tif", &name);
    one_sentence(&case.couloir(&["check", "project.yaml", "--allow-network"]), 3, &["terrain.dem"]);
    assert!(listener.visitors() > 0);
}

/// `GDAL_VRT_ENABLE_PYTHON`, drivers left out, errors ignored, logs: none of it reaches GDAL, whoever asks for it.
#[test]
fn the_environment_does_not_steer_what_is_read() {
    let listener = Listener::start();
    let case = Case::new();
    let environment = environment(listener.address, &case);
    let output = case.couloir_in(&["check", "project.yaml"], &environment);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(!case.path("gdal.log").exists());
    let owned = case.path("owned");
    let python = vrt("dem.tif").replace(
        "<VRTRasterBand dataType=\"Float32\" band=\"1\">",
        &format!(
            "<VRTRasterBand dataType=\"Float32\" band=\"1\" subClass=\"VRTDerivedRasterBand\"><PixelFunctionType>f\
             </PixelFunctionType><PixelFunctionLanguage>Python</PixelFunctionLanguage><PixelFunctionCode><![CDATA[\n\
             open('{}', 'w')\ndef f(a, out, *rest):\n    out[:] = a[0]\n]]></PixelFunctionCode>",
            owned.display()
        ),
    );
    let python = python.replace("dem.tif", &case.path("dem.tif").display().to_string());
    case.text("python.vrt", &python).change("dem.tif", "python.vrt");
    one_sentence(&case.couloir_in(&["check", "project.yaml"], &environment), 3, &["python.vrt"]);
    assert!(!owned.exists(), "Python code ran");
    assert_eq!(listener.visitors(), 0);
}

/// Only what the documentation lists is read.
#[test]
fn the_documented_drivers_are_all_there_is() {
    couloir::geo::gdal_glue::init();
    let known = couloir::geo::lockdown::DRIVERS;
    for index in 0..gdal::DriverManager::count() {
        let name = gdal::DriverManager::get_driver(index).unwrap().short_name();
        assert!(known.contains(&name.as_str()), "{name}");
    }
    let documented = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/formats.md")).unwrap();
    for name in known.iter().filter(|name| !["MEM", "Memory"].contains(name)) {
        assert!(documented.contains(&format!("`{name}`")), "docs/formats.md says nothing of {name}");
    }
}
