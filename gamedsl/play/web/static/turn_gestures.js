// A shape that is held is turned and flipped by hand: two fingers anywhere on the board turn it, a swipe over its picture flips it, and
// a touch of its picture turns it.

const FAR = 24; // pixels of a swipe
const [SPREAD, HALF] = [1.25, 0.5]; // from this much larger or smaller, two fingers enlarge the board; from this part of a step, they turn

/** Two fingers: they turn a shape, or enlarge the board, whichever they do first. */
export class TwoFingers {
  constructor(hands, touches) {
    Object.assign(this, { hands, angle: angleOf(touches), far: distance(touches), isTurning: false, isPinching: !hands.turning });
  }

  /** By how much the board becomes larger since the last call; 1 while the fingers turn a shape. */
  moved(touches) {
    const [by, degrees] = [distance(touches) / this.far, between(this.angle, angleOf(touches))];
    const { turning } = this.hands;
    if (!this.isPinching && turning && Math.abs(degrees) > HALF * turning.step) {
      this.isTurning = true;
      this.angle += Math.sign(degrees) * turning.step;
      this.hands.turn(false, degrees < 0);
    }
    if (!this.isTurning && Math.max(by, 1 / by) > SPREAD) this.isPinching = true;
    if (!this.isPinching) return 1;
    this.far = distance(touches);
    return by;
  }
}

/** Makes a picture of the shape that is held one that can be swiped and touched. */
export function watchSwipes(picture, hands) {
  picture.addEventListener("pointerdown", (begun) => {
    const { clientX, clientY, pointerId } = begun;
    begun.stopPropagation(); // a touch beside the board would take the shape back
    picture.setPointerCapture(pointerId);
    const up = (event) => {
      hands.turn(Math.hypot(event.clientX - clientX, event.clientY - clientY) > FAR);
    };
    picture.addEventListener("pointerup", up, { once: true });
    picture.addEventListener("pointercancel", () => picture.removeEventListener("pointerup", up), { once: true });
  });
}

const distance = ([a, b]) => Math.max(1, Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY));
const angleOf = ([a, b]) => (Math.atan2(b.clientY - a.clientY, b.clientX - a.clientX) * 180) / Math.PI;

/** From one angle to another, -180 to 180 degrees. */
const between = (from, to) => ((((to - from) % 360) + 540) % 360) - 180;
