import type { ServerResponse } from 'node:http';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { getRequestIdentity, originHeader } from '@quire/context';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostPrefix } from './cookie-names.js';
import { isHttps } from './session-cookie.js';

export interface CookieOptions {
  /** On http; on https it is `/`, as the prefix of the name demands. */
  path: string;
  /** Absent: until the browser is closed. */
  maxAgeSeconds?: number;
  sameSite?: 'lax' | 'strict';
}

/**
 * The cookies of a request and its answer. Those that are set are never readable by scripts. On https they
 * are secure, and the prefix `__Host-` of their names keeps other hosts of the domain from setting them
 * (decision 62).
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

  /**
   * On https, clears a cookie that an earlier release set without the prefix, where the browser has sent it.
   */
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
 * Handler parameter: the cookies of the request, and a way to set those of the answer. Services but auth get
 * those alone that the gateway hands on to them.
 */
export const RequestCookies = createParamDecorator((_: undefined, execution: ExecutionContext): Cookies => {
  const http = execution.switchToHttp();
  const request = http.getRequest<FastifyRequest>();
  const reply = http.getResponse<FastifyReply>();
  const origin = getRequestIdentity(request.raw)?.origin ?? request.headers[originHeader];
  const isSecure = isHttps(String(origin));
  // What the gateway has put on the answer goes with the first that a handler sets, which would replace it.
  let given = cookiesOf(reply.raw);
  return new Cookies(request.headers.cookie, isSecure, (text) => {
    void reply.header('set-cookie', [...given, text]);
    given = [];
  });
});

/** The cookies that an answer sets already. */
export function cookiesOf(response: ServerResponse): string[] {
  return [response.getHeader('set-cookie') ?? []].flat().map(String);
}
