import { randomBytes, randomUUID } from 'node:crypto';
import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { RateLimit } from '@quire/rate-limit';
import { enforceRateLimit } from '../../../rate-limits/index.js';
import type { OAuthDeps } from '../../oauth-deps.js';
import { deleteUnusedClients, insertClient } from '../clients.repository.js';
import type { Client, Registration } from '../clients.schemas.js';
import { isRedirectUri } from '../redirect-uri.policy.js';

/** Clients without any consent are deleted after a day, and earlier beyond `maxCount`. */
const unused = { retentionHours: 24, maxCount: 1_000, batch: 200 };

const perMinute: RateLimit = { name: 'oauth-register', limit: 10, windowSeconds: 60 };

/**
 * Registers a client dynamically (RFC 7591; contract 32). Registration gives no rights: every user has to consent. The
 * first consent records the client in the audit log. Deletes unused registrations.
 * @throws QuireError RATE_LIMITED, INVALID_REDIRECT_URI.
 */
export async function registerOAuthClient(
  ctx: Context,
  { limiter }: OAuthDeps,
  registration: Registration,
): Promise<Client> {
  await enforceRateLimit(ctx, limiter, perMinute);
  const { redirect_uris: redirectUris, client_name: name, scope } = registration;
  if (!redirectUris.every(isRedirectUri)) {
    throw new QuireError(
      'INVALID_REDIRECT_URI',
      'redirect_uris: must be https addresses, or http addresses of this computer',
    );
  }
  const values = {
    id: randomUUID(),
    name: name ?? `dynamic-${randomBytes(4).toString('hex')}`,
    redirectUris,
    scopes: scope && scope.length > 0 ? [...new Set(scope)] : null,
  };
  const origin = { registeredItself: true, grantTypes: [...new Set(registration.grant_types)] };
  const client = await insertClient(ctx.db, values, origin);
  if (!client) throw new Error('The random client id already exists');
  await deleteUnusedClients(ctx.db, unused);
  return client;
}
