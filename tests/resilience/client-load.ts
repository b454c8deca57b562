import { Pool } from 'undici';
import { waitUntil } from './support.js';

const clients = 6;
const minRequests = 200;

interface LoadOptions {
  origin: string;
  /** Host of the site. */
  host: string;
  token: string;
  collection: string;
  /** An entry of the collection with a title. */
  id: string;
}

/** Clients that list, read and create entries without a pause, until the load is stopped. */
export class ClientLoad {
  /** Numbers of responses by their status and text of failure, or by the error of a request without a response. */
  readonly outcomes = new Map<string, number>();
  private readonly pool: Pool;
  private readonly running: Promise<void>[];
  private isEnding = false;

  constructor(private readonly options: LoadOptions) {
    this.pool = new Pool(options.origin, { connections: clients });
    this.running = Array.from({ length: clients }, (_, client) => this.run(client));
  }

  /** Waits until many further requests have ended. */
  async serveMore(): Promise<void> {
    const before = this.total();
    await waitUntil('requests are served', async () => this.total() > before + minRequests, 60_000);
  }

  async stop(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.running);
    if (!this.pool.closed) await this.pool.close();
  }

  private total(): number {
    return [...this.outcomes.values()].reduce((sum, count) => sum + count, 0);
  }

  private async run(client: number): Promise<void> {
    for (let turn = client; !this.isEnding; turn += 1) {
      const outcome = await this.send(turn);
      this.outcomes.set(outcome, (this.outcomes.get(outcome) ?? 0) + 1);
    }
  }

  private async send(turn: number): Promise<string> {
    const { host, token, collection, id } = this.options;
    const headers = { host, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const isCreation = turn % 3 === 1;
    const list = `/_cms/api/content/${collection}`;
    const path = isCreation || turn % 2 === 0 ? list : `${list}/${id}`;
    const body = isCreation ? JSON.stringify({ data: { title: `Entry ${turn}` } }) : null;
    try {
      const response = await this.pool.request({ method: isCreation ? 'POST' : 'GET', path, headers, body });
      const text = await response.body.text();
      return response.statusCode < 300 ? String(response.statusCode) : `${response.statusCode} ${text}`;
    } catch (error) {
      return String(error);
    }
  }
}
