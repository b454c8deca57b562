import type { Context } from '@quire/context';
import { contentImportApi } from '@quire/internal-api';
import type { CallInput } from '@quire/internal-api';
import { SiteLinks } from '../../conversion/index.js';
import type { SourceMenuItem } from '../../export-file/index.js';
import { warningAbout } from '../import-issues.repository.js';
import {
  selectItemsBySource,
  selectMenuItems,
  selectMenus,
  skipKind,
  type StoredItem,
} from '../import-items.repository.js';
import type { ImportRow } from '../imports.repository.js';
import type { Phase } from './phase.js';

type MenuRequest = CallInput<typeof contentImportApi.importMenu>;
type MenuTarget = MenuRequest['items'][number]['target'];

/** Creates the menus, one with each step (contract 2.7). */
export const importMenus: Phase = async (ctx, { clients }, progress, mustStop) => {
  const { id, config } = progress.row;
  const menus = config.importMenus ? await selectMenus(ctx.db, id) : [];
  if (progress.row.cursor === 0) await progress.begin(menus.length);
  while (!mustStop() && !progress.isPaused) {
    const menu = menus[progress.row.cursor];
    if (!menu) {
      await skipKind(ctx.db, id, 'menu-item');
      return progress.nextPhase();
    }
    const items = await selectMenuItems(ctx.db, id, menu.slug);
    const {
      outcome,
      items: created,
      warnings,
    } = await clients.content.call(
      contentImportApi.importMenu,
      ctx,
      await menuRequest(ctx, progress.row, menu, items),
    );
    const leftOut = new Set(warnings.map((warning) => warning.id));
    const isImported = ({ position }: StoredItem) => outcome === 'created' && !leftOut.has(String(position));
    await progress.record({
      cursor: progress.row.cursor + 1,
      results: items.map((item) => ({
        position: item.position,
        state: isImported(item) ? ('imported' as const) : ('skipped' as const),
      })),
      issues: warnings.map(({ id: position, ...warning }) => {
        const item = items.find((candidate) => String(candidate.position) === position);
        const { title = null, sourceId = null } = item ?? {};
        return warningAbout({ title, sourceType: 'nav_menu_item', sourceId }, warning);
      }),
      count: (counts) => {
        counts.phase.done += 1 - items.length;
        if (outcome === 'skipped') return;
        counts.menus.created += 1;
        counts.menus.items += created;
      },
    });
  }
};

async function menuRequest(
  ctx: Context,
  { id: importId, site, config, channel }: ImportRow,
  { slug, label }: { slug: string; label: string },
  items: readonly StoredItem[],
): Promise<MenuRequest> {
  const positions = new Map(items.map(({ sourceId, position }) => [sourceId, String(position)]));
  const facts = items.map((item) => item.facts as SourceMenuItem);
  const ids = (kind: SourceMenuItem['kind']) =>
    facts.filter((fact) => fact.kind === kind).map(({ objectId }) => String(objectId));
  const terms = await selectItemsBySource(ctx.db, importId, 'term', ids('taxonomy'));
  const termsById = new Map(terms.map((term) => [term.sourceId, term]));
  const links = new SiteLinks(channel.siteUrl);
  const target = ({ kind, object, objectId, url: address }: SourceMenuItem): MenuTarget => {
    // The content service leaves out an address that is not allowed, with a warning.
    const url = links.resolve(address) ?? address;
    const term = kind === 'taxonomy' ? termsById.get(String(objectId)) : undefined;
    if (term) return { kind: 'term', taxonomy: term.sourceType, slug: term.slug ?? '', url: url || null };
    if (kind === 'post_type')
      return { kind: 'entry', source: { type: object, id: String(objectId) }, url: url || null };
    return { kind: 'url', url };
  };
  return {
    importId,
    site,
    locale: config.locale,
    name: slug,
    label,
    items: items.map(({ position, title }, index) => {
      const fact = facts[index] as SourceMenuItem;
      return {
        id: String(position),
        parentId: positions.get(String(fact.parentId)) ?? null,
        label: fact.title === '' ? '' : (title ?? ''),
        target: target(fact),
        titleAttr: fact.titleAttribute || null,
        newTab: fact.target === '_blank',
        cssClasses: fact.classes.join(' ') || null,
      };
    }),
  };
}
