//! The catalogue of broken inputs. Each case runs the real program on a small site with one thing wrong and demands: the
//! documented exit code, exactly one line on stderr that names the file, key or feature and says how to mend it, no
//! panic, and not one file more or less afterwards. What looks broken but is not (umlauts, Windows line ends, a byte
//! order mark) must work.

mod environment;
mod fixture;
mod limits;
mod network;
mod numbers;
mod places;
mod project_file;
mod rasters;
mod shapes;
mod vectors;
