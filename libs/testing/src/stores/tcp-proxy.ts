import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';

/** A TCP proxy in front of a real store, which a test can disconnect or stall. Clients connect to `url`. */
export interface TcpProxy {
  url: string;
  /** Closes all connections and refuses new ones. */
  disconnect(): Promise<void>;
  /** Keeps connections open but forwards nothing. */
  stall(): void;
  /**
   * Connects new clients to another store. The present ones are dropped, as by a pooler, or stay where they are, as
   * after a changed DNS record.
   */
  redirect(storeUrl: string, options?: { keepsPresent?: boolean }): void;
  /** Restores the connection after `disconnect` or `stall`; stalled connections are dropped. */
  restore(): Promise<void>;
}

/**
 * Starts a proxy for the store at an address. Its local port stays the same when it is disconnected and restored.
 * @param translate changes what the store sends
 */
export async function createTcpProxy(
  storeUrl: string,
  translate = (data: Buffer): Buffer => data,
): Promise<TcpProxy> {
  let store = new URL(storeUrl);
  const sockets = new Set<Socket>();
  let isStalled = false;
  let server: Server | undefined;

  const pass = (from: Socket, to: Socket, change = (data: Buffer): Buffer => data) => {
    sockets.add(from);
    from.on('data', (data) => isStalled || to.write(change(data)));
    // The other end gets the closed connection; the error has no further information.
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
        pass(upstream, client, translate);
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
    async disconnect() {
      const closing = server;
      server = undefined;
      drop();
      await new Promise((done) => (closing ? closing.close(done) : done(undefined)));
    },
    stall() {
      isStalled = true;
    },
    redirect(otherUrl, { keepsPresent = false } = {}) {
      store = new URL(otherUrl);
      if (!keepsPresent) drop();
    },
    async restore() {
      if (isStalled) drop();
      isStalled = false;
      if (!server) await listen(port);
    },
  };
}
