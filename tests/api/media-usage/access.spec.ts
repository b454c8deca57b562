import { beforeAll } from '@jest/globals';
import { describePermissions, type PermissionCase } from '@quire/testing';
import { useUsageSite } from './support.js';

const usageSite = useUsageSite();
let id: string;
beforeAll(async () => {
  id = await usageSite.media();
});

const path = '/admin/media-usage';
const unknown = { collectionId: 'none', contentId: 'none' };
const permissionCases: PermissionCase[] = [
  {
    permission: 'content:read_drafts',
    minRole: 'contributor',
    scopes: ['admin'],
    expectedStatus: 200,
    operations: { getMediaUsage: (client) => client.get(`/media/${id}/usage`) },
  },
  {
    permission: 'schema:manage',
    minRole: 'admin',
    scopes: ['admin'],
    operations: {
      repairMediaUsage: (client) => client.post(`${path}/repair`, { scope: 'all' }),
      listMediaUsageWork: (client) => client.get(`${path}/work?collection=posts`),
      retryMediaUsageWork: (client) => client.post(`${path}/work/retry`, unknown),
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
describePermissions(() => usageSite.site, permissionCases);
