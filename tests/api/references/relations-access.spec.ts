import { afterAll, beforeAll } from '@jest/globals';
import { describeDoors, openSite, type Door, type Site } from '@quire/testing';

const definition = {
  slug: 'rel',
  parentCollection: 'posts',
  childCollection: 'tags',
  parentLabel: 'Posts',
  childLabel: 'Tags',
};

let site: Site;
beforeAll(async () => {
  site = await openSite();
  for (const slug of ['posts', 'tags']) await site.collection({ slug });
  await (await site.as('admin')).post('/relations', definition);
});
afterAll(() => site.close());

const doors: Door[] = [
  {
    permission: 'schema:read',
    lowest: 'editor',
    scopes: ['admin'],
    answers: 200,
    operations: {
      listRelations: (client) => client.get('/relations'),
      getRelation: (client) => client.get('/relations/rel'),
    },
  },
  {
    permission: 'schema:manage',
    lowest: 'admin',
    scopes: ['admin'],
    operations: {
      createRelation: (client) => client.post('/relations', definition),
      updateRelation: (client) => client.patch('/relations/rel', { childLabel: 'x' }),
      deleteRelation: (client) => client.delete('/relations/nothing'),
    },
  },
];
describeDoors(() => site, doors);
