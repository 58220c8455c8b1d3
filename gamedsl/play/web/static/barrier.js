// Lines and fences, in the styles of a look.

import { paint } from "./colours.js";
import { svg } from "./svg.js";

/** A line in one of the styles of a look, along a path. */
export function barrier(d, style, colour, kind = "edge-line") {
  const paintOf = colour ? `stroke: ${paint(colour)[1]}` : undefined;
  const inner = style === "double" ? svg("path", { class: "barrier-inner", d }) : "";
  return svg("g", { class: kind }, svg("path", { class: `barrier barrier-${style}`, d, style: paintOf }), inner);
}
