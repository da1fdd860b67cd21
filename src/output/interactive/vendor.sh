#!/bin/sh
# Makes three.min.js anew: the parts of three.js that viewer.js uses, as one script without modules, its licence in front.
# Needs npm and the network; the result is kept in the repository, so that nothing is fetched when couloir is built.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init -y >/dev/null
npm install --silent three@0.170.0 esbuild@0.28.2
cat >entry.js <<'END'
export { WebGLRenderer, Scene, PerspectiveCamera, BufferGeometry, BufferAttribute, Mesh, MeshLambertMaterial, LineBasicMaterial, LineSegments, Line, InstancedMesh, SphereGeometry, MeshBasicMaterial, DirectionalLight, AmbientLight, Color, Matrix4, Vector3, DoubleSide, Raycaster } from 'three';
export { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
END
npx esbuild entry.js --bundle --minify --format=iife --global-name=THREE --legal-comments=none --outfile=three.min.js
{
    echo '/*!'
    echo 'three.js r170 (WebGLRenderer, OrbitControls and what they need), bundled and minified with esbuild; see vendor.sh.'
    cat node_modules/three/LICENSE
    echo '*/'
    cat three.min.js
} >"$here/three.min.js"
