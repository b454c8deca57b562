import { Injectable } from '@nestjs/common';
import { identifier, type Transaction } from '@quire/database';
import { QuireError } from '@quire/errors';
import { ulid } from 'ulid';
import { EntryMoves, type EntryMove } from '../entries/index.js';
import { isInLoop } from './loops.js';
import { insertRedirect, takeTurn } from './redirects.repository.js';
import { planRule, type Rule } from './rules.js';

/** Where the panel shows redirects that Quire made. */
const group = 'Auto: slug change';
const moved = 301;

/**
 * Leads visitors of a live entry's old address to its new one (contract 7, updateContent). Rules that people made are never
 * touched: where one stands in the way, there is no automatic one.
 */
@Injectable()
export class SlugRedirects extends EntryMoves {
  override async moved(tx: Transaction, move: EntryMove): Promise<void> {
    const [from, to] = [entryPath(move, move.fromSlug), entryPath(move, move.toSlug)];
    const rule = from === null || to === null ? undefined : plan(from, to);
    if (!rule) return;
    await takeTurn(tx, move.tenantId);
    // Something is live at the new address now: an automatic rule from there would hide it.
    await tx.query('DELETE FROM redirects WHERE auto AND source = $1', [to]);
    if (await isStillUsed(tx, move)) return;
    await tx.query(
      'UPDATE redirects SET destination = $2, updated_at = now() WHERE auto AND destination = $1',
      [from, to],
    );
    await tx.query('DELETE FROM redirects WHERE auto AND source_key = $1', [rule.sourceKey]);
    const taken = await tx.query('SELECT 1 FROM redirects WHERE source_key = $1', [rule.sourceKey]);
    if (taken.length > 0) return;
    await insertRedirect(tx, { ...rule, enabled: true, groupName: group, auto: true });
    if (await isInLoop(tx, rule)) await tx.query('DELETE FROM redirects WHERE id = $1', [rule.id]);
  }
}

/** The rule, or undefined when a path is none that redirects know. */
function plan(source: string, destination: string): Rule | undefined {
  try {
    return { id: ulid(), ...planRule({ source, destination, type: moved }) };
  } catch (error) {
    if (error instanceof QuireError) return undefined;
    throw error;
  }
}

/**
 * The address of an entry: its collection's pattern with what is known of the entry filled in, else /{collection}/{slug}.
 * @returns null when the pattern asks for more, or the collection's entries have no address.
 */
export function entryPath(
  {
    definition,
    entry,
  }: {
    definition: Pick<EntryMove['definition'], 'slug' | 'routable' | 'urlPattern'>;
    entry: EntryMove['entry'];
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
  return isComplete && path.startsWith('/') ? path : null;
}

/** Another live entry of the collection has the old slug, in another locale for example. */
async function isStillUsed(tx: Transaction, { definition, entry, fromSlug }: EntryMove): Promise<boolean> {
  const found = await tx.query(
    `SELECT 1 FROM ${identifier(definition.table)}
     WHERE slug = $1 AND status = 'published' AND deleted_at IS NULL AND id <> $2 LIMIT 1`,
    [fromSlug, entry.id],
  );
  return found.length > 0;
}
