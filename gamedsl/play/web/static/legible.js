// Labels of a board that can be read.

export const READABLE = 9; // pixels that the letters of a label are high at least
const SIGNS = [".letter", ".on-disc", ".count", ".scar"].map((kind) => `text${kind}`).join(); // texts that stand for a piece

/** Texts on pieces that would be too small to be read are larger; names of spaces are left out. */
export function keepLegible(board) {
  const texts = [...board.querySelectorAll(`${SIGNS}, .space-name, .space-label`)];
  const lead = (text) => text.closest(".space-leader") ?? text; // no line leads to a name that is left out
  for (const text of texts) { // what is as it was drawn stays so: a browser would lay out the board anew
    if (text.style.fontSize && text.matches(SIGNS)) text.style.fontSize = "";
    if (lead(text).classList.contains("illegible")) lead(text).classList.remove("illegible");
  }
  const sizes = texts.map((text) => { const { a, b } = text.getScreenCTM() ?? { a: 1, b: 0 }; return [parseFloat(getComputedStyle(text).fontSize), Math.hypot(a, b)]; });
  texts.forEach((text, i) => {
    const [size, pixels] = sizes[i];
    if (size * pixels >= READABLE) return;
    if (text.matches(SIGNS)) text.style.fontSize = `${READABLE / pixels}px`;
    else lead(text).classList.add("illegible");
  });
}
