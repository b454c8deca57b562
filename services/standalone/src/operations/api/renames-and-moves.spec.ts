import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { apiTargets } from '@quire/topology';
import type { RunningProcess } from '../../process.js';
import { openMoveInstallation, type MoveInstallation } from '../../tenants/move/move.fixture.js';
import { openApiClient, type ApiClient, type ApiResponse } from './api.fixture.js';

let test: MoveInstallation;
let running: RunningProcess;
let api: ApiClient;
beforeAll(async () => {
  test = await openMoveInstallation('renames_and_moves');
  running = await test.start(apiTargets);
  api = await openApiClient(
    running,
    await test.run('operator token create', { name: 'Olga', role: 'operator' }),
  );
});
afterAll(async () => {
  await running.stop();
  await test.close();
});

const tenants = '/ops/api/tenants';
const acme = `${tenants}/acme`;
const body = { id: 'acme', hosts: ['acme.example'] };
const create = (changes: object = {}) => api.call('POST', tenants, { ...body, ...changes });
const lastActions = async (count: number) => {
  const { data } = await api.call('GET', `/ops/api/log?limit=${count}`);
  return data['items'] as Record<string, unknown>[];
};
const itemOf = ({ data }: ApiResponse) => data['item'] as Record<string, unknown>;
const pathsOf = ({ error }: ApiResponse) => error.details?.issues.map(({ path }) => path);

describe('POST /ops/api/tenants/{id}/rename', () => {
  it('gives a site another id, once; the former one still leads to it and is taken', async () => {
    await create();
    for (const path of [acme, acme, `${tenants}/globex`]) {
      const { status, data } = await api.call('POST', `${path}/rename`, { id: 'globex' });
      expect([status, data['item']]).toEqual([
        200,
        expect.objectContaining({ id: 'globex', storageId: 'acme' }),
      ]);
    }
    expect(itemOf(await api.call('GET', acme))).toMatchObject({ id: 'globex', hosts: body.hosts });
    const last = await lastActions(2);
    expect(last.map(({ action }) => action)).toEqual(['tenant rename', 'tenant create']);
    expect(last[0]).toMatchObject({ actor: 'operator:Olga', target: 'acme', detail: { to: 'globex' } });
    expect((await create({ hosts: ['other.example'] })).code).toBe('CONFLICT');
    expect((await create({ id: 'globex' })).status).toBe(200);
    await create({ id: 'initech', hosts: ['initech.example'] });
    expect((await api.call('POST', `${tenants}/initech/rename`, { id: 'acme' })).code).toBe('CONFLICT');
    expect(pathsOf(await api.call('POST', `${acme}/rename`, { id: 'A' }))).toEqual(['id']);
  });
});
