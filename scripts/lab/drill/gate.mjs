// A way to a provider that can be cut. Stand-ins keep their records in memory, so a stand-in that were stopped would forget which
// texts it took, as no provider does. Closing the gate cuts all calls, also those that are being answered, and refuses new ones.
import { once } from 'node:events';
import { connect, createServer } from 'node:net';

export class Gate {
  #sockets = new Set();

  constructor(target, port) {
    this.target = Number(new URL(target).port);
    this.port = port;
  }

  async open() {
    this.server = createServer((caller) => this.#join(caller)).listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${this.port}`;
  }

  async close() {
    const closed = once(this.server.close(), 'close');
    for (const socket of this.#sockets) socket.resetAndDestroy();
    await closed;
  }

  #join(caller) {
    const provider = connect(this.target, '127.0.0.1');
    for (const [socket, other] of [[caller, provider], [provider, caller]]) {
      this.#sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => { this.#sockets.delete(socket); other.destroy(); });
      socket.pipe(other);
    }
  }
}
