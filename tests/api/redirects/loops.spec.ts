import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, outcome, type Client, type Site } from '@quire/testing';

let site: Site;
let admin: Client;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
});
afterEach(async () => {
  await site.sql('DELETE FROM redirects');
});
afterAll(() => site.close());

const create = (source: unknown, destination: unknown = '/new', more: object = {}) =>
  admin.post('/redirects', { source, destination, ...more });
const update = (id: string, body: unknown) => admin.put(`/redirects/${id}`, body);
const made = async (source: string, destination = '/new', more: object = {}) => {
  const answer = await create(source, destination, more);
  if (answer.status !== 201) throw new Error(`Refused: ${JSON.stringify(answer.body)}`);
  return answer.data as { id: string; source: string; createdAt: string };
};

describe('redirects that never end', () => {
  const refused = [400, 'VALIDATION_ERROR'];

  it('are refused when source and destination are equal, enabled or not', async () => {
    expect(outcome(await create('/a', '/a'))).toEqual(refused);
    expect(outcome(await create('/a', '/a#part'))).toEqual(refused);
    expect(outcome(await create('/a', '/a', { enabled: false }))).toEqual(refused);
    expect(outcome(await create('/a', '/a?x=1'))).toEqual(refused);
  });

  it('are refused through a chain, and nothing of them is stored', async () => {
    await made('/a', '/b');
    await made('/b', '/c');
    await made('/c', '/d');
    const answer = await create('/d', '/a');
    expect([outcome(answer), issuePaths(answer)]).toEqual([refused, ['destination']]);
    expect((await admin.get('/redirects')).data.items).toHaveLength(3);
    expect((await create('/d', '/e')).status).toBe(201);
  });

  it('are refused through a chain of many rules', async () => {
    for (let step = 0; step < 30; step += 1) await made(`/step-${step}`, `/step-${step + 1}`);
    expect(outcome(await create('/step-30', '/step-0'))).toEqual(refused);
    expect((await create('/start', '/step-0')).status).toBe(201);
  });

  it('are refused between patterns, and where one path runs through a pattern', async () => {
    await made('/a/[x]', '/b/[x]');
    expect(outcome(await create('/b/[y]', '/a/[y]'))).toEqual(refused);
    expect(outcome(await create('/b/first', '/a/first'))).toEqual(refused);
    expect((await create('/b/first', '/c/first')).status).toBe(201);
    expect(outcome(await create('/[...rest]', '/closed'))).toEqual(refused);
  });

  it('are refused between two patterns that have only some paths in common, and named where they are stored', async () => {
    const one = await made('/a/p/[y]', '/b/p/[y]');
    expect(outcome(await create('/b/[x]/q', '/a/[x]/q'))).toEqual(refused);
    const other = await made('/b/[x]/q', '/a/[x]/q', { enabled: false });
    expect(outcome(await update(other.id, { enabled: true }))).toEqual(refused);
    // As they may have been stored before such loops were seen.
    await site.sql('UPDATE redirects SET enabled = true');
    expect((await admin.get('/redirects')).data.loopRedirectIds).toEqual([one.id, other.id].sort());
    expect((await update(other.id, { destination: '/c/[x]/q' })).status).toBe(200);
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('are refused when a pattern closes the circle of single paths', async () => {
    await made('/b/first', '/a/first');
    expect(outcome(await create('/a/[x]', '/b/[x]'))).toEqual(refused);
  });

  it('are refused to an update, by destination, by source and by enabling', async () => {
    await made('/a', '/b');
    const back = await made('/b', '/c');
    const off = await made('/c', '/d');
    expect(outcome(await update(back.id, { destination: '/a' }))).toEqual(refused);
    expect(outcome(await update(off.id, { source: '/x', destination: '/x' }))).toEqual(refused);
    await update(off.id, { destination: '/a', enabled: false });
    expect(outcome(await update(off.id, { enabled: true }))).toEqual(refused);
    expect((await admin.get(`/redirects/${off.id}`)).data).toMatchObject({
      destination: '/a',
      enabled: false,
    });
    const last = await made('/z', '/a');
    expect(outcome(await update(last.id, { source: '/c' }))).toEqual([409, 'CONFLICT']);
    await admin.delete(`/redirects/${off.id}`);
    expect(outcome(await update(last.id, { source: '/c' }))).toEqual(refused);
  });

  it('do not count rules that are off, or that say gone', async () => {
    await made('/a', '/b', { enabled: false });
    expect((await create('/b', '/a')).status).toBe(201);
    await made('/c', '', { type: 410 });
    expect((await create('/d', '/c')).status).toBe(201);
  });

  it('are refused to two who each close half of the circle at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [`/one-${round}`, `/other-${round}`];
      const answers = await Promise.all([create(one, other), create(other, one)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    }
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('are named by the list where a deletion uncovered them, and can still be renamed and mended', async () => {
    const cover = await made('/a/first', '/fine');
    const pattern = await made('/a/[x]', '/b/[x]');
    const exact = await made('/b/first', '/a/first');
    const bystander = await made('/in', '/a/first');
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
    await admin.delete(`/redirects/${cover.id}`);
    const { data } = await admin.get('/redirects?limit=1');
    expect(data.loopRedirectIds).toEqual([pattern.id, exact.id].sort());
    expect(data.loopRedirectIds).not.toContain(bystander.id);
    expect((await update(exact.id, { groupName: 'Broken' })).status).toBe(200);
    expect((await update(exact.id, { destination: '/c' })).status).toBe(200);
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });
});
