import { audit } from '@quire/audit';
import { requestedPath } from '@quire/content-model';
import type { Context } from '@quire/context';
import { cursorScope, KeysetPage } from '@quire/database';
import { invalidInput, notFound, QuireError } from '@quire/errors';
import { assertPermission, assertScope } from '@quire/permissions';
import { ulid } from '@quire/values';
import { selectSetting } from '../settings/index.js';
import { findLoopsOfPage, isInLoop } from './loops.js';
import {
  deleteRedirectRow,
  insertRedirect,
  redirectOrder,
  selectMatchingRules,
  selectRedirect,
  selectRedirects,
  updateRedirectRow,
  withRuleLock,
  type StoredRedirect,
} from './redirects.repository.js';
import type {
  RedirectInput,
  RedirectPage,
  RedirectQuery,
  RedirectResponse,
  RedirectUpdate,
  ResolvedRedirect,
  ResolveQuery,
} from './redirects.schemas.js';
import { bestMatch } from './rule-tree.js';
import { planRule } from './rules.js';
import type { VisitRecorder } from './visit-recorder.js';

/**
 * @returns one page of the rules, newest first; it names the enabled rules of the loops that its rules are part of or
 *   lead into (contract 23).
 * @throws QuireError INVALID_CURSOR.
 */
export async function listRedirects(ctx: Context, query: RedirectQuery): Promise<RedirectPage> {
  const { cursor, limit, ...filters } = query;
  const scope = cursorScope({ operation: 'listRedirects', tenant: ctx.principal.tenant.id, filters });
  const page = new KeysetPage(redirectOrder, scope, { cursor, limit });
  const rows = await selectRedirects(ctx.db, filters, page);
  const { items, ...rest } = page.cut(rows, ({ createdAt, id }) => ({ value: createdAt, id }));
  const enabled = items.filter((redirect) => redirect.enabled);
  const looping = [...(await findLoopsOfPage(ctx.db, enabled))].sort();
  return {
    items: items.map(toRedirectResponse),
    ...rest,
    ...(looping.length > 0 ? { loopRedirectIds: looping } : {}),
  };
}

/**
 * Creates a redirect rule (contract 23).
 * @throws QuireError VALIDATION_ERROR for an invalid rule or one that closes a loop, CONFLICT when the source has one.
 */
export async function createRedirect(ctx: Context, input: RedirectInput): Promise<RedirectResponse> {
  const { enabled, groupName } = input;
  const row = { id: ulid(), ...planRule(input), enabled, groupName };
  return withRuleLock({ db: ctx.db, tenantId: ctx.principal.tenant.id }, async (tx) => {
    const redirect = await insertRedirect(tx, row);
    if (enabled && (await isInLoop(tx, row))) throw redirectLoopError();
    await audit(ctx, tx, { action: 'redirect.created', target: { type: 'redirect', id: redirect.id } });
    return toRedirectResponse(redirect);
  });
}

/** @returns one rule; its hits lag by a few seconds. @throws QuireError NOT_FOUND. */
export async function getRedirect(ctx: Context, id: string): Promise<RedirectResponse> {
  const redirect = await selectRedirect(ctx.db, id);
  if (!redirect) throw notFound('redirect');
  return toRedirectResponse(redirect);
}

/**
 * Updates the given properties of a rule; its hits and whether it is automatic stay. The rule is validated as a whole:
 * a type with a destination needs one, given or stored.
 * @throws QuireError NOT_FOUND, VALIDATION_ERROR, CONFLICT when another rule has the source.
 */
export async function updateRedirect(
  ctx: Context,
  { id, update }: { id: string; update: RedirectUpdate },
): Promise<RedirectResponse> {
  return withRuleLock({ db: ctx.db, tenantId: ctx.principal.tenant.id }, async (tx) => {
    const current = await selectRedirect(tx, id);
    if (!current) throw notFound('redirect');
    const changes = givenProperties(update);
    const { enabled, groupName, ...rule } = { ...current, ...changes };
    const row = { id, ...planRule(rule), enabled, groupName };
    const redirect = await updateRedirectRow(tx, row);
    if (!redirect) throw notFound('redirect');
    const isRerouted = (['source', 'destination', 'type', 'enabled'] as const).some(
      (key) => redirect[key] !== current[key],
    );
    if (isRerouted && enabled && (await isInLoop(tx, row))) throw redirectLoopError();
    await audit(ctx, tx, {
      action: 'redirect.updated',
      target: { type: 'redirect', id },
      details: { fields: Object.keys(changes) },
    });
    return toRedirectResponse(redirect);
  });
}

/** Deletes a rule. @throws QuireError NOT_FOUND. */
export async function deleteRedirect(ctx: Context, id: string): Promise<{ deleted: true }> {
  await ctx.db.transaction(async (tx) => {
    if (!(await deleteRedirectRow(tx, id))) throw notFound('redirect');
    await audit(ctx, tx, { action: 'redirect.deleted', target: { type: 'redirect', id } });
  });
  return { deleted: true };
}

/**
 * Finds the redirect of a path of the site (decision 28) and counts its hit, or logs the path as not found; both are
 * written a few seconds later. Front ends of the site call it with a token that may read content, or without one when
 * the setting `publicRedirects` is true.
 * @throws QuireError NOT_AUTHENTICATED, INSUFFICIENT_SCOPE, FORBIDDEN.
 */
export async function resolveRedirect(
  ctx: Context,
  visitRecorder: VisitRecorder,
  query: ResolveQuery,
): Promise<ResolvedRedirect> {
  await assertMayResolve(ctx);
  const requested = requestedPath(query.path);
  const match = bestMatch(await selectMatchingRules(ctx.db, requested), requested);
  if (match) {
    const { id, type } = match.rule;
    visitRecorder.hits.count(ctx, id);
    return { redirect: { id, destination: match.destination, type } };
  }
  const { referrer, userAgent } = query;
  // The address is the caller's claim: only an authenticated front end is trusted with it.
  const ip = ctx.principal.kind === 'anonymous' ? undefined : query.ip;
  visitRecorder.notFound.record(ctx, requested.path, { referrer, userAgent, ip });
  return { redirect: null };
}

async function assertMayResolve(ctx: Context): Promise<void> {
  if (ctx.principal.kind !== 'anonymous') {
    assertScope(ctx.principal, 'content:read');
    assertPermission(ctx.principal, 'content:read');
    return;
  }
  if ((await selectSetting(ctx.db, 'publicRedirects')) !== true)
    throw new QuireError('NOT_AUTHENTICATED', 'Send a Bearer token, or set publicRedirects in the settings');
}

function toRedirectResponse({ sourceKey: _, prefix, ...redirect }: StoredRedirect): RedirectResponse {
  return { ...redirect, isPattern: prefix !== null };
}

type GivenProperties = { [Key in keyof RedirectUpdate]?: Exclude<RedirectUpdate[Key], undefined> };

function givenProperties(update: RedirectUpdate): GivenProperties {
  return Object.fromEntries(Object.entries(update).filter(([, value]) => value !== undefined));
}

function redirectLoopError(): QuireError {
  return invalidInput([
    { path: 'destination', message: 'creates a redirect loop, directly or through other redirects' },
  ]);
}
