// A browser makes no click of a press whose button is drawn anew before the release. What is drawn anew on its own, as somebody else
// has done something, waits until the click is over.

const LONGEST = 1000; // milliseconds of a press that still becomes a click
const AFTER = 350; // milliseconds within which a browser makes a click of a touch

const waiting = new Map(); // element -> how it is drawn
let pressed = null;
let timer = 0;

/** Draws an element anew: at once, or after the click while a pointer is down on it. */
export function redraw(element, draw) {
  waiting.delete(element);
  if (pressed && element.contains(pressed)) waiting.set(element, draw);
  else draw();
}

function end() {
  clearTimeout(timer);
  pressed = null;
  const due = [...waiting.values()];
  waiting.clear();
  for (const draw of due) draw();
}

function endAfter(milliseconds) {
  clearTimeout(timer);
  timer = setTimeout(end, milliseconds);
}

function press({ target, isTrusted }) {
  if (!isTrusted) return; // of a program: nobody's finger
  pressed = target;
  endAfter(LONGEST);
}

const first = { capture: true, passive: true };
addEventListener("pointerdown", press, first);
addEventListener("pointerup", () => endAfter(AFTER), first);
addEventListener("pointercancel", end, first);
addEventListener("click", () => endAfter(0), first);
