/**
 * Loaded before the processes of the benchmark: the name of the source of downloads leads to this machine. Workers
 * download from public addresses only, and no setting changes that.
 */
import net, { type NetConnectOpts, type Socket } from 'node:net';
import { sourceHost } from './source-address.js';

type Connect = (...parameters: [NetConnectOpts | number | string, ...unknown[]]) => Socket;

const connect = net.connect as Connect;

const connectToSource: Connect = (target, ...rest) => {
  const isSource = typeof target === 'object' && 'host' in target && target.host === sourceHost;
  return connect(isSource ? { host: '127.0.0.1', port: target.port } : target, ...rest);
};

net.connect = connectToSource as typeof net.connect;
