import type { Context } from '@quire/context';
import { withCollections } from '../dashboard/index.js';
import { selectHomeEntries } from './panel-home.repository.js';
import type { HomeList, PanelHome } from './panel-home.schemas.js';

/** @returns the lists of the panel's first screen: entries to continue with, and publications to look after. */
export function getPanelHome(ctx: Context): Promise<PanelHome> {
  return withCollections(ctx, async (collections) => {
    const list = (name: HomeList) => selectHomeEntries(ctx.db, collections, name, ctx.principal.userId);
    const [mine, recent, upcoming, overdue] = await Promise.all([
      list('mine'),
      list('recent'),
      list('upcoming'),
      list('overdue'),
    ]);
    return { mine, recent, upcoming, overdue };
  });
}
