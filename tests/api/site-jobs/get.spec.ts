import { beforeAll, describe, expect, it } from '@jest/globals';
import {
  createEntry,
  describePermissions,
  eventuallyPasses,
  openSite,
  useSite,
  type Client,
} from '@quire/testing';

const site = useSite();
const path = '/admin/jobs';
let admin: Client;

interface Queue {
  queue: string;
  delayed: number;
}

const queueOf = async (client: Client, name: string) =>
  ((await client.get(path)).data.queues as Queue[]).find(({ queue }) => queue === name);

beforeAll(async () => {
  admin = await site.as('admin');
  await admin.post('/schema/collections', { slug: 'posts', label: 'Posts' });
  await admin.post('/schema/collections/posts/fields', { slug: 'title', label: 'Title', type: 'string' });
});

describe('GET /admin/jobs', () => {
  it('counts the jobs of the site by queue and state, and lists the failed ones', async () => {
    const { data } = await admin.get(path);
    expect(data).toEqual({
      queues: expect.arrayContaining([
        {
          queue: 'transfer',
          waiting: 0,
          active: 0,
          delayed: 0,
          failed: 0,
          isPaused: false,
          isComplete: expect.any(Boolean),
        },
      ]),
      failed: [],
    });
  });

  it('counts a scheduled publication for its own site only', async () => {
    const neighbour = await openSite();
    const theirs = await neighbour.as('admin');
    const entry = await createEntry(admin, 'posts', { body: undefined });
    expect((await entry.schedule()).status).toBe(200);
    await eventuallyPasses(
      () => queueOf(admin, 'content'),
      (queue) => expect(queue).toMatchObject({ delayed: 1 }),
    );
    expect(await queueOf(theirs, 'content')).toMatchObject({ delayed: 0 });
    await neighbour.close();
  });

  it('is not part of the API document', async () => {
    const { text } = await admin.get('/openapi.json');
    expect(text).toContain('/content/');
    expect(text).not.toContain(path);
  });

  describePermissions(
    () => site,
    [
      {
        permission: 'settings:manage',
        minRole: 'admin',
        scopes: ['admin'],
        expectedStatus: 200,
        operations: { getSiteJobs: (client) => client.get(path) },
      },
    ],
  );
});
