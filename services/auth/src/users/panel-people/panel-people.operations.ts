import type { Context } from '@quire/context';
import { selectPeopleByIds, selectPeopleByName } from './panel-people.repository.js';
import type { PanelPeopleQuery, PanelPerson } from './panel-people.schemas.js';

/**
 * @returns users by name, for the panel: those with the given ids, else the selectable ones whose name contains `q`.
 *   Never their e-mail addresses.
 */
export function listPanelPeople(ctx: Context, { ids, q, limit }: PanelPeopleQuery): Promise<PanelPerson[]> {
  return ids ? selectPeopleByIds(ctx.db, ids) : selectPeopleByName(ctx.db, { q, limit });
}
