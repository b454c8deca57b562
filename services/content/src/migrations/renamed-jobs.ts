import { literal } from '@quire/database';

/** Names of jobs in triggers and the outbox: the former and the present one. */
export const renamedJobs = [
  ['index-media-usage', 'media-usage.index-entry'],
  ['follow-media-usage-collection', 'media-usage.sync-collection'],
  ['index-search', 'search.index-entry'],
  ['follow-search-collection', 'search.sync-collection'],
  ['mail-approved-comment', 'notify-comment-approved'],
] as const;

/** SQL of the present name of a job. @param expression SQL of a name, former or present */
export const presentName = (expression: string) =>
  `CASE ${expression} ${renamedJobs.map((names) => `WHEN ${names.map(literal).join(' THEN ')}`).join(' ')}
    ELSE ${expression} END`;
