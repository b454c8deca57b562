import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode, useSite, type Client } from '@quire/testing';
import { rulesOf, type Rules } from './support/rules.js';

const site = useSite();
let admin: Client;
let rules: Rules;

beforeAll(async () => {
  admin = await site.as('admin');
  rules = rulesOf(admin);
});
afterEach(async () => {
  await site.sql('DELETE FROM redirects');
});

describe('redirect loops', () => {
  const rejected = [400, 'VALIDATION_ERROR'];

  it('are rejected when source and destination are equal, enabled or not', async () => {
    expect(statusAndCode(await rules.create('/a', '/a'))).toEqual(rejected);
    expect(statusAndCode(await rules.create('/a', '/a#part'))).toEqual(rejected);
    expect(statusAndCode(await rules.create('/a', '/a', { enabled: false }))).toEqual(rejected);
    expect(statusAndCode(await rules.create('/a', '/a?x=1'))).toEqual(rejected);
  });

  it('are rejected through a chain, and nothing is stored', async () => {
    await rules.createRule('/a', '/b');
    await rules.createRule('/b', '/c');
    await rules.createRule('/c', '/d');
    const response = await rules.create('/d', '/a');
    expect([statusAndCode(response), issuePaths(response)]).toEqual([rejected, ['destination']]);
    expect((await admin.get('/redirects')).data.items).toHaveLength(3);
    expect((await rules.create('/d', '/e')).status).toBe(201);
  });

  it('are rejected through a chain of many rules', async () => {
    for (let step = 0; step < 30; step += 1) await rules.createRule(`/step-${step}`, `/step-${step + 1}`);
    expect(statusAndCode(await rules.create('/step-30', '/step-0'))).toEqual(rejected);
    expect((await rules.create('/start', '/step-0')).status).toBe(201);
  });

  it('are rejected between patterns, and between a path and a pattern', async () => {
    await rules.createRule('/a/[x]', '/b/[x]');
    expect(statusAndCode(await rules.create('/b/[y]', '/a/[y]'))).toEqual(rejected);
    expect(statusAndCode(await rules.create('/b/first', '/a/first'))).toEqual(rejected);
    expect((await rules.create('/b/first', '/c/first')).status).toBe(201);
    expect(statusAndCode(await rules.create('/[...rest]', '/closed'))).toEqual(rejected);
  });

  it('are rejected between overlapping patterns, and listed in loopRedirectIds when stored', async () => {
    const one = await rules.createRule('/a/p/[y]', '/b/p/[y]');
    expect(statusAndCode(await rules.create('/b/[x]/q', '/a/[x]/q'))).toEqual(rejected);
    const other = await rules.createRule('/b/[x]/q', '/a/[x]/q', { enabled: false });
    expect(statusAndCode(await rules.update(other.id, { enabled: true }))).toEqual(rejected);
    // Rules stored before the detection of such loops existed.
    await site.sql('UPDATE redirects SET enabled = true');
    expect((await admin.get('/redirects')).data.loopRedirectIds).toEqual([one.id, other.id].sort());
    expect((await rules.update(other.id, { destination: '/c/[x]/q' })).status).toBe(200);
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('are rejected when a pattern closes a loop of single paths', async () => {
    await rules.createRule('/b/first', '/a/first');
    expect(statusAndCode(await rules.create('/a/[x]', '/b/[x]'))).toEqual(rejected);
  });

  it('are rejected by PUT for destination, source and enabled', async () => {
    await rules.createRule('/a', '/b');
    const back = await rules.createRule('/b', '/c');
    const off = await rules.createRule('/c', '/d');
    expect(statusAndCode(await rules.update(back.id, { destination: '/a' }))).toEqual(rejected);
    expect(statusAndCode(await rules.update(off.id, { source: '/x', destination: '/x' }))).toEqual(rejected);
    await rules.update(off.id, { destination: '/a', enabled: false });
    expect(statusAndCode(await rules.update(off.id, { enabled: true }))).toEqual(rejected);
    expect((await admin.get(`/redirects/${off.id}`)).data).toMatchObject({
      destination: '/a',
      enabled: false,
    });
    const last = await rules.createRule('/z', '/a');
    expect(statusAndCode(await rules.update(last.id, { source: '/c' }))).toEqual([409, 'CONFLICT']);
    await admin.delete(`/redirects/${off.id}`);
    expect(statusAndCode(await rules.update(last.id, { source: '/c' }))).toEqual(rejected);
  });

  it('do not include disabled rules and rules of type 410', async () => {
    await rules.createRule('/a', '/b', { enabled: false });
    expect((await rules.create('/b', '/a')).status).toBe(201);
    await rules.createRule('/c', '', { type: 410 });
    expect((await rules.create('/d', '/c')).status).toBe(201);
  });

  it('are not created by two concurrent requests', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [`/one-${round}`, `/other-${round}`];
      const responses = await Promise.all([rules.create(one, other), rules.create(other, one)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 400]);
    }
    expect((await admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('are listed in loopRedirectIds after a deletion uncovered them, and can be repaired', async () => {
    const cover = await rules.createRule('/a/first', '/fine');
    const pattern = await rules.createRule('/a/[x]', '/b/[x]');
    const exact = await rules.createRule('/b/first', '/a/first');
    const bystander = await rules.createRule('/in', '/a/first');
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
