import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, openSite, statusAndCode, type Client, type Site } from '@quire/testing';
import { rulesOf, type Rules } from './support/rules.js';

let site: Site;
let admin: Client;
let rules: Rules;

beforeAll(async () => {
  site = await openSite();
  admin = await site.as('admin');
  rules = rulesOf(admin);
});
afterEach(async () => {
  await site.sql('DELETE FROM redirects');
});
afterAll(() => site.close());

describe('redirect loops', () => {
  const refused = [400, 'VALIDATION_ERROR'];

  it('are refused when source and destination are equal, enabled or not', async () => {
    expect(statusAndCode(await rules.create('/a', '/a'))).toEqual(refused);
    expect(statusAndCode(await rules.create('/a', '/a#part'))).toEqual(refused);
    expect(statusAndCode(await rules.create('/a', '/a', { enabled: false }))).toEqual(refused);
    expect(statusAndCode(await rules.create('/a', '/a?x=1'))).toEqual(refused);
  });

  it('are refused through a chain, and nothing of them is stored', async () => {
    await rules.make('/a', '/b');
    await rules.make('/b', '/c');
    await rules.make('/c', '/d');
    const answer = await rules.create('/d', '/a');
    expect([statusAndCode(answer), issuePaths(answer)]).toEqual([refused, ['destination']]);
    expect((await admin.get('/redirects')).data.items).toHaveLength(3);
    expect((await rules.create('/d', '/e')).status).toBe(201);
  });

  it('are refused through a chain of many rules', async () => {
    for (let step = 0; step < 30; step += 1) await rules.make(`/step-${step}`, `/step-${step + 1}`);
    expect(statusAndCode(await rules.create('/step-30', '/step-0'))).toEqual(refused);
    expect((await rules.create('/start', '/step-0')).status).toBe(201);
  });

  it('are refused between patterns, and where one path runs through a pattern', async () => {
    await rules.make('/a/[x]', '/b/[x]');
    expect(statusAndCode(await rules.create('/b/[y]', '/a/[y]'))).toEqual(refused);
    expect(statusAndCode(await rules.create('/b/first', '/a/first'))).toEqual(refused);
    expect((await rules.create('/b/first', '/c/first')).status).toBe(201);
    expect(statusAndCode(await rules.create('/[...rest]', '/closed'))).toEqual(refused);
  });

  it('are refused between two patterns that have only some paths in common, and named where they are stored', async () => {
    const one = await rules.make('/a/p/[y]', '/b/p/[y]');
    expect(statusAndCode(await rules.create('/b/[x]/q', '/a/[x]/q'))).toEqual(refused);
    const other = await rules.make('/b/[x]/q', '/a/[x]/q', { enabled: false });
    expect(statusAndCode(await rules.update(other.id, { enabled: true }))).toEqual(refused);
    // As they may have been stored before such loops were seen.
    await site.sql('UPDATE redirects SET enabled = true');
    expect((await admin.get('/redirects')).data.loopRedirectIds).toEqual([one.id, other.id].sort());
    expect((await rules.update(other.id, { destination: '/c/[x]/q' })).status).toBe(200);
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('are refused when a pattern closes the circle of single paths', async () => {
    await rules.make('/b/first', '/a/first');
    expect(statusAndCode(await rules.create('/a/[x]', '/b/[x]'))).toEqual(refused);
  });

  it('are refused to an update, by destination, by source and by enabling', async () => {
    await rules.make('/a', '/b');
    const back = await rules.make('/b', '/c');
    const off = await rules.make('/c', '/d');
    expect(statusAndCode(await rules.update(back.id, { destination: '/a' }))).toEqual(refused);
    expect(statusAndCode(await rules.update(off.id, { source: '/x', destination: '/x' }))).toEqual(refused);
    await rules.update(off.id, { destination: '/a', enabled: false });
    expect(statusAndCode(await rules.update(off.id, { enabled: true }))).toEqual(refused);
    expect((await admin.get(`/redirects/${off.id}`)).data).toMatchObject({
      destination: '/a',
      enabled: false,
    });
    const last = await rules.make('/z', '/a');
    expect(statusAndCode(await rules.update(last.id, { source: '/c' }))).toEqual([409, 'CONFLICT']);
    await admin.delete(`/redirects/${off.id}`);
    expect(statusAndCode(await rules.update(last.id, { source: '/c' }))).toEqual(refused);
  });

  it('do not count rules that are off, or that say gone', async () => {
    await rules.make('/a', '/b', { enabled: false });
    expect((await rules.create('/b', '/a')).status).toBe(201);
    await rules.make('/c', '', { type: 410 });
    expect((await rules.create('/d', '/c')).status).toBe(201);
  });

  it('are refused to two who each close half of the circle at the same time', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [`/one-${round}`, `/other-${round}`];
      const answers = await Promise.all([rules.create(one, other), rules.create(other, one)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 400]);
    }
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('are named by the list where a deletion uncovered them, and can still be renamed and mended', async () => {
    const cover = await rules.make('/a/first', '/fine');
    const pattern = await rules.make('/a/[x]', '/b/[x]');
    const exact = await rules.make('/b/first', '/a/first');
    const bystander = await rules.make('/in', '/a/first');
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
    await admin.delete(`/redirects/${cover.id}`);
    const { data } = await admin.get('/redirects?limit=1');
    expect(data.loopRedirectIds).toEqual([pattern.id, exact.id].sort());
    expect(data.loopRedirectIds).not.toContain(bystander.id);
    expect((await rules.update(exact.id, { groupName: 'Broken' })).status).toBe(200);
    expect((await rules.update(exact.id, { destination: '/c' })).status).toBe(200);
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });
});
