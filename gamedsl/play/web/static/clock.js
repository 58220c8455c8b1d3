// Clocks: how a time is written, and clocks that run on between the frames of a table.

import { duration } from "./durations.js";

const [DAY, HOUR, MINUTE] = [86_400, 3600, 60];
const SHORT = 10; // seconds: from here on, tenths are shown
const STEP = 100; // milliseconds between two looks at the clocks

/** A time as people write it: "6 days left", "1 day 4 hours left", "2:05:09", "14:07", "0:09.4". `seconds`: those that are left. */
export function timeText(seconds) {
  const tenths = Math.max(0, Math.ceil(seconds * 10 - 1e-6));
  const whole = Math.ceil(tenths / 10);
  const two = (n) => String(n).padStart(2, "0");
  if (whole >= DAY) return `${duration(whole)} left`;
  if (whole >= HOUR) return `${Math.floor(whole / HOUR)}:${two(Math.floor((whole % HOUR) / MINUTE))}:${two(whole % MINUTE)}`;
  if (tenths < SHORT * 10) return `0:0${Math.floor(tenths / 10)}.${tenths % 10}`;
  return `${Math.floor(whole / MINUTE)}:${two(whole % MINUTE)}`;
}

export class Ticker {
  /** `element`: the page, with a `.clock[data-seat]` per seat that has one. */
  constructor(element) {
    this.element = element;
  }

  /** Runs on from what a frame says: per seat `left` and `running`. The same frame shown again goes on where it was. */
  begin(clocks) {
    if (clocks !== this.clocks) Object.assign(this, { clocks, since: performance.now() });
    this.show();
    clearInterval(this.timer);
    if (clocks?.some((one) => one.running)) this.timer = setInterval(() => this.show(), STEP);
  }

  show() {
    const passed = (performance.now() - this.since) / 1000;
    for (const [seat, { left, running }] of (this.clocks ?? []).entries()) {
      const clock = this.element.querySelector(`.clock[data-seat="${seat}"]`);
      const text = timeText(running ? left - passed : left);
      if (!clock || clock.textContent === text) continue;
      clock.textContent = text;
      clock.classList.toggle("short", running && left - passed < SHORT);
    }
  }
}
