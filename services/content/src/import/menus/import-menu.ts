import type { Context } from '@quire/context';
import { QuireError } from '@quire/errors';
import type { contentImportApi, RequestOf, ResponseOf } from '@quire/internal-api';
import { truncateText, ulid } from '@quire/values';
import type { Locales } from '../../locales/index.js';
import { insertMenu, insertMenuItems, lockMenus } from '../../site/menus/index.js';
import { insertRecords, keyOf, lockSource, selectRecords } from '../records/index.js';
import { menuName } from './menu-names.js';
import { planItems } from './plan-items.js';
import { resolveTargets } from './resolve-targets.js';

type Request = RequestOf<typeof contentImportApi.importMenu>;
type Response = ResponseOf<typeof contentImportApi.importMenu>;

const maxLabelLength = 500;

/**
 * Creates a menu with its items (contract 2.7). A menu of the name and locale is left as it is, unless an earlier call
 * of this import has created it: then the result is that of the earlier call.
 * @throws QuireError VALIDATION_ERROR (locale).
 */
export async function importMenu(
  ctx: Context,
  locales: Locales,
  { locale: code, name: given, label, items, ...run }: Request,
): Promise<Response> {
  const locale = locales.stored(code);
  const name = menuName(given);
  const source: contentImportApi.SourceKey = { type: 'menu', id: `${locale}/${name}` };
  try {
    return await ctx.db.transaction(async (tx) => {
      await lockSource(tx, ctx.principal.tenant.id, run.site);
      const record = (await selectRecords(tx, run.site, [source])).get(keyOf(source));
      const [existing] = await lockMenus(tx, name, locale);
      const isOwn = existing?.id === record?.targetId && record?.importId === run.importId;
      if (existing && !isOwn) return skipped;
      const findTarget = await resolveTargets(tx, { site: run.site, locale, items });
      const planned = planItems(items, findTarget);
      if (!existing) {
        const id = ulid();
        const title = truncateText(label.trim(), maxLabelLength) || name;
        const menu = await insertMenu(tx, { id, name, label: title, locale, translationGroup: id });
        await insertMenuItems(tx, menu, planned.items);
        await insertRecords(tx, run, [{ source, kind: 'menu', targetId: id }]);
      }
      return { outcome: 'created', items: planned.items.length, warnings: planned.warnings };
    });
  } catch (error) {
    // A user has created it since.
    if (error instanceof QuireError && error.code === 'CONFLICT') return skipped;
    throw error;
  }
}

const skipped: Response = { outcome: 'skipped', items: 0, warnings: [] };
