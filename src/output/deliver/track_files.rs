//! Files of trajectories, rocks and impacts that a project asks for.

use rayon::prelude::*;

use super::{Delivery, made};
use crate::geo::write_vector::Format;
use crate::output::styles;
use crate::output::tracks::{self, Names, VectorFile};
use crate::project::file::{Outputs, TableFormat};
use crate::store::run_folder::TRAJECTORIES;
use crate::store::{VariantResult, track};
use crate::{Note, Result};

/// A file of trajectories, rocks or impacts.
#[derive(Clone, Copy)]
pub(super) enum TrackFile {
    Lines(Format),
    Deposits(Format),
    Points(Format),
    Rocks,
    Impacts(Format),
}

impl TrackFile {
    /// The files a project asks for.
    pub(super) fn wanted(outputs: &Outputs) -> Result<Vec<Self>> {
        let formats = track::formats(&outputs.trajectories)?;
        let mut files: Vec<Self> = Vec::new();
        for format in formats {
            files.extend([Self::Lines(format), Self::Deposits(format)]);
            files.extend(outputs.points_every_s.map(|_| Self::Points(format)));
        }
        files.extend(outputs.rocks.then_some(Self::Rocks));
        files.extend(outputs.impacts.formats().into_iter().map(|format| match format {
            TableFormat::Csv => Self::Impacts(Format::Csv),
            TableFormat::Geopackage => Self::Impacts(Format::GeoPackage),
        }));
        Ok(files)
    }
}

/// Lines, deposits, point records, rocks and impacts; returns what the reader must know.
pub(super) fn write_tracks(delivery: &Delivery, variant: &VariantResult) -> Result<Vec<Note>> {
    let site = delivery.result.setup.site;
    let files = TrackFile::wanted(&site.project.file.outputs)?;
    if files.is_empty() {
        return Ok(Vec::new());
    }
    let folder = made(delivery.folder_of(variant).join(TRAJECTORIES))?;
    let names = Names::of(delivery.result.setup);
    let crs = &site.crs;
    if files.iter().any(|file| matches!(file, TrackFile::Lines(_))) {
        styles::write_trajectories(&folder)?;
        styles::write_deposits(&folder)?;
    }
    if files.iter().any(|file| matches!(file, TrackFile::Points(_))) {
        styles::write_points(&folder)?;
    }
    if files.iter().any(|file| matches!(file, TrackFile::Impacts(_))) {
        styles::write_impacts(&folder)?;
    }
    let written = files.into_par_iter().map(|file| {
        let file = match file {
            TrackFile::Lines(format) => tracks::write_lines(&variant.tracks, &folder, format, crs, &names),
            TrackFile::Deposits(format) => tracks::write_deposits(&variant.records, &folder, format, crs, &names),
            TrackFile::Points(format) => tracks::write_points(&variant.points, &folder, format, crs),
            TrackFile::Rocks => tracks::write_rocks(&variant.records, &folder, crs, &names),
            TrackFile::Impacts(format) => {
                tracks::write_impacts([&variant.impacts, &variant.records], &folder, format, crs, &names)
            }
        };
        delivery.progress.add(1);
        file
    });
    let written = written.collect::<Result<Vec<VectorFile>>>()?;
    Ok(written.into_iter().flat_map(|file| file.warnings).collect())
}
