/**
 * Loaded before the processes of the benchmark: the name of the source of downloads leads to this machine. Workers
 * download from public addresses only, and no setting changes that.
 */
import net, { type NetConnectOpts, type Socket } from 'node:net';

/** The host in the addresses of the files. */
export const sourceHost = 'source.bench.example';

type Connect = (options: NetConnectOpts, onConnect?: () => void) => Socket;

const connect = net.connect as Connect;

const connectToSource: Connect = (options, onConnect) => {
  const isSource = 'host' in options && options.host === sourceHost;
  return connect(isSource ? { host: '127.0.0.1', port: options.port } : options, onConnect);
};

net.connect = connectToSource as typeof net.connect;
