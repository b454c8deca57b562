import type { ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { getRequestIdentity, originHeader } from '@quire/context';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostPrefix } from './cookie-names.js';
import { isHttps } from './session-cookie.js';

export interface CookieOptions {
  /** For http; on https it is `/`, as the prefix of the name requires. */
  path: string;
  /** Absent: a session cookie of the browser. */
  maxAgeSeconds?: number;
  sameSite?: 'lax' | 'strict';
}

/**
 * The cookies of a request and its response. Scripts cannot read the cookies that it sets. On https they are secure,
 * and the prefix `__Host-` of their names prevents other hosts of the domain from setting them (decision 62).
 */
export class Cookies {
  constructor(
    private readonly header: string | undefined,
    private readonly isSecure: boolean,
    private readonly append: (setCookie: string) => void,
  ) {}

  get(name: string): string | undefined {
    return this.header === undefined ? undefined : parseCookie(this.header)[this.prefixed(name)];
  }

  set(name: string, value: string, options: CookieOptions): void {
    const path = this.isSecure ? '/' : options.path;
    this.write(this.prefixed(name), value, { ...options, path });
  }

  clear(name: string, { path, sameSite }: Pick<CookieOptions, 'path' | 'sameSite'>): void {
    this.set(name, '', { path, maxAgeSeconds: 0, ...(sameSite ? { sameSite } : {}) });
  }

  /** On https, clears a cookie that an earlier release set without the prefix, if the browser sent it. */
  clearUnprefixed(name: string, { path }: Pick<CookieOptions, 'path'>): void {
    if (this.isSecure && this.header !== undefined && parseCookie(this.header)[name] !== undefined)
      this.write(name, '', { path, maxAgeSeconds: 0 });
  }

  private prefixed(name: string): string {
    return this.isSecure ? hostPrefix + name : name;
  }

  private write(name: string, value: string, { path, maxAgeSeconds, sameSite = 'lax' }: CookieOptions): void {
    const text = stringifySetCookie({
      name,
      value,
      path,
      httpOnly: true,
      sameSite,
      secure: this.isSecure,
      ...(maxAgeSeconds === undefined ? {} : { maxAge: maxAgeSeconds }),
    });
    this.append(text);
  }
}

/**
 * Handler parameter: the cookies of the request, and the means to set those of the response. Services other than auth
 * get only the cookies that the gateway forwards to them.
 */
export const RequestCookies = createParamDecorator((_: undefined, execution: ExecutionContext): Cookies => {
  const http = execution.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  const reply = http.getResponse<FastifyReply>();
  const origin = getRequestIdentity(request.raw)?.origin ?? request.headers[originHeader];
  const isSecure = isHttps(String(origin));
  // The first cookie of a handler would replace those of the gateway, so it is set together with them.
  let given = cookiesOf(reply.raw);
  return new Cookies(request.headers.cookie, isSecure, (text) => {
    void reply.header('set-cookie', [...given, text]);
    given = [];
  });
});

/** The cookies that a response sets so far. */
export function cookiesOf(response: ServerResponse): string[] {
  return [response.getHeader('set-cookie') ?? []].flat().map(String);
}
