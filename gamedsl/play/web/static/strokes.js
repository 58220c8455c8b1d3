// Freehand lines -> few points. Nothing here depends on the page.

const CLOSE = 4; // units of the sheet: nearer ends of a closed curve are one point

/** The fewest points of a line that stay within a distance of all of its points (Ramer 1972, Douglas and Peucker 1973). */
export function simplified(points, tolerance) {
  if (points.length < 3) return points;
  const [first, last] = [points[0], points.at(-1)];
  let far = { distance: 0, index: 0 };
  for (let i = 1; i < points.length - 1; i += 1) {
    const distance = fromSegment(points[i], first, last);
    if (distance > far.distance) far = { distance, index: i };
  }
  if (far.distance <= tolerance) return [first, last];
  const before = simplified(points.slice(0, far.index + 1), tolerance);
  return [...before.slice(0, -1), ...simplified(points.slice(far.index), tolerance)];
}

function fromSegment([x, y], [ax, ay], [bx, by]) {
  const [dx, dy] = [bx - ax, by - ay];
  const square = dx * dx + dy * dy;
  const t = square ? Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / square)) : 0;
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}

/** The points of a stroke of a shape, from those that a hand went through. */
export function strokeFrom(shape, drawn, tolerance = 1) {
  const points = drawn.map(([x, y]) => [tenth(x), tenth(y)]);
  if (shape === "straight line") return points.length > 1 ? [points[0], points.at(-1)] : points;
  if (shape === "open curve") return simplified(points, tolerance);
  const half = Math.floor(points.length / 2); // a closed line has no ends: it is simplified in two halves
  const found = points.length > 8 ? [...simplified(points.slice(0, half + 1), tolerance).slice(0, -1), ...simplified(points.slice(half), tolerance)] : points;
  const closes = found.length > 3 && Math.hypot(found[0][0] - found.at(-1)[0], found[0][1] - found.at(-1)[1]) < CLOSE;
  return closes ? found.slice(0, -1) : found;
}

const tenth = (value) => Math.round(value * 10) / 10;

/** `10,10 90,10 50,80` as points; null if that can't be read. */
export function pointsFrom(text) {
  const found = text.trim().split(/\s+/).map((pair) => pair.split(",").map(Number));
  return found.every((p) => p.length === 2 && p.every(Number.isFinite)) ? found : null;
}
