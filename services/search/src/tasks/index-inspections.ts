import { identifier } from '@quire/database';
import { sharedSchema } from '@quire/tenancy';
import { defineWorkTable, exponentialBackoff } from '@quire/work-queue';

/** The inspection of all indexes of a database: one row, so that one of the processes makes it. */
export const indexInspections = defineWorkTable<{ subject: string }, object>({
  name: `${identifier(sharedSchema('search'))}.index_inspections`,
  key: { subject: 'subject' },
  payload: {},
  leaseSeconds: 60,
  backoff: exponentialBackoff({ initialSeconds: 5, maxSeconds: 60 }),
});
