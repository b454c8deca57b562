import type { IncomingMessage, ServerResponse } from 'node:http';
import { QuireError } from '@quire/errors';
import { readBody } from '@quire/http-server';
import { stringifySetCookie } from 'cookie';
import { sessionCookie, type OperatorAuthentication } from './operator-authentication.js';
import { sessionSeconds, type OperatorSessions } from './operator-sessions.js';
import { opsPaths, renderLoginPage } from './pages.js';
import { redirect, sendPage } from './responses.js';
import { assertSameOrigin } from './same-origin.js';

const bodyLimits = { maxBytes: 4_096, timeoutMs: 10_000 };
/** Bodies of this size need no reservation. */
const noReservation = { add: () => undefined, release: () => undefined };

/** The sign-in of browsers with a token, and the sign-out. */
export class SignIn {
  constructor(
    private readonly authentication: OperatorAuthentication,
    private readonly sessions: OperatorSessions,
  ) {}

  /** Exchanges the token of the form for the session of the browser. @throws QuireError CSRF_REJECTED */
  async post(request: IncomingMessage, response: ServerResponse): Promise<void> {
    assertSameOrigin(request);
    const contentLength = Number(request.headers['content-length'] ?? 0);
    const body = await readBody(request, { contentLength, limits: bodyLimits, memory: noReservation });
    const token = new URLSearchParams(body).get('token')?.trim() ?? '';
    try {
      const operator = await this.authentication.byToken(token, request);
      if (!operator) return sendPage(response, 401, renderLoginPage('The token is not valid'));
      setCookie(request, response, this.sessions.create(operator), sessionSeconds);
      redirect(response, opsPaths.home);
    } catch (error) {
      if (!(error instanceof QuireError) || error.code !== 'RATE_LIMITED') throw error;
      response.setHeader('retry-after', String(error.retryAfterSeconds));
      sendPage(response, 429, renderLoginPage(error.message));
    }
  }

  /** Ends the session of the browser. @throws QuireError CSRF_REJECTED */
  end(request: IncomingMessage, response: ServerResponse): void {
    assertSameOrigin(request);
    setCookie(request, response, '', 0);
    redirect(response, opsPaths.login);
  }
}

function setCookie(request: IncomingMessage, response: ServerResponse, value: string, maxAge: number): void {
  const cookie = stringifySetCookie({
    name: sessionCookie,
    value,
    maxAge,
    path: opsPaths.home,
    httpOnly: true,
    sameSite: 'strict',
    // The port is plain HTTP in its network; a proxy that ends TLS announces it.
    secure: request.headers['x-forwarded-proto'] === 'https',
  });
  response.setHeader('set-cookie', cookie);
}
