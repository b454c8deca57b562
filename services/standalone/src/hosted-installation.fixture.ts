import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Queryable } from '@quire/database';
import { guardedFetch, type GuardedFetch } from '@quire/outgoing-http';
import { serviceNames, variableName } from '@quire/topology';
import type { SourceNetwork } from '@quire/transfer-service';
import { AppContainer } from './app-container.js';
import { client, HostedEdition } from './hosted-edition.fixture.js';
import { sharedSecret } from './local-worker.fixture.js';
import { openInstallation, type TestInstallation } from './installation.fixture.js';
import type { RunningProcess } from './process.js';
import { databasesOf } from './services.js';
import { startTransfer } from './targets/transfer.js';

const timeoutMs = 60_000;

/** A response of the API. */
export interface Answer {
  status: number;
  text: string;
  location: string;
  // Tests read values freely; their expectations are the type check.
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  data: any;
  code: string | undefined;
}

/** An installation whose transfer service has a fake of the hosted edition in place of the public network. */
export class HostedInstallation {
  /** Changes of requests to the token endpoint. */
  tokenRequests: { address?: string; timeoutMs?: number } = {};
  private token = '';

  private constructor(
    readonly hosted: HostedEdition,
    private readonly installation: TestInstallation,
    /** The gateway, the worker, and all services but transfer. */
    private readonly others: RunningProcess,
    private readonly transfer: AppContainer,
    /** Receives the requests of the others to the transfer service. */
    private readonly listener: Server,
  ) {}

  /** @param name unique name of the spec */
  static async start(name: string): Promise<HostedInstallation> {
    const hosted = await new HostedEdition().start();
    const installation = await openInstallation(name);
    let handle: RequestListener = (_, response) => response.writeHead(503).end();
    const listener = createServer((request, response) => handle(request, response)).listen(0, '127.0.0.1');
    await once(listener, 'listening');
    const secret = sharedSecret;
    const targets = serviceNames.filter((service) => service !== 'transfer');
    const others = await installation.start([...targets, 'gateway', 'transfer-worker'], undefined, {
      ...secret,
      TRANSFER_URL: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    });
    const origin = `http://127.0.0.1:${others.port}`;
    const environment = {
      ...installation.environment,
      ...secret,
      ...Object.fromEntries(targets.map((service) => [variableName(service, 'URL'), origin])),
      LEGACY_COM_CLIENT_ID: client.clientId,
      LEGACY_COM_CLIENT_SECRET: client.clientSecret,
    };
    const transfer = new AppContainer(environment, { defaultLocale: 'en' }, ['transfer']);
    const test = new HostedInstallation(hosted, installation, others, transfer, listener);
    await startTransfer(transfer, await databasesOf(transfer, 'transfer'), test.network());
    handle = (request, response) => transfer.upstreams.get('transfer')?.handle(request, response, {});
    test.token = await test.createToken('admin@site.example');
    return test;
  }

  async stop(): Promise<void> {
    await this.transfer.lifecycle.stop();
    await this.others.stop();
    this.listener.closeAllConnections();
    this.listener.close();
    this.hosted.stop();
    await this.installation.close();
  }

  get origin(): string {
    return `http://127.0.0.1:${this.others.port}`;
  }

  /** A token of a further administrator. */
  createToken(email: string): Promise<string> {
    return this.installation.adminService.createToken({
      tenant: 'default',
      role: 'admin',
      scopes: [],
      email,
    });
  }

  /** Calls the API, by default as the first administrator. */
  async send(method: string, path: string, body?: object, token = this.token): Promise<Answer> {
    const isForm = body instanceof FormData;
    const response = await fetch(`${this.origin}/_cms/api${path}`, {
      method,
      redirect: 'manual',
      headers: {
        authorization: `Bearer ${token}`,
        ...(!isForm && { 'content-type': 'application/json' }),
      },
      ...(body && { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const { data, error } = (text.startsWith('{') ? JSON.parse(text) : {}) as {
      data?: unknown;
      error?: { code: string };
    };
    const location = response.headers.get('location') ?? '';
    return { status: response.status, text, location, data, code: error?.code };
  }

  /** The tables of the transfer service. */
  async tables(): Promise<Queryable> {
    const [tenant] = await (await this.transfer.registry()).list();
    if (!tenant) throw new Error('no tenant');
    return (await databasesOf(this.transfer, 'transfer')).tenant(tenant);
  }

  private network(): SourceNetwork {
    const local = guardedFetch({ allowLoopback: true, timeoutMs });
    const toHosted: GuardedFetch = (url, request) => local(this.hosted.addressOf(url), request);
    const tokenFetch: GuardedFetch = (url, request) => {
      const { address = this.hosted.addressOf(url), ...limits } = this.tokenRequests;
      return guardedFetch({ allowLoopback: true, timeoutMs, ...limits })(address, request);
    };
    return { probeFetch: toHosted, contentFetch: toHosted, tokenFetch, check: () => Promise.resolve() };
  }
}
