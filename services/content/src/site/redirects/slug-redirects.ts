import { Injectable } from '@nestjs/common';
import { keyOf, sourcePath, urlPathProblem } from '@quire/content-model';
import type { Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from '@quire/values';
import { EntryUrlListener, type CreatedUrls, type EntryUrlChange } from '../../entries/index.js';
import { findLoop } from './loops.js';
import {
  acquireRuleLock,
  acquireSharedRuleLock,
  deleteAutoRedirects,
  deleteAutoRedirectsFrom,
  insertRedirect,
  isRedirectSource,
  isSlugOfOtherLiveEntry,
  updateAutoDestinations,
} from './redirects.repository.js';
import { planRule, type Rule } from './rules.js';

/** The group of automatic redirects in the panel. */
const group = 'Auto: slug change';
const movedPermanently = 301;

/**
 * Redirects the old address of a live entry to its new one (contract 7, updateContent), and frees the address of an
 * entry that goes live. Rules of users never change: where one has the source, or would close a loop, no automatic rule
 * is created.
 */
@Injectable()
export class SlugRedirects extends EntryUrlListener {
  override async onUrlChanged(tx: Transaction, change: EntryUrlChange): Promise<void> {
    const to = entryPath(change, change.toSlug);
    if (to === null) return;
    const { fromSlug } = change;
    const from = fromSlug === null ? null : entryPath(change, fromSlug);
    if (from === to) return;
    if (from === null) await acquireSharedRuleLock(tx, change.tenantId);
    else await acquireRuleLock(tx, change.tenantId);
    // An automatic rule of the address would hide the entry that is live there now.
    await deleteAutoRedirectsFrom(tx, [keyOf(sourcePath(to))]);
    if (from === null || fromSlug === null) return;
    // Another live entry may have the old slug, in another locale for example.
    if (await isSlugOfOtherLiveEntry(tx, change.definition, { id: change.entry.id, slug: fromSlug })) return;
    const rule = plan(from, to);
    if (rule) await redirect(tx, rule);
  }

  override async onUrlsCreated(
    tx: Transaction,
    { tenantId, definition, entries }: CreatedUrls,
  ): Promise<void> {
    const paths = entries.flatMap((entry) => entryPath({ definition, entry }, entry.slug) ?? []);
    if (paths.length === 0) return;
    await acquireSharedRuleLock(tx, tenantId);
    await deleteAutoRedirectsFrom(
      tx,
      paths.map((path) => keyOf(sourcePath(path))),
    );
  }
}

/** Redirects an address, and all former ones that were redirected there, directly to the new one. */
async function redirect(tx: Transaction, rule: Rule): Promise<void> {
  await updateAutoDestinations(tx, { from: rule.source, to: rule.destination });
  await deleteAutoRedirectsFrom(tx, [rule.sourceKey]);
  if (!(await isRedirectSource(tx, rule.sourceKey)))
    await insertRedirect(tx, { ...rule, enabled: true, groupName: group, auto: true });
  await deleteLoopingAutoRedirects(tx, rule.destination);
}

/**
 * Deletes the automatic rules to a path that form loops with rules of users. Only these can have closed a loop: each
 * new rule leads to this path.
 */
async function deleteLoopingAutoRedirects(tx: Transaction, path: string): Promise<void> {
  let deletedCount: number;
  do {
    const loop = await findLoop(tx, path);
    deletedCount = await deleteAutoRedirects(tx, { destination: path, ids: loop });
  } while (deletedCount > 0);
}

/** The rule, or undefined when one of the paths is invalid for redirects. */
function plan(source: string, destination: string): Rule | undefined {
  try {
    return { id: ulid(), ...planRule({ source, destination, type: movedPermanently }) };
  } catch (error) {
    if (error instanceof QuireError) return undefined;
    throw error;
  }
}

/**
 * The address of an entry: its collection's pattern filled in, else /{collection}/{slug}.
 * @returns null when the pattern has unknown placeholders or gives no valid path for a redirect, or the collection's
 *   entries have no address.
 */
export function entryPath(
  {
    definition,
    entry,
  }: {
    definition: Pick<EntryUrlChange['definition'], 'slug' | 'routable' | 'urlPattern'>;
    entry: EntryUrlChange['entry'];
  },
  slug: string,
): string | null {
  if (!definition.routable) return null;
  const known: Record<string, string> = {
    collection: definition.slug,
    id: entry.id,
    locale: entry.locale,
    slug,
  };
  let isComplete = true;
  const pattern = definition.urlPattern ?? '/{collection}/{slug}';
  const path = pattern.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = known[name];
    if (value === undefined) isComplete = false;
    return encodeURIComponent(value ?? '');
  });
  if (!isComplete || urlPathProblem(path) !== null) return null;
  return path.replace(/^[^?#]*/, withoutPlaceholders);
}

/** Escapes brackets: text in a collection's pattern, placeholders in a redirect. */
function withoutPlaceholders(path: string): string {
  return path.replaceAll('[', '%5B').replaceAll(']', '%5D');
}
