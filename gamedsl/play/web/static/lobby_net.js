// Questions of the lobby to the server.

export async function ask(url, options) {
  const answer = await fetch(url, options);
  const told = await answer.json();
  if (!answer.ok) throw new Error(told.message);
  return told;
}

export const post = (url, data) => ask(url, { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(data) });
