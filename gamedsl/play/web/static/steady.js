// What lies below a text stays where it is on the screen while the text takes more lines or fewer: a finger may be about to touch it.

/** Scrolls the page along with the heights of these elements, once somebody has touched it: until then it begins with its head.
 *  Another width, as of a screen that is turned, changes everything. */
export function steady(...above) {
  const sizes = new Map();
  let isTouched = false;
  const watch = new ResizeObserver((entries) => {
    let by = 0;
    for (const { target, borderBoxSize: [{ inlineSize: width, blockSize: height }] } of entries) {
      const old = sizes.get(target);
      sizes.set(target, { width, height });
      if (old?.width === width) by += height - old.height;
    }
    if (by && isTouched) scrollBy({ top: by, behavior: "instant" });
  });
  for (const element of above) watch.observe(element);
  addEventListener("pointerdown", () => { isTouched = true; }, { capture: true, once: true });
}
