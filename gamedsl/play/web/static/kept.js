// What this browser keeps for its person: a value under a name. A browser that keeps nothing loses it with the page.

export function readKept(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function keep(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // the value holds until the page is left
  }
}
