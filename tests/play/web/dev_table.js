// The table of the tests: every method is a call of `DevTable` in Python, which the browser knows as `devTable`.

export async function openDevTable() {
  const { game, seats, rolls, update } = JSON.parse(await globalThis.devTable("start", "[]"));
  const listeners = new Set();
  let now = update;
  const ask = async (method, ...args) => JSON.parse(await globalThis.devTable(method, JSON.stringify(args)));
  const done = async (method, args) => {
    const answer = await ask(method, ...args);
    now = JSON.parse(await globalThis.devTable("update", "[]"));
    listeners.forEach((listener) => listener(now));
    return answer;
  };
  const act = (method) => (...args) => {
    globalThis.devBusy = done(method, args); // what tests wait for
    return globalThis.devBusy;
  };
  const subscribe = (listener) => {
    listeners.add(listener);
    listener(now);
    return () => listeners.delete(listener);
  };
  const changing = Object.fromEntries(["play", "draw", "go", "undo", "redraw", "load"].map((name) => [name, act(name)]));
  const asking = Object.fromEntries(["judge", "why", "preview", "record"].map((name) => [name, (...args) => ask(name, ...args)]));
  const draws = game.scenes.some((scene) => scene.plan?.strokes.length);
  const tools = draws ? [{ id: "prepared", label: "Draw for me", run: act("prepare") }] : [];
  return { game, seats, subscribe, ...changing, ...asking, tools, ...(rolls ? { roll: act("roll") } : {}) };
}
