import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isUnavailable } from '@quire/database';
import { QuireError, securityHeaders, unexpectedError } from '@quire/errors';
import { type Operator } from '@quire/tenancy';
import type { AppContainer } from '../app-container.js';
import { OperatorAuthentication } from './operator-authentication.js';
import { OperatorSessions } from './operator-sessions.js';
import { assetOf, opsPaths, renderLoginPage } from './pages.js';
import { redirect, sendError, sendPage } from './responses.js';
import { safeMethods } from './same-origin.js';
import { SignIn } from './sign-in.js';

/** A request of an operator. */
export interface OperatorRequest {
  request: IncomingMessage;
  response: ServerResponse;
  url: URL;
  operator: Operator;
}

/** Responds to a request of an operator. @returns false for a path that it does not have */
export type OperatorHandler = (call: OperatorRequest) => Promise<boolean>;

/** The paths below `/ops` of the operations port: for operators only (decision 50). */
export class Operations {
  private readonly authentication: OperatorAuthentication;
  private readonly signIn: SignIn;

  constructor(
    private readonly container: AppContainer,
    private readonly handlers: readonly OperatorHandler[],
  ) {
    const sessions = new OperatorSessions(container.internalSecrets);
    const openRegistry = async () => await container.registryTables();
    this.authentication = new OperatorAuthentication(openRegistry, sessions);
    this.signIn = new SignIn(this.authentication, sessions);
  }

  /** Responds to a path below `/ops`. @returns false for any other path */
  handle(request: IncomingMessage, response: ServerResponse): boolean {
    const url = parsedUrl(request.url);
    if (url?.pathname !== opsPaths.home && !url?.pathname.startsWith(`${opsPaths.home}/`)) return false;
    this.route(request, response, url).catch((error: unknown) => this.fail(response, error));
    return true;
  }

  private async route(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const isSafe = safeMethods.has(request.method ?? '');
    const asset = isSafe ? assetOf(url.pathname) : undefined;
    if (asset) {
      response.writeHead(200, {
        ...securityHeaders,
        'content-type': asset.type,
        'cache-control': 'public, max-age=31536000, immutable',
      });
      response.end(asset.text);
      return;
    }
    if (url.pathname === opsPaths.login) {
      if (isSafe) return sendPage(response, 200, renderLoginPage());
      if (request.method === 'POST') return this.signIn.post(request, response);
    }
    if (url.pathname === opsPaths.logout && request.method === 'POST')
      return this.signIn.end(request, response);
    const operator = await this.authentication.authenticate(request);
    if (!operator) return denyAnonymous(request, response, isSafe);
    for (const handle of this.handlers) if (await handle({ request, response, url, operator })) return;
    throw new QuireError('NOT_FOUND', 'Not found');
  }

  private fail(response: ServerResponse, error: unknown): void {
    if (response.headersSent) {
      response.destroy();
      return;
    }
    sendError(response, this.toQuireError(error));
  }

  private toQuireError(error: unknown): QuireError {
    if (error instanceof QuireError) return error;
    if (isUnavailable(error))
      return new QuireError('SERVICE_UNAVAILABLE', 'The database is unavailable', { cause: error });
    const requestId = randomUUID();
    this.container.logger.error({ err: error, requestId }, 'request of an operator failed');
    return unexpectedError(requestId);
  }
}

/** Browsers that open a page are led to the sign-in; all others get an error. */
function denyAnonymous(request: IncomingMessage, response: ServerResponse, isSafe: boolean): void {
  if (isSafe && request.headers.authorization === undefined && request.headers.accept?.includes('text/html'))
    return redirect(response, opsPaths.login);
  throw new QuireError('NOT_AUTHENTICATED', 'Operator token required');
}

function parsedUrl(address = ''): URL | undefined {
  try {
    return new URL(address, 'http://operations.invalid');
  } catch {
    return undefined;
  }
}
