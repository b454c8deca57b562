import type { Queryable } from '@quire/database';
import { writeRecords } from '@quire/site-records';
import { Revision } from '../../entries/revisions/index.js';
import { selectCopiedCollections } from '../copied-collections.js';
import { storedRevisionData } from '../sources/revision-data.js';

/** Writes revisions; the texts of their json fields become json again. */
export async function writeRevisions(sql: Queryable, records: readonly string[]): Promise<void> {
  const data = storedRevisionData(await selectCopiedCollections(sql));
  await writeRecords(sql, 'revisions', Revision, { records, pass: 'records' }, { computed: { data } });
}
