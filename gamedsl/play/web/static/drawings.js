// The drawings of a table: prepared ones and those made by hand, by their numbers in the memory of the rules.

import { judged, recordOf, shapesOf } from "./arrangement.js";
import { decimal, floats } from "./exact.js";
import { stopOf } from "./local_turn.js";
import { randomDrawing } from "./random_drawing.js";

export class Drawings {
  constructor(rules) {
    this.rules = rules;
    this.made = new Map(); // by number: exact strokes
  }

  /** The strokes of a drawing: pairs of name and exact points. */
  #exact(number) {
    if (!this.made.has(number)) this.made.set(number, exact(this.rules.facts.drawings[number].strokes));
    return this.made.get(number);
  }

  /** The strokes of a drawing as plain numbers. */
  strokes(number) {
    return this.#exact(number).map(([name, points]) => [name, points.map(floats)]);
  }

  /** The shapes of a state's drawing, for its picture; null where nobody draws. */
  shapes(state) {
    const number = this.rules.drawing(state);
    const { drawings, plan } = this.rules.facts;
    if (number < 0) return null;
    return drawings[number]?.shapes ?? shapesOf(plan, this.#exact(number));
  }

  /** Judges strokes that are to be added to a state's drawing. `due`: their names in order. */
  judge(state, due, strokes) {
    const { facts } = this.rules;
    return judged(facts, this.#exact(this.rules.drawing(state)), due, strokes, facts.turns.clauses);
  }

  /** A state's drawing with the strokes that are due, made at random. `random`: numbers in [0, 1). */
  randomly(state, due, random) {
    const before = this.#exact(this.rules.drawing(state));
    return [...before, ...randomDrawing(this.rules.facts, before, due, random)];
  }

  /** Adds a drawing; returns its number. */
  add(drawing) {
    const number = this.rules.addDrawing(recordOf(this.rules.facts, drawing));
    this.made.set(number, drawing);
    return number;
  }

  /** The strokes that a drawing adds to that of a state, as records have them. */
  text(number, state) {
    const added = this.strokes(number).slice(this.#exact(this.rules.drawing(state)).length);
    return added.map(([name, points]) => `${name} ${points.map((p) => p.map(short).join(",")).join(" ")}`).join("; ");
  }

  /** The number of the drawing that a text adds to a state's; null if it cannot be drawn there. */
  read(state, text) {
    const strokes = text.split(";").map((stroke) => stroke.trim().split(/\s+/)).map(([name, ...points]) => [name, points.map((p) => p.split(",").map(Number))]);
    if (!strokes.every(([, points]) => points.every((p) => p.length === 2 && p.every(Number.isFinite)))) return null;
    const { done, drawing, strokes: told } = this.judge(state, stopOf(this.rules, state).strokes, strokes);
    return done && told.every(({ faults }) => !faults.length) ? this.add(drawing) : null;
  }

  /** Adds a drawing by the plain numbers of its strokes. */
  again(strokes) {
    return this.add(exact(strokes));
  }
}

const short = (value) => String(Number(value.toFixed(9)));
const exact = (strokes) => strokes.map(([name, points]) => [name, points.map((p) => p.map(decimal))]);
