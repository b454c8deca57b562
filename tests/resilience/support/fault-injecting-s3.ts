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
 * How a store is: well; gone, so that connections break; silent, so that it takes requests and answers none; full; or
 * failing in answers that begin as successes, as S3 does when it notices late.
 */
export type FaultMode = 'well' | 'gone' | 'silent' | 'full' | 'failing late';

const failure = (code: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>as told</Message></Error>`;

/** A real S3 server, and before it one that can be told to misbehave. */
export class FaultInjectingS3 {
  faultMode: FaultMode = 'well';
  /** Requests that are answered as forbidden. */
  isForbidden: (request: IncomingMessage) => boolean = () => false;
  private server: Server | undefined;
  private held: { isIt: (request: IncomingMessage) => boolean; arrived: (letOn: () => void) => void }[] = [];

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

  /** Lets the next such request wait. @returns once it is there, what lets it go on */
  async delayNext(isIt: (request: IncomingMessage) => boolean): Promise<() => void> {
    return new Promise((arrived) => this.held.push({ isIt, arrived }));
  }

  private handle(request: IncomingMessage, response: ServerResponse): void {
    const holder = this.held.find(({ isIt }) => isIt(request));
    if (holder) {
      this.held = this.held.filter((each) => each !== holder);
      return holder.arrived(() => this.handle(request, response));
    }
    if (this.isForbidden(request)) return answer(request, response, 403, 'AccessDenied');
    if (this.faultMode === 'gone') return void request.socket.destroy();
    if (this.faultMode === 'silent') return void request.resume();
    if (this.faultMode === 'full' && writes(request))
      return answer(request, response, 507, 'XMinioStorageFull');
    if (this.faultMode === 'failing late' && finishes(request))
      return answer(request, response, 200, 'InternalError');
    this.forward(request, response);
  }

  private forward(request: IncomingMessage, response: ServerResponse): void {
    const { method, url, headers } = request;
    // The signature covers the Host header, which stays as it is.
    const { hostname, port } = this.target;
    const onwards = send({ hostname, port, method, path: url, headers }, (answered) => {
      response.writeHead(answered.statusCode ?? 502, answered.headers);
      answered.pipe(response);
    });
    onwards.on('error', () => response.destroy());
    response.once('close', () => onwards.destroy());
    request.pipe(onwards);
  }
}

const writes = ({ method }: IncomingMessage) => method === 'PUT' || method === 'POST';
/** Copying, and putting parts together: S3 answers 200 before it has done that. */
const finishes = ({ method, url = '', headers }: IncomingMessage) =>
  'x-amz-copy-source' in headers || (method === 'POST' && url.includes('uploadId='));

function answer(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume().once('end', () => {
    response.writeHead(status, { 'content-type': 'application/xml' }).end(failure(code));
  });
}
