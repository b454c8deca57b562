import type { Queryable } from '@quire/database';
import { selectIssues } from './import-issues.repository.js';
import type { ImportRow } from './imports.repository.js';
import { z } from 'zod';

const count = z.number().int();
const counts = z.record(z.string(), count);

/** The summary of an import (contract 1.4). Lists hold the first thousand; `totals` counts all. */
export const importResultSchema = z.object({
  success: z.boolean(),
  importId: z.string(),
  imported: count,
  updated: count,
  skipped: count,
  failed: count,
  failedAsDrafts: count,
  byCollection: counts,
  /** Items of the file by type: imported + updated + skipped + failed are all of them. */
  byType: z.record(
    z.string(),
    z.object({ items: count, imported: count, updated: count, skipped: count, failed: count }),
  ),
  errors: z.array(
    z.object({
      title: z.string(),
      error: z.string(),
      code: z.string(),
      legacyId: z.string().nullable(),
      postType: z.string().nullable(),
      collection: z.string().nullable(),
      entryId: z.string().nullable(),
      savedAsDraft: z.boolean(),
    }),
  ),
  warnings: z.array(
    z.object({
      title: z.string(),
      legacyId: z.string().nullable(),
      postType: z.string().nullable(),
      code: z.string(),
      message: z.string(),
    }),
  ),
  totals: z.object({ errors: count, warnings: count }),
  sections: z.object({ created: count, skipped: count }),
  taxonomies: z.object({
    termsCreated: counts,
    termsReused: counts,
    assignments: count,
    missingTaxonomies: z.array(z.string()),
  }),
  mediaReferences: count,
  comments: z.object({ imported: count, skipped: count }),
  menus: z.object({ created: count, items: count }),
  durationMs: count,
});

export type ImportResult = z.output<typeof importResultSchema>;

/** The summary of an import that has ended, or of what it has done so far. */
export async function importResultOf(sql: Queryable, row: ImportRow): Promise<ImportResult> {
  const { counts: done } = row;
  const [errors, warnings] = await Promise.all([
    selectIssues(sql, row.id, 'error'),
    selectIssues(sql, row.id, 'warning'),
  ]);
  const { imported, updated, skipped, failed } = done.entries;
  return {
    success: done.errors === 0,
    importId: row.id,
    imported,
    updated,
    skipped,
    failed,
    failedAsDrafts: done.drafts,
    byCollection: done.byCollection,
    byType: Object.fromEntries(
      Object.entries(done.byType).map(([type, states]) => [type, { items: sumOf(states), ...states }]),
    ),
    errors: errors.map(
      ({ title, message, code, sourceId, sourceType, collection, entryId, savedAsDraft }) => ({
        title: title ?? '',
        error: message,
        code,
        legacyId: sourceId,
        postType: sourceType,
        collection,
        entryId,
        savedAsDraft,
      }),
    ),
    warnings: warnings.map(({ title, sourceId, sourceType, code, message }) => ({
      title: title ?? '',
      legacyId: sourceId,
      postType: sourceType,
      code,
      message,
    })),
    totals: { errors: done.errors, warnings: done.warnings },
    sections: done.sections,
    taxonomies: {
      termsCreated: done.termsCreated,
      termsReused: done.termsReused,
      assignments: done.assignments,
      missingTaxonomies: [],
    },
    mediaReferences: done.mediaReferences,
    comments: done.comments,
    menus: done.menus,
    durationMs: Date.parse(row.finishedAt ?? new Date().toISOString()) - Date.parse(row.createdAt),
  };
}

function sumOf({ imported, updated, skipped, failed }: Record<string, number>): number {
  return [imported, updated, skipped, failed].reduce<number>((sum, value) => sum + (value ?? 0), 0);
}
