// Selecting a move by touching places: from the legal actions and what was touched so far to the actions that remain, the
// places that can be touched next, and the action that is meant. Nothing here depends on the page.

export const COVERED = -1; // the parameter of a step that is touched where the move puts pieces

/** The steps of an action: a parameter that names places, and these. A kind of move that is touched where it puts pieces has one
 *  step, with the places there. */
function stepsOf(kind, number, values, isDrawn) {
  const { covered } = kind;
  if (covered) {
    const group = placesOf(covered, number - kind.first, [covered]);
    if (group.length && group.every(isDrawn)) return [{ param: COVERED, group }];
  }
  return kind.parameters
    .map((parameter, param) => ({ param, group: placesOf(parameter, values[param], parameter.places).filter(isDrawn) }))
    .filter(({ group }) => group.length > 0);
}

const known = new WeakMap(); // a parameter, or what is covered -> the places of each value

function placesOf(named, value, places) {
  const values = known.get(named) ?? known.set(named, []).get(named);
  return (values[value] ??= places.flatMap(({ domain, members }) => (members ? members[value] : [value]).map((index) => `${domain}:${index}`)));
}

/** The groups of places that an action is touched at, one for each of its steps. */
export function groupsOf(kind, number, values, isDrawn) {
  return stepsOf(kind, number, values, isDrawn).map(({ group }) => group);
}

/** All actions of a turn with their groups. */
export function optionsOf(game, actions, isDrawn) {
  return actions.map(([number, kind, values, text]) => {
    const steps = stepsOf(game.kinds[kind], number, values, isDrawn);
    return { number, kind, values, text, groups: steps.map(({ group }) => group), params: steps.map(({ param }) => param), at: -1 };
  });
}

export class Selection {
  constructor(options, live = options.filter((o) => o.groups.length), touched = [], isFinal = false) {
    this.options = options.filter((o) => o.groups.length);
    this.live = live;
    this.touched = touched;
    this.isFinal = isFinal;
  }

  /** The action that is meant, if it is clear. */
  get decided() {
    const [only, ...others] = this.live;
    return this.touched.length && only && !others.length && (isWhole(only) || this.isFinal) ? only : null;
  }

  /** The actions that touching places does not tell apart. */
  get ambiguous() {
    return this.live.length > 1 && this.touched.length && (this.isFinal || !this.targets.size) ? this.live : [];
  }

  /** The places at which a move can begin. */
  get starts() {
    return new Set(this.options.flatMap((o) => o.groups[0]));
  }

  /** The places that can be touched next, once something is chosen. */
  get targets() {
    if (!this.touched.length) return new Set();
    const tells = refining(this.live);
    const ahead = this.live.filter((o) => !isWhole(o)).flatMap((o) => o.groups[o.at + 1]);
    const found = new Set([...tells, ...ahead]);
    this.touched.forEach((place) => found.delete(place));
    return found;
  }

  /** The selection after a touch; null if no action that remains names the place. */
  touch(place) {
    if (this.touched.length && place === this.touched.at(-1)) return this.#again();
    for (const step of [next, later]) {
      const live = this.live.map((o) => ({ ...o, at: step(o, place) })).filter((o) => o.at !== null);
      if (live.length) return new Selection(this.options, live, [...this.touched, place]);
    }
    if (this.touched.length && this.options.some((o) => o.groups[0].includes(place))) return new Selection(this.options).touch(place);
    return null;
  }

  /** The same place again: nothing more is to come. */
  #again() {
    const exact = this.live.filter((o) => o.groups.flat().every((place) => this.touched.includes(place)));
    const whole = this.live.filter(isWhole);
    const live = exact.length ? exact : whole;
    return live.length ? new Selection(this.options, live, this.touched, true) : new Selection(this.options);
  }

  back() {
    return this.touched.slice(0, -1).reduce((again, place) => again.touch(place) ?? again, new Selection(this.options));
  }
}

const isWhole = (option) => option.at === option.groups.length - 1;

function next(option, place) {
  if (option.at >= 0 && option.groups[option.at].includes(place)) return option.at;
  return !isWhole(option) && option.groups[option.at + 1].includes(place) ? option.at + 1 : null;
}

function later(option, place) {
  for (let i = option.at + 1; i < option.groups.length; i += 1) if (option.groups[i].includes(place)) return i;
  return null;
}

/** The places of groups touched last that another action does not have there. */
function refining(live) {
  const counts = new Map();
  for (const option of live) for (const place of new Set(option.groups[option.at] ?? [])) counts.set(place, (counts.get(place) ?? 0) + 1);
  const alike = live.every((o) => o.at === live[0].at);
  return [...counts].filter(([, count]) => count < live.length || !alike).map(([place]) => place);
}

// ------------------------------------------------------------------------------------------------ by their values

/** How to go on telling actions apart in words: `{label, choices: [{text, options}]}`. */
export function nextQuestion(game, options) {
  const kinds = [...new Set(options.map((o) => o.kind))];
  if (options.length <= 14) return { label: subjectOf(game, options), choices: options.map((o) => ({ text: o.text, options: [o] })) };
  if (kinds.length > 1) {
    return { label: "what", choices: kinds.map((kind) => ({ text: game.kinds[kind].words.name.slice(1, -1) || game.kinds[kind].name, options: options.filter((o) => o.kind === kind) })) };
  }
  const { parameters } = game.kinds[kinds[0]];
  for (let i = 0; i < parameters.length; i += 1) {
    const values = [...new Set(options.map((o) => o.values[i]))];
    if (values.length > 1) {
      const choices = values.map((value) => ({ text: parameters[i].names[value], options: options.filter((o) => o.values[i] === value) }));
      return { label: parameters[i].name, choices };
    }
  }
  return { label: "", choices: options.map((o) => ({ text: o.text, options: [o] })) };
}

const MOST_VALUES = 40; // of a tray

/** The values that can be chosen before any place, of parameters that name none: `{kind, param, values: [{text, value, options}]}`. Only
 *  where places leave several of them. */
export function traysOf(game, options) {
  const kinds = [...new Set(options.filter((o) => o.groups.length && !o.params.includes(COVERED)).map((o) => o.kind))];
  return kinds.flatMap((kind) => {
    const own = options.filter((o) => o.kind === kind);
    return game.kinds[kind].parameters.flatMap(({ names }, param) => {
      const values = [...new Set(own.map((o) => o.values[param]))];
      if (own[0].params.includes(param) || values.length < 2 || values.length > MOST_VALUES) return [];
      return [{ kind, param, values: values.map((value) => ({ text: names[value], value, options: own.filter((o) => o.values[param] === value) })) }];
    });
  });
}

/** What is chosen, where all options are values of one sort: `Choose a version`. */
function subjectOf(game, options) {
  if (options.length < 2 || options.some((o) => game.kinds[o.kind].kind !== "choose")) return "";
  const subjects = new Set(options.map((o) => (o.text.includes(" ") ? o.text.split(" ")[0] : "")));
  const [subject] = subjects;
  return subjects.size === 1 && subject ? `Choose ${/^[aeiou]/i.test(subject) ? "an" : "a"} ${subject}` : "Choose one";
}

const MOST_TRIED = 128; // actions of a kind that are tried to find out why none is legal

/** Per offered kind the numbers of its actions that are touched at these places first, legal or not; of very many, some. */
export function attempts(game, kinds, touched) {
  return kinds.map((number) => {
    const kind = game.kinds[number];
    return thinned(kind.covered ? covering(kind, touched) : naming(kind, touched));
  }).filter((numbers) => numbers.length);
}

function covering({ covered, first }, touched) {
  const covers = (row) => touched.every((place) => row.some((index) => place === `${covered.domain}:${index}`));
  return covered.members.flatMap((row, i) => (covers(row) ? [first + i] : []));
}

/** The actions whose parameters name these places in their order; those after, and those that name none, have any value. */
function naming(kind, touched) {
  let at = 0;
  const values = kind.parameters.map((parameter) => {
    if (!parameter.places.length || at >= touched.length) return parameter.names.map((_, value) => value);
    const [domain, index] = touched[at].split(":");
    const named = parameter.places.find((p) => p.domain === domain);
    at += 1;
    if (!named) return [];
    if (!named.members) return Number(index) < parameter.names.length ? [Number(index)] : [];
    return named.members.flatMap((members, value) => (members.includes(Number(index)) ? [value] : []));
  });
  if (at < touched.length) return [];
  return values.reduce((numbers, choices, i) => thinned(numbers).flatMap((one) => choices.map((value) => one * kind.parameters[i].names.length + value)), [0]).map((one) => one + kind.first);
}

const thinned = (numbers) => numbers.filter((_, i) => i % Math.ceil(numbers.length / MOST_TRIED) === 0);
