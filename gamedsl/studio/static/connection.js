// The socket to the studio's server: a greeting with the key, then the messages of the language server protocol. When it is lost,
// it is opened again and again; texts stay in the page meanwhile.

const LONGEST_PAUSE = 4000; // milliseconds between two attempts

export class Connection {
  /** `welcome(facts)` is called with every new connection, `state(word)` with "open", "lost" or a sentence why not. */
  constructor({ key, welcome, state }) {
    Object.assign(this, { key, welcome, state, handlers: new Set(), pause: 250, socket: null, isOpen: false });
    this.#connect();
  }

  #connect() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/studio`);
    this.socket = socket;
    socket.onopen = () => socket.send(JSON.stringify({ do: "hello", key: this.key }));
    socket.onmessage = ({ data }) => (this.isOpen ? this.#pass(data) : this.#greet(JSON.parse(data)));
    socket.onclose = ({ code }) => this.#closed(code);
  }

  #greet(message) {
    if (message.kind !== "welcome") {
      this.refusal = message.message;
      return;
    }
    Object.assign(this, { isOpen: true, pause: 250, key: message.key });
    this.state("open");
    this.welcome(message);
  }

  /** Opens a new connection in place of this one. */
  renew() {
    this.pause = 0;
    this.socket.close();
  }

  #pass(data) {
    for (const handler of this.handlers) handler(data);
  }

  #closed(code) {
    this.isOpen = false;
    if (code === 4403 || code === 4429) {
      this.state(this.refusal ?? "This link does not open the studio.");
      return;
    }
    this.state("lost");
    setTimeout(() => this.#connect(), this.pause);
    this.pause = Math.min(2 * this.pause, LONGEST_PAUSE);
  }

  /** For `LSPClient.connect`. */
  get transport() {
    return {
      send: (message) => {
        if (!this.isOpen) throw new Error("There is no connection to the server now.");
        this.socket.send(message);
      },
      subscribe: (handler) => this.handlers.add(handler),
      unsubscribe: (handler) => this.handlers.delete(handler),
    };
  }
}
