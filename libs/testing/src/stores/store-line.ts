import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A line to a real store that a test can cut, as a cable would be: `url` goes through it. */
export interface StoreLine {
  url: string;
  /** Drops what is connected and refuses what comes. */
  cut(): Promise<void>;
  /** Lets nothing through, without a word to either end. */
  freeze(): void;
  /** As before `cut` or `freeze`; what was frozen is dropped. */
  restore(): Promise<void>;
}

/** Opens a line to the store at an address, on a port of this machine that stays the same when it is cut. */
export async function openLine(storeUrl: string): Promise<StoreLine> {
  const store = new URL(storeUrl);
  const sockets = new Set<Socket>();
  let isFrozen = false;
  let server: Server | undefined;

  const pass = (from: Socket, to: Socket) => {
    sockets.add(from);
    from.on('data', (data) => isFrozen || to.write(data));
    // Whoever is at the other end sees the line break; the error itself says nothing more.
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
  };
  const listen = (port: number) =>
    new Promise<number>((done) => {
      const opened = createServer((client) => {
        const upstream = connect(Number(store.port), store.hostname);
        pass(client, upstream);
        pass(upstream, client);
      });
      server = opened;
      opened.listen(port, '127.0.0.1', () => done((opened.address() as AddressInfo).port));
    });
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };

  const port = await listen(0);
  const url = new URL(storeUrl);
  url.hostname = '127.0.0.1';
  url.port = String(port);
  return {
    url: url.href,
    async cut() {
      const closing = server;
      server = undefined;
      drop();
      await new Promise((done) => (closing ? closing.close(done) : done(undefined)));
    },
    freeze() {
      isFrozen = true;
    },
    async restore() {
      if (isFrozen) drop();
      isFrozen = false;
      if (!server) await listen(port);
    },
  };
}
