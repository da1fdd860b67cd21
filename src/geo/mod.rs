//! Reading, reprojecting, clipping and writing geodata: the only module that knows GDAL and PROJ.
