import { describe, expect, it } from '@jest/globals';
import { issuePaths, statusAndCode } from '@quire/testing';
import { useRedirects } from './support.js';

const redirects = useRedirects();

describe('redirect loops', () => {
  const rejected = [400, 'VALIDATION_ERROR'];

  it('are rejected when source and destination are equal, enabled or not', async () => {
    expect(statusAndCode(await redirects.create('/a', '/a'))).toEqual(rejected);
    expect(statusAndCode(await redirects.create('/a', '/a#part'))).toEqual(rejected);
    expect(statusAndCode(await redirects.create('/a', '/a', { enabled: false }))).toEqual(rejected);
    expect(statusAndCode(await redirects.create('/a', '/a?x=1'))).toEqual(rejected);
  });

  it('are rejected through a chain, and nothing is stored', async () => {
    await redirects.createRule('/a', '/b');
    await redirects.createRule('/b', '/c');
    await redirects.createRule('/c', '/d');
    const response = await redirects.create('/d', '/a');
    expect([statusAndCode(response), issuePaths(response)]).toEqual([rejected, ['destination']]);
    expect((await redirects.admin.get('/redirects')).data.items).toHaveLength(3);
    expect((await redirects.create('/d', '/e')).status).toBe(201);
  });

  it('are rejected through a chain of many rules', async () => {
    for (let step = 0; step < 30; step += 1) await redirects.createRule(`/step-${step}`, `/step-${step + 1}`);
    expect(statusAndCode(await redirects.create('/step-30', '/step-0'))).toEqual(rejected);
    expect((await redirects.create('/start', '/step-0')).status).toBe(201);
  });

  it('are rejected between patterns, and between a path and a pattern', async () => {
    await redirects.createRule('/a/[x]', '/b/[x]');
    expect(statusAndCode(await redirects.create('/b/[y]', '/a/[y]'))).toEqual(rejected);
    expect(statusAndCode(await redirects.create('/b/first', '/a/first'))).toEqual(rejected);
    expect((await redirects.create('/b/first', '/c/first')).status).toBe(201);
    expect(statusAndCode(await redirects.create('/[...rest]', '/closed'))).toEqual(rejected);
  });

  it('are rejected between overlapping patterns, and listed in loopRedirectIds when stored', async () => {
    const one = await redirects.createRule('/a/p/[y]', '/b/p/[y]');
    expect(statusAndCode(await redirects.create('/b/[x]/q', '/a/[x]/q'))).toEqual(rejected);
    const other = await redirects.createRule('/b/[x]/q', '/a/[x]/q', { enabled: false });
    expect(statusAndCode(await redirects.update(other.id, { enabled: true }))).toEqual(rejected);
    // Rules stored before the detection of such loops existed.
    await redirects.site.sql('UPDATE redirects SET enabled = true');
    expect((await redirects.admin.get('/redirects')).data.loopRedirectIds).toEqual([one.id, other.id].sort());
    expect((await redirects.update(other.id, { destination: '/c/[x]/q' })).status).toBe(200);
    expect((await redirects.admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('are rejected when a pattern closes a loop of single paths', async () => {
    await redirects.createRule('/b/first', '/a/first');
    expect(statusAndCode(await redirects.create('/a/[x]', '/b/[x]'))).toEqual(rejected);
  });

  it('are rejected by PUT for destination, source and enabled', async () => {
    await redirects.createRule('/a', '/b');
    const back = await redirects.createRule('/b', '/c');
    const off = await redirects.createRule('/c', '/d');
    expect(statusAndCode(await redirects.update(back.id, { destination: '/a' }))).toEqual(rejected);
    expect(statusAndCode(await redirects.update(off.id, { source: '/x', destination: '/x' }))).toEqual(
      rejected,
    );
    await redirects.update(off.id, { destination: '/a', enabled: false });
    expect(statusAndCode(await redirects.update(off.id, { enabled: true }))).toEqual(rejected);
    expect((await redirects.admin.get(`/redirects/${off.id}`)).data).toMatchObject({
      destination: '/a',
      enabled: false,
    });
    const last = await redirects.createRule('/z', '/a');
    expect(statusAndCode(await redirects.update(last.id, { source: '/c' }))).toEqual([409, 'CONFLICT']);
    await redirects.admin.delete(`/redirects/${off.id}`);
    expect(statusAndCode(await redirects.update(last.id, { source: '/c' }))).toEqual(rejected);
  });

  it('do not include disabled rules and rules of type 410', async () => {
    await redirects.createRule('/a', '/b', { enabled: false });
    expect((await redirects.create('/b', '/a')).status).toBe(201);
    await redirects.createRule('/c', '', { type: 410 });
    expect((await redirects.create('/d', '/c')).status).toBe(201);
  });

  it('are not created by two concurrent requests', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [one, other] = [`/one-${round}`, `/other-${round}`];
      const responses = await Promise.all([redirects.create(one, other), redirects.create(other, one)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 400]);
    }
    expect((await redirects.admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('of patterns are not created by two concurrent requests', async () => {
    for (let round = 0; round < 3; round += 1) {
      const [one, other] = [`/one-${round}/[x]`, `/other-${round}/[x]`];
      const responses = await Promise.all([redirects.create(one, other), redirects.create(other, one)]);
      expect(responses.map(({ status }) => status).sort()).toEqual([201, 400]);
    }
    expect((await redirects.admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });

  it('are listed on the pages of rules that lead into them', async () => {
    const cover = await redirects.createRule('/a', '/far/away');
    const loop = [await redirects.createRule('/b', '/a'), await redirects.createRule('/[x]', '/b')];
    await redirects.createRule('/elsewhere/old', '/elsewhere/new');
    await redirects.admin.delete(`/redirects/${cover.id}`);
    const looping = { loopRedirectIds: loop.map(({ id }) => id).sort() };
    const first = (await redirects.admin.get('/redirects?limit=1')).data;
    expect(first).not.toHaveProperty('loopRedirectIds');
    const second = await redirects.admin.get(`/redirects?limit=1&cursor=${first.nextCursor}`);
    expect(second.data).toMatchObject(looping);
    expect((await redirects.admin.get('/redirects?search=%2Fb')).data).toMatchObject(looping);
  });

  it('are listed in loopRedirectIds after a deletion uncovered them, and can be repaired', async () => {
    const cover = await redirects.createRule('/a/first', '/fine');
    const pattern = await redirects.createRule('/a/[x]', '/b/[x]');
    const exact = await redirects.createRule('/b/first', '/a/first');
    const bystander = await redirects.createRule('/in', '/a/first');
    expect((await redirects.admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
    await redirects.admin.delete(`/redirects/${cover.id}`);
    const { data } = await redirects.admin.get('/redirects?limit=1');
    expect(data.loopRedirectIds).toEqual([pattern.id, exact.id].sort());
    expect(data.loopRedirectIds).not.toContain(bystander.id);
    expect((await redirects.update(exact.id, { groupName: 'Broken' })).status).toBe(200);
    expect((await redirects.update(exact.id, { destination: '/c' })).status).toBe(200);
    expect((await redirects.admin.get('/redirects')).data).not.toHaveProperty('loopRedirectIds');
  });
});
