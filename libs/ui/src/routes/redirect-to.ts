import { toLocationHeader } from '@quire/http-server';
import type { FastifyReply } from 'fastify';

/**
 * Redirects the browser; 303 after a form post, so that the target is requested with GET.
 * @param location path, or URL of a login provider
 */
export async function redirectTo(reply: FastifyReply, location: string): Promise<undefined> {
  const status = reply.request.method === 'POST' ? 303 : 302;
  await reply
    .type('text/html; charset=utf-8')
    .headers({ 'cache-control': 'no-store', 'referrer-policy': 'same-origin' })
    .redirect(toLocationHeader(location), status);
  return undefined;
}
