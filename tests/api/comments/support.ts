import type { Site } from '@quire/testing';

/** A valid comment of a guest. */
export const guestComment = { authorName: 'Ann', authorEmail: 'ann@x.example', body: 'Hi' };

/** Number of stored comments of a site, of any status. */
export async function countComments(site: Site): Promise<number> {
  return (await site.sql('SELECT 1 FROM comments')).length;
}
