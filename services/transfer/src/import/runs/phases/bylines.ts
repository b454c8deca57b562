import type { Context } from '@quire/context';
import { contentImportApi } from '@quire/internal-api';
import type { TransferDeps } from '../../../transfer-deps.js';
import type { Credit } from '../entries/credit.js';
import { selectCreators } from '../import-items.repository.js';
import { lookUp } from '../import-state.js';
import type { ImportRow } from '../imports.repository.js';
import type { Phase } from './phase.js';

/** Creates the bylines of the authors of entries (spec document 3, rule 5). */
export const importBylines: Phase = async (ctx, deps, progress) => {
  const credits = await loadCredits(ctx, deps, progress.row);
  await progress.begin(credits.size);
  await progress.nextPhase();
};

/** The bylines of the authors of entries by their logins; missing ones are created. */
export async function loadCredits(
  ctx: Context,
  { clients }: TransferDeps,
  { id: importId, site, config }: ImportRow,
): Promise<Map<string, Credit>> {
  const credits = new Map<string, Credit>();
  const limit = contentImportApi.maxImportedItems;
  let after = '';
  for (;;) {
    const creators = await selectCreators(ctx.db, importId, after, limit);
    if (creators.length === 0) return credits;
    const authors = creators.map(({ login, displayName }) => ({
      login,
      displayName: displayName ?? login,
      userId: lookUp(config.authorMappings, login) ?? null,
    }));
    const { bylines } = await clients.content.call(contentImportApi.importBylines, ctx, {
      importId,
      site,
      locale: config.locale,
      authors,
    });
    for (const { login, bylineId } of bylines)
      credits.set(login, { bylineId, authorId: lookUp(config.authorMappings, login) ?? null });
    after = creators.at(-1)?.login ?? '';
    if (creators.length < limit) return credits;
  }
}
