// Exact rational numbers and points of the plane.

export class Rational {
  /** In lowest terms; the denominator is positive. */
  constructor(n, d = 1n) {
    const common = gcd(n < 0n ? -n : n, d < 0n ? -d : d) || 1n;
    const sign = d < 0n ? -1n : 1n;
    this.n = (sign * n) / common;
    this.d = (sign * d) / common;
  }

  plus(other) {
    return new Rational(this.n * other.d + other.n * this.d, this.d * other.d);
  }

  minus(other) {
    return new Rational(this.n * other.d - other.n * this.d, this.d * other.d);
  }

  times(other) {
    return new Rational(this.n * other.n, this.d * other.d);
  }

  over(other) {
    return new Rational(this.n * other.d, this.d * other.n);
  }

  get abs() {
    return this.n < 0n ? new Rational(-this.n, this.d) : this;
  }

  /** -1, 0 or 1. */
  get sign() {
    return this.n > 0n ? 1 : this.n < 0n ? -1 : 0;
  }

  compare(other) {
    const [a, b] = [this.n * other.d, other.n * this.d];
    return a > b ? 1 : a < b ? -1 : 0;
  }

  get float() {
    return Number(this.n) / Number(this.d);
  }

  /** The nearest number with so many decimals; of two, the even one. */
  rounded(places) {
    const scale = 10n ** BigInt(places);
    const n = this.n * scale;
    const rest = ((n % this.d) + this.d) % this.d;
    const floor = (n - rest) / this.d;
    const up = 2n * rest > this.d || (2n * rest === this.d && floor % 2n !== 0n);
    return new Rational(floor + (up ? 1n : 0n), scale);
  }
}

function gcd(a, b) {
  while (b) [a, b] = [b, a % b];
  return a;
}

export const ZERO = new Rational(0n);
export const ONE = new Rational(1n);
export const HALF = new Rational(1n, 2n);

export const PLACES = 9; // decimals of a coordinate

/** The decimal number nearest to a floating one. */
export function decimal(value) {
  const [whole, rest] = Math.abs(value).toFixed(PLACES).split(".");
  return new Rational(BigInt(whole + rest) * (value < 0 ? -1n : 1n), 10n ** BigInt(PLACES));
}

export const isDecimal = (value, most) => value.abs.compare(most) <= 0 && 10n ** BigInt(PLACES) % value.d === 0n;
export const least = (a, b) => (a.compare(b) <= 0 ? a : b);
export const greatest = (a, b) => (a.compare(b) >= 0 ? a : b);

// ---------------------------------------------------------------------------------------------------------- points

/** Equal points have equal keys. */
export const keyOf = ([x, y]) => `${x.n}/${x.d} ${y.n}/${y.d}`;
export const same = (a, b) => a === b || (a[0].n === b[0].n && a[0].d === b[0].d && a[1].n === b[1].n && a[1].d === b[1].d);
export const comparePoints = (a, b) => a[0].compare(b[0]) || a[1].compare(b[1]);
export const floats = ([x, y]) => [x.float, y.float];
export const roundedPoint = ([x, y]) => [x.rounded(PLACES), y.rounded(PLACES)];

/** Points without those that are equal to an earlier one. */
export function distinct(points) {
  const found = new Map();
  for (const p of points) if (!found.has(keyOf(p))) found.set(keyOf(p), p);
  return [...found.values()];
}
