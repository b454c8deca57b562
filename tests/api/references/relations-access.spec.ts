import { beforeAll } from '@jest/globals';
import { describePermissions, useSite, type PermissionCase } from '@quire/testing';

const definition = {
  slug: 'rel',
  parentCollection: 'posts',
  childCollection: 'tags',
  parentLabel: 'Posts',
  childLabel: 'Tags',
};

const site = useSite();
beforeAll(async () => {
  for (const slug of ['posts', 'tags']) await site.collection({ slug });
  await (await site.as('admin')).post('/relations', definition);
});

const permissionCases: PermissionCase[] = [
  {
    permission: 'schema:read',
    minRole: 'editor',
    scopes: ['admin'],
    expectedStatus: 200,
    operations: {
      listRelations: (client) => client.get('/relations'),
      getRelation: (client) => client.get('/relations/rel'),
    },
  },
  {
    permission: 'schema:manage',
    minRole: 'admin',
    scopes: ['admin'],
    operations: {
      createRelation: (client) => client.post('/relations', definition),
      updateRelation: (client) => client.patch('/relations/rel', { childLabel: 'x' }),
      deleteRelation: (client) => client.delete('/relations/nothing'),
    },
  },
];
describePermissions(() => site, permissionCases);
