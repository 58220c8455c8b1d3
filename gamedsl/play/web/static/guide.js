// What to do now, in a sentence: above the board, and for screen readers. What is chosen is taken back by Escape or by a touch
// beside the board.

import { called } from "./called.js";
import { instruction } from "./instruction.js";
import { traysOf } from "./selection.js";

/** The sentence for what a page shows; empty for those who only look on. */
export function guide(page) {
  const { game, table, hands, choices } = page;
  const { tree, position: { turn } } = page.update;
  const { phrases } = game;
  if (turn.outcome) return phrases.over;
  if (page.hold.isOn) return [...page.hold.over.map((text) => `${text}.`), phrases.seen].join(" ");
  if (turn.kind === "chance") return table.roll ? phrases.chance : tree.at === tree.tip ? "" : phrases.earlier;
  if (page.actor === null && !table.seats.length) return table.seat === null ? phrases.watch.replace("{}", () => movers(page)) : "";
  if (page.actor === null && tree.at !== tree.tip) return phrases.earlier; // nobody plays on from here
  if (page.actor === null) return phrases.wait.replace("{}", () => movers(page));
  if (turn.kind === "drawing") return phrases.draw;
  if (hands.pending) return `${phrases.confirm.replace("{}", () => hands.pending.name ?? page.board.places.get(hands.pending.id).name).replace("{}", () => hands.pending.option.text)} ${phrases.back}`;
  if (page.zoom.isBrief && !hands.selection.touched.length) return `${sentence(page)} ${phrases.larger}`;
  return sentence(page);
}

const movers = ({ game, update }) => update.position.turn.to_act.map((seat) => called(game, update.names, seat)).join(", ");

/** Does a person choose for somebody else, as in a plan? */
const isForOther = ({ actor, table }) => actor !== null && Boolean(table.you) && !table.you.includes(actor);

function sentence(page) {
  const { hands, choices } = page;
  const isOther = isForOther(page);
  const game = isOther ? ofAnother(page.game) : page.game;
  const { phrases } = game;
  const { live, touched } = hands.selection;
  if (!touched.length) return [isOther ? phrases.other.replace("{}", () => movers(page)) : "", ...first({ ...page, game }), ...ways(page), hands.held ? phrases.back : ""].filter(Boolean).join(" ");
  return instruction(game, live, touched, page.board.places.get(touched.at(-1))?.name ?? "", choices.asked !== null);
}

/** The words for those who choose for another seat: its pieces are not theirs. */
function ofAnother(game) {
  const words = (step) => step && { ...step, use: step.theirs || step.use };
  const kinds = game.kinds.map((kind) => ({ ...kind, words: { ...kind.words, steps: kind.words.steps.map(words), covered: words(kind.words.covered) } }));
  return { ...game, kinds };
}

/** How a shape that is held is turned and flipped: by fingers, or by keys. */
function ways({ game: { phrases }, hands: { turning } }) {
  const isByFinger = matchMedia("(pointer: coarse)").matches;
  const [turn, flip] = isByFinger ? [phrases.turn_by_finger, phrases.flip_by_finger] : [phrases.turn, phrases.flip];
  return [turning?.turns ? turn : "", turning?.flips ? flip : ""];
}

/** What to do before a place of the board is touched. */
function first({ game, hands, choices, felt }) {
  if (choices.asked) return [game.phrases.which];
  const isFree = hands.held === null;
  const onFelt = isFree ? hands.options.filter((option) => felt.covers(option)) : [];
  const alone = onFelt.filter((option) => !option.groups.length);
  const trays = isFree ? traysOf(game, hands.all).filter((tray) => !tray.values.every(({ options }) => options.every((o) => felt.covers(o)))) : [];
  const nouns = felt.nouns;
  const also = [...(onFelt.length > alone.length ? nouns : []), ...(trays.length ? [game.phrases.button] : [])];
  const rest = hands.options.filter((option) => !alone.includes(option));
  return [instruction(game, rest, [], "", false, alone.length || !hands.options.length ? nouns : []), also.length && rest.length ? game.phrases.tray.replace("{}", () => also.join(" or ")) : ""];
}

/** Takes back what is chosen by Escape, and by a touch beside the board and everything that can be pressed. */
export function watchTakeBack(page) {
  const busy = "dialog, input, textarea, button, a, summary, [data-place]";
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.target.closest?.("dialog, input, textarea") && page.hands.takeBack()) event.preventDefault();
  });
  page.element.addEventListener("pointerdown", (event) => {
    if (!event.target.closest(busy)) page.hands.takeBack(true);
  });
}
