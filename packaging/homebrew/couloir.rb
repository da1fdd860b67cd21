# For a tap: `brew install couloir-rockfall/tap/couloir`. The checksum is that of the release's source archive.
class Couloir < Formula
  desc "Rockfall hazard simulation with real, angular rocks on real terrain"
  homepage "https://github.com/couloir-rockfall/couloir"
  url "https://github.com/couloir-rockfall/couloir/archive/refs/tags/v0.2.0.tar.gz"
  sha256 "0000000000000000000000000000000000000000000000000000000000000000"
  license any_of: ["MIT", "Apache-2.0"]

  depends_on "pkgconf" => :build
  depends_on "rust" => :build
  depends_on "gdal"
  depends_on "proj"

  def install
    system "cargo", "install", *std_cargo_args
    generate_completions_from_executable(bin/"couloir", "completions")
    Utils.safe_popen_read(bin/"couloir", "man", "--list").split.each do |verb|
      (man1/"couloir-#{verb}.1").write Utils.safe_popen_read(bin/"couloir", "man", verb)
    end
    (man1/"couloir.1").write Utils.safe_popen_read(bin/"couloir", "man")
    pkgshare.install "sample_projects/valley"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/couloir --version")
    system bin/"couloir", "run", pkgshare/"valley/project.yaml", "--limit", "5", "--out", testpath/"run"
    assert_path_exists testpath/"run/manifest.json"
  end
end
