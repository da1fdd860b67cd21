//! Rasters of results on maps so large that an array of all their cells would not fit: written block by block where there are values, as
//! cloud-optimised GeoTIFF with smaller copies, empty blocks left out.
//!
//! Cells come tile by tile from the south, so only the blocks of one row of tiles are open at a time, and as many of each smaller copy.
//! These hold the mean of measured values, and the largest of counts and classes, so that a narrow path does not vanish.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use gdal::cpl::CslStringList;
use gdal::raster::{Buffer, GdalType, RasterCreationOptions};
use gdal::{Dataset, DatasetOptions, GdalOpenFlags};

use super::write_raster::{self, Summary};
use super::{Crs, atomic, gdal_glue};
use crate::hazard::tile::SIDE;
use crate::terrain::Lattice;
use crate::{Error, Result};

/// Cells along a side of a block.
const BLOCK: usize = 512;

/// A kind of number that is written.
pub trait Pixel: GdalType + Copy + PartialEq + PartialOrd {
    /// As a number of the statistics.
    fn number(self) -> f64;
    /// One for several: the mean of measured values, else the largest.
    fn joined(all: &[Self]) -> Self;
}

fn largest<T: Copy + PartialOrd>(all: &[T]) -> T {
    all.iter().copied().fold(all[0], |best, value| if value > best { value } else { best })
}

impl Pixel for f32 {
    fn number(self) -> f64 {
        self.into()
    }

    fn joined(all: &[Self]) -> Self {
        (all.iter().map(|&value| f64::from(value)).sum::<f64>() / all.len() as f64) as f32
    }
}

impl Pixel for u32 {
    fn number(self) -> f64 {
        self.into()
    }

    fn joined(all: &[Self]) -> Self {
        largest(all)
    }
}

impl Pixel for u8 {
    fn number(self) -> f64 {
        self.into()
    }

    fn joined(all: &[Self]) -> Self {
        largest(all)
    }
}

/// What is said of a raster.
#[derive(Debug, Clone, Copy)]
pub struct About<'a, T> {
    /// One sentence for the file's metadata.
    pub description: &'a str,
    /// `m`, `kJ`, …; empty if it has none.
    pub unit: &'a str,
    /// Marks cells without value.
    pub nodata: T,
    /// Colours of the classes from 1 on.
    pub colours: Option<&'a [[u8; 3]]>,
}

/// A raster that is being written.
pub struct SparseRaster<T> {
    pending: atomic::Pending,
    work: PathBuf,
    dataset: Dataset,
    lattice: Lattice,
    nodata: T,
    /// By size: blocks that are not complete, by row and column.
    open: Vec<BTreeMap<(usize, usize), Vec<T>>>,
    /// Row of tiles the last cell was in.
    at: usize,
    summary: Summary,
}

impl<T: Pixel> SparseRaster<T> {
    /// Begins a file that appears only when it is complete.
    pub fn create(path: &Path, lattice: &Lattice, crs: &Crs, about: &About<T>) -> Result<Self> {
        gdal_glue::init();
        gdal_glue::clear_messages();
        let pending = atomic::Pending::new(path)?;
        let work = pending.path().with_extension("work");
        let failed = || Error::failed(format!("'{}' cannot be written{}", path.display(), gdal_glue::because()));
        let size = BLOCK.to_string();
        let options = [
            "TILED=YES",
            "COMPRESS=DEFLATE",
            "ZLEVEL=1",
            "SPARSE_OK=TRUE",
            "BIGTIFF=IF_SAFER",
            &format!("BLOCKXSIZE={size}"),
            &format!("BLOCKYSIZE={size}"),
        ];
        let options: RasterCreationOptions = CslStringList::from_iter(options);
        let driver = write_raster::driver("GTiff")?;
        let (nx, ny) = (lattice.nx, lattice.ny);
        let mut dataset =
            driver.create_with_band_type_with_options::<T, _>(&work, nx, ny, 1, &options).map_err(|_| failed())?;
        write_raster::place(&mut dataset, lattice, crs).map_err(|_| failed())?;
        {
            let mut band = dataset.rasterband(1).map_err(|_| failed())?;
            write_raster::name(&mut band, about.description, about.unit, about.nodata.number())
                .map_err(|()| failed())?;
            if let Some(colours) = about.colours {
                write_raster::colour(&mut band, colours);
            }
        }
        dataset.close().map_err(|_| failed())?;
        // Open again: what is not written then stays left out.
        let open_flags = GdalOpenFlags::GDAL_OF_RASTER | GdalOpenFlags::GDAL_OF_UPDATE;
        let mut dataset =
            Dataset::open_ex(&work, DatasetOptions { open_flags, ..Default::default() }).map_err(|_| failed())?;
        let factors: Vec<i32> =
            (1..=16).map(|k| 1 << k).take_while(|&factor| nx.max(ny).div_ceil(factor as usize / 2) > BLOCK).collect();
        if !factors.is_empty() {
            with_block_size(&size, || dataset.build_overviews("NONE", &factors, &[])).map_err(|_| failed())?;
        }
        let open = vec![BTreeMap::new(); factors.len() + 1];
        let (lattice, nodata) = (*lattice, about.nodata);
        Ok(Self { pending, work, dataset, lattice, nodata, open, at: 0, summary: Summary::default() })
    }

    /// The value of a cell. Tiles must come in order of their rows, from the south.
    pub fn put(&mut self, cell: usize, value: T) -> Result<()> {
        if value == self.nodata {
            return Ok(());
        }
        let Lattice { nx, ny, .. } = self.lattice;
        let (column, row) = (cell % nx, cell / nx);
        if row / SIDE > self.at {
            self.at = row / SIDE;
            // All that follows lies further north.
            self.flush(Some((ny - 1 - self.at * SIDE) / BLOCK))?;
        }
        self.summary.add(value.number());
        let (across, down) = (column, ny - 1 - row);
        let nodata = self.nodata;
        let block = self.open[0].entry((down / BLOCK, across / BLOCK)).or_insert_with(|| vec![nodata; BLOCK * BLOCK]);
        block[down % BLOCK * BLOCK + across % BLOCK] = value;
        Ok(())
    }

    /// Writes the blocks south of a row of blocks, or all.
    fn flush(&mut self, south_of: Option<usize>) -> Result<()> {
        for level in 0..self.open.len() {
            let complete = match south_of {
                Some(row) => self.open[level].split_off(&((row >> level) + 1, 0)),
                None => std::mem::take(&mut self.open[level]),
            };
            for ((row, column), block) in complete {
                self.write(level, row, column, &block)?;
                if level + 1 < self.open.len() {
                    let nodata = self.nodata;
                    let parent = self.open[level + 1]
                        .entry((row / 2, column / 2))
                        .or_insert_with(|| vec![nodata; BLOCK * BLOCK]);
                    halve(&block, parent, (row % 2, column % 2), nodata);
                }
            }
        }
        Ok(())
    }

    fn write(&mut self, level: usize, row: usize, column: usize, block: &[T]) -> Result<()> {
        let failed = |_| Error::failed(format!("the raster cannot be written{}", gdal_glue::because()));
        let mut band = self.dataset.rasterband(1).map_err(failed)?;
        if level > 0 {
            band = band.overview(level - 1).map_err(failed)?;
        }
        let (nx, ny) = band.size();
        let (left, top) = (column * BLOCK, row * BLOCK);
        let (width, height) = (BLOCK.min(nx.saturating_sub(left)), BLOCK.min(ny.saturating_sub(top)));
        if width == 0 || height == 0 {
            return Ok(());
        }
        let cells = (0..height).flat_map(|y| &block[y * BLOCK..][..width]).copied().collect();
        band.write((left as isize, top as isize), (width, height), &mut Buffer::new((width, height), cells))
            .map_err(failed)
    }

    /// Completes the file.
    pub fn finish(mut self) -> Result<()> {
        self.flush(None)?;
        let Self { pending, work, dataset, summary, .. } = self;
        let failed = || Error::failed(format!("the raster cannot be written{}", gdal_glue::because()));
        let finish = || -> Result<()> {
            {
                let mut band = dataset.rasterband(1).map_err(|_| failed())?;
                write_raster::summarise(&mut band, &summary).map_err(|()| failed())?;
            }
            dataset.close().map_err(|_| failed())?;
            let source = Dataset::open(&work).map_err(|_| failed())?;
            let mut options = write_raster::cog_options(true);
            options.extend(["SPARSE_OK=TRUE".to_string(), "NUM_THREADS=ALL_CPUS".to_string()]);
            let options = CslStringList::from_iter(options.iter().map(String::as_str));
            let driver = write_raster::driver("COG")?;
            let copy = source.create_copy(&driver, pending.path(), &options).map_err(|_| failed())?;
            write_raster::close(copy, pending.path())?;
            drop(source);
            std::fs::remove_file(&work).map_err(|error| atomic::io_error(&work, &error))
        };
        finish().map_err(|error| pending.explain(error))?;
        pending.commit_replacing(&[".aux.xml", ".ovr", ".msk"])
    }
}

/// Each four cells with a value of a block as one of a quarter of its parent.
fn halve<T: Pixel>(block: &[T], parent: &mut [T], (south, east): (usize, usize), nodata: T) {
    let half = BLOCK / 2;
    for y in 0..half {
        for x in 0..half {
            let at = 2 * y * BLOCK + 2 * x;
            let mut found = [nodata; 4];
            let mut count = 0;
            for value in [at, at + 1, at + BLOCK, at + BLOCK + 1].map(|k| block[k]) {
                if value != nodata {
                    found[count] = value;
                    count += 1;
                }
            }
            if count > 0 {
                parent[(south * half + y) * BLOCK + east * half + x] = T::joined(&found[..count]);
            }
        }
    }
}

/// Smaller copies have blocks of this size, and those without a value are left out.
fn with_block_size<R>(size: &str, build: impl FnOnce() -> R) -> R {
    const OPTIONS: [&str; 2] = ["GDAL_TIFF_OVR_BLOCKSIZE", "SPARSE_OK_OVERVIEW"];
    for (option, value) in OPTIONS.iter().zip([size, "ON"]) {
        // These fail only for strings with a NUL inside.
        let _ = gdal::config::set_thread_local_config_option(option, value);
    }
    let built = build();
    OPTIONS.iter().for_each(|option| {
        let _ = gdal::config::clear_thread_local_config_option(option);
    });
    built
}
