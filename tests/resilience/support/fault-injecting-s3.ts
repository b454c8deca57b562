import {
  createServer,
  request as send,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';

/**
 * Fault of the store. `unreachable`: connections break. `silent`: requests get no response. `full`: writes return 507.
 * `late failure`: the body of a 200 response is an error, as S3 reports a failure after the headers were sent.
 */
export type FaultMode = 'none' | 'unreachable' | 'silent' | 'full' | 'late failure';

const failure = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>injected fault</Message></Error>`;

/** A proxy in front of a real S3 server that injects faults. */
export class FaultInjectingS3 {
  faultMode: FaultMode = 'none';
  /** Requests that are rejected with 403. */
  isForbidden: (request: IncomingMessage) => boolean = () => false;
  private server: Server | undefined;
  private delays: {
    isMatch: (request: IncomingMessage) => boolean;
    arrived: (release: () => void) => void;
  }[] = [];

  constructor(private readonly target: URL) {}

  /** @returns its origin */
  async open(): Promise<string> {
    this.server = createServer((request, response) => this.handle(request, response));
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    const closed = this.server && once(this.server, 'close');
    this.server?.close();
    this.server?.closeAllConnections();
    await closed;
  }

  /** Delays the next matching request. @returns a function that releases it, once it has arrived */
  async delayNext(isMatch: (request: IncomingMessage) => boolean): Promise<() => void> {
    return new Promise((arrived) => this.delays.push({ isMatch, arrived }));
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const delay = this.delays.find(({ isMatch }) => isMatch(request));
    if (delay) {
      this.delays = this.delays.filter((each) => each !== delay);
      return delay.arrived(() => this.handle(request, response));
    }
    if (this.isForbidden(request)) return reject(request, response, 403, 'AccessDenied');
    if (this.faultMode === 'unreachable') return void request.socket.destroy();
    if (this.faultMode === 'silent') return void request.resume();
    if (this.faultMode === 'full' && isWrite(request))
      return reject(request, response, 507, 'XMinioStorageFull');
    if (this.faultMode === 'late failure' && isCompletion(request))
      return reject(request, response, 200, 'InternalError');
    this.forward(request, response);
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request;
    // The signature covers the Host header, which stays as it is.
    const { hostname, port } = this.target;
    const outgoing = send({ hostname, port, method, path: url, headers }, (incoming) => {
      response.writeHead(incoming.statusCode ?? 502, incoming.headers);
      incoming.pipe(response);
    });
    outgoing.on('error', () => response.destroy());
    response.once('close', () => outgoing.destroy());
    request.pipe(outgoing);
  }
}

const isWrite = ({ method }: IncomingMessage) => method === 'PUT' || method === 'POST';
/** Copies and completed multipart uploads: S3 returns 200 before they are done. */
const isCompletion = ({ method, url = '', headers }: IncomingMessage) =>
  'x-amz-copy-source' in headers || (method === 'POST' && url.includes('uploadId='));

function reject(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume().once('end', () => {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(failure(code));
  });
}
