import { afterAll, beforeAll } from '@jest/globals';
import { describeDoors, type Door } from '@quire/testing';
import { UsageSite } from './lab/usage-site.js';

let lab: UsageSite;
let id: string;
beforeAll(async () => {
  lab = await UsageSite.open();
  id = await lab.media();
});
afterAll(() => lab.close());

const path = '/admin/media-usage';
const nobody = { collectionId: 'none', contentId: 'none' };
const doors: Door[] = [
  {
    permission: 'content:read_drafts',
    lowest: 'contributor',
    scopes: ['admin'],
    answers: 200,
    operations: { getMediaUsage: (client) => client.get(`/media/${id}/usage`) },
  },
  {
    permission: 'schema:manage',
    lowest: 'admin',
    scopes: ['admin'],
    operations: {
      repairMediaUsage: (client) => client.post(`${path}/repair`, { scope: 'all' }),
      listMediaUsageWork: (client) => client.get(`${path}/work?collection=posts`),
      retryMediaUsageWork: (client) => client.post(`${path}/work/retry`, nobody),
      listMediaUsageCollectionDeletions: (client) => client.get(`${path}/collection-deletions`),
      retryMediaUsageCollectionDeletion: (client) =>
        client.post(`${path}/collection-deletions/retry`, { collectionId: 'none' }),
      getMediaUsageActivation: (client) => client.get(`${path}/activation`),
      advanceMediaUsageActivation: (client) => client.post(`${path}/activation`, {}),
      getMediaUsageProgress: (client) => client.get(`${path}/progress`),
      advanceMediaUsageProgress: (client) => client.post(`${path}/progress`, { more: 1 }),
    },
  },
];
describeDoors(() => lab.site, doors);
