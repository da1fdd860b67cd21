// The interactive page of a run: maps to pan, zoom and ask, lines to draw, rocks falling in space. Data stand in the page.
'use strict';
(function () {
  const data = JSON.parse(document.getElementById('data').textContent);
  const text = (key, values) =>
    Object.entries(values || {}).reduce((words, [name, value]) => words.replaceAll('‹' + name + '›', value), data.texts[key] || key);
  const byId = (id) => document.getElementById(id);
  const grid = data.grid;
  const east = grid.west + grid.columns * grid.dx;
  const north = grid.south + grid.rows * grid.dy;

  // ---- numbers ----------------------------------------------------------------------------------------------------
  async function bytes(packed) {
    const raw = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([raw]).stream().pipeThrough(new DecompressionStream('deflate'));
    return new Uint8Array(await new Response(stream).arrayBuffer());
  }
  async function numbers(packed, width) {
    const coded = await bytes(packed);
    const count = coded.length / width;
    const values = width === 2 ? new Uint16Array(count) : new Uint32Array(count);
    let before = 0;
    for (let i = 0; i < count; i++) {
      let difference = 0;
      for (let k = 0; k < width; k++) difference += coded[k * count + i] * 2 ** (8 * k);
      values[i] = before + difference;
      before = values[i];
    }
    return values;
  }
  const value = (code) => data.code.small * (Math.exp(code / data.code.steps) - 1);
  function shown(number, unit) {
    if (!Number.isFinite(number)) return '–';
    const size = Math.abs(number);
    const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : size > 0 ? 4 : 0;
    return number.toFixed(digits).replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, '') + (unit ? ' ' + unit : '');
  }
  const quantile = (sorted, p) => {
    const at = (sorted.length - 1) * p;
    const low = Math.floor(at);
    return sorted[low] + (at - low) * (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]);
  };

  // ---- state ------------------------------------------------------------------------------------------------------
  let heights = null;
  let relief = null;
  let zones = null;
  let tracks = null;
  let scenario = null;
  let painted = null;
  let pixels = null;
  let selected = null;
  let line = null;
  let drawing = false;
  const read = new Map();

  async function scenarioOf(index) {
    if (read.has(index)) return read.get(index);
    const given = data.scenarios[index];
    const one = { name: given.name, released: given.released, index, values: {} };
    one.cells = await numbers(given.cells, 4);
    one.passages = await numbers(given.passages, 4);
    one.deposits = await numbers(given.deposits, 4);
    for (const [key, packed] of Object.entries(given.values)) one.values[key] = await numbers(packed, 2);
    one.histogram = given.histogram ? await numbers(given.histogram, 4) : null;
    one.at = new Int32Array(grid.columns * grid.rows).fill(-1);
    one.cells.forEach((cell, i) => { one.at[cell] = i; });
    read.set(index, one);
    return one;
  }
  function layerValue(one, key, i) {
    if (key === 'passages') return one.passages[i];
    if (key === 'deposits') return one.deposits[i];
    if (key === 'reach') return one.passages[i] / one.released;
    return one.values[key] ? value(one.values[key][i]) : NaN;
  }
  const classOf = (layer, number) => {
    let at = 0;
    while (at < layer.limits.length && number > layer.limits[at]) at++;
    return at;
  };
  const rgb = (colour) => [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));

  // ---- the map as a picture, one pixel a cell ----------------------------------------------------------------------
  function shade() {
    const { columns, rows, dx, dy } = grid;
    const shades = new Uint8Array(columns * rows);
    const height = (c, r) => {
      const code = heights[Math.min(Math.max(r, 0), rows - 1) * columns + Math.min(Math.max(c, 0), columns - 1)];
      return code === 65535 ? NaN : data.heights.low + code * data.heights.step;
    };
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        const sx = (height(c + 1, r) - height(c - 1, r)) / (2 * dx);
        const sy = (height(c, r + 1) - height(c, r - 1)) / (2 * dy);
        const light = (0.5 * sx - 0.5 * sy + 0.707) / Math.sqrt(1 + sx * sx + sy * sy);
        shades[r * columns + c] = Number.isNaN(light) ? 252 : 128 + 125 * Math.min(Math.max(light, 0), 1);
      }
    }
    return shades;
  }
  function paint() {
    const { columns, rows } = grid;
    const picture = new ImageData(columns, rows);
    const put = (cell, colour, cover) => {
      const row = rows - 1 - Math.floor(cell / columns);
      const at = 4 * (row * columns + (cell % columns));
      for (let k = 0; k < 3; k++) picture.data[at + k] = relief[cell] + cover * (colour[k] - relief[cell]);
      picture.data[at + 3] = 255;
    };
    for (let cell = 0; cell < relief.length; cell++) put(cell, [255, 255, 255], 0);
    const key = byId('layer').value;
    if (key === 'zones') {
      zones.forEach((zone, cell) => {
        if (!zone) return;
        const kind = data.zones.classes[zone - 1];
        const stripe = kind.hatched && ((cell % columns) + Math.floor(cell / columns)) % 4 < 2;
        put(cell, stripe ? [255, 255, 255] : rgb(kind.colour), 0.78);
      });
    } else {
      const layer = data.layers.find((known) => known.key === key);
      const colours = layer.colours.map(rgb);
      scenario.cells.forEach((cell, i) => {
        const number = layerValue(scenario, key, i);
        if (number > 0) put(cell, colours[classOf(layer, number)], 0.78);
      });
    }
    painted = document.createElement('canvas');
    painted.width = columns;
    painted.height = rows;
    painted.getContext('2d').putImageData(picture, 0, 0);
    pixels = picture.data;
  }

  // ---- pan and zoom ------------------------------------------------------------------------------------------------
  const map = byId('map');
  const view = { x: 0, y: 0, scale: 1 };
  const toPixel = ([x, y]) => [(x - view.x) * view.scale, (view.y - y) * view.scale];
  const toWorld = ([px, py]) => [view.x + px / view.scale, view.y - py / view.scale];
  function whole() {
    const { width, height } = map.getBoundingClientRect();
    view.scale = 0.96 * Math.min(width / (east - grid.west), height / (north - grid.south));
    view.x = (grid.west + east) / 2 - width / view.scale / 2;
    view.y = (grid.south + north) / 2 + height / view.scale / 2;
  }
  function stroke(context, points, colour, width) {
    for (const [line, tint] of [[width + 2, '#fff'], [width, colour]]) {
      context.lineWidth = line;
      context.strokeStyle = tint;
      context.beginPath();
      points.forEach((point, i) => (i ? context.lineTo(...toPixel(point)) : context.moveTo(...toPixel(point))));
      context.stroke();
    }
  }
  function boxed(context, words, [x, y]) {
    const width = context.measureText(words).width;
    x = Math.min(Math.max(x - width / 2, 6), map.clientWidth - width - 6);
    y = Math.min(Math.max(y, 18), map.clientHeight - 10);
    context.fillStyle = '#fff';
    context.fillRect(x - 4, y - 13, width + 8, 18);
    context.strokeStyle = '#c8001e';
    context.lineWidth = 1;
    context.strokeRect(x - 4, y - 13, width + 8, 18);
    context.fillStyle = '#000';
    context.fillText(words, x, y);
  }
  function draw() {
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = map.getBoundingClientRect();
    if (!painted || !width) return;
    map.width = width * ratio;
    map.height = height * ratio;
    const context = map.getContext('2d');
    context.scale(ratio, ratio);
    context.font = '13px Helvetica, Arial, sans-serif';
    context.imageSmoothingEnabled = view.scale * grid.dx < 1;
    const [left, top] = toPixel([grid.west, north]);
    context.drawImage(painted, left, top, (east - grid.west) * view.scale, (north - grid.south) * view.scale);
    context.strokeStyle = '#000';
    context.strokeRect(left, top, (east - grid.west) * view.scale, (north - grid.south) * view.scale);
    for (const overlay of data.overlays) for (const points of overlay.lines) stroke(context, points, overlay.colour, 2);
    for (const mark of data.marks) for (const points of mark.lines) stroke(context, points, '#c8001e', 5);
    if (selected !== null) {
      const [c, r] = [selected % grid.columns, Math.floor(selected / grid.columns)];
      const [x, y] = toPixel([grid.west + c * grid.dx, grid.south + (r + 1) * grid.dy]);
      context.lineWidth = 2;
      context.strokeStyle = '#000';
      context.strokeRect(x - 1, y - 1, Math.max(grid.dx * view.scale, 4) + 2, Math.max(grid.dy * view.scale, 4) + 2);
    }
    if (line && line.length > 1) stroke(context, line, '#0050c8', 3);
    for (const mark of data.marks) boxed(context, mark.text, toPixel(mark.at));
    scaleBar(context, height);
  }
  function scaleBar(context, height) {
    const longest = 160 / view.scale;
    const power = 10 ** Math.floor(Math.log10(longest));
    const metres = [5, 2, 1].map((step) => step * power).find((length) => length <= longest);
    const width = metres * view.scale;
    context.fillStyle = '#ffffffcc';
    context.fillRect(8, height - 34, width + 12, 28);
    context.fillStyle = '#000';
    context.fillRect(14, height - 16, width, 4);
    context.fillText(metres >= 1000 ? metres / 1000 + ' km' : metres + ' m', 14, height - 20);
  }

  // ---- asking ------------------------------------------------------------------------------------------------------
  function row(name, words) {
    const tr = document.createElement('tr');
    for (const content of [name, words]) tr.appendChild(document.createElement('td')).textContent = content;
    return tr;
  }
  function say(title, rows, note) {
    const info = byId('info');
    info.replaceChildren();
    info.appendChild(document.createElement('h2')).textContent = title;
    const table = info.appendChild(document.createElement('table'));
    rows.forEach(([name, words]) => table.appendChild(row(name, words)));
    if (note) info.appendChild(document.createElement('p')).textContent = note;
    return info;
  }
  const energyLabels = () => {
    const limits = data.energies_kj;
    return [...limits, null].map((limit, i) => (limit === null ? '≥ ' + limits[i - 1] : '< ' + limit));
  };
  function bars(counts, labels, xTitle, yTitle) {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 300 170');
    const add = (kind, attributes, words) => {
      const node = svg.appendChild(document.createElementNS('http://www.w3.org/2000/svg', kind));
      Object.entries(attributes).forEach(([name, content]) => node.setAttribute(name, content));
      if (words !== undefined) node.textContent = words;
    };
    const most = Math.max(1, ...counts);
    const width = 290 / counts.length;
    counts.forEach((count, i) => {
      const tall = (100 * count) / most;
      add('rect', { x: 5 + i * width, y: 125 - tall, width: width - 2, height: tall, fill: '#d7301f', 'data-count': count });
      if (count) add('text', { x: 4 + (i + 0.5) * width, y: 121 - tall, 'font-size': 9, 'text-anchor': 'middle' }, count);
      add('text', { x: 4 + (i + 0.5) * width, y: 137, 'font-size': 7.5, 'text-anchor': 'middle' }, labels[i]);
    });
    add('line', { x1: 5, y1: 125.5, x2: 295, y2: 125.5, stroke: '#333' });
    add('text', { x: 150, y: 153, 'font-size': 10, 'text-anchor': 'middle' }, xTitle);
    add('text', { x: 5, y: 12, 'font-size': 10 }, yTitle);
    return svg;
  }
  function ask(cell) {
    selected = cell;
    const i = scenario.at[cell];
    const [x, y] = [grid.west + ((cell % grid.columns) + 0.5) * grid.dx, grid.south + (Math.floor(cell / grid.columns) + 0.5) * grid.dy];
    const place = [text('page-coordinates'), x.toFixed(1) + ' / ' + y.toFixed(1)];
    const code = heights[cell];
    const height = [text('page-height'), code === 65535 ? '–' : shown(data.heights.low + code * data.heights.step, 'm')];
    const rows = [place, height, [text('page-scenario'), scenario.name]];
    if (zones) rows.push([data.zones.title, zones[cell] ? data.zones.classes[zones[cell] - 1].label : '–']);
    if (i < 0) {
      say(text('page-cell'), rows, text('page-no-rock'));
    } else {
      for (const layer of data.layers) {
        rows.push([layer.title, shown(layerValue(scenario, layer.key, i) * layer.factor, layer.unit)]);
      }
      const info = say(text('page-cell'), rows, grid.every > 1 ? text('page-coarse', { cells: grid.every }) : '');
      if (scenario.histogram) {
        const n = scenario.cells.length;
        const counts = data.energies_kj.concat([0]).map((_, bin) => scenario.histogram[bin * n + i]);
        info.appendChild(bars(counts, energyLabels(), text('axis-energy'), text('page-rocks')));
      }
    }
    draw();
  }

  // Where a track crosses a drawn line: energy and height by the time between two vertices.
  function crossings() {
    const found = [];
    const wanted = data.scenarios.length > 1 ? scenario.index - 1 : -1;
    for (let k = 0; k < tracks.count; k++) {
      if (wanted >= 0 && tracks.scenario[k] !== wanted) continue;
      let best = null;
      for (let i = tracks.first[k]; i + 1 < tracks.first[k + 1]; i++) {
        const [ax, ay, bx, by] = [tracks.x[i], tracks.y[i], tracks.x[i + 1], tracks.y[i + 1]];
        for (let s = 0; s + 1 < line.length; s++) {
          const [[cx, cy], [ex, ey]] = [line[s], line[s + 1]];
          const cross = (bx - ax) * (ey - cy) - (by - ay) * (ex - cx);
          if (cross === 0) continue;
          const t = ((cx - ax) * (ey - cy) - (cy - ay) * (ex - cx)) / cross;
          const u = ((cx - ax) * (by - ay) - (cy - ay) * (bx - ax)) / cross;
          if (t < 0 || t >= 1 || u < 0 || u > 1) continue;
          const energy = tracks.energy[i] + t * (tracks.energy[i + 1] - tracks.energy[i]);
          const z = tracks.z[i] + t * (tracks.z[i + 1] - tracks.z[i]);
          const above = z - ground(ax + t * (bx - ax), ay + t * (by - ay));
          if (!best || energy > best.energy) best = { energy, above };
        }
      }
      if (best) found.push(best);
    }
    return found;
  }
  function ground(x, y) {
    const c = Math.min(Math.max((x - grid.west) / grid.dx - 0.5, 0), grid.columns - 1.001);
    const r = Math.min(Math.max((y - grid.south) / grid.dy - 0.5, 0), grid.rows - 1.001);
    const [k, l] = [Math.floor(c), Math.floor(r)];
    const at = (i, j) => {
      const code = heights[(l + j) * grid.columns + k + i];
      return code === 65535 ? NaN : data.heights.low + code * data.heights.step;
    };
    const [fx, fy] = [c - k, r - l];
    return (1 - fy) * ((1 - fx) * at(0, 0) + fx * at(1, 0)) + fy * ((1 - fx) * at(0, 1) + fx * at(1, 1));
  }
  function askLine() {
    const metres = line.slice(1).reduce((sum, [x, y], i) => sum + Math.hypot(x - line[i][0], y - line[i][1]), 0);
    const length = [text('page-length'), shown(metres, 'm')];
    if (!tracks) return say(text('page-line'), [length], text('page-no-tracks'));
    const found = crossings();
    const energies = found.map((one) => one.energy).sort((a, b) => a - b);
    const heightsAbove = found.map((one) => one.above).sort((a, b) => a - b);
    const rows = [length, [text('page-scenario'), scenario.name], [text('page-crossing-rocks'), String(found.length)]];
    if (found.length) {
      rows.push([text('page-energy-median'), shown(quantile(energies, 0.5), 'kJ')]);
      rows.push([text('page-energy-p95'), shown(quantile(energies, 0.95), 'kJ')]);
      rows.push([text('page-energy-max'), shown(energies[energies.length - 1], 'kJ')]);
      rows.push([text('page-height-p95'), shown(quantile(heightsAbove, 0.95), 'm')]);
    }
    const info = say(text('page-line'), rows, text('page-of-tracks', { count: tracks.count, all: data.tracks.of }));
    if (found.length) {
      const counts = new Array(data.energies_kj.length + 1).fill(0);
      energies.forEach((energy) => counts[data.energies_kj.filter((limit) => limit <= energy).length]++);
      info.appendChild(bars(counts, energyLabels(), text('axis-energy'), text('page-crossing-rocks')));
    }
    return info;
  }

  // ---- hands -------------------------------------------------------------------------------------------------------
  const pixelOf = (event) => {
    const box = map.getBoundingClientRect();
    return [event.clientX - box.left, event.clientY - box.top];
  };
  let held = null;
  map.addEventListener('pointerdown', (event) => {
    map.setPointerCapture(event.pointerId);
    held = { from: pixelOf(event), x: view.x, y: view.y, moved: false };
    if (drawing) line = [toWorld(held.from)];
  });
  map.addEventListener('pointermove', (event) => {
    const at = pixelOf(event);
    const [x, y] = toWorld(at);
    byId('place').textContent = data.crs + '  ' + x.toFixed(1) + ' / ' + y.toFixed(1);
    if (!held) return;
    held.moved = held.moved || Math.hypot(at[0] - held.from[0], at[1] - held.from[1]) > 3;
    if (drawing) line = [line[0], [x, y]];
    else if (held.moved) [view.x, view.y] = [held.x - (at[0] - held.from[0]) / view.scale, held.y + (at[1] - held.from[1]) / view.scale];
    draw();
  });
  map.addEventListener('pointerup', (event) => {
    const was = held;
    held = null;
    if (!was) return;
    const [x, y] = toWorld(pixelOf(event));
    if (drawing && was.moved) {
      line = [line[0], [x, y]];
      askLine();
      drawing = false;
      byId('draw-line').classList.remove('on');
    } else if (!was.moved && x >= grid.west && x < east && y >= grid.south && y < north) {
      ask(Math.floor((y - grid.south) / grid.dy) * grid.columns + Math.floor((x - grid.west) / grid.dx));
    }
    draw();
  });
  map.addEventListener('wheel', (event) => {
    event.preventDefault();
    const at = pixelOf(event);
    const [x, y] = toWorld(at);
    view.scale = Math.min(Math.max(view.scale * Math.exp(-event.deltaY / 400), 1e-3), 400);
    [view.x, view.y] = [x - at[0] / view.scale, y + at[1] / view.scale];
    draw();
  }, { passive: false });

  // ---- legend and choices ------------------------------------------------------------------------------------------
  function legend() {
    const list = byId('legend');
    list.replaceChildren();
    const title = (words) => { list.appendChild(document.createElement('b')).textContent = words; };
    const entry = (colour, words, kind) => {
      const item = list.appendChild(document.createElement('div'));
      const patch = item.appendChild(document.createElement('i'));
      patch.style.backgroundColor = colour;
      if (kind) patch.className = kind;
      item.appendChild(document.createElement('span')).textContent = words;
    };
    const key = byId('layer').value;
    if (key === 'zones') {
      title(data.zones.title);
      data.zones.classes.slice().reverse().forEach((kind) => entry(kind.colour, kind.label, kind.hatched ? 'hatched' : ''));
    } else {
      const layer = data.layers.find((known) => known.key === key);
      title(layer.title);
      layer.labels.forEach((words, i) => entry(layer.colours[i], words));
    }
    const energy = data.layers.find((known) => known.key === 'energy_max');
    if (!byId('space').hidden && energy && !key.startsWith('energy')) {
      title(text('page-rock-energy'));
      energy.labels.forEach((words, i) => entry(energy.colours[i], words));
    }
    data.overlays.forEach((overlay) => entry(overlay.colour, overlay.label, 'line'));
    if (data.marks.length) entry('#c8001e', text('page-cut-off'), 'line');
  }
  async function choose() {
    scenario = await scenarioOf(byId('scenario').selectedIndex);
    legend();
    paint();
    if (selected !== null) ask(selected);
    else if (line) askLine();
    draw();
    if (space) space.choose();
  }
  function option(list, key, words) {
    const item = list.appendChild(document.createElement('option'));
    item.value = key;
    item.textContent = words;
  }

  // ---- space -------------------------------------------------------------------------------------------------------
  let space = null;
  const energyColour = (energy) => {
    const layer = data.layers.find((known) => known.key === 'energy_max') || data.layers[0];
    return layer.colours[classOf(layer, energy)];
  };
  function makeSpace() {
    const box = byId('space');
    let renderer;
    try {
      renderer = new THREE.WebGLRenderer({ canvas: byId('view'), antialias: true });
    } catch (error) {
      box.insertAdjacentHTML('afterbegin', '<p class="failed"></p>');
      box.querySelector('p').textContent = text('page-no-webgl');
      return null;
    }
    const scene = new THREE.Scene();
    scene.background = new THREE.Color('#dfe8ee');
    const [cx, cy] = [(grid.west + east) / 2, (grid.south + north) / 2];
    const low = data.heights.low;
    // Terrain, at most 300 nodes a side.
    const stride = Math.max(1, Math.ceil(Math.max(grid.columns, grid.rows) / 300));
    const [nx, ny] = [Math.ceil(grid.columns / stride), Math.ceil(grid.rows / stride)];
    const places = new Float32Array(3 * nx * ny);
    const tints = new Float32Array(3 * nx * ny);
    const missing = new Uint8Array(nx * ny);
    for (let r = 0; r < ny; r++) {
      for (let c = 0; c < nx; c++) {
        const [column, line] = [Math.min(c * stride, grid.columns - 1), Math.min(r * stride, grid.rows - 1)];
        const code = heights[line * grid.columns + column];
        missing[r * nx + c] = code === 65535;
        places.set([grid.west + (column + 0.5) * grid.dx - cx, code === 65535 ? 0 : code * data.heights.step, cy - (grid.south + (line + 0.5) * grid.dy)], 3 * (r * nx + c));
      }
    }
    const triangles = [];
    for (let r = 0; r + 1 < ny; r++) {
      for (let c = 0; c + 1 < nx; c++) {
        const [a, b, d, e] = [r * nx + c, r * nx + c + 1, (r + 1) * nx + c, (r + 1) * nx + c + 1];
        if (!(missing[a] || missing[b] || missing[d] || missing[e])) triangles.push(a, b, e, a, e, d);
      }
    }
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute('position', new THREE.BufferAttribute(places, 3));
    geometry.setAttribute('color', new THREE.BufferAttribute(tints, 3));
    geometry.setIndex(triangles);
    geometry.computeVertexNormals();
    scene.add(new THREE.Mesh(geometry, new THREE.MeshLambertMaterial({ vertexColors: true, side: THREE.DoubleSide })));
    scene.add(new THREE.AmbientLight('#ffffff', 1.4));
    const sun = new THREE.DirectionalLight('#ffffff', 2.2);
    sun.position.set(-1, 1.4, -1);
    scene.add(sun);
    const size = Math.max(east - grid.west, north - grid.south);
    const camera = new THREE.PerspectiveCamera(40, 1, size / 1000, 20 * size);
    const tall = 65535 * data.heights.step;
    const controls = new THREE.OrbitControls(camera, byId('view'));
    controls.target.set(0, 0.4 * tall, 0);
    // From below the slope, looking up: the lowest edge of the map is where one stands.
    const edges = [[0, 1], [0, -1], [1, 0], [-1, 0]];
    const mean = ([ex, ey]) => ground(cx + 0.45 * ex * (east - grid.west), cy + 0.45 * ey * (north - grid.south)) || Infinity;
    const from = edges.reduce((best, edge) => (mean(edge) < mean(best) ? edge : best));
    camera.position.set(1.15 * size * from[0], 0.8 * size + 0.4 * tall, -1.15 * size * from[1]);
    controls.update();
    // Rocks: spheres as large as their mass, a little larger than life so that they are seen.
    let chosen = [];
    let rocks = null;
    let paths = null;
    const matrix = new THREE.Matrix4();
    const colour = new THREE.Color();
    const position = (i, t) => [
      tracks.x[i] + t * (tracks.x[i + 1] - tracks.x[i]) - cx,
      tracks.z[i] + t * (tracks.z[i + 1] - tracks.z[i]) - low,
      cy - (tracks.y[i] + t * (tracks.y[i + 1] - tracks.y[i])),
    ];
    function choose() {
      for (let k = 0; k < nx * ny; k++) {
        const [c, r] = [Math.min((k % nx) * stride, grid.columns - 1), Math.min(Math.floor(k / nx) * stride, grid.rows - 1)];
        const at = 4 * ((grid.rows - 1 - r) * grid.columns + c);
        colour.setRGB(pixels[at] / 255, pixels[at + 1] / 255, pixels[at + 2] / 255, 'srgb');
        colour.toArray(tints, 3 * k);
      }
      geometry.attributes.color.needsUpdate = true;
      [rocks, paths].forEach((old) => old && scene.remove(old));
      rocks = paths = null;
      if (!tracks) return;
      const wanted = data.scenarios.length > 1 ? scenario.index - 1 : -1;
      const all = Array.from({ length: tracks.count }, (_, k) => k).filter((k) => wanted < 0 || tracks.scenario[k] === wanted);
      const every = Math.ceil(all.length / 400);
      chosen = all.filter((_, i) => i % every === 0);
      rocks = new THREE.InstancedMesh(new THREE.SphereGeometry(1, 10, 8), new THREE.MeshLambertMaterial(), Math.max(chosen.length, 1));
      rocks.frustumCulled = false;
      rocks.count = chosen.length;
      scene.add(rocks);
      const ends = [];
      const shades = [];
      chosen.filter((_, i) => i % Math.ceil(chosen.length / 120) === 0).forEach((k) => {
        for (let i = tracks.first[k]; i + 1 < tracks.first[k + 1]; i++) {
          ends.push(...position(i, 0), ...position(i, 1));
          for (const j of [i, i + 1]) shades.push(...colour.set(energyColour(tracks.energy[j])).toArray());
        }
      });
      const lines = new THREE.BufferGeometry();
      lines.setAttribute('position', new THREE.BufferAttribute(new Float32Array(ends), 3));
      lines.setAttribute('color', new THREE.BufferAttribute(new Float32Array(shades), 3));
      paths = new THREE.LineSegments(lines, new THREE.LineBasicMaterial({ vertexColors: true, transparent: true, opacity: 0.45 }));
      scene.add(paths);
      place(clock);
    }
    let clock = 0;
    function place(time) {
      clock = time;
      byId('clock').textContent = time.toFixed(1) + ' s';
      byId('time').value = (1000 * time) / data.tracks.longest_s;
      let moving = 0;
      chosen.forEach((k, slot) => {
        const [first, end] = [tracks.first[k], tracks.first[k + 1] - 1];
        let [a, b] = [first, end];
        while (b - a > 1) {
          const middle = (a + b) >> 1;
          if (tracks.time[middle] <= time) a = middle; else b = middle;
        }
        const span = tracks.time[b] - tracks.time[a];
        const t = span > 0 ? Math.min(Math.max((time - tracks.time[a]) / span, 0), 1) : 1;
        moving += time < tracks.time[end];
        const at = a < end ? position(a, t) : position(end - 1, 1);
        const radius = Math.max(1.3 * Math.cbrt((3 * tracks.mass[k]) / (4 * Math.PI * 2650)), size / 260);
        matrix.makeScale(radius, radius, radius).setPosition(...at);
        rocks.setMatrixAt(slot, matrix);
        const energy = a < end ? tracks.energy[a] + t * (tracks.energy[b] - tracks.energy[a]) : tracks.energy[end];
        rocks.setColorAt(slot, colour.set(energyColour(energy)));
      });
      rocks.instanceMatrix.needsUpdate = true;
      if (rocks.instanceColor) rocks.instanceColor.needsUpdate = true;
      box.dataset.moving = moving;
      box.dataset.rocks = chosen.length;
    }
    let playing = true;
    let last = null;
    function frame(now) {
      requestAnimationFrame(frame);
      if (box.hidden) { last = null; return; }
      const { width, height } = box.getBoundingClientRect();
      if (byId('view').width !== Math.floor(width * renderer.getPixelRatio()) || camera.aspect !== width / height) {
        renderer.setSize(width, height, false);
        camera.aspect = width / height;
        camera.updateProjectionMatrix();
      }
      if (playing && tracks && last !== null) {
        const next = clock + ((now - last) / 1000) * Number(byId('pace').value);
        place(next > data.tracks.longest_s ? 0 : next);
      }
      last = now;
      controls.update();
      renderer.render(scene, camera);
      box.dataset.frames = Number(box.dataset.frames || 0) + 1;
    }
    const play = (on) => { playing = on; byId('play').textContent = text(on ? 'page-pause' : 'page-play'); };
    byId('play').onclick = () => play(!playing);
    byId('time').oninput = (event) => { play(false); place((event.target.value / 1000) * data.tracks.longest_s); };
    byId('player').hidden = !tracks;
    play(true);
    requestAnimationFrame(frame);
    return { choose };
  }
  function show(inSpace) {
    byId('show-map').classList.toggle('on', !inSpace);
    byId('show-space').classList.toggle('on', inSpace);
    byId('space').hidden = !inSpace;
    byId('place').hidden = inSpace;
    legend();
    if (inSpace && !space) {
      space = makeSpace();
      if (space) space.choose();
    }
  }

  // ---- begin -------------------------------------------------------------------------------------------------------
  async function readTracks() {
    const given = data.tracks;
    if (!given) return;
    const [x, y, z, time, energy] = await Promise.all(['x', 'y', 'z', 'time', 'energy'].map((key) => numbers(given[key], 2)));
    const lengths = await numbers(given.lengths, 4);
    const first = new Uint32Array(lengths.length + 1);
    lengths.forEach((length, k) => { first[k + 1] = first[k] + length; });
    const real = (codes, from, size) => Float64Array.from(codes, (code) => from + (code / 65535) * size);
    tracks = {
      count: lengths.length,
      first,
      x: real(x, grid.west, east - grid.west),
      y: real(y, grid.south, north - grid.south),
      z: real(z, given.low, given.tall),
      time: real(time, 0, given.longest_s),
      energy: Float64Array.from(energy, value),
      scenario: await numbers(given.scenarios, 4),
      mass: await numbers(given.masses, 4),
    };
  }
  async function begin() {
    document.querySelectorAll('[data-text]').forEach((node) => { node.textContent = text(node.dataset.text); });
    byId('title').textContent = data.title;
    byId('back').textContent = text('page-report');
    byId('back').href = data.report;
    for (const [id, key] of [['show-map', 'page-map'], ['show-space', 'page-space'], ['draw-line', 'page-draw-line'], ['whole', 'page-whole']]) byId(id).textContent = text(key);
    data.scenarios.forEach((one) => option(byId('scenario'), one.name, one.name));
    const there = (key) => ['reach', 'passages', 'deposits'].includes(key) || key in data.scenarios[0].values;
    data.layers = data.layers.filter((layer) => there(layer.key));
    data.layers.forEach((layer) => option(byId('layer'), layer.key, layer.title));
    if (data.zones) option(byId('layer'), 'zones', data.zones.title);
    heights = await numbers(data.heights.data, 2);
    relief = shade();
    zones = data.zones ? await numbers(data.zones.data, 2) : null;
    say(text('page-cell'), [], text('page-help'));
    whole();
    await choose();
    performance.mark('first-picture');
    document.body.dataset.ready = 'picture';
    byId('scenario').onchange = choose;
    byId('layer').onchange = choose;
    byId('whole').onclick = () => { whole(); draw(); };
    byId('draw-line').onclick = () => {
      show(false);
      drawing = !drawing;
      selected = null;
      byId('draw-line').classList.toggle('on', drawing);
      if (drawing) say(text('page-line'), [], text('page-line-help'));
    };
    byId('show-map').onclick = () => show(false);
    byId('show-space').onclick = () => show(true);
    window.addEventListener('resize', draw);
    await readTracks();
    document.body.dataset.ready = 'all';
  }
  // For tests: what is shown where on the page.
  const onPage = (point) => {
    const box = map.getBoundingClientRect();
    const [x, y] = toPixel(point);
    return [x + box.left, y + box.top];
  };
  // A line across the map that most rocks have to cross: at half the way they go, east or north.
  function across() {
    const ways = { x: 0, y: 0 };
    const middles = { x: [], y: [] };
    for (let k = 0; k < tracks.count; k++) {
      const [first, last] = [tracks.first[k], tracks.first[k + 1] - 1];
      for (const axis of ['x', 'y']) {
        ways[axis] += Math.abs(tracks[axis][last] - tracks[axis][first]);
        middles[axis].push((tracks[axis][last] + tracks[axis][first]) / 2);
      }
    }
    const axis = ways.x > ways.y ? 'x' : 'y';
    return { axis, level: quantile(middles[axis].sort((a, b) => a - b), 0.5) + 0.00123 };
  }
  window.couloir = {
    data,
    view: () => ({ ...view }),
    readyAt: () => performance.getEntriesByName('first-picture')[0].startTime,
    busiest() {
      const i = scenario.passages.reduce((best, count, k) => (count > scenario.passages[best] ? k : best), 0);
      const cell = scenario.cells[i];
      const point = [grid.west + ((cell % grid.columns) + 0.5) * grid.dx, grid.south + (Math.floor(cell / grid.columns) + 0.5) * grid.dy];
      return { passages: scenario.passages[i], at: onPage(point) };
    },
    acrossTheWay() {
      const { axis, level } = across();
      const beyond = 0.01 * (axis === 'x' ? north - grid.south : east - grid.west);
      return axis === 'x'
        ? [onPage([level, grid.south - beyond]), onPage([level, north + beyond])]
        : [onPage([grid.west - beyond, level]), onPage([east + beyond, level])];
    },
    // Tracks with vertices on both sides of the drawn line, which spans the map.
    crossedWay() {
      const { axis } = across();
      const level = axis === 'x' ? line[0][0] : line[0][1];
      let crossed = 0;
      for (let k = 0; k < tracks.count; k++) {
        const sides = new Set();
        for (let i = tracks.first[k]; i < tracks.first[k + 1]; i++) sides.add(tracks[axis][i] >= level);
        crossed += sides.size === 2;
      }
      return crossed;
    },
  };
  window.addEventListener('load', () => begin().catch((error) => {
    byId('info').textContent = String(error);
    throw error;
  }));
})();
