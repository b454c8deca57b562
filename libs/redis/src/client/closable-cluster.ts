import { Cluster, type ClusterNode, type ClusterOptions, type Redis } from 'ioredis';

/** Members of the cluster client of ioredis 5.11 without a public equivalent. */
interface Internals {
  manuallyClosing: boolean;
  flushQueue(error: Error): void;
  handleCloseEvent(): void;
  invokeReadyDelayedCallbacks(error: Error): void;
}

type SendCommand = Parameters<Cluster['sendCommand']>;

const connectionClosed = () => new Error('Connection is closed.');

/**
 * A client of a Redis Cluster that can be closed while the cluster is down, as `ClosableRedis` is for one server, and
 * whose `commandTimeout` includes the time in which it looks for the node of a command.
 */
export class ClosableCluster extends Cluster {
  private readonly nodesAtStart: ClusterNode[];
  private readonly duplicates = new Set<ClosableCluster>();

  constructor(nodesAtStart: ClusterNode[], options: ClusterOptions) {
    super(nodesAtStart, options);
    this.nodesAtStart = nodesAtStart;
    // ioredis has no `error` for the loss of one node, and repeats its commands silently.
    this.on('node error', (error: Error) => this.report(error));
    this.on('+node', (node: Redis) =>
      node.once('ready', () => node.once('end', () => this.report(connectionClosed()))),
    );
  }

  override duplicate(nodes: ClusterNode[] = [], override: Partial<ClusterOptions> = {}): ClosableCluster {
    const duplicate = new ClosableCluster(nodes.length > 0 ? nodes : this.nodesAtStart, {
      ...this.options,
      ...override,
    });
    this.duplicates.add(duplicate);
    duplicate.on('error', () => undefined);
    return duplicate;
  }

  override connect(): Promise<void> {
    // BullMQ disconnects and connects a client without nodes. ioredis would not repeat that attempt.
    this.internals.manuallyClosing = false;
    return super.connect();
  }

  override disconnect(reconnect = false): void {
    const { status } = this;
    const hasNodes = this.nodes().length > 0;
    super.disconnect(reconnect);
    // Without a node no connection closes, and the client would not reach `end`.
    if (reconnect || hasNodes || status === 'wait' || status === 'end') return;
    this.internals.handleCloseEvent();
    this.internals.invokeReadyDelayedCallbacks(connectionClosed());
  }

  override sendCommand(...[command, stream, node]: SendCommand): unknown {
    const { commandTimeout } = this.options.redisOptions ?? {};
    if (commandTimeout !== undefined) command.setTimeout(commandTimeout);
    return super.sendCommand(command, stream, node);
  }

  /** Rejects the commands that wait for a connection. */
  rejectWaiting(): void {
    this.internals.flushQueue(connectionClosed());
  }

  /** Ends this client and its duplicates. */
  disconnectAll(): void {
    for (const duplicate of this.duplicates) duplicate.disconnectAll();
    this.disconnect();
  }

  private report(error: Error): void {
    if (!this.internals.manuallyClosing && this.listenerCount('error') > 0) this.emit('error', error);
  }

  private get internals(): Internals {
    return this as unknown as Internals;
  }
}
