import { createServer, connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { once } from 'node:events';

/** A TCP proxy before a store that can be cut like a cable: connections break and new ones are refused. */
export class CuttableProxy {
  private readonly sockets = new Set<Socket>();
  private server: Server | undefined;
  private port = 0;

  constructor(private readonly target: URL) {}

  /** Opens the way. @returns the store's address through this proxy. */
  async open(): Promise<string> {
    this.server = createServer((inner) => {
      const outer = connect(Number(this.target.port), this.target.hostname);
      for (const [socket, peer] of [
        [inner, outer],
        [outer, inner],
      ] as const) {
        this.sockets.add(socket);
        socket.on('error', () => undefined);
        socket.once('close', () => {
          this.sockets.delete(socket);
          peer.destroy();
        });
        socket.pipe(peer);
      }
    });
    this.server.listen(this.port, '127.0.0.1');
    await once(this.server, 'listening');
    this.port = (this.server.address() as AddressInfo).port;
    const address = new URL(this.target);
    address.hostname = '127.0.0.1';
    address.port = String(this.port);
    return address.href;
  }

  async cut(): Promise<void> {
    const closed = this.server && once(this.server, 'close');
    this.server?.close();
    for (const socket of this.sockets) socket.destroy();
    await closed;
  }
}
