import 'reflect-metadata';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { ConfigurationError } from '@quire/config';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';

let test: TestInstallation;
let folder: string;
beforeAll(async () => {
  test = await openInstallation('tenant_options');
  folder = await mkdtemp(join(tmpdir(), 'quire-tenant-options-'));
  await test.run('tenant create', { host: ['acme.example'] }, ['acme']);
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});
const registry = async () => await test.installation.registryTables();
beforeEach(async () => {
  await (await registry()).query("UPDATE tenants SET settings = '{}', limits = '{}', plan = NULL");
});

const limit = (...texts: string[]) => test.run('tenant limit', {}, ['acme', ...texts]);
const set = (...assignments: string[]) => test.run('tenant configure', { set: assignments }, ['acme']);
const options = async () => {
  const [{ settings, limits, plan } = { settings: {}, limits: {}, plan: null }] = (
    await test.adminService.tenants.details()
  ).filter(({ id }) => id === 'acme');
  return { settings, limits, plan };
};
async function file(text: string): Promise<string> {
  const path = join(folder, 'settings.json');
  await writeFile(path, text);
  return path;
}

describe('cms tenant limit (operations G3, G6)', () => {
  it('sets limits in their units, changes single ones and removes them', async () => {
    expect(
      await limit('entries=100000', 'media=5GiB', 'requests=50', 'uploads=20MiB', '--plan', 'small'),
    ).toBe(
      'The tenant acme has the limits entries=100000 media=5GiB uploads=20MiB requests=50, and the plan small',
    );
    const limits = {
      entries: 100_000,
      mediaBytes: 5 * 2 ** 30,
      uploadBytes: 20 * 2 ** 20,
      requestsPerSecond: 50,
    };
    expect(await options()).toEqual({ settings: {}, limits, plan: 'small' });
    expect(await limit('media=1500', 'requests=none', 'entries=none', 'uploads=none')).toBe(
      'The tenant acme has the limits media=1500, and the plan small',
    );
    expect(await limit('media=none', '--plan', 'none')).toBe('The tenant acme has no limits');
    expect(JSON.parse(await limit('entries=5', '--json'))).toEqual({
      settings: {},
      limits: { entries: 5 },
      plan: null,
    });
    expect(await test.adminService.tenants.list()).toContainEqual({
      id: 'acme',
      database: null,
      limits: { entries: 5 },
    });
  });

  it.each([
    [['users=5'], /^users: is not a limit; there are entries, media, uploads, requests$/],
    [['constructor=5'], /^constructor: is not a limit/],
    [['entries'], /^entries: must be a name, = and a value$/],
    [['entries=5GiB'], /^entries: must be a whole number, or none$/],
    [['media=-5'], /^media: must be a whole number, also with KiB/],
    [['media=5GB'], /^media: must be/],
    [[], /^Name a limit/],
  ])('rejects %j', async (texts, message) => {
    const rejected = limit(...texts);
    await expect(rejected).rejects.toThrow(ConfigurationError);
    await expect(rejected).rejects.toThrow(message);
  });

  it('changes nothing when one of the limits is invalid, or the site is unknown', async () => {
    await expect(limit('entries=0', 'requests=5')).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path: 'limits.entries' }] },
    });
    await expect(limit('requests=5', '--plan', ' ')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    expect(await options()).toEqual({ settings: {}, limits: {}, plan: null });
    const unknown = test.run('tenant limit', {}, ['unknown', 'entries=5']);
    await expect(unknown).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });
});

describe('cms tenant configure', () => {
  it('sets single settings, of JSON or text, and removes them', async () => {
    expect(await set('locales=["de","en"]', 'defaultLocale=de', 'signIn.signup=false')).toBe(
      'The settings of the tenant acme are {"locales":["de","en"],"defaultLocale":"de","signIn":{"signup":false}}',
    );
    await set('mailFrom.address=hello@acme.example', 'mailFrom.name=Acme', 'signIn.magicLinks=false');
    expect((await options()).settings).toEqual({
      locales: ['de', 'en'],
      defaultLocale: 'de',
      mailFrom: { address: 'hello@acme.example', name: 'Acme' },
      signIn: { signup: false, magicLinks: false },
    });
    await set('mailFrom=none', 'signIn.signup=none');
    expect((await options()).settings).toEqual({
      locales: ['de', 'en'],
      defaultLocale: 'de',
      signIn: { magicLinks: false },
    });
  });

  it('replaces all settings by those of a file', async () => {
    await set('defaultLocale=de');
    const path = await file('{"signIn": {"providers": ["google"]}}');
    const json = await test.run('tenant configure', { file: path, json: true }, ['acme']);
    expect(JSON.parse(json)).toEqual({
      settings: { signIn: { providers: ['google'] } },
      limits: {},
      plan: null,
    });
  });

  it.each([
    ['theme=dark', 'settings'],
    ['__proto__.x=1', 'settings'],
    ['signIn.providers=["unlisted"]', 'settings.signIn.providers'],
    ['mailFrom.address=no address', 'settings.mailFrom.address'],
    ['locales=de', 'settings.locales'],
  ])('rejects %s, names the field, and changes nothing', async (assignment, path) => {
    await expect(set('defaultLocale=fr', assignment)).rejects.toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { issues: [{ path }] },
    });
    expect((await options()).settings).toEqual({});
  });

  it('rejects a missing file, one that is not JSON, and a call without settings', async () => {
    const configure = (values: Record<string, string | string[]>) =>
      test.run('tenant configure', values, ['acme']);
    await expect(configure({ file: join(folder, 'missing') })).rejects.toThrow(/cannot be read \(ENOENT\)/);
    await expect(configure({ file: await file('{') })).rejects.toThrow(/is not JSON/);
    await expect(configure({})).rejects.toThrow(ConfigurationError);
    await expect(configure({ set: ['a=1'], file: 'x' })).rejects.toThrow(ConfigurationError);
  });
});

it('both are recorded in the log of operators with their values, a rejected one is not', async () => {
  await limit('entries=5', '--plan', 'small');
  await set('defaultLocale=de');
  await expect(limit('entries=0')).rejects.toThrow();
  const actions = JSON.parse(await test.run('operator log --json')) as object[];
  expect(actions.slice(0, 2)).toMatchObject([
    {
      action: 'tenant configure',
      target: 'acme',
      actor: expect.stringMatching(/^cli:/),
      detail: { settings: '{"defaultLocale":"de"}' },
    },
    {
      action: 'tenant limit',
      target: 'acme',
      detail: { limits: '{"entries":5}', plan: '"small"' },
      count: 1,
    },
  ]);
});
