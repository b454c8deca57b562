import type { Context } from '@quire/context';
import type { Transaction } from '@quire/database';
import type { contentImportApi, RequestOf, ResponseOf } from '@quire/internal-api';
import { truncateText, ulid } from '@quire/values';
import { blockList } from '../../rich-text/index.js';
import { insertRecords, keyOf, lockSource, selectRecords } from '../records/index.js';
import { KnownMedia } from '../rewrite-urls/index.js';
import { insertSections, selectSectionIds, type NewSection } from './import-sections.repository.js';

type Request = RequestOf<typeof contentImportApi.importSections>;
type Response = ResponseOf<typeof contentImportApi.importSections>;
type SourceSection = Request['sections'][number];

const maxTitleLength = 500;

/**
 * Creates sections from reusable blocks of the source (contract 2.7). A section with the slug is left as it is, and so
 * is one that an earlier import has created from the block, whatever its slug is now.
 * @returns the counts; a repeated call of one import counts the same. A section whose content the API would refuse is
 *   left out with the warning SECTION_MISSING.
 */
export async function importSections(ctx: Context, { sections, media, ...run }: Request): Promise<Response> {
  const known = new KnownMedia(media);
  const checked = sections.map((section) => ({
    section,
    content: blockList.safeParse(section.content),
  }));
  return ctx.db.transaction(async (tx) => {
    await lockSource(tx, ctx.principal.tenant.id, run.site);
    const present = await findPresent(tx, run, sections);
    const taken = new Set(present.slugs);
    const rows: { source: contentImportApi.SourceKey; section: NewSection }[] = [];
    const warnings: Response['warnings'] = [];
    for (const { section, content } of checked) {
      const { source, slug, title } = section;
      if (present.sources.has(keyOf(source)) || taken.has(slug)) continue;
      if (!content.success) {
        const message = content.error.issues[0]?.message ?? 'The content is not rich text';
        warnings.push({ id: source.id, code: 'SECTION_MISSING', message });
        continue;
      }
      taken.add(slug);
      const label = truncateText(title.trim(), maxTitleLength) || slug;
      rows.push({
        source,
        section: { id: ulid(), slug, title: label, content: known.inRichText(content.data) },
      });
    }
    const created = await insertSections(
      tx,
      rows.map(({ section }) => section),
    );
    const inserted = rows.filter(({ section }) => created.has(section.id));
    await insertRecords(
      tx,
      run,
      inserted.map(({ source, section }) => ({ source, kind: 'section', targetId: section.id })),
    );
    const own = new Set([...present.ofThisImport, ...inserted.map(({ source }) => keyOf(source))]);
    const createdIds = sections.filter(({ source }) => own.has(keyOf(source))).map(({ source }) => source.id);
    const skipped = sections.length - own.size - warnings.length;
    return { created: own.size, createdIds, skipped, warnings };
  });
}

interface Present {
  slugs: ReadonlySet<string>;
  /** Keys of blocks whose section exists. */
  sources: ReadonlySet<string>;
  /** Keys of blocks whose section an earlier call of this import has created. */
  ofThisImport: ReadonlySet<string>;
}

async function findPresent(
  tx: Transaction,
  { site, importId }: contentImportApi.ImportRun,
  sections: readonly SourceSection[],
): Promise<Present> {
  const records = await selectRecords(
    tx,
    site,
    sections.map(({ source }) => source),
  );
  const slugs = sections.map(({ slug }) => slug);
  const targets = [...records.values()].map(({ targetId }) => targetId);
  const { bySlug, byId } = await selectSectionIds(tx, slugs, targets);
  const existing = [...records].filter(([, { targetId }]) => byId.has(targetId));
  return {
    slugs: bySlug,
    sources: new Set(existing.map(([key]) => key)),
    ofThisImport: new Set(existing.filter(([, record]) => record.importId === importId).map(([key]) => key)),
  };
}
